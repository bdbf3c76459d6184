import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { carryAll } from '../../../test/carried.ts';
import { createTestDatabase } from '../../../test/database.ts';
import {
  makeCaseReport,
  makeFieldVisit,
  makeIncident,
  makeJurisdiction,
  makePartnerService,
  makePatient,
  makeResult,
  makeTelemedicineVisit,
  makeTenant,
  makeTreatment,
  makeVisitAttempt,
} from '../../../test/factories.ts';
import { load, rounds } from '../../../test/load.ts';
import { facts } from '../../facts.ts';
import { resultFact } from '../../features/results/result-fact.ts';
import { createLog } from '../log/log.ts';
import type { Scope } from '../scope.ts';
import { startAnalytics } from './engine.ts';
import { isPack, type StoredFact } from './facts.ts';
import { type Question, statementFor } from './visible-facts.ts';

const { database, superuserUrl } = await createTestDatabase();

const organizations = [randomUUID(), randomUUID()];
const facilities = [randomUUID(), randomUUID(), randomUUID()];
const counties = ['12001', '12003', '12086', '13121'];
const families = ['hiv', 'sti', 'respiratory', "o'neil, family"];
const pick = <T>(list: readonly T[], index: number) => list[index % list.length]!;

// Records whose fields take all combinations of small numbers; the person's often differ from the record's.
const tenants = [await makeTenant(database), await makeTenant(database)];
const linked: {
  tenant_id: string;
  case_report_id: string;
  patient_id: string;
  disease_family: string;
  places: (string | null)[];
  result_id: string;
  n: number;
}[] = [];
for (const tenant of tenants)
  for (let n = 0; n < 120; n++) {
    const patient = await makePatient(database, {
      tenant_id: tenant.id,
      county_fips: n % 7 === 0 ? null : pick(counties, Math.floor(n / 3)),
      gender_identity: n % 4 === 0 ? null : pick(['female', 'non-binary'], n),
      organization_ids: organizations.filter((_, index) => (n >> index) & 1),
      facility_ids: facilities.filter((_, index) => (n >> (index + 2)) & 1),
      // For some, reports of restricted families say something else.
      told_openly:
        n % 8 === 0
          ? JSON.stringify({
              last_name: 'Shown',
              first_name: 'Otherwise',
              birth_date: '1980-05-05',
              sex_at_birth: 'M',
              gender_identity: n % 4 === 0 ? null : pick(['female', 'non-binary'], n),
              race: '1002-5',
              ethnicity: '2135-2',
              city: 'Openville',
              county_fips: pick(counties, n),
              phones: [],
              keys: ['shown', '19800505'],
            })
          : null,
    });
    const fields = {
      tenant_id: tenant.id,
      patient_id: patient.id,
      organization_id: n % 5 === 0 ? null : pick(organizations, n),
      facility_id: n % 11 === 0 ? null : pick(facilities, n),
      county_fips: n % 13 === 0 ? null : pick(counties, n),
    };
    const { id: result_id } = await makeResult(database, {
      ...fields,
      disease_family: n % 6 === 0 ? null : pick(families, n + 1),
      notes: n % 2 === 0 ? `Noted ${n}` : null,
    });
    const disease_family = pick(families, n % 3 === 0 ? n + 1 : n + 2);
    const made = await makeCaseReport(database, { ...fields, disease_family, collected_on: '2026-03-01' });
    linked.push({
      ...{ tenant_id: tenant.id, case_report_id: made.id, patient_id: patient.id },
      ...{ disease_family, result_id, n, places: [fields.organization_id, fields.facility_id, null] },
    });
    // Some are reported by one of the two places alone, or by another place. Some have tests for a retest or for HIV at
    // one of them.
    await makeTreatment(database, made, {
      started_on: `2026-02-${String(10 + (n % 19)).padStart(2, '0')}`,
      state: n % 17 === 0 ? 'entered-in-error' : 'given',
      told_by: [null, [fields.organization_id ?? facilities[0]!], [randomUUID()], null][n % 4],
    });
    for (const [index, family] of n < 40 ? [disease_family, 'hiv'].entries() : [])
      await makeResult(database, {
        ...fields,
        organization_id: (n + index) % 3 ? fields.organization_id : pick(organizations, n + 1),
        facility_id: (n + index) % 4 ? fields.facility_id : pick(facilities, n + 1),
        county_fips: (n + index) % 5 ? fields.county_fips : pick(counties, n + 1),
        disease_family: family,
        collected_on: index === 0 ? '2026-06-01' : ['2026-03-20', '2026-05-20'][n % 2],
        collected_at: index === 0 ? '2026-06-01T12:00:00Z' : '2026-03-20T12:00:00Z',
      });
  }
