import { describe, expect, it } from 'vitest';
import { NoTurn, Turns } from './turns.ts';

describe('turns', () => {
  it('[P27] give one account no more than its share, and others their turn too', async () => {
    const turns = new Turns({ places: 4, perKey: 2 });
    const began: string[] = [];
    const begin = (key: string) =>
      turns.take({ key, withinMs: 10_000 }).then((end) => {
        began.push(key);
        return end;
      });
    const asked = [begin('a'), begin('a'), begin('a'), begin('a'), begin('b')] as const;
    const endA = await asked[0];
    await asked[4];
    expect(began).toEqual(['a', 'a', 'b']);
    endA();
    await new Promise((resolve) => setImmediate(resolve));
    expect(began).toEqual(['a', 'a', 'b', 'a']);
    // None is left waiting.
    for (const one of asked) (await one)();
  });

  it('[P27] serve lists before charts, and keep a place for them', async () => {
    const turns = new Turns({ places: 2, keptForFirst: 1 });
    const order: string[] = [];
    const chart = await turns.take({ withinMs: 10_000 });
    const waits = turns.take({ withinMs: 10_000 }).then(() => order.push('chart'));
    const list = await turns.take({ first: true, withinMs: 10_000 });
    const later = turns.take({ first: true, withinMs: 10_000 }).then(() => order.push('list'));
    list();
    await later;
    chart();
    await waits;
    expect(order).toEqual(['list', 'chart']);
  });

  it('refuse requests that waited too long, came when too many waited, or were closed', async () => {
    const turns = new Turns({ places: 1, waiting: 2 });
    const end = await turns.take({ withinMs: 0 });
    await expect(turns.take({ withinMs: 0 })).rejects.toThrow(NoTurn);
    const gone = new AbortController();
    const leaves = turns.take({ withinMs: 10_000, signal: gone.signal });
    const late = turns.take({ withinMs: 5 });
    await expect(turns.take({ withinMs: 10_000 })).rejects.toThrow(NoTurn);
    gone.abort(new Error('gone'));
    await expect(leaves).rejects.toThrow('gone');
    await expect(late).rejects.toThrow(NoTurn);
    end();
    // Requests that left are no longer counted.
    (await turns.take({ withinMs: 0 }))();
  });
});
