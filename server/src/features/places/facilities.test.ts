import type { FacilityRecord } from '@caseway/contract/places';
import { describe, expect, test } from 'vitest';
import {
  makeCaseReport,
  makeFacility,
  makeFieldVisit,
  makeIncident,
  makeMember,
  makePatient,
  makeResult,
  makeShipment,
  makeTelemedicineVisit,
  makeVaccination,
} from '../../../test/factories.ts';
import { elr, importText } from '../imports/test-messages.ts';
import { placesWorld } from './test-places.ts';

const { database, demo, vendor, sql, ask, ok, refused, options, audited, search } = await placesWorld();
let counted = 0;
const aFacility = (more: object = {}) => ({
  name: `Facility ${++counted}`,
  facilityType: 'clinic',
  providerKinds: [],
  organization: null,
  clia: null,
  npi: null,
  street: null,
  city: null,
  state: null,
  postalCode: null,
  county: null,
  phone: null,
  timeZone: null,
  experience: 'HEALTH_CARE',
  ...more,
});

describe('facilities', () => {
  test('[S9.1, S9.2] the grids open with 25 rows by name', async () => {
    const { rows, rowCount } = await search<FacilityRecord>('facilities');
    expect([rows.length, rowCount]).toEqual([25, demo.facilities.length]);
    const names = demo.facilities.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en'));
    expect(rows.slice(0, 3).map(({ name }) => name)).toEqual(names.slice(0, 3));
  });

  test('numbers are checked: CLIA by its form, NPI by its check digit', async () => {
    const wrong = aFacility({ clia: '10D123456', npi: '1234567890', postalCode: '336', county: '99999' });
    expect(await refused('POST', 'facilities', wrong)).toEqual([
      422,
      'clia invalid-clia',
      'npi invalid-npi',
      'postalCode invalid-zip',
      'county unknown-choice',
    ]);
    // CMS's example: 123456789 has the check digit 3.
    const right = aFacility({ clia: '10D1234567', npi: '1234567893', state: '12', county: '12057' });
    expect(await ok('POST', 'facilities', right)).toMatchObject({
      ...right,
      status: 'active',
      results: null,
    });
    expect(await refused('POST', 'facilities', aFacility({ state: '13', county: '12057' }))).toEqual([
      422,
      'county county-elsewhere',
    ]);
    expect(
      await refused('POST', 'facilities', aFacility({ organization: vendor.organizations[0]!.id })),
    ).toEqual([422, 'organization unknown-choice']);
  });

  test('look-ups and the order of lists follow immediately [S3.13]', async () => {
    const sortedByFacility = { sortModel: [{ field: 'facility', sort: 'asc' }] };
    await ok('POST', 'grid/facility-users/search', sortedByFacility);
    const made = await ok<FacilityRecord>('POST', 'facilities', aFacility({ name: 'Aardvark Clinic' }));
    await makeMember(database, { tenant_id: demo.id, org_type: 'F', org_id: made.id, last_name: 'Aster' });
    expect((await options('facilities'))[0]).toMatchObject({ id: made.id, label: 'Aardvark Clinic' });
    const first = async () =>
      (await search<{ name: string }>('facility-users', sortedByFacility)).rows[0]!.name;
    expect(await first()).toBe('Aster, Member');
    await ok('PATCH', `facilities/${made.id}`, { version: 1, name: 'Zebra Clinic' });
    expect((await options('facilities')).at(-1)).toMatchObject({ id: made.id });
    expect(await first()).not.toBe('Aster, Member');
  });

  test('a facility that an import made is confirmed, once', async () => {
    const { id } = await makeFacility(database, { tenant_id: demo.id, name: 'Made A', registered: false });
    const patient = await makePatient(database, { tenant_id: demo.id });
    await makeResult(database, { tenant_id: demo.id, patient_id: patient.id, facility_id: id });
    const waiting = await search<FacilityRecord>('facilities', {
      filterModel: { items: [{ field: 'status', operator: 'is', value: 'waiting' }] },
    });
    expect(waiting.rows).toMatchObject([{ id, status: 'waiting', results: 1 }]);
    expect(await ok('POST', `facilities/${id}/confirm`, { version: 1 })).toMatchObject({
      id,
      status: 'active',
      version: 2,
    });
    expect(await refused('POST', `facilities/${id}/confirm`, { version: 2 })).toEqual([409]);
    expect((await audited(id)).map(({ action }) => action)).toEqual(['facility/confirmed']);
  });

  test('a facility that an import made is merged: records, names and later reports go to the other, and nothing is lost', async () => {
    const tenant_id = demo.id;
    const into = demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!;
    const from = await makeFacility(database, {
      tenant_id,
      name: 'MANGROVE YBOR',
      match_name: 'mangrove ybor',
      npi: '1234567893',
      registered: false,
    });
    const patient = await makePatient(database, { tenant_id, facility_ids: [from.id] });
    const of = { tenant_id, patient_id: patient.id, facility_id: from.id };
    const plain = await makeResult(database, of);
    const restricted = await makeResult(database, { ...of, disease_family: 'hiv', condition_code: 'hiv' });
    const performed = await makeResult(database, {
      ...of,
      facility_id: null,
      performing_facility_id: from.id,
    });
    const report = await makeCaseReport(database, of);
    const laboratory = demo.facilities.find(({ facilityType }) => facilityType === 'laboratory')!;
    const ends = { origin_id: from.id, destination_id: laboratory.id };
    const box = await makeShipment(database, { tenant_id, ...ends });
    const incident = await makeIncident(database, of);
    const vaccination = await makeVaccination(database, {
      tenant_id,
      patient_id: patient.id,
      facility_id: from.id,
    });
    const video = await makeTelemedicineVisit(database, of);
    const visit = await makeFieldVisit(database, of);

    expect(await refused('POST', `facilities/${from.id}/merge`, { version: 1, into: from.id })).toEqual([
      422,
      'into unknown-choice',
    ]);
    expect(
      await refused('POST', `facilities/${from.id}/merge`, { version: 1, into: vendor.facilities[0]!.id }),
    ).toEqual([422, 'into unknown-choice']);
    expect(await refused('POST', `facilities/${into.id}/merge`, { version: 1, into: from.id })).toEqual([
      409,
    ]);
    const before = await sql<{ n: number }>('select count(*)::int as n from result where tenant_id = $1', [
      tenant_id,
    ]);
    await sql('delete from outbox');
    expect(await ok('POST', `facilities/${from.id}/merge`, { version: 1, into: into.id })).toMatchObject({
      id: into.id,
    });

    const results = await sql(
      `select id, facility_id, performing_facility_id, organization_id from result where id = any ($1) order by created_at`,
      [[plain.id, restricted.id, performed.id]],
    );
    const there = { facility_id: into.id, organization_id: into.organizationId };
    expect(results).toEqual(
      expect.arrayContaining([
        { id: plain.id, performing_facility_id: null, ...there },
        { id: restricted.id, performing_facility_id: null, ...there },
        { id: performed.id, facility_id: null, performing_facility_id: into.id, organization_id: null },
      ]),
    );
    expect(
      await sql<{ n: number }>('select count(*)::int as n from result where tenant_id = $1', [tenant_id]),
    ).toEqual(before);
    expect(
      await sql('select facility_id, organization_id, version from case_report where id = $1', [report.id]),
    ).toEqual([{ ...there, version: 2 }]);
    expect(await sql('select kind, detail from case_event where case_report_id = $1', [report.id])).toEqual([
      {
        kind: 'updated',
        detail: { fields: ['facility'], changes: { facility: { from: from.id, to: into.id } } },
      },
    ]);
    expect(
      await sql('select facility_ids, organization_ids from patient where id = $1', [patient.id]),
    ).toEqual([{ facility_ids: [into.id], organization_ids: [into.organizationId] }]);
    expect(
      await sql(
        `select s.version, s.origin_id, s.origin_organization_id, s.destination_id, h.changes, h.origin_id as seen_at
         from shipment s join shipment_history h on h.tenant_id = s.tenant_id and h.record_id = s.id where s.id = $1`,
        [box.id],
      ),
    ).toEqual([
      {
        ...{ version: 2, origin_id: into.id, origin_organization_id: into.organizationId },
        ...{ destination_id: laboratory.id, seen_at: into.id },
        changes: { origin: { from: from.id, to: into.id } },
      },
    ]);
    const moved = (table: string, { id }: { id: string }) =>
      sql(
        `select v.version, v.facility_id, v.organization_id, h.changes, h.facility_id as seen_at
         from ${table} v join ${table}_history h on h.tenant_id = v.tenant_id and h.record_id = v.id where v.id = $1`,
        [id],
      );
    const changes = { facility: { from: from.id, to: into.id } };
    const seen = [{ ...there, version: 2, seen_at: into.id, changes }];
    expect(await moved('incident', incident)).toEqual(seen);
    expect(await moved('telemedicine_visit', video)).toEqual(seen);
    expect(await moved('field_visit', visit)).toEqual(seen);
    expect(
      await sql(
        `select v.version, v.facility_id, v.facility_ids, h.changes
         from vaccination v join vaccination_history h on h.tenant_id = v.tenant_id and h.record_id = v.id where v.id = $1`,
        [vaccination.id],
      ),
    ).toEqual([{ version: 2, facility_id: into.id, facility_ids: [into.id], changes }]);
    // The replicas read the results, the case and the person again.
    expect(
      await sql<{ kind: string; n: number }>(
        'select kind, sum(cardinality(record_ids))::int as n from outbox group by kind order by kind',
      ),
    ).toEqual([
      { kind: 'case_report', n: 1 },
      { kind: 'field_visit', n: 1 },
      { kind: 'incident', n: 1 },
      { kind: 'patient', n: 1 },
      { kind: 'result', n: 3 },
      { kind: 'shipment', n: 1 },
      { kind: 'telemedicine_visit', n: 1 },
    ]);
    expect((await ask('GET', `facilities/${from.id}`)).statusCode).toBe(404);
    expect((await options('facilities')).map(({ id }) => id)).not.toContain(from.id);
    expect(await audited(from.id)).toMatchObject([
      {
        action: 'facility/merged',
        detail: { before: { facility: 'MANGROVE YBOR' }, after: { facility: into.name } },
      },
    ]);
  });

  test('a merged facility is only named in history [P23]', async () => {
    const tenant_id = demo.id;
    const [from, other] = [
      await makeFacility(database, { tenant_id, registered: false }),
      demo.facilities[1]!,
    ];
    const into = demo.facilities[0]!;
    const told_by = [from.id, other.id];
    const facility_ids = [from.id, other.id, into.id];
    const [patient, second] = [
      await makePatient(database, { tenant_id, facility_ids, told_by }),
      await makePatient(database, { tenant_id, facility_ids }),
    ];
    await makeResult(database, { tenant_id, patient_id: patient.id, facility_id: from.id });
    const report = await makeCaseReport(database, {
      tenant_id,
      patient_id: patient.id,
      facility_id: other.id,
    });
    await sql(
      `insert into patient_identifier (tenant_id, patient_id, kind, assigner, value, told_by)
       values ($1, $2, 'MR', '', '77', $3) returning 1`,
      [tenant_id, patient.id, told_by],
    );
    await sql(
      `insert into case_event (tenant_id, id, case_report_id, kind, detail)
       values ($1, gen_random_uuid(), $2, 'note', $3) returning 1`,
      [tenant_id, report.id, JSON.stringify({ text: 'Seen', source: 'csv', toldBy: told_by })],
    );
    await sql(
      `insert into patient_match (tenant_id, id, patient_id, candidate_id, score, parts, state, moved)
       values ($1, gen_random_uuid(), $2, $3, 0.8, '{}', 'same', $4) returning 1`,
      [
        tenant_id,
        second.id,
        patient.id,
        JSON.stringify({ before: { facilityIds: facility_ids, toldBy: told_by } }),
      ],
    );
    const naming = async (id: string) => {
      const tables = await sql<{ name: string }>(
        `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
         where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`,
      );
      const found: string[] = [];
      for (const { name } of tables) {
        const history =
          name === 'case_event' ? `and kind = 'note'` : name === 'facility' ? `and id <> '${id}'` : '';
        const rows = await sql(
          `select from ${name} t where to_jsonb(t)::text like '%' || $1 || '%' ${history} limit 1`,
          [id],
        );
        if (rows.length > 0 && !name.startsWith('audit_')) found.push(name);
      }
      return found;
    };
    expect(await naming(from.id)).toEqual([
      'case_event',
      'patient',
      'patient_identifier',
      'patient_match',
      'result',
    ]);
    await ok('POST', `facilities/${from.id}/merge`, { version: 1, into: into.id });
    expect(await naming(from.id)).toEqual([]);
    const [now] = await sql<{ told_by: string[] }>('select told_by from patient where id = $1', [patient.id]);
    expect(now!.told_by.sort()).toEqual([other.id, into.id].sort());
    expect(await sql('select told_by from patient where id = $1', [second.id])).toEqual([{ told_by: null }]);
  });

  test('a facility with users cannot be merged', async () => {
    const tenant_id = demo.id;
    const from = await makeFacility(database, { tenant_id, registered: false });
    await makeMember(database, { tenant_id, org_type: 'F', org_id: from.id });
    expect(
      await refused('POST', `facilities/${from.id}/merge`, { version: 1, into: demo.facilities[0]!.id }),
    ).toEqual([422, 'into has-people']);
  });

  test('later imports know a merged facility by its name and number, and a renamed one by its former name', async () => {
    const tenantId = demo.id;
    const take = (text: string) => importText(database, tenantId, text);
    const from = (order: string) =>
      elr({ clinic: 'Ybor Walk-in', order, patient: { id: order, last: 'Lark', first: order } });
    const into = demo.facilities.find(({ name }) => name === 'Harborlight Testing Site Overtown')!;
    await take(from('Ada'));
    const [made] = await sql<{ id: string; version: number }>(
      `select id, version from facility where name = 'Ybor Walk-in' and not registered`,
    );
    await ok('POST', `facilities/${made!.id}/merge`, { version: made!.version, into: into.id });
    await take(from('Bea'));
    const places = () =>
      sql<{ place: string; organization_id: string }>(
        `select f.name as place, r.organization_id from result r
         join patient p on p.tenant_id = r.tenant_id and p.id = r.patient_id and p.last_name = 'Lark'
         join facility f on f.tenant_id = r.tenant_id and f.id = r.facility_id order by r.created_at, r.id`,
      );
    const there = { place: into.name, organization_id: into.organizationId };
    expect(await places()).toEqual([there, there]);

    const stop = await ok<FacilityRecord>(
      'POST',
      'facilities',
      aFacility({ name: 'Peachtree Stop', postalCode: '30303' }),
    );
    await ok('PATCH', `facilities/${stop.id}`, { version: 1, name: 'Peachtree Health Center' });
    await take(
      elr({ clinic: 'PEACHTREE STOP', order: 'Cleo', patient: { id: 'Cleo', last: 'Lark', first: 'Cleo' } }),
    );
    expect(await places()).toEqual([
      there,
      there,
      { place: 'Peachtree Health Center', organization_id: null },
    ]);
    expect(
      await sql(
        `select from facility where name in ('Ybor Walk-in', 'PEACHTREE STOP') and merged_into is null`,
      ),
    ).toEqual([]);
  });
});