// Persons without a link to a place; their records decide who sees them. [P18]
for (const { id: tenant_id } of tenants)
  for (let n = 0; n < 96; n++) {
    const { id: patient_id } = await makePatient(database, {
      tenant_id,
      county_fips: n % 5 === 0 ? null : pick(counties, n),
      race: '2028-9',
      organization_ids: organizations.filter((_, index) => (n >> index) & 1),
      facility_ids: facilities.filter((_, index) => (n >> index) & 1),
      disease_families: families.slice(0, 3).filter((_, index) => (n >> (index + 2)) & 1),
      restricted_at: [organizations[0]!, facilities[0]!].filter((_, index) => n % (index + 2) === 0),
      told_by: n % 7 === 0 ? [organizations[1]!] : null,
      told_openly:
        n % 8 === 3
          ? JSON.stringify({
              last_name: 'Shown',
              race: '1002-5',
              deceased: n % 16 === 3,
              county_fips: pick(counties, n + 1),
              phones: ['+13055550100'],
              keys: ['shown'],
            })
          : null,
    });
    // The person's records also decide who sees a report of an incident. Some reports are about nobody.
    await makeIncident(database, {
      tenant_id,
      patient_id: n % 5 === 4 ? null : patient_id,
      organization_id: n % 9 === 0 ? null : pick(organizations, n),
      facility_id: n % 4 === 0 ? null : pick(facilities, n),
      disease_family: n % 3 ? null : pick(families, n),
      vaccines: JSON.stringify(n % 2 ? [{ vaccine: 'mmr' }, { vaccine: 'polio-oral' }] : []),
      reactions: n % 3 ? ['fever'] : [],
    });
    // The same for a visit.
    const seen = {
      tenant_id,
      patient_id,
      organization_id: n % 8 === 0 ? null : pick(organizations, n),
      facility_id: n % 5 === 0 ? null : pick(facilities, n + 1),
      disease_family: n % 4 ? null : pick(families, n),
    };
    await makeVisitAttempt(database, await makeFieldVisit(database, seen), {
      day: '2026-03-08',
      outcome: n % 2 ? 'done' : 'nobody',
    });
    await makeTelemedicineVisit(database, seen);
    // The same for being named in a case. Some of the named are not known to anyone.
    const of = linked.filter((one) => one.tenant_id === tenant_id)[n % 40]!;
    const shared = { tenant_id, case_report_id: of.case_report_id, disease_family: of.disease_family };
    const index = await makePartnerService(database, {
      ...shared,
      patient_id: of.patient_id,
      told_by: of.places[n % 3],
      interview_assigned_on: n % 3 ? '2026-03-07' : null,
      interview_status: n % 4 ? 'I' : null,
    });
    await makePartnerService(database, {
      ...shared,
      index_id: index.id,
      patient_id: n % 5 === 4 ? null : patient_id,
      told_by: of.places[n % 4 ? n % 3 : 1],
      referral_basis: ['P1', 'S1'][n % 2]!,
      named_how: 'original',
    });
  }
// Every case has its own result and that of the record three places before, often of other places. Some have notes
// from a line list.
for (const { id: tenantId } of tenants)
  await database.withScope({ kind: 'service', tenantId }, async (tx) => {
    const own = linked.flatMap((one, place) => (one.tenant_id === tenantId ? [{ ...one, place }] : []));
    const pairs = own.flatMap(({ case_report_id, result_id, n, place }) =>
      [result_id, ...(n < 3 ? [] : [linked[place - 3]!.result_id])].map((result) => [case_report_id, result]),
    );
    await tx.run('insert into case_result select $1, * from unnest($2::uuid[], $3::uuid[]) returning 1', [
      tenantId,
      pairs.map(([of]) => of),
      pairs.map(([, result]) => result),
    ]);
    await tx.run(
      `insert into case_event (tenant_id, id, case_report_id, kind, detail)
       select $1, gen_random_uuid(), of, 'note', '{"text": "Listed", "source": "csv"}' from unnest($2::uuid[]) of
       returning 1`,
      [tenantId, own.filter(({ n }) => n % 10 === 0).map(({ case_report_id }) => case_report_id)],
    );
  });
