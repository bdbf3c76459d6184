import { randomUUID } from 'node:crypto';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeFacility, makeTenant } from '../../../test/factories.ts';
import { decideMatch } from '../matches/matches.ts';
import { importText } from './test-messages.ts';

/* Lists of treatments: their place, the case of each, and that each is stored once. */

const { database } = await createTestDatabase();
let tenantId: string;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database));
});

const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));
const take = (text: string, given: Parameters<typeof importText>[3] = {}) =>
  importText(database, tenantId, text, given);

/** Cases of chlamydia: Ana Ruiz of March 2, and Bo Quist of March 5. */
const known = (facilityId?: string) =>
  take(
    `case_id,last_name,first_name,date_of_birth,sex,collection_date,report_date
CT-2026-001,Ruiz,Ana,1990-05-01,F,2026-03-02,2026-03-04
CT-2026-002,Quist,Bo,1985-07-09,M,2026-03-05,2026-03-06
`,
    { condition: 'chlamydia', facilityId },
  );
const header = 'last_name,first_name,dob,condition,medication,dose,duration,treatment date,provider';
const list = (...lines: string[]) => `${[header, ...lines].join('\n')}\n`;
const ana = 'Ruiz,Ana,1990-05-01,Chlamydia,Doxycycline,100 mg BID,7,2026-03-07,Dr. Duval';
const treatments = () =>
  rows(
    `select c.external_id as of, t.drug, t.other_drug as other, t.started_on as on, t.provider, t.source
     from treatment t join case_report c on c.tenant_id = t.tenant_id and c.id = t.case_report_id
     order by t.started_on, c.external_id`,
  );
const told = (of: string, on: string, drug = 'doxycycline-7-days', more: object = {}) => ({
  of,
  on,
  drug,
  other: null,
  provider: 'Dr. Duval',
  source: 'csv',
  ...more,
});

