import { expect, test, vi } from 'vitest';
import { goesFirst, whenOthersAreDone } from './in-turn.ts';

vi.useFakeTimers();

const held = () => {
  let end = () => {};
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { promise, end };
};

test('low-priority requests go after those a screen waits for, even ones made just after them', async () => {
  const order: string[] = [];
  const first = held();
  const waits = whenOthersAreDone().then(() => order.push('later'));
  void goesFirst(first.promise).then(() => order.push('first'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(order).toEqual([]);
  first.end();
  await waits;
  expect(order).toEqual(['first', 'later']);
});

test('they go at once if nothing is pending, and after a failed request', async () => {
  const failed = goesFirst(Promise.reject(new Error('refused')));
  const waits = whenOthersAreDone();
  await expect(failed).rejects.toThrow('refused');
  await vi.advanceTimersByTimeAsync(0);
  await waits;
});

test('they do not wait forever for a slow one', async () => {
  const slow = held();
  void goesFirst(slow.promise);
  let gone = false;
  const waits = whenOthersAreDone().then(() => {
    gone = true;
  });
  await vi.advanceTimersByTimeAsync(1999);
  expect(gone).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await waits;
  slow.end();
});