await carryAll(superuserUrl);
const jurisdictions = [
  await makeJurisdiction(database, { managed_by_tenant_id: tenants[0]!.id, counties: ['12001', '13121'] }),
  await makeJurisdiction(database, { managed_by_tenant_id: tenants[1]!.id, counties: ['12086'] }),
];
// Both tenants report to the first jurisdiction.
await database.withScope({ kind: 'service', tenantId: tenants[1]!.id }, (tx) =>
  tx.run('insert into tenant_reporting (tenant_id, jurisdiction_id) values ($1, $2)', [
    tenants[1]!.id,
    jurisdictions[0]!.id,
  ]),
);
// Only now, because these records are in no outbox: a replica that starts earlier would never get them.
const folder = await mkdtemp(join(tmpdir(), 'caseway-analytics-'));
const analytics = await startAnalytics({
  database,
  facts,
  log: createLog('fatal'),
  folder,
  engine: 'duckdb',
});
afterAll(async () => {
  await analytics.close();
  await rm(folder, { recursive: true, force: true });
});
for (const tenant of tenants) await analytics.caughtUp(tenant.id);

const wholeTenant: Scope = {
  kind: 'org',
  tenantId: tenants[0]!.id,
  orgType: 'T',
  orgId: tenants[0]!.id,
  accountId: randomUUID(),
  counties: [],
  hiddenFamilies: [],
  genderIdentityShown: true,
};

const scope: fc.Arbitrary<Scope> = fc
  .record({
    tenantId: fc.constantFrom(...tenants.map(({ id }) => id)),
    reader: fc.oneof(
      fc.constantFrom(
        { orgType: 'T' as const, orgId: randomUUID() as string },
        { orgType: 'A' as const, orgId: '' },
      ),
      fc.constantFrom(...organizations, randomUUID()).map((orgId) => ({ orgType: 'O' as const, orgId })),
      fc.constantFrom(...facilities, randomUUID()).map((orgId) => ({ orgType: 'F' as const, orgId })),
      fc.constantFrom(...jurisdictions).map(({ id }) => ({ orgType: 'PHJ' as const, orgId: id })),
    ),
    hiddenFamilies: fc.subarray(['hiv', 'sti', 'measles']),
    genderIdentityShown: fc.boolean(),
  })
  .map(({ tenantId, reader, hiddenFamilies, genderIdentityShown }) => {
    // The scope needs the counties of a jurisdiction that the tenant reports to.
    const own = jurisdictions.find(
      (one, index) => one.id === reader.orgId && (index === 0 || one.managed_by_tenant_id === tenantId),
    );
    return {
      kind: 'org',
      tenantId,
      ...reader,
      orgId: reader.orgId || tenantId,
      accountId: randomUUID(),
      counties: own?.counties ?? [],
      hiddenFamilies,
      genderIdentityShown,
    };
  });

it('the replica shows each reader the facts that row-level security shows, no more and no fewer [S6.9, P1, P18]', async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(scope, async (reader) => {
      for (const { table, columns } of facts) {
        const gender = columns.some(({ name }) => name === 'gender') ? ', gender' : '';
        const select = `select tenant_id, id${gender} from ${table} order by id`;
        const { rows } = await analytics.query({ scopes: [reader], freshness: 'any', select });
        // Without the predicate, so that row-level security alone decides.
        const allowed = await database.withScope(reader, (tx) => tx.rows(select));
        expect(rows).toEqual(allowed);
        // With the predicate, like PostgreSQL answers when it is the engine.
        const { text, params } = statementFor(facts, reader, { select }, 'postgres');
        expect(await database.withScope(reader, (tx) => tx.rows(text, params))).toEqual(allowed);
        seen += allowed.length;
      }
    }),
    rounds(20, 60),
  );
  expect(seen).toBeGreaterThan(load(333, 1000));
});

