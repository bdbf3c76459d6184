import { describe, expect, it } from 'vitest';
import { AnswerCache } from './answer-cache.ts';

describe('kept answers', () => {
  let made = 0;
  const make = async () => ++made;

  it('are valid while the facts are the same, for the same question', async () => {
    const cache = new AnswerCache<number>();
    const first = await cache.get('a', 'v1', make);
    expect(await cache.get('a', 'v1', make)).toBe(first);
    expect(await cache.get('b', 'v1', make)).not.toBe(first);
    const later = await cache.get('a', 'v2', make);
    expect(later).not.toBe(first);
    expect(await cache.get('a', 'v2', make)).toBe(later);
  });

  it('are not kept if the version of the facts is unknown', async () => {
    const cache = new AnswerCache<number>();
    const first = await cache.get('a', undefined, make);
    expect(await cache.get('a', undefined, make)).not.toBe(first);
  });

  it('are removed when there are many, the least recently used first', async () => {
    const cache = new AnswerCache<number>(2);
    const a = await cache.get('a', 'v', make);
    const b = await cache.get('b', 'v', make);
    await cache.get('a', 'v', make);
    await cache.get('c', 'v', make);
    expect(await cache.get('a', 'v', make)).toBe(a);
    expect(await cache.get('b', 'v', make)).not.toBe(b);
  });

  it('does not keep a failure', async () => {
    const cache = new AnswerCache<number>();
    const fail = () => Promise.reject(new Error('no'));
    await expect(cache.get('a', 'v', fail)).rejects.toThrow('no');
    expect(await cache.get('a', 'v', async () => 7)).toBe(7);
  });
});
