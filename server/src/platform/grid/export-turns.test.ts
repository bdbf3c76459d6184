import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppError } from '../http/app-error.ts';
import { ExportTurns } from './export-turns.ts';

const tenant = (id: string) => ({ orgType: 'T', id, tenantIds: [id] }) as const;
const facility = (id: string, of: string) => ({ orgType: 'F', id, tenantIds: [of] }) as const;
const jurisdiction = (id: string, ...over: string[]) => ({ orgType: 'PHJ', id, tenantIds: over }) as const;
type Reader = Parameters<ExportTurns['take']>[0];

describe('exports that are read slowly', () => {
  let turns: ExportTurns;
  const take = (reader: Reader, signal = new AbortController().signal) => turns.take(reader, signal);
  /** What an export without a place gets: it is refused after a minute. */
  const waits = async (reader: Reader) => {
    const refused = take(reader).catch((error: AppError) => error);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await refused).toMatchObject({ code: 'too-many-exports', details: { retryAfter: 15 } });
  };
  beforeEach(() => {
    vi.useFakeTimers();
    turns = new ExportTurns();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('use two places of their tenant, no matter who reads them, and leave the rest to others', async () => {
    await take(tenant('a'));
    await take(facility('clinic', 'a'));
    await waits(tenant('a'));
    for (const other of ['b', 'c']) await take(tenant(other));
  });

  it('of a jurisdiction use no places of the tenants that it reads', async () => {
    for (const _ of [1, 2]) await take(jurisdiction('bay', 'a', 'b'));
    await waits(jurisdiction('bay', 'a', 'b'));
    for (const _ of [1, 2]) await take(tenant('a'));
  });

  it('are never more than six, because each uses a connection', async () => {
    for (const id of ['a', 'b', 'c']) for (const _ of [1, 2]) await take(tenant(id));
    await waits(tenant('d'));
  });

  it('begin in the order of the requests, once another has been sent; an abandoned request takes no place', async () => {
    const ends = [await take(tenant('a')), await take(tenant('a'))];
    const began: string[] = [];
    const gone = new AbortController();
    const left = take(tenant('a'), gone.signal).catch((error: Error) => error.message);
    for (const name of ['first', 'second'])
      take(tenant('a')).then(
        () => began.push(name),
        () => began.push(`${name} was refused`),
      );
    gone.abort(new Error('cancelled'));
    expect(await left).toBe('cancelled');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(began).toEqual([]);
    ends[0]!();
    await vi.advanceTimersByTimeAsync(0);
    expect(began).toEqual(['first']);
    ends[1]!();
    await vi.advanceTimersByTimeAsync(0);
    expect(began).toEqual(['first', 'second']);
  });
});
