import pg from 'pg';
import { afterAll } from 'vitest';

/**
 * Records the statements of transactions in the scope `identity`, which only requests begin, as long as nothing runs
 * in the background. Call it at the top of a file; it returns a function that lists the statements of some work.
 */
export function recordStatements(): (work: () => Promise<unknown>) => Promise<string[]> {
  const sent: string[] = [];
  const recorded = new WeakSet<pg.Client>();
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function recording(this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | { text: string }];
    const text = typeof first === 'string' ? first : first.text;
    if (text.startsWith('begin')) {
      if (/app\.scope = '+identity'/.test(text)) recorded.add(this);
      else recorded.delete(this);
    }
    if (recorded.has(this)) sent.push(text);
    return (query as (...all: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  afterAll(() => {
    pg.Client.prototype.query = query;
  });
  return async (work) => {
    sent.length = 0;
    await work();
    return [...sent];
  };
}