describe('a list of treatments', () => {
  test('is tried without storing anything, and reports what it would do', async () => {
    await known();
    const tried = await take(list(ana, ana.replace('Ana', 'Ida')), { dryRun: true });
    expect(tried.counts).toEqual({ messages: 2, taken: 1, waiting: 1, refused: 0, duplicates: 0 });
    expect(tried.effects).toEqual({ patientsMatched: 1, treatmentsCreated: 1 });
    expect(await treatments()).toEqual([]);
  });

  test('stores each treatment with its case, once, however often it is listed', async () => {
    await known();
    const first = await take(list(ana));
    expect(first.effects).toEqual({ patientsMatched: 1, treatmentsCreated: 1 });
    expect(await treatments()).toEqual([told('CT-2026-001', '2026-03-07')]);

    expect((await take(list(ana))).counts).toMatchObject({ taken: 0, duplicates: 1 });
    // The same in a file with other columns is another row, but the same treatment.
    const other = await take(
      'case id,drug,treatment date\nCT-2026-001,Doxycycline 100 mg x 7 days,2026-03-07\n',
    );
    expect(other.effects).toEqual({ patientsMatched: 1, treatmentsUnchanged: 1 });
    expect(await treatments()).toEqual([told('CT-2026-001', '2026-03-07')]);
  });

  test('adds what was missing from a treatment, as a version of it, and changes nothing that exists', async () => {
    await known();
    const short = 'case id,drug,treatment date,provider\n';
    await take(`${short}CT-2026-001,Doxycycline 100 mg x 7 days,2026-03-07,\n`);
    const long = 'case id,drug,treatment date,treatment end date,adequacy,provider\n';
    const more = `${long}CT-2026-001,Doxycycline 100 mg x 7 days,2026-03-07,2026-03-14,adequate,Dr. Duval\n`;
    const stored = () =>
      rows('select version, ended_on as ended, adequacy, provider from treatment where tenant_id = $1', [
        tenantId,
      ]);
    const bare = [{ version: 1, ended: null, adequacy: null, provider: null }];

    const effects = { patientsMatched: 1, treatmentsCompleted: 1 };
    expect((await take(more, { dryRun: true })).effects).toEqual(effects);
    expect(await stored()).toEqual(bare);
    expect((await take(more)).effects).toEqual(effects);
    const whole = [{ version: 2, ended: '2026-03-14', adequacy: 'adequate', provider: 'Dr. Duval' }];
    expect(await stored()).toEqual(whole);
    expect(await rows('select version, account_id as by, changes from treatment_history')).toEqual([
      {
        version: 2,
        by: null,
        changes: {
          endedOn: { from: null, to: '2026-03-14' },
          adequacy: { from: null, to: 'adequate' },
          provider: { from: null, to: 'Dr. Duval' },
        },
      },
    ]);

    const other = more.replace('Dr. Duval', 'Dr. Roy').replace('2026-03-14', '2026-03-15');
    expect((await take(other)).effects).toEqual({ patientsMatched: 1, treatmentsUnchanged: 1 });
    expect(await stored()).toEqual(whole);
  });

  test('[P23] adds nothing to a treatment that other places have told', async () => {
    const [mine, other] = [
      await makeFacility(database, { tenant_id: tenantId }),
      await makeFacility(database, { tenant_id: tenantId }),
    ];
    await known(mine.id);
    await take(list(ana.replace('Dr. Duval', '')), { facilityId: other.id });
    const told = await take(list(ana), { facilityId: mine.id });
    expect(told.effects).toMatchObject({ treatmentsUnchanged: 1 });
    expect(await rows('select provider from treatment')).toEqual([{ provider: null }]);
  });

  test('keeps an unlisted medicine as it is written, and reports every fault of a row with its place', async () => {
    await known();
    const taken = await take(
      list(
        'Ruiz,Ana,1990-05-01,Chlamydia,Erythromycin,500 mg,7,2026-03-08,Dr. Duval',
        'Ruiz,Ana,1990-05-01,Chlamydia,,,,2026-03-07,',
        'Ruiz,Ana,1990-05-01,Chlamydia,Azithromycin,1 g,,,',
        'Ruiz,Ana,1990-05-01,Chlamydia,Azithromycin,1 g,,1989-03-07,',
        `Ruiz,Ana,1990-05-01,Chlamydia,Azithromycin,1 g,,${addDays(todayIn('UTC'), 40)},`,
        'Ruiz,Ana,1990-05-01,Chlamidiasis of a kind,Azithromycin,1 g,,2026-03-07,',
        ',,,Chlamydia,Azithromycin,1 g,,2026-03-07,',
      ),
    );
    const faults = await rows(
      `select index, state, f ->> 'code' as code, f ->> 'place' as place
       from import_message, jsonb_array_elements(faults) as f where import_id = $1 order by index`,
      [taken.importId],
    );
    expect(faults.map(({ index, state, code, place }) => [index, state, code, place])).toEqual([
      [0, 'taken', 'drug-not-listed', 'medication'],
      [1, 'refused', 'value-required', 'medication'],
      [2, 'refused', 'treatment-date-missing', 'treatment date'],
      [3, 'waiting', 'date-before-birth', 'treatment date'],
      [4, 'waiting', 'date-in-future', 'treatment date'],
      [5, 'refused', 'value-unknown', 'condition'],
      [6, 'refused', 'value-required', 'last_name'],
    ]);
    expect(await treatments()).toEqual([
      told('CT-2026-001', '2026-03-08', 'other', { other: 'Erythromycin 500 mg 7 days' }),
    ]);
  });

  test('waits for a case that is not known yet, and opens neither a case nor a person', async () => {
    const before = await take(list(ana));
    expect(before.reasons).toEqual({ 'waiting:treatment-case-unknown': 1 });
    expect(before.effects).toEqual({});
    expect(await rows('select from patient')).toEqual([]);

    await known();
    // Another condition, another time, and a case that was ruled out do not match either.
    await rows(`update case_report set classification = 'not_a_case' where external_id = 'CT-2026-002'`);
    const { reasons } = await take(
      list(
        ana.replace('Chlamydia', 'Gonorrhea'),
        ana.replace('2026-03-07', '2026-01-15'),
        'Quist,Bo,1985-07-09,Chlamydia,Azithromycin,1 g,,2026-03-08,',
      ),
    );
    expect(reasons).toEqual({ 'waiting:treatment-case-unknown': 3 });
  });

  test('finds the case by its number, here or in its list, if the person does not contradict it', async () => {
    await known();
    const [{ number }] = (await rows(
      `select case_id as number from case_report where external_id = 'CT-2026-002'`,
    )) as [{ number: string }];
    const taken = await take(
      `case id,last name,medication,date given
${number},,Azithromycin 1 g,2026-03-09
CT-2026-001,Ruiz,Azithromycin 1 g,2026-03-10
CT-2026-001,Quist,Azithromycin 1 g,2026-03-11
CT-2026-009,,Azithromycin 1 g,2026-03-12
`,
    );
    expect(taken.reasons).toEqual({ 'waiting:treatment-case-unknown': 2 });
    const azithromycin = { provider: null };
    expect(await treatments()).toEqual([
      told('CT-2026-002', '2026-03-09', 'azithromycin-1-gram-once', azithromycin),
      told('CT-2026-001', '2026-03-10', 'azithromycin-1-gram-once', azithromycin),
    ]);
  });

  test('[P23] of a place joins only cases that the place sees, and what it tells is for it and the tenant', async () => {
    const mine = await makeFacility(database, { tenant_id: tenantId });
    const other = await makeFacility(database, { tenant_id: tenantId });
    await known(mine.id);
    const sight = (facilityId: string) => ({ organizationId: null, facilityId, hiddenFamilies: [] });
    const unseen = await take(list(ana), { facilityId: other.id, sight: sight(other.id) });
    expect(unseen.reasons).toEqual({ 'waiting:treatment-case-unknown': 1 });
    expect(unseen.effects).toEqual({});

    // The tenant reports that the other place has treated a person whose case belongs to the first.
    const tellers = async () => rows('select told_by as by from treatment');
    await take(list(ana.replace('Dr. ', '')), { facilityId: other.id });
    expect(await tellers()).toEqual([{ by: [other.id] }]);
    await take(list(ana.replace('Duval', 'Duval Jr.')), { facilityId: mine.id, sight: sight(mine.id) });
    expect(await tellers()).toEqual([{ by: null }]);
  });

  test('[P18] with a number alone joins no case of a family that its sender may not see', async () => {
    await take(
      'case_id,last_name,first_name,date_of_birth,report_date\nHIV-0001,Ruiz,Ana,1990-05-01,2026-03-04\n',
      { condition: 'hiv' },
    );
    const blind = { sight: { organizationId: null, facilityId: null, hiddenFamilies: ['hiv'] } };
    const text = 'case id,medication,date given\nHIV-0001,Bictegravir 50 mg,2026-03-09\n';
    expect((await take(text, blind)).reasons).toEqual({ 'waiting:treatment-case-unknown': 1 });
    const seen = await take(text.replace('date given', 'treatment date'));
    expect(seen.effects).toEqual({ 'patientsMatched:hiv': 1, treatmentsCreated: 1 });
  });
});

