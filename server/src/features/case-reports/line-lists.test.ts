import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeFacility, makeTenant } from '../../../test/factories.ts';
import { importText } from '../imports/test-messages.ts';

const { database } = await createTestDatabase();

let tenantId: string;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database));
});

const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));
const count = async (table: string) =>
  (await rows<{ n: number }>(`select count(*) as n from ${table}`))[0]!.n;
const facility = async () => (await makeFacility(database, { tenant_id: tenantId })).id;
const take = (text: string, facilityId?: string) =>
  importText(database, tenantId, text, { condition: 'measles', facilityId });
const cases = () =>
  rows('select external_id, onset_on, review_reason from case_report order by onset_on, id');
const told = (external_id: string | null, onset_on: string, review_reason: string | null = null) => ({
  external_id,
  onset_on,
  review_reason,
});

describe('line lists of people without names, whose senders number their cases independently', () => {
  const list = (onset: string, age: string | number = 30) =>
    `case_id,onset_date,sex,age\n101,${onset},F,${age}\n`;

  test('the same number of another facility is another case', async () => {
    await take(list('2026-03-01'), await facility());
    await take(list('2026-03-01'), await facility());
    expect(await cases()).toEqual([told('101', '2026-03-01'), told('101', '2026-03-01')]);
    expect(await count('patient')).toBe(2);
  });

  test('the same number from the same facility, with one age and within one week, is the same case again', async () => {
    const id = await facility();
    await take(list('2026-03-01'), id);
    const again = await take(list('2026-03-02'), id);
    expect(await cases()).toEqual([told('101', '2026-03-02')]);
    expect(again.effects).toEqual({ patientsMatched: 1, casesUpdated: 1 });
  });

  test('a list that begins at 1 again overwrites nothing: another age is another person', async () => {
    const id = await facility();
    await take(list('2026-03-01'), id);
    await take(list('2026-03-01', 62), id);
    await take(list('2026-03-01', '4 months'), id);
    expect(await cases()).toEqual([
      told('101', '2026-03-01'),
      told('101', '2026-03-01'),
      told('101', '2026-03-01'),
    ]);
    expect(await rows('select born_from, born_to from patient order by born_from')).toEqual([
      { born_from: '1963-03-01', born_to: '1964-03-01' },
      { born_from: '1995-03-01', born_to: '1996-03-01' },
      { born_from: '2025-09-29', born_to: '2025-10-31' },
    ]);
  });

  test('if the dates contradict each other it is another case, which is put up for review', async () => {
    const id = await facility();
    await take(list('2026-03-01'), id);
    const { effects } = await take(list('2026-03-20'), id);
    expect(await cases()).toEqual([
      told('101', '2026-03-01'),
      told('101', '2026-03-20', 'number-used-again'),
    ]);
    expect(effects).toEqual({ patientsCreated: 1, casesOpened: 1, casesToReview: 1 });
    const [event] = await rows(
      `select e.detail->>'caseId' = c.id::text as names from case_event e join case_report c on c.tenant_id = e.tenant_id
       where e.kind = 'review-needed' and c.onset_on = '2026-03-01'`,
    );
    expect(event).toEqual({ names: true });
  });

  test('without a place, the same day of onset is the same case, and any other is not', async () => {
    await take(list('2026-03-01'));
    await take(list('2026-03-01').replace('sex,age', 'sex,age,outcome').replace('30', '30,died'));
    expect(await rows('select onset_on, outcome from case_report')).toEqual([
      { onset_on: '2026-03-01', outcome: 'died' },
    ]);
    await take(list('2026-03-02'));
    expect(await cases()).toEqual([
      told('101', '2026-03-01'),
      told('101', '2026-03-02', 'number-used-again'),
    ]);
  });

  test('a row that gives the number of its case later is found by it from then on', async () => {
    const named = (number: string, outcome: string) =>
      `case_id,last_name,first_name,date_of_birth,onset_date,outcome\n${number},Ruiz,Ana,1990-05-01,2026-03-01,${outcome}\n`;
    await take(named('', ''));
    await take(named('7', ''));
    await take(named('7', 'recovered'));
    expect(await rows('select external_id, outcome from case_report')).toEqual([
      { external_id: '7', outcome: 'recovered' },
    ]);
  });
});

describe('a line list’s notes on a case', () => {
  const noted = (note: string, outcome: string) =>
    `case_id,last_name,first_name,date_of_birth,onset_date,outcome,comments\nK-7,Ruiz,Ana,1990-05-01,2026-03-01,${outcome},${note}\n`;
  const notes = () => rows(`select account_id, detail from case_event where kind = 'note' order by at, id`);

  test('is on its timeline once, with a later note next to it', async () => {
    await take(noted('Works at the school kitchen', ''));
    await take(noted('Works at the school kitchen', 'ill'));
    await take(noted('Moved to her sister', 'recovered'));
    expect(await notes()).toEqual([
      { account_id: null, detail: { text: 'Works at the school kitchen', source: 'csv' } },
      { account_id: null, detail: { text: 'Moved to her sister', source: 'csv' } },
    ]);
  });

  test('[P18] stays in the row if it names another disease family', async () => {
    await take(noted('Known HIV positive', ''));
    expect(await count('case_report')).toBe(1);
    expect(await notes()).toEqual([]);
  });
});

describe('a list of ill and well people', () => {
  const named = (...lines: string[]) =>
    `name,date_of_birth,onset_date,report_date,ill,soup\n${lines.join('\n')}\n`;
  const ana = (ill: string) => `Ana Ruiz,1990-05-01,2026-03-01,2026-03-02,${ill},yes`;

  test('opens cases for ill people, and counts every row once', async () => {
    const { counts, reasons, effects } = await take(
      named(
        ana('yes'),
        'Bo Quist,1980-01-01,,2026-03-02,no,yes',
        'Cy Reed,1981-02-01,,2026-03-02,no,no',
        'Di Holt,1982-02-01,,,yes,no',
        'Ed Park,1983-02-01,2026-03-03,2026-03-04,,no',
      ),
    );
    expect(counts).toEqual({ messages: 5, taken: 3, waiting: 1, refused: 1, duplicates: 0 });
    expect(reasons).toEqual({ 'refused:case-date-missing': 1, 'waiting:case-untold': 1 });
    expect(effects).toEqual({ casesOpened: 1, patientsCreated: 1, rowsNoCases: 2 });
    expect(await cases()).toEqual([told(null, '2026-03-01')]);
    expect(await count('patient')).toBe(1);
  });

  test('a known case that a list calls no case is put up for review once, and does not change', async () => {
    await take(named(ana('yes')));
    const { effects } = await take(named(ana('no'), ana('no')));
    expect(effects).toEqual({ rowsNoCases: 2, casesToReview: 1 });
    expect(await cases()).toEqual([told(null, '2026-03-01', 'reported-as-no-case')]);
    expect(await rows('select classification from case_report')).toEqual([{ classification: 'unknown' }]);
  });

  test('a table whose columns name no person or no date opens nothing, even if a condition is chosen', async () => {
    for (const text of [
      'sex,titre,group\nF,1:40,1\nM,1:80,2\n',
      'name,sex,titre\nAna Ruiz,F,1:40\n',
      'date onset,sex\n2026-03-01,F\n',
    ]) {
      const { counts, reasons } = await take(text);
      expect([counts!.waiting, reasons]).toEqual([
        counts!.messages,
        { 'waiting:columns-unmapped': counts!.messages },
      ]);
    }
    expect(await count('case_report')).toBe(0);
  });
});
