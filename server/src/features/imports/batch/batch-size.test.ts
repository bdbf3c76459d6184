import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { makeCaseNumbers, makeFacility, makeTenant } from '../../../../test/factories.ts';
import { load } from '../../../../test/load.ts';
import { mixedFiles } from '../test-files.ts';
import { elr, importText } from '../test-messages.ts';

const { database } = await createTestDatabase();

/** Everything an import leaves, without ids, random values and clock times; a record is identified by its contents. */
const statements = {
  tallies:
    'select kind, key, families, sum(n)::integer as n from import_tally group by 1, 2, 3 order by 1, 2, 3',
  messages: `select m.index, m.line, m.state, m.reason, m.occurrence, d.index as repeats, p.last_name, p.first_name,
      (select array_agg(c.code order by c.code) from code_mapping c where c.id = any (m.waiting_for)) as codes
    from import_message m join import i on i.id = m.import_id left join import_message d on d.id = m.duplicate_of
    left join patient p on p.id = m.patient_id order by i.created_at, m.index`,
  patients: `select to_jsonb(p) - '{tenant_id,id,number,half,version,created_at,updated_at,facility_ids,organization_ids,told_by}'::text[] as patient,
      (select array_agg(f.name order by f.name) from facility f where f.id = any (p.told_by)) as told,
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
  cases: `select cast(regexp_replace(cast((to_jsonb(c) #- '{told_within,version}' #- '{told_within,updated_at}')
        - '{tenant_id,id,patient_id,facility_id,version,created_at,updated_at,explanation}'::text[] as text),
        '[0-9a-f]{8}-[0-9a-f-]{27}', 'id', 'g') as jsonb) as case,
      regexp_replace(c.explanation::text, '[0-9a-f]{8}-[0-9a-f-]{27}', 'id', 'g') as explanation,
      p.last_name, p.first_name, f.name as facility,
      (select array_agg(e.kind || (e.detail - '{resultId,replaces,caseId,toldBy}'::text[])::text order by e.at) from case_event e
        where e.case_report_id = c.id) as events,
      (select array_agg(m.index order by m.index) from case_result l join result r on r.id = l.result_id
        join import_message m on m.id = r.import_message_id where l.case_report_id = c.id) as results
    from case_report c join patient p on p.id = c.patient_id left join facility f on f.id = c.facility_id order by c.id`,
  pairs: `select p.last_name, p.first_name, c.last_name as other, c.first_name as other_first, m.score, m.parts
    from patient_match m join patient p on p.id = m.patient_id join patient c on c.id = m.candidate_id
    order by p.id, c.id`,
  codes: 'select kind, sender, system, code, text, state, occurrences from code_mapping order by 1, 2, 3, 4',
  facilities: 'select name, clia, npi, postal_code, registered from facility order by name, postal_code',
};

/** What the files leave behind when imported one after the other, in batches of a size, into a separate tenant. */
async function left(batchSize: number, ...files: string[]) {
  const { id: tenantId } = await makeTenant(database);
  await makeCaseNumbers(database, tenantId);
  await makeFacility(database, { tenant_id: tenantId, name: 'Mercy Clinic', match_name: 'mercy clinic' });
  for (const text of files)
    await importText(database, tenantId, text, {
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

  test('someone who moved is found by the new address immediately', async () => {
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

  test('whatever is in it', async () => {
    const [first, second] = mixedFiles(2);
    for (const [{ messages, list }, sizes] of load<[ReturnType<typeof mixedFiles>[number], number[]][]>(
      [[first!, [3, 40]]],
      [
        [first!, [1, 3, 40]],
        [second!, [3]],
      ],
    )) {
      // Half of the last one is already known.
      const again = list + list.split('\n').slice(1).join('\n');
      const expected = await compareBatches(sizes, [messages, list, again]);
      for (const part of ['messages', 'patients', 'results', 'cases', 'pairs', 'codes'])
        expect(expected[part]!.length, part).toBeGreaterThan(1);
    }
  });
});
