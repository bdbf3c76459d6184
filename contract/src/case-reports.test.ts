import { describe, expect, test } from 'vitest';
import { eventDateFaults } from './case-reports.ts';

const dates = {
  onsetOn: '2026-03-01',
  collectedOn: '2026-03-03',
  reportedOn: '2026-03-04',
  receivedOn: '2026-03-04',
  createdOn: '2026-03-05',
};
const about = { today: '2026-03-10', birthDate: '1990-01-01' };
const faults = (changes: Partial<Record<keyof typeof dates, string | null>>) =>
  eventDateFaults({ ...dates, ...changes }, new Set(Object.keys(changes)), about);

describe('the event dates of a case [S5.1]', () => {
  test('in order, including equal days and missing dates', () => {
    expect(faults({ onsetOn: '2026-03-03', collectedOn: null })).toEqual([]);
    expect(faults({ receivedOn: '2026-03-05' })).toEqual([]);
    expect(faults({ reportedOn: null, receivedOn: null })).toEqual([]);
  });

  test('a date after the next known one', () => {
    expect(faults({ onsetOn: '2026-03-04' })).toEqual([
      { field: 'onsetOn', code: 'after-next', next: 'collectedOn' },
    ]);
    expect(faults({ collectedOn: null, onsetOn: '2026-03-06' })).toEqual([
      { field: 'onsetOn', code: 'after-next', next: 'reportedOn' },
    ]);
    // The changed date is the later of the pair; the fault is on the earlier one.
    expect(faults({ reportedOn: '2026-03-02' })).toEqual([
      { field: 'collectedOn', code: 'after-next', next: 'reportedOn' },
    ]);
    expect(faults({ receivedOn: '2026-03-06' })).toEqual([
      { field: 'receivedOn', code: 'after-next', next: 'createdOn' },
    ]);
  });

  test('not in the future, before 1900 or before birth', () => {
    expect(faults({ receivedOn: '2026-03-11' })[0]).toEqual({ field: 'receivedOn', code: 'future' });
    expect(faults({ onsetOn: '1899-12-31' })).toEqual([{ field: 'onsetOn', code: 'before-1900' }]);
    expect(faults({ onsetOn: '1989-12-31' })).toEqual([{ field: 'onsetOn', code: 'before-birth' }]);
    expect(
      eventDateFaults({ ...dates, onsetOn: '1989-12-31' }, new Set(['onsetOn']), {
        ...about,
        birthDate: null,
      }),
    ).toEqual([]);
  });

  test('an existing fault does not block another change', () => {
    const imported = { ...dates, onsetOn: '2026-03-04' };
    expect(eventDateFaults(imported, new Set(['classification']), about)).toEqual([]);
    expect(eventDateFaults(imported, new Set(['receivedOn']), about)).toEqual([]);
    expect(eventDateFaults(imported, new Set(['collectedOn']), about)).toHaveLength(1);
  });
});