describe('treatments of two records of one person', () => {
  const twins = async () => {
    await take(
      `case_id,last_name,first_name,date_of_birth,sex,phone,report_date
CT-2026-001,Vandermeer,Ottoline,1981-02-03,F,404-555-0777,2026-03-02
CT-2026-002,Vandermeer,Ottoline,1981-03-02,F,,2025-11-02
`,
      { condition: 'chlamydia' },
    );
    await take(
      `case id,drug,treatment date
CT-2026-001,Doxycycline 100 mg x 7 days,2026-03-07
CT-2026-002,Azithromycin 1 g,2025-11-05
`,
    );
  };
  const decide = async (decision: 'same' | 'open') => {
    const [pair] = await rows<{ id: string }>('select id from patient_match');
    await database.withScope({ kind: 'service', tenantId }, (tx) =>
      decideMatch(tx, tenantId, pair!.id, decision, randomUUID()),
    );
  };
  /** The person of each treatment, by the number of their case. */
  const whose = () =>
    rows<{ of: string; born: string; agrees: boolean }>(
      `select c.external_id as of, p.birth_date as born, t.patient_id = c.patient_id as agrees
       from treatment t join case_report c on c.tenant_id = t.tenant_id and c.id = t.case_report_id
       join patient p on p.tenant_id = t.tenant_id and p.id = t.patient_id order by c.external_id`,
    );
  const apart = [
    { of: 'CT-2026-001', born: '1981-02-03', agrees: true },
    { of: 'CT-2026-002', born: '1981-03-02', agrees: true },
  ];

  test('go with their cases when the records are merged, and back when that is undone', async () => {
    await twins();
    expect(await whose()).toEqual(apart);
    await decide('same');
    const [one, other] = await whose();
    expect([one!.born === other!.born, one!.agrees, other!.agrees]).toEqual([true, true, true]);

    // Reported again for the removed record, it is still the same treatment.
    const again = await take(
      `last name,first name,dob,condition,drug,treatment date
Vandermeer,Ottoline,1981-02-03,Chlamydia,Azithromycin 1 g,2025-11-05
`,
    );
    expect(again.effects).toEqual({ patientsMatched: 1, treatmentsUnchanged: 1 });

    await decide('open');
    expect(await whose()).toEqual(apart);
  });
});
