import { describe, expect, test } from 'vitest';
import type { CaseRow } from './rows.ts';
import { workOf } from './work.ts';

const days = {
  today: '2026-11-26',
  calendar: { workdays: [1, 2, 3, 4, 5], federalHolidays: true, daysOff: [] },
  zone: 'America/New_York',
};
const ana = '00000000-0000-4000-8000-000000000300';
const cases = (status: string, created_on: string, count = 64): CaseRow[] =>
  Array.from(
    { length: count },
    (_, index) =>
      ({
        tenant_id: ana,
        id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        status,
        created_on,
        investigator_id: status === 'new' ? null : ana,
      }) as CaseRow,
  );
type Task = {
  id: string;
  work: string;
  state: string;
  due_on: string;
  account_id: string | null;
  priority: string;
  transition: string | null;
};
const of = (status: string, created_on: string) =>
  workOf(cases(status, created_on), days) as { tasks: Task[]; clocks: { clock: string; due_on: string }[] };
const counted = (texts: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(texts, (text) => text)].map(([text, all]) => [text, all.length]));

describe('the tasks and clocks of the demo [S10.1]', () => {
  test('an assigned case has the task and both clocks that its flow declares; some are late, most are not', () => {
    const { tasks, clocks } = of('assigned', '2026-11-01');
    const given = tasks.filter(({ transition }) => transition !== null);
    expect(counted(given.map(({ work, state }) => `${work} ${state}`))).toEqual({ 'investigate open': 64 });
    // Some investigators have additional tasks from people.
    expect(tasks.length).toBeGreaterThan(64);
    expect(tasks.length).toBeLessThan(96);
    expect(tasks.every(({ account_id }) => account_id === ana)).toBe(true);
    expect(counted(clocks.map(({ clock }) => clock))).toEqual({ start: 64, complete: 64 });
    const late = given.filter(({ due_on }) => due_on < days.today).length;
    expect(late).toBeGreaterThan(0);
    expect(late).toBeLessThan(16);
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
  });

  test('a new one waits for an assignment until the end of the next working day', () => {
    // Wednesday, before Thanksgiving.
    const { tasks, clocks } = of('new', '2026-11-25');
    expect(tasks).toEqual([]);
    expect(counted(clocks.map(({ clock, due_on }) => `${clock} ${due_on}`))).toEqual({
      'assign 2026-11-27': 64,
    });
  });

  test('an open case of syphilis in pregnancy has its urgent task of today', () => {
    const [one] = cases('assigned', '2026-11-20', 1) as [CaseRow];
    const pregnant = { ...one, pregnant: 'yes', disease_family: 'syphilis', classification: 'probable' };
    const urgent = (of: CaseRow) =>
      (workOf([of], days).tasks as Task[])
        .filter(({ work }) => work === 'pregnant-syphilis')
        .map(({ priority, due_on, state }) => ({ priority, due_on, state }));
    expect(urgent(pregnant)).toEqual([{ priority: 'high', due_on: days.today, state: 'open' }]);
    expect(urgent({ ...pregnant, status: 'closed' })).toEqual([]);
    expect(urgent({ ...pregnant, disease_family: 'chlamydia' })).toEqual([]);
  });

  test('a closed one has its tasks done, and an old one has had none', () => {
    const { tasks, clocks } = of('closed', '2026-11-01');
    expect(new Set(tasks.map(({ state }) => state))).toEqual(new Set(['done']));
    expect(clocks).toEqual([]);
    expect(of('assigned', '2026-01-01')).toEqual({ tasks: [], clocks: [], transitions: [] });
  });
});
