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

test('what can wait goes after what a screen is waiting for, also what is asked just after it', async () => {
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

test('it goes at once where nothing is under way, and after a request that failed', async () => {
  const failed = goesFirst(Promise.reject(new Error('refused')));
  const waits = whenOthersAreDone();
  await expect(failed).rejects.toThrow('refused');
  await vi.advanceTimersByTimeAsync(0);
  await waits;
});

test('it does not wait for ever for a slow one', async () => {
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
