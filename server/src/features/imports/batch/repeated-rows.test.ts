import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { makeFacility, makeTenant } from '../../../../test/factories.ts';
import { runImport } from '../running/run-import.ts';
import { countsOf, elr, importText } from '../test-messages.ts';

const { database } = await createTestDatabase();

let tenantId: string;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database));
});

const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));
const count = async (table: string) =>
  (await rows<{ n: number }>(`select count(*) as n from ${table}`))[0]!.n;
const take = (text: string, given: Parameters<typeof importText>[3] = {}) =>
  importText(database, tenantId, text, given);

const list = (...lines: string[]) => `name,onset_date,sex,age\n${lines.join('\n')}\n`;
const nobody = 'Anonymous,2026-03-01,F,30';
const measles = { condition: 'measles' };
/** [taken, duplicates] */
const told = ({ counts }: Awaited<ReturnType<typeof take>>) => [counts!.taken, counts!.duplicates];

describe('equal rows of one table are separate rows', () => {
  test.each([1, 2, 40])('in batches of %i', async (batchSize) => {
    expect(told(await take(list(...Array(5).fill(nobody)), { ...measles, batchSize }))).toEqual([5, 0]);
    expect([await count('case_report'), await count('patient')]).toEqual([5, 5]);
  });

  test('the same table again repeats them all', async () => {
    const text = list(nobody, nobody, nobody);
    await take(text, measles);
    expect(told(await take(text, { ...measles, batchSize: 2 }))).toEqual([0, 3]);
    expect(await count('case_report')).toBe(3);
    // Each repeats the one with the same count.
    expect(
      await rows(
        `select m.occurrence, d.occurrence as repeats from import_message m
         join import_message d on d.tenant_id = m.tenant_id and d.id = m.duplicate_of order by m.index`,
      ),
    ).toEqual([
      { occurrence: 1, repeats: 1 },
      { occurrence: 2, repeats: 2 },
      { occurrence: 3, repeats: 3 },
    ]);
  });

  test('another table repeats as many as were received before, and adds the rest', async () => {
    await take(list(nobody, nobody), measles);
    expect(told(await take(list(nobody), measles))).toEqual([0, 1]);
    expect(told(await take(list(nobody, nobody, nobody, nobody), { ...measles, batchSize: 1 }))).toEqual([
      2, 2,
    ]);
    expect(told(await take(list(...Array(5).fill(nobody)), measles))).toEqual([1, 4]);
    expect(await count('case_report')).toBe(5);
  });

  test('an import that is stopped and continued keeps counting where it stopped', async () => {
    const stop = new AbortController();
    const stopped = await take(list(...Array(7).fill(nobody)), {
      ...measles,
      batchSize: 2,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    expect(stopped.end).toBe('stopped');
    expect(stopped.counts!.taken).toBeLessThan(7);
    const { importId } = stopped;
    expect(await runImport({ database, tenantId, importId, batchSize: 3 })).toBe('done');
    expect((await countsOf(database, tenantId, importId)).counts).toMatchObject({ taken: 7, duplicates: 0 });
    expect(await rows('select occurrence from import_message order by index')).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((occurrence) => ({ occurrence })),
    );
  });

  test('and so are refused rows', async () => {
    const { counts } = await take(list(nobody, ',2026-03-01,F,30', ',2026-03-01,F,30'), measles);
    expect(counts).toEqual({ messages: 3, taken: 1, waiting: 0, refused: 2, duplicates: 0 });
  });

  test('rows of another condition are other cases, however often they are in both tables', async () => {
    await take(list(nobody, nobody), measles);
    expect(told(await take(list(nobody, nobody), { condition: 'mumps' }))).toEqual([2, 0]);
    expect(told(await take(list(nobody, nobody, nobody), measles))).toEqual([1, 2]);
  });
});

describe('equal rows of laboratory results', () => {
  const header =
    'Last name,First name,Date of birth,Sex,Test performed code,Result,Specimen collection date,Lab name';
  const results = (line: string, more = '') => `${header}${more}\n${line}\n${line}\n`;

  test('about people without any name are two results of two people', async () => {
    const text = results('Anonymous,Anonymous,1990-05-01,F,21613-5,Detected,2026-03-02,Peach Laboratory');
    expect(told(await take(text, { batchSize: 1 }))).toEqual([2, 0]);
    expect([await count('result'), await count('patient'), await count('case_report')]).toEqual([2, 2, 2]);
    expect(told(await take(text))).toEqual([0, 2]);
    expect(await count('result')).toBe(2);
  });

  test('with only the same name are two results as well', async () => {
    await take(results('Okafor,Ada,,F,21613-5,Detected,2026-03-02,Peach Laboratory'));
    expect([await count('result'), await count('patient')]).toEqual([2, 2]);
  });

  test('about one person are one result, reported twice', async () => {
    const { effects } = await take(
      results('Okafor,Ada,1990-05-01,F,21613-5,Detected,2026-03-02,Peach Laboratory'),
    );
    expect(effects).toMatchObject({ resultsCreated: 1, resultsUnchanged: 1 });
    expect(await count('patient')).toBe(1);
  });

  test.each(['Accession number', 'Specimen ID'])('with one %s are one result', async (number) => {
    await take(
      results('Anonymous,Anonymous,,F,21613-5,Detected,2026-03-02,Peach Laboratory,A-1', `,${number}`),
    );
    expect([await count('result'), await count('patient')]).toEqual([1, 1]);
  });

  test('that wait for a code are as many results once it is mapped', async () => {
    const text = results('Anonymous,Anonymous,,F,X-77,Detected,2026-03-02,Peach Laboratory');
    const { importId, counts } = await take(text);
    expect(counts).toMatchObject({ waiting: 2 });
    await rows(`update code_mapping set state = 'mapped', target = '21613-5'`);
    for (let again = 0; again < 2; again++) {
      await rows('update import_message set rerun = true');
      await rows(`update import set state = 'queued'`);
      await runImport({ database, tenantId, importId, batchSize: 1 });
      expect(await count('result')).toBe(2);
    }
  });
});

describe('messages received again for another facility', () => {
  const twoPlaces = async () => [
    (await makeFacility(database, { tenant_id: tenantId })).id,
    (await makeFacility(database, { tenant_id: tenantId })).id,
  ];
  const seen = () => rows<{ seen: string[] }>('select facility_ids as seen from patient order by id');

  test('a row that identifies its person: both know the person, who is stored once', async () => {
    const [north, south] = await twoPlaces();
    const text =
      'Last name,First name,Date of birth,Sex,Test performed code,Result,Specimen collection date,Lab name\n' +
      'Okafor,Ada,1990-05-01,F,21613-5,Detected,2026-03-02,Peach Laboratory\n';
    await take(text, { facilityId: north });
    expect(told(await take(text, { facilityId: south }))).toEqual([1, 0]);
    expect(await seen()).toEqual([{ seen: [north, south] }]);
    expect(await count('result')).toBe(1);
    expect(told(await take(text, { facilityId: south }))).toEqual([0, 1]);
  });

  test('rows about no one are other people', async () => {
    const [north, south] = await twoPlaces();
    await take(list(nobody), { ...measles, facilityId: north });
    expect(told(await take(list(nobody), { ...measles, facilityId: south }))).toEqual([1, 0]);
    expect(await seen()).toEqual([{ seen: [north] }, { seen: [south] }]);
    const text =
      'Last name,First name,Sex,Test performed code,Result,Specimen collection date,Lab name\n' +
      'Anonymous,Anonymous,F,21613-5,Detected,2026-03-02,Peach Laboratory\n';
    await take(text, { facilityId: north });
    await take(text, { facilityId: south });
    expect(await rows('select facility_id from result order by id')).toEqual([
      { facility_id: north },
      { facility_id: south },
    ]);
  });

  test('a message that names its facility is the same message, no matter who uploads it', async () => {
    const [north, south] = await twoPlaces();
    const clinic = await makeFacility(database, {
      tenant_id: tenantId,
      name: 'Mercy Clinic',
      match_name: 'mercy clinic',
    });
    const text = elr();
    await take(text, { facilityId: north });
    expect(told(await take(text, { facilityId: south }))).toEqual([0, 1]);
    expect(await seen()).toEqual([{ seen: [clinic.id] }]);
  });

  test('a message without a facility counts for both clinics that send it: one result, and both know the person', async () => {
    const [north, south] = await twoPlaces();
    const text = elr({ clinic: '' }).replace('1 Clinic Way^^Atlanta^GA^30303', '');
    await take(text, { facilityId: north });
    expect(told(await take(text, { facilityId: north }))).toEqual([0, 1]);
    expect(told(await take(text, { facilityId: south }))).toEqual([1, 0]);
    expect(await seen()).toEqual([{ seen: [north, south] }]);
    expect(await rows('select facility_id from result')).toEqual([{ facility_id: north }]);
  });
});