it('both engines show each reader the same about every person, and restricted reports only to those who may see them [P18]', async () => {
  const shown = ({ columns }: StoredFact) =>
    columns.flatMap(({ name, numbers }) =>
      numbers ||
      /^open_|^told_openly$|_ids$|_told_by$|^families$|._notes_key$|^(organization|facility|county)_(days|hiv|first|positive|received|retained|suppressed)/.test(
        name,
      )
        ? []
        : [name],
    );
  let different = 0;
  await fc.assert(
    fc.asyncProperty(scope, async (reader) => {
      for (const fact of facts) {
        const select = `select ${shown(fact).join(', ')} from ${fact.table} order by id`;
        const { rows } = await analytics.query<Record<string, unknown>>({
          scopes: [reader],
          freshness: 'any',
          select,
        });
        const { text, params } = statementFor(facts, reader, { select }, 'postgres');
        expect(rows).toEqual(await database.withScope(reader, (tx) => tx.rows(text, params)));
        const open = rows.filter(({ race }) => race === '1002-5').length;
        const isBlind = reader.kind === 'org' && reader.hiddenFamilies.length > 0;
        if (!isBlind) expect(open).toBe(0);
        else different += open;
      }
    }),
    // One reader for whom many values differ is always included.
    { ...rounds(13, 40), examples: [[{ ...wholeTenant, hiddenFamilies: ['measles'] }]] },
  );
  expect(different).toBeGreaterThan(load(8, 25));
});

describe('both engines give each reader the same numbers, though a replica counts differently', () => {
  /** The answers of both engines, in one order. */
  async function answers(reader: Scope, question: Question) {
    const { rows } = await analytics.query({ scopes: [reader], freshness: 'any', ...question });
    const { text, params } = statementFor(facts, reader, question, 'postgres');
    const stored = await database.withScope(reader, (tx) => tx.rows(text, params));
    const inOrder = (all: object[]) => all.map((row) => JSON.stringify(row)).sort();
    return [inOrder(rows), inOrder(stored)] as const;
  }

  it('by packs of codes, from what the reader sees', async () => {
    const packs = resultFact.made.filter(isPack).map(({ name }) => name);
    expect(packs.length).toBeGreaterThan(1);
    let groups = 0;
    await fc.assert(
      fc.asyncProperty(scope, async (reader) => {
        for (const pack of packs) {
          const [replica, postgres] = await answers(reader, {
            select: `select cast(${pack} as text) as pack, count(*) as n from result_fact group by ${pack}`,
          });
          expect(replica).toEqual(postgres);
          groups += replica.length;
        }
      }),
      { ...rounds(13, 40), examples: [[{ ...wholeTenant, hiddenFamilies: ['measles'] }], [wholeTenant]] },
    );
    expect(groups).toBeGreaterThan(150);
    // The values, in the order of the declaration. A missing value is an empty text.
    const [replica] = await answers(wholeTenant, {
      select: `select cast(pack_people as text) as pack, concat_ws('|', coalesce(age_band, ''), sex, coalesce(race, ''),
        coalesce(ethnicity, ''), cast(demographics_known as text), result_category) as parts from result_fact`,
    });
    expect(replica.length).toBe(200);
    for (const row of replica) {
      const { pack, parts } = JSON.parse(row) as { pack: string; parts: string };
      expect(pack).toBe(parts);
    }
  });

  it('persons by words of bits, with the exact number', async () => {
    let persons = 0;
    await fc.assert(
      fc.asyncProperty(scope, fc.constantFrom('positive', 'negative'), async (reader, category) => {
        const [replica, postgres] = await answers(reader, {
          select: `select cast(coalesce(sum(bit_count(cast(bits as bit(64)))), 0) as bigint) as persons, (select count(distinct patient_number)
              from result_fact where result_category = $1) as different
            from (select bit_or(person_bit) as bits from result_fact where result_category = $1 group by person_word) as words`,
          params: [category],
        });
        expect(replica).toEqual(postgres);
        const [row] = replica.map((one) => JSON.parse(one) as Record<'persons' | 'different', number>);
        expect(row!.persons).toBe(row!.different);
        persons += row!.persons;
      }),
      { ...rounds(13, 40), examples: [[wholeTenant, 'negative']] },
    );
    expect(persons).toBeGreaterThan(200);
  });

  it('of rows with one of several codes, and of those without', async () => {
    const codes = [
      'facility_id',
      'county_fips',
      'disease_family',
      'race',
      'gender',
      'result_category',
      'assay_key',
    ];
    const lists = fc.array(
      fc.constantFrom(
        ...facilities,
        ...counties,
        ...families,
        '2106-3',
        '1002-5',
        'female',
        'negative',
        'of none',
      ),
      { maxLength: 8 },
    );
    let found = 0;
    await fc.assert(
      fc.asyncProperty(scope, fc.constantFrom(...codes), lists, async (reader, column, values) => {
        const ids = column === 'facility_id';
        const list = ids ? values.filter((value) => value.length === 36) : values;
        const [replica, postgres] = await answers(reader, {
          select: `select count(*) as n, cast(count(*) filter (where ${column} = any($1)) as integer) as among,
            cast(count(*) filter (where not ${column} = any($1)) as integer) as outside,
            cast(count(*) filter (where ${column} is null or ${column} = any($1)) as integer) as also from result_fact`,
          params: [list],
        });
        expect(replica).toEqual(postgres);
        if (replica[0]!.includes('"among":0') === false) found++;
      }),
      {
        numRuns: 100,
        examples: [
          [wholeTenant, 'county_fips', ['12001', '12086', 'of none']],
          [wholeTenant, 'facility_id', facilities.slice(1)],
          [{ ...wholeTenant, hiddenFamilies: ['hiv'] }, 'race', ['2106-3', '1002-5']],
        ],
      },
    );
    expect(found).toBeGreaterThan(2);
  });
});

