import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FreshCache } from './fresh-cache.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('looks once within the time, and again after it', async () => {
  const cache = new FreshCache<number>({ freshMs: 4000 });
  let looks = 0;
  const look = async () => ++looks;
  expect(await Promise.all([cache.get('a', look), cache.get('a', look)])).toEqual([1, 1]);
  vi.advanceTimersByTime(3999);
  expect(await cache.get('a', look)).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await cache.get('a', look)).toBe(2);
});

test('counts the time from the beginning of a look, since later changes may not be in it', async () => {
  const cache = new FreshCache<string>({ freshMs: 4000 });
  let finish = (_: string) => {};
  const slow = cache.get('a', () => new Promise((resolve) => (finish = resolve)));
  vi.advanceTimersByTime(4000);
  finish('old');
  expect(await slow).toBe('old');
  expect(await cache.get('a', async () => 'new')).toBe('new');
});

test('does not remember a failure', async () => {
  const cache = new FreshCache<string>({ freshMs: 4000 });
  await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await cache.get('a', async () => 'back')).toBe('back');
});

test('forgets on demand, and the oldest when it is full', async () => {
  const cache = new FreshCache<number>({ freshMs: 4000, capacity: 2 });
  let looks = 0;
  const look = async () => ++looks;
  for (const key of ['a', 'b', 'c', 'b']) await cache.get(key, look);
  expect(looks).toBe(3);
  await cache.get('a', look);
  expect(looks).toBe(4);
  cache.forget('a');
  await cache.get('a', look);
  expect(looks).toBe(5);
});
