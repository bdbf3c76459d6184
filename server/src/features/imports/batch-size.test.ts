import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeFacility, makeTenant } from '../../../test/factories.ts';
import { chlamydia, detected, elr, gonorrhoea, hivScreen, importText, notDetected } from './test-messages.ts';

const { database } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'caseway-batches-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Few people, so that they meet again: twins, somebody without a birth date, somebody nameless. */
const people = [
  { id: 'A1', last: 'Okafor', first: 'Ada' },
  { id: 'A2', last: 'Okafor', first: 'Adele' },
  { id: 'B1', last: 'Ruiz Soto', first: 'Ana María', birth: '19800203' },
  { id: '', last: 'Ruiz', first: 'Ana', birth: '19800203' },
  { id: '', last: 'Quist', first: 'Bo', birth: '' },
  { id: 'Q1', last: 'Quist', first: 'Bo', birth: '' },
  { id: 'X1', last: '', first: '', birth: '' },
] as const;
const changes = [
  {},
  {},
  { street: '9 Other Rd' },
  { street: '7 New St', zip: '30309' },
  { phone: '5550177' },
  { phone: '' },
  { phone: '', street: '', zip: '', city: '' },
  { sex: 'M' },
  { middle: 'Eve', race: '' },
] as const;
const result = fc.record({
  test: fc.constantFrom(chlamydia, gonorrhoea, hivScreen, 'X1^Local^L', '20507-0^RPR^LN'),
  value: fc.constantFrom(detected, detected, notDetected, '^odd words'),
  status: fc.constantFrom('F', 'F', 'P', 'C', 'W', 'X'),
});
const report = fc
  .record({
    who: fc.constantFrom(...people),
    change: fc.constantFrom(...changes),
    order: fc.nat(25),
    clinic: fc.constantFrom('Mercy Clinic', 'Hope Center', 'Hope Center', ''),
    collected: fc.constantFrom('20260302093000-0500', '20260320', '20260428'),
    reported: fc.constantFrom('20260304150000-0500', '20260305150000-0500', '20260430'),
    tests: fc.array(result, { minLength: 1, maxLength: 3 }),
  })
  .map(({ who, change, order, ...more }) => ({
    patient: { ...who, ...change },
    order: `F-${order}`,
    ...more,
  }));
const messages = fc
  .array(fc.tuple(fc.nat(9), report), { minLength: 50, maxLength: 50 })
  .map((list) =>
    list.map(([kind, given], at) =>
      kind === 0
        ? `MSH|^~\\&|LIS|Lab|||20260301||ADT^A01|X${at}|P|2.5.1\rPID|1||1^^^A^MR||Doe^J\r`
        : // The same control id makes of equal reports the same message.
          elr({ ...given, control: kind === 1 ? 'again' : `C${at}` }),
    ),
  )
  .map((list) => list.flatMap((text, at) => (at % 11 === 10 ? [text, list[at - 7]!] : [text])).join(''));
const row = fc
  .record({
    number: fc.constantFrom('', '1', '2', '3', 'GA-2026-4'),
    name: fc.constantFrom('', '', 'Anonymous', 'Ada Okafor', 'Bo Quist'),
    onset: fc.constantFrom('', '2026-03-01', '2026-03-03', '2026-03-29'),
    sex: fc.constantFrom('F', 'M'),
    age: fc.constantFrom('', '30', '31', '62'),
    outcome: fc.constantFrom('', 'recovered', 'died'),
    classification: fc.constantFrom('', 'suspected', 'confirmed'),
    facility: fc.constantFrom('', 'Hope Center'),
  })
  .map((cells) => Object.values(cells).join(','));
const list = fc
  .array(row, { minLength: 30, maxLength: 30 })
  .map((rows) => `case_id,name,onset_date,sex,age,outcome,classification,facility\n${rows.join('\n')}\n`);

