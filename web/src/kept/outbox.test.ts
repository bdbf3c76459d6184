import { expect, test } from 'vitest';
import { changedFields, deliver, type Entry, type Outcome, type Refusal } from './outbox.ts';

const entry = (id: string, record: string, refusal?: Refusal): Entry<string> => ({
  ...{ id, record, base: 1, seen: {}, made: `made ${id}`, at: 0 },
  ...(refusal && { refusal }),
});
const conflict: Refusal = { code: 'conflict', faults: [] };

/** Sends with these outcomes; returns what was sent and noted, in order. */
async function delivered(entries: readonly Entry<string>[], outcomes: Readonly<Record<string, Outcome>>) {
  const did: string[] = [];
  const end = await deliver(
    entries,
    async ({ id }) => {
      did.push(`sends ${id}`);
      return outcomes[id] ?? 'sent';
    },
    async ({ id }, outcome) => {
      did.push(`notes ${id} ${outcome === 'sent' ? outcome : outcome.code}`);
    },
  );
  return { did, end };
}

test('waiting entries are sent in order, and each is noted before the next', async () => {
  expect(await delivered([entry('1', 'a'), entry('2', 'b'), entry('3', 'a')], {})).toEqual({
    did: ['sends 1', 'notes 1 sent', 'sends 2', 'notes 2 sent', 'sends 3', 'notes 3 sent'],
    end: 'all',
  });
});

test('it stops at the first that gets no answer, and when the session has ended', async () => {
  const entries = [entry('1', 'a'), entry('2', 'b'), entry('3', 'c')];
  expect(await delivered(entries, { '2': 'later' })).toEqual({
    did: ['sends 1', 'notes 1 sent', 'sends 2'],
    end: 'later',
  });
  expect((await delivered(entries, { '1': 'signed-out' })).end).toBe('signed-out');
});

test('a refused entry waits for a person; later ones of the same record wait behind it, others do not', async () => {
  const entries = [entry('1', 'a'), entry('2', 'a'), entry('3', 'b')];
  expect((await delivered(entries, { '1': conflict })).did).toEqual([
    'sends 1',
    'notes 1 conflict',
    'sends 3',
    'notes 3 sent',
  ]);
  const asked = [entry('1', 'a', conflict), entry('2', 'a'), entry('3', 'b')];
  expect((await delivered(asked, {})).did).toEqual(['sends 3', 'notes 3 sent']);
});

test('a conflict is named by field', () => {
  const seen = { worker: 'me', plannedFor: '2026-03-01', note: null };
  expect(changedFields(seen, { ...seen, worker: 'her' }, ['worker', 'plannedFor', 'note'])).toEqual([
    { field: 'worker', from: 'me', to: 'her' },
  ]);
});
