import type { DemoWorld } from '../seeds/demo/tenants.ts';
import { keysOfCase } from '../src/features/case-reports/case-keys.ts';
import { keysOfPatient, writeSearchKeys } from '../src/features/patients/search-keys.ts';
import { type ChangeKind, recordChange } from '../src/platform/analytics/outbox.ts';
import type { Database } from '../src/platform/db/database.ts';
import { canaryFile, shipmentOf, workOf } from './canary-work.ts';
import { carryAll } from './carried.ts';
import { asSuperuser } from './database.ts';
import {
  makeCaseReport,
  makeFacility,
  makeMember,
  makeOrganization,
  makePatient,
  makeResult,
} from './factories.ts';

/**
 * The areas of the canaries. Each area has its own word, `zqxcanary` and the area's name, in every text of its
 * records, and its own ids; a reader who sees one of them has seen the area.
 * - `dt`, `vt`: records of the demo's two tenants; `dj`, `vj`: of residents of the jurisdiction's counties;
 * - `do`: through an organisation; `df`: of the facility that facility users have, and its organisation;
 * - `dh`, `vh`: of a restricted family, in the same organisation, facility and county;
 * - `ds`, `vs`: an organisation with its facility and its people, to which none of the demo's accounts belongs;
 * - `dp`, `vp`: the names of programmes of those organisations;
 * - `dn`, `vn`: private data of one of their people.
 */
export const areas = [
  'dt',
  'dj',
  'do',
  'df',
  'dh',
  'ds',
  'dp',
  'dn',
  'vt',
  'vj',
  'vh',
  'vs',
  'vp',
  'vn',
] as const;
export type Area = (typeof areas)[number];

/** The ids of each area's rows, in any table. */
export type Canaries = Record<Area, string[]>;

export const canary = (area: Area, ending = ''): string => `zqxcanary${area}${ending}`;
/** The areas whose words occur in a text. */
export const areasIn = (text: string): Area[] => [
  ...new Set([...text.matchAll(/zqxcanary([a-z]{2})/gi)].map(([, area]) => area!.toLowerCase() as Area)),
];

export interface Places {
  organization: string;
  facility: string;
  facilityOrganization: string;
  /** A county of the jurisdiction, and one outside. */
  inside: string;
  outside: string;
}