it('gender identity that a tenant no longer records is in no row, no filter and no count', async () => {
  const reader = (genderIdentityShown: boolean) => ({ ...wholeTenant, genderIdentityShown });
  const select = `select cast(count(*) filter (where gender = any($1)) as integer) as asked,
    cast(count(gender) as integer) as known, cast(count(*) as integer) as n from result_fact`;
  const params = [['female', 'non-binary']];
  const asked = async (scope: Scope) =>
    (await analytics.query<Record<string, number>>({ scopes: [scope], freshness: 'any', select, params }))
      .rows[0];
  expect(await asked(reader(true))).toEqual({ asked: 150, known: 150, n: 200 });
  expect(await asked(reader(false))).toEqual({ asked: 0, known: 0, n: 200 });
});

it('a jurisdiction reads the union of the tenants that report to it', async () => {
  const reader = (tenantId: string, counties: string[]): Scope => ({
    kind: 'org',
    tenantId,
    orgType: 'PHJ',
    orgId: jurisdictions[0]!.id,
    accountId: randomUUID(),
    counties,
    hiddenFamilies: [],
    genderIdentityShown: true,
  });
  const select = 'select count(*) as n, count(distinct patient_id) as people from result_fact';
  const scopes = tenants.map(({ id }) => reader(id, ['12001', '13121']));
  const { rows } = await analytics.query<{ n: number; people: number }>({ scopes, freshness: 'any', select });
  const allowed = await Promise.all(
    scopes.map((scope) => database.withScope(scope, (tx) => tx.rows<{ n: number; people: number }>(select))),
  );
  expect(rows).toEqual(allowed.flat());
  expect(rows.every(({ n, people }) => n > 0 && people > 0)).toBe(true);
});

it.each(['duckdb', 'postgres'] as const)(
  'a value of a parameter, an id of a scope or a family never becomes part of the text for %s',
  (by) => {
    const hostile = "') or true --";
    const { text, params } = statementFor(
      facts,
      {
        kind: 'org',
        tenantId: hostile,
        orgType: 'O',
        orgId: hostile,
        accountId: hostile,
        counties: [hostile],
        hiddenFamilies: [hostile],
        genderIdentityShown: true,
      },
      { select: 'select 1 from result_fact r, case_fact c where r.race = $1', params: [hostile] },
      by,
    );
    expect(text).not.toContain(hostile);
    // For each of the two tables: the texts of the person, the tenant and the place; and the tenant of the texts of
    // cases.
    expect(params).toEqual(Array(by === 'duckdb' ? 6 : 7).fill(hostile));
  },
);

it('a question that names no fact runs as it is, with its own parameters only', () => {
  const question = { with: 'one as (select 1 as n)', select: 'select n from one where n = $1', params: [1] };
  const reader: Scope = {
    kind: 'org',
    tenantId: randomUUID(),
    orgType: 'O',
    orgId: randomUUID(),
    accountId: randomUUID(),
    counties: [],
    hiddenFamilies: ['hiv'],
    genderIdentityShown: true,
  };
  expect(statementFor([], reader, question, 'postgres')).toEqual({
    text: 'with one as (select 1 as n) select n from one where n = $1',
    params: [1],
  });
});