/** Everything an import leaves, without ids and times of the clock; a record is called by what is in it. */
const statements = {
  tallies:
    'select kind, key, families, sum(n)::integer as n from import_tally group by 1, 2, 3 order by 1, 2, 3',
  messages: `select m.index, m.line, m.state, m.reason, m.occurrence, d.index as repeats, p.last_name, p.first_name,
      (select array_agg(c.code order by c.code) from code_mapping c where c.id = any (m.waiting_for)) as codes
    from import_message m join import i on i.id = m.import_id left join import_message d on d.id = m.duplicate_of
    left join patient p on p.id = m.patient_id order by i.created_at, m.index`,
  patients: `select to_jsonb(p) - '{tenant_id,id,version,created_at,updated_at,facility_ids,organization_ids}'::text[] as patient,
      (select array_agg(f.name order by f.name) from facility f where f.id = any (p.facility_ids)) as seen,
      (select array_agg(concat_ws(' ', i.kind, i.assigner, i.value) order by i.kind, i.value) from patient_identifier i
        where i.patient_id = p.id) as identifiers,
      (select array_agg(b.key order by b.key) from patient_block b where b.patient_id = p.id) as keys,
      (select array_agg(s.key order by s.key) from search_key s where s.record_id = p.id) as search
    from patient p order by id`,
  results: `select to_jsonb(r) - '{tenant_id,id,patient_id,specimen_id,import_message_id,organization_id,facility_id,
      performing_facility_id,superseded_by,created_at}'::text[] as result, m.index as message, p.last_name, p.first_name,
      f.name as facility, l.name as laboratory, sm.index as superseded_by, s.type_text as specimen
    from result r join patient p on p.id = r.patient_id join import_message m on m.id = r.import_message_id
    left join facility f on f.id = r.facility_id left join facility l on l.id = r.performing_facility_id
    left join result n on n.id = r.superseded_by left join import_message sm on sm.id = n.import_message_id
    left join specimen s on s.id = r.specimen_id order by r.id`,
  cases: `select to_jsonb(c) - '{tenant_id,id,patient_id,facility_id,version,created_at,updated_at}'::text[] as case,
      p.last_name, p.first_name, f.name as facility,
      (select array_agg(e.kind || (e.detail - '{resultId,replaces,caseId}'::text[])::text order by e.at) from case_event e
        where e.case_report_id = c.id) as events,
      (select array_agg(m.index order by m.index) from case_result l join result r on r.id = l.result_id
        join import_message m on m.id = r.import_message_id where l.case_report_id = c.id) as results
    from case_report c join patient p on p.id = c.patient_id left join facility f on f.id = c.facility_id order by c.case_id`,
  pairs: `select p.last_name, p.first_name, c.last_name as other, c.first_name as other_first, m.score, m.parts
    from patient_match m join patient p on p.id = m.patient_id join patient c on c.id = m.candidate_id
    order by p.id, c.id`,
  codes: 'select kind, sender, system, code, text, state, occurrences from code_mapping order by 1, 2, 3, 4',
  facilities: 'select name, clia, npi, postal_code, registered from facility order by name, postal_code',
};

/** What the files have left, imported one after the other in batches of a size into a tenant of their own. */
async function left(batchSize: number, ...files: string[]) {
  const { id: tenantId } = await makeTenant(database);
  await makeFacility(database, { tenant_id: tenantId, name: 'Mercy Clinic', match_name: 'mercy clinic' });
  for (const text of files)
    await importText(database, dataDir, tenantId, text, {
      batchSize,
      ...(!text.startsWith('MSH') && { condition: 'measles' }),
    });
  const parts: Record<string, Record<string, unknown>[]> = {};
  await database.withScope({ kind: 'service', tenantId }, async (tx) => {
    for (const [part, text] of Object.entries(statements)) parts[part] = await tx.rows(text);
  });
  return parts;
}
async function compareBatches(sizes: readonly number[], files: readonly string[]) {
  const expected = await left(400, ...files);
  for (const batchSize of sizes) {
    const found = await left(batchSize, ...files);
    for (const part of Object.keys(statements))
      expect(found[part], `${part} in batches of ${batchSize}`).toEqual(expected[part]);
  }
  return expected;
}

describe('an import leaves the same however its file is cut into batches', () => {
  const bo = { id: 'Q1', last: 'Quist', first: 'Bo', birth: '', phone: '' };
  const known = elr({ patient: bo });
  const moved = (street: string, zip = '30303') =>
    elr({ patient: { ...bo, street, zip }, reported: '20260305150000-0500' });

  test('somebody who moved is found by the new address at once', async () => {
    const phone = '5550188';
    const files = [
      elr({ patient: { ...bo, phone } }),
      elr({ patient: { ...bo, phone, street: '9 Other Rd' }, reported: '20260305150000-0500' }) +
        elr({ patient: { ...bo, id: '', phone, street: '9 Other Rd' } }),
    ];
    const { patients } = await compareBatches([1], files);
    expect(patients).toHaveLength(1);
  });

  test('and no longer by the old one', async () => {
    const files = [known, moved('7 New St', '30309') + elr({ patient: { ...bo, id: '' } })];
    const { patients, pairs } = await compareBatches([1], files);
    expect([patients!.length, pairs!.length]).toEqual([2, 0]);
  });

  test('whatever is in it', { timeout: 300_000 }, async () => {
    // A fixed seed: what it finds is found in every run.
    const files = fc.sample(fc.record({ messages, list }), { numRuns: 2, seed: 20_260_305 });
    for (const { messages, list } of files) {
      // Of the last one, half is known already.
      const again = list + list.split('\n').slice(1).join('\n');
      const expected = await compareBatches([1, 3, 40], [messages, list, again]);
      for (const part of ['messages', 'patients', 'results', 'cases', 'pairs', 'codes'])
        expect(expected[part]!.length, part).toBeGreaterThan(1);
    }
  });
});