export async function makeCanaries(
  database: Database,
  superuserUrl: string,
  world: DemoWorld,
  places: Places,
  made: readonly Area[],
): Promise<Canaries> {
  const canaries = Object.fromEntries(areas.map((area) => [area, [] as string[]])) as Canaries;
  const sql = <Row extends object>(text: string, params: unknown[]) =>
    asSuperuser<Row>(text, params, superuserUrl);
  /** Inserts a row without policies and remembers its id. */
  const put = async (area: Area, table: ChangeKind, row: Record<string, unknown>): Promise<string> => {
    const names = Object.keys(row);
    const [{ id }] = (await sql<{ id: string }>(
      `insert into ${table} (id, ${names.join(', ')})
       values (gen_random_uuid(), ${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
      Object.values(row),
    )) as [{ id: string }];
    canaries[area].push(id);
    if (typeof row.tenant_id === 'string') told(row.tenant_id, table, id);
    return id;
  };
  /** By tenant and table, what the replicas have to read once all rows carry who sees them. */
  const changes = new Map<string, Map<ChangeKind, string[]>>();
  const told = (tenantId: string, table: ChangeKind, id: string) => {
    const tables = changes.get(tenantId) ?? new Map<ChangeKind, string[]>();
    changes.set(tenantId, tables);
    tables.set(table, [...(tables.get(table) ?? []), id]);
  };

  for (const area of made) {
    const tenant_id = area.startsWith('d') ? world.demo.id : world.vendor.id;
    const word = (ending = '') => canary(area, ending);
    const kind = area[1];
    if (kind === 's') {
      const organization = await makeOrganization(database, { tenant_id, name: word('org') });
      const facility = await makeFacility(database, {
        tenant_id,
        organization_id: organization.id,
        name: word('facility'),
      });
      const unconfirmed = await makeFacility(database, { tenant_id, name: word('made'), registered: false });
      const staff = { first_name: word('first'), last_name: word('last'), email: `${word()}@example.test` };
      const ofOrganization = await makeMember(database, {
        tenant_id,
        org_type: 'O',
        org_id: organization.id,
        ...staff,
      });
      const ofFacility = await makeMember(database, {
        tenant_id,
        org_type: 'F',
        org_id: facility.id,
        ...staff,
      });
      await put(
        area,
        'shipment',
        shipmentOf(tenant_id, { facility: facility.id, organization: organization.id }, word),
      );
      canaries[area].push(
        organization.id,
        facility.id,
        unconfirmed.id,
        ...[ofOrganization, ofFacility].flatMap(({ account, membership }) => [account.id, membership.id]),
      );
      continue;
    }
    if (kind === 'p' || kind === 'n') {
      const [other] = await sql<{ id: string; account: string }>(
        `select o.id, m.account_id as account from organization o join membership m on m.org_id = o.id
         where o.tenant_id = $1 and o.name like 'zqx%'`,
        [tenant_id],
      );
      if (kind === 'p') {
        const [type] = await sql<{ id: string }>('select id from program_type where tenant_id = $1 limit 1', [
          tenant_id,
        ]);
        const program = await put(area, 'program', {
          tenant_id,
          program_type_id: type!.id,
          organization_id: other!.id,
          label: word('program'),
        });
        await put(area, 'task', {
          tenant_id,
          program_id: program,
          task_category: 'testing',
          label: word('task'),
        });
        continue;
      }
      const owner = { tenant_id, account_id: other!.account };
      const filter_model = JSON.stringify({
        items: [{ field: 'lastName', operator: 'equals', value: word() }],
        logicOperator: 'and',
      });
      await put(area, 'saved_filter', { ...owner, org_id: other!.id, grid: 'case-reports', filter_model });
      const filters = JSON.stringify({ filters: {}, range: null, eventDate: null });
      for (const shared_with_org of [null, other!.id])
        await put(area, 'analytics_preset', {
          ...owner,
          screen: 'testing',
          name: word('preset'),
          shared_with_org,
          filters,
        });
      const asked = {
        session_id: places.organization,
        org_type: 'O',
        request_id: word('r'),
        address: word('a'),
      };
      await put(area, 'exported_file', {
        ...owner,
        ...asked,
        org_id: other!.id,
        grid: 'case-reports',
        request: JSON.stringify({ query: { filterModel: word('asked') } }),
        format: 'csv',
        language: 'en',
        total: 1,
        state: 'ready',
        expires_at: '2100-01-01',
        seen: word('seen'),
        name: word('file'),
        byte_size: 1,
        given: '{}',
      });
      await put(area, 'bulk_action', {
        ...owner,
        ...asked,
        org_id: other!.id,
        record: 'case-reports',
        change: '{}',
        record_ids: [],
        total: 0,
        state: 'done',
        reason: word('reason'),
      });
      await put(area, 'session', {
        audience: 'staff',
        account_id: other!.account,
        refresh_hash: Buffer.from('x'),
        expires_at: '2100-01-01',
        user_agent: word('browser'),
      });
      continue;
    }

    const organization_id =
      kind === 'o' || kind === 'h' ? places.organization : kind === 'f' ? places.facilityOrganization : null;
    const facility_id = kind === 'f' || kind === 'h' ? places.facility : null;
    const isVendor = area.startsWith('v');
    const where = {
      organization_id: isVendor ? null : organization_id,
      facility_id: isVendor ? null : facility_id,
      county_fips: kind === 'j' || kind === 'h' ? places.inside : places.outside,
    };
    const family =
      kind === 'h'
        ? { disease_family: 'hiv', condition_code: 'hiv' }
        : { disease_family: 'sti', condition_code: 'chlamydia' };
    const patients: string[] = [];
    for (const ending of ['a', 'b']) {
      const patient = await makePatient(database, {
        tenant_id,
        last_name: word(`last${ending}`),
        first_name: word('first'),
        middle_name: word('middle'),
        street: word('street'),
        city: word('city'),
        phones: [word('phone')],
        emails: [`${word()}@example.test`],
        gender_identity: 'female',
        county_fips: where.county_fips,
        organization_ids: where.organization_id ? [where.organization_id] : [],
        facility_ids: where.facility_id ? [where.facility_id] : [],
      });
      patients.push(patient.id);
      await sql(
        'insert into patient_identifier (tenant_id, patient_id, kind, assigner, value) values ($1, $2, $3, $4, $5)',
        [tenant_id, patient.id, 'MR', word('assigner'), word(`mrn${ending}`)],
      );
      const of = { tenant_id, patient_id: patient.id };
      const specimen = await put(area, 'specimen', {
        ...of,
        accession: word('specimen'),
        type_text: word('type'),
        site_text: word('site'),
      });
      const result = await makeResult(database, {
        ...of,
        ...where,
        ...family,
        specimen_id: specimen,
        result_category: 'positive',
        test_name: word('test'),
        assay: word('assay'),
        accession: word('accession'),
        specimen_site: word('place'),
        value_text: word('value'),
      });
      const { id: caseId, case_id } = await makeCaseReport(database, {
        ...of,
        ...where,
        ...family,
        external_id: word('external'),
        outcome: word('outcome'),
      });
      canaries[area].push(patient.id, result.id, caseId);
      told(tenant_id, 'result', result.id);
      told(tenant_id, 'case_report', caseId);
      await sql('insert into case_result (tenant_id, case_report_id, result_id) values ($1, $2, $3)', [
        tenant_id,
        caseId,
        result.id,
      ]);
      const file_id = await put(area, 'document_file', { tenant_id, account_id: patient.id, ...canaryFile });
      const about = {
        ...of,
        ...where,
        case_report_id: caseId,
        file_id,
        disease_family: family.disease_family,
      };
      for (const [table, row] of workOf(about, word, ending)) await put(area, table, row);
      await put(area, 'case_event', {
        tenant_id,
        case_report_id: caseId,
        kind: 'note',
        detail: JSON.stringify({ text: word('note') }),
      });
      await sql(
        `insert into case_report_history (tenant_id, record_id, version, version_within, changes)
         values ($1, $2, 2, 2, $3)`,
        [tenant_id, caseId, JSON.stringify({ externalId: { from: null, to: word('earlier') } })],
      );
      await database.withScope({ kind: 'service', tenantId: tenant_id }, async (tx) => {
        const person = {
          lastName: patient.last_name,
          firstName: patient.first_name,
          birthDate: '1980-05-17',
          phones: [],
          emails: [],
          identifiers: [{ value: word('mrn') }],
        };
        await writeSearchKeys(tx, tenant_id, 'patient', [{ id: patient.id, keys: keysOfPatient(person) }]);
        const keys = keysOfCase({ caseId: case_id, externalId: word('external') });
        await writeSearchKeys(tx, tenant_id, 'case', [{ id: caseId, keys }]);
      });
    }
    if (kind === 'f' && !isVendor)
      await put(
        area,
        'shipment',
        shipmentOf(tenant_id, { facility: places.facility, organization: places.facilityOrganization }, word),
      );
    await put(area, 'patient_match', {
      tenant_id,
      patient_id: patients[0],
      candidate_id: patients[1],
      score: 0.9,
      parts: '{}',
      moved: JSON.stringify({ before: word('merged') }),
    });
    const [{ id: guardian }] = (await sql<{ id: string }>(
      `insert into guardian_link (tenant_id, id, child_id, guardian_id, relation, evidence, from_on, made_by, ended_at, end_reason)
       values ($1, gen_random_uuid(), $2, $3, 'parent', 'document', '2026-01-01', gen_random_uuid(), now(), $4)
       returning id`,
      [tenant_id, patients[0], patients[1], word('reason')],
    )) as [{ id: string }];
    canaries[area].push(guardian);
    const families = [family.disease_family];
    const code = await put(area, 'code_mapping', {
      tenant_id,
      kind: 'test',
      sender: word('sender'),
      system: 'L',
      code: word('code'),
      text: word('text'),
      disease_family: family.disease_family,
    });
    // Readers who see the imports of a place see that a file was received, its name and its size; so a restricted
    // message is in a visible file.
    const [received] = await sql<{ id: string }>(
      'select id from import where tenant_id = $1 order by organization_id nulls last limit 1',
      [tenant_id],
    );
    const file =
      kind === 'h' && received
        ? received.id
        : await put(area, 'import', {
            tenant_id,
            file_name: word('file'),
            format: 'hl7',
            state: 'done',
            organization_id: where.organization_id,
            facility_id: where.facility_id,
          });
    await put(area, 'import_message', {
      tenant_id,
      import_id: file,
      index: kind === 'h' ? 1 : 0,
      line: 1,
      raw: Buffer.from(`MSH|^~\\&|${word('raw')}\r`),
      content_hash: Buffer.from(word()),
      control_id: word('control'),
      sender: word('sender'),
      state: 'waiting',
      reason: 'test-unknown',
      waiting_for: [code],
      patient_id: patients[0],
      disease_families: families,
    });
    await sql(
      `insert into import_tally (tenant_id, import_id, kind, key, families, n) values ($1, $2, 'state', 'waiting', $3, 1)`,
      [tenant_id, file, families],
    );
  }
  await carryAll(superuserUrl);
  for (const [tenantId, tables] of changes)
    await database.withScope({ kind: 'service', tenantId }, async (tx) => {
      for (const [table, ids] of tables) await recordChange(tx, tenantId, table, ids);
    });
  return canaries;
}
