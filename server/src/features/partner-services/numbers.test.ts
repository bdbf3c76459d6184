import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partnerServices } from '@caseway/contract/dashboards/partner-services';
import { addDays } from '@caseway/contract/date-range';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeCaseReport, makePartnerService, makePatient, makeTenant } from '../../../test/factories.ts';
import { facts } from '../../facts.ts';
import { type Analytics, startAnalytics } from '../../platform/analytics/engine.ts';
import { dashboardNumbers } from '../../platform/dashboards/numbers.ts';
import { storedFactsOf } from '../../platform/dashboards/serve-dashboard.ts';
import { createLog } from '../../platform/log/log.ts';
import type { Scope } from '../../platform/scope.ts';
import { wholeTenant } from '../testing-analytics/test-facts.ts';

/* The worked example of the CDC's program reports: cases K1 to K4, and every number by hand; also two cases of HIV. */

const { database } = await createTestDatabase();
const { id: tenant_id } = await makeTenant(database);
let engines: Record<'duckdb' | 'postgres', Analytics>;
let folder: string;

const assigned = '2026-11-02';
/** A basis, a disposition, and the days from the assignment of the field follow-up to it. */
type Contact = readonly [basis: string, disposition: string | null, days?: number, more?: object];

async function caseWith(
  family: string,
  own: object,
  contacts: readonly Contact[],
  classification = 'confirmed',
) {
  const { id: patient_id } = await makePatient(database, { tenant_id });
  const { id: case_report_id } = await makeCaseReport(database, {
    ...{ tenant_id, patient_id, classification, disease_family: family },
    condition_code: family === 'hiv' ? 'hiv' : 'syphilis-primary',
  });
  const shared = { tenant_id, case_report_id, disease_family: family, created_on: '2026-11-01' };
  const index = await makePartnerService(database, { ...shared, patient_id, ...own });
  for (const [referral_basis, disposition, days, more] of contacts)
    await makePartnerService(database, {
      ...{ ...shared, index_id: index.id, referral_basis, disposition, named_how: 'original' },
      ...{ description: 'Somebody', field_assigned_on: '2026-11-10' },
      disposition_on: days === undefined ? null : addDays('2026-11-10', days),
      ...more,
    });
}
const toInterview = (status: string, after?: number, more = {}) => ({
  interview_assigned_on: assigned,
  first_interview_assigned_on: assigned,
  interview_status: status,
  interviewed_on: after === undefined ? null : addDays(assigned, after),
  ...more,
});

beforeAll(async () => {
  const counted = { female_partners_in_period: 2, male_partners_in_period: 1 };
  // K1 to K4.
  await caseWith(
    'syphilis',
    toInterview('I', 2, { ...counted, reinterviewed_on: '2026-11-20', case_closed_on: '2026-11-25' }),
    [
      ['P1', 'A', 4],
      ['P1', 'C', 8],
      ['S1', 'F', 2],
    ],
  );
  await caseWith('syphilis', toInterview('I', 9), [
    ['P2', 'E', 3],
    ['P1', 'H', 6],
    ['A1', 'C', 5],
  ]);
  await caseWith('syphilis', toInterview('R'), []);
  await caseWith('syphilis', {}, [['P1', 'C', 1]]);
  // A case that is only suspected is in no report.
  await caseWith('syphilis', toInterview('I', 1), [['P1', 'A', 1]], 'suspect');

  // For HIV, the first assignment counts. A partner without a known assignment is left out of the speed; a partner
  // named without an interview and a cohort are left out of all that was initiated.
  await caseWith('hiv', toInterview('I', 6, { interview_assigned_on: addDays(assigned, 4) }), [
    ['P1', '5', 2],
    ['P3', '3', 7, { field_assigned_on: null }],
    ['P1', null, undefined, { named_how: 're-interview', source_spread: 'source' }],
    ['P1', '2', 1, { named_how: 'no-interview' }],
    ['S2', '1', 3],
    ['C1', '6', 3],
  ]);
  await caseWith('hiv', toInterview('U'), []);

  folder = await mkdtemp(join(tmpdir(), 'caseway-partners-'));
  const options = { facts, database, log: createLog('fatal'), folder };
  engines = {
    duckdb: await startAnalytics({ ...options, engine: 'duckdb' }),
    postgres: await startAnalytics({ ...options, engine: 'postgres' }),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(engines ?? {}).map((one) => one.close()));
  if (folder) await rm(folder, { recursive: true, force: true });
});

const none = <T>(names: object, value: T): Record<string, T> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, value]));

async function numbers(
  engine: 'duckdb' | 'postgres',
  filters: Record<string, string[]> = {},
  {
    eventDate = 'assigned',
    scope = wholeTenant(tenant_id),
    threshold,
  }: { eventDate?: string; scope?: Scope; threshold?: number } = {},
) {
  await engines.duckdb.caughtUp(tenant_id);
  const counting = { dashboard: partnerServices, stored: storedFactsOf(partnerServices, facts) };
  const { measures, series } = await engines[engine].read(
    { scopes: [scope], freshness: 'any', asks: 'numbers' },
    (ask) =>
      dashboardNumbers(ask, counting, {
        query: {
          dateRangeValue: { start: '2026-11-01', end: '2026-11-30' },
          filters: {
            ...none(partnerServices.filters, []),
            ...none(partnerServices.textFilters, ''),
            ...filters,
          },
          eventDate,
        },
        today: '2026-11-30',
        timeZone: 'UTC',
        asOf: new Date(0),
        hiddenFamilies: 'hiddenFamilies' in scope ? scope.hiddenFamilies : [],
        ...(threshold !== undefined && { threshold }),
      }),
  );
  const values = (...names: string[]) => names.map((name) => measures[name]!.value);
  const parts = (...names: string[]) =>
    names.map((name) => [measures[name]!.numerator, measures[name]!.denominator]);
  const row = (name: string, of: string, ...shown: string[]) => {
    const found = series[name]!.find(({ key }) => key === of);
    return shown.map((one) => found?.values[one]?.numerator);
  };
  return { measures, values, parts, row };
}

const syphilis = { diseaseFamilyFilter: ['syphilis'] };
const hiv = { diseaseFamilyFilter: ['hiv'] };

describe.each(['duckdb', 'postgres'] as const)('[S3.11] the measures of partner services on %s', (engine) => {
  test('K1 to K4: cases that were assigned and interviewed, and how soon', async () => {
    const { measures, values, parts } = await numbers(engine, syphilis);
    expect(values('assigned')).toEqual([3]);
    expect(parts('interviewed', 'reinterviewed', 'closed')).toEqual([
      [2, 3],
      [1, 2],
      [1, 3],
    ]);
    expect(measures.interviewed!.value).toBeCloseTo(0.667, 3);
    expect(parts('interviewed3', 'interviewed5', 'interviewed7', 'interviewed14')).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
      [2, 2],
    ]);
    // K1 has counted three.
    expect(values('periodPartners', 'periodPartnerIndex')).toEqual([3, 1.5]);
  });

  test('K1 to K4: partners and clusters, and their outcomes', async () => {
    const { values, parts, row } = await numbers(engine, syphilis);
    expect(values('named', 'partners', 'contactIndex', 'clusters', 'clusterIndex')).toEqual([6, 4, 2, 2, 1]);
    expect(values('partnersOriginal', 'partnersReinterview')).toEqual([4, 0]);
    expect(parts('withPartners', 'withClusters')).toEqual([
      [2, 2],
      [2, 2],
    ]);
    const outcomes = ['contacts', 'examined', 'notExamined', 'knownBefore', 'open'];
    const speeds = ['examined3', 'examined5', 'examined7', 'examined14'];
    expect(row('role', 'partner', ...outcomes)).toEqual([4, 2, 1, 1, 0]);
    expect(row('role', 'partner', ...speeds)).toEqual([0, 1, 1, 2]);
    expect(row('role', 'cluster', ...outcomes)).toEqual([2, 2, 0, 0, 0]);
    expect(row('role', 'cluster', ...speeds)).toEqual([1, 2, 2, 2]);
    expect(parts('examined', 'notExamined', 'knownBefore', 'open')).toEqual([
      [4, 6],
      [1, 6],
      [1, 6],
      [0, 6],
    ]);
    expect(row('disposition', 'C', 'contacts')).toEqual([2]);
  });

  test('K1 to K4: indices with the same name, as each of two reports defines them', async () => {
    const { measures, values, parts } = await numbers(engine, syphilis);
    expect(parts('diiPa01', 'diiPartnersPa04', 'diiClustersPa04')).toEqual([
      [2, 3],
      [2, 2],
      [1, 2],
    ]);
    expect(measures.diiPa01!.value).toBeCloseTo(0.67, 2);
    expect(values('diiPartnersPa04', 'diiClustersPa04')).toEqual([1, 0.5]);
    expect(parts('tiPa01', 'tiPartnersPa04', 'tiClustersPa04')).toEqual([
      [4, 2],
      [3, 2],
      [1, 2],
    ]);
    expect(values('tiPa01', 'tiPartnersPa04', 'tiClustersPa04')).toEqual([2, 1.5, 0.5]);
    expect(values('broughtCases', 'sourceFound')).toEqual([2, 0]);
    // Two interviews for the one partner who was found to be infected.
    expect(values('neededToInterview')).toEqual([2]);
    // There is no case of HIV: no value (rather than zero).
    expect(values('notificationIndex', 'testingPa01', 'testingPa04')).toEqual([null, null, null]);
  });

  test('HIV: two reports count the testing index of one case differently', async () => {
    const { measures, values, parts } = await numbers(engine, hiv);
    expect(parts('interviewed', 'interviewed5', 'interviewed7')).toEqual([
      [1, 2],
      [0, 1],
      [1, 1],
    ]);
    // Three partners from interviews, one of them named at the second; one who was named otherwise, a cluster, a
    // cohort.
    expect(values('partners', 'partnersOriginal', 'partnersReinterview', 'clusters', 'named')).toEqual([
      3, 2, 1, 1, 6,
    ]);
    expect(parts('examined', 'knownBefore', 'open')).toEqual([
      [2, 4],
      [1, 4],
      [1, 4],
    ]);
    // The second one's assignment is unknown.
    expect(measures.examined3).toMatchObject({ numerator: 1, denominator: 1, excluded: 1 });
    expect(values('notificationIndex', 'testingPa01', 'testingPa04')).toEqual([1, 2, 1]);
    // The reports on sexually transmitted infections exclude HIV.
    expect(values('diiPa01', 'tiPa01', 'sourceFound')).toEqual([null, null, null]);
  });

  test('both together, and by the closing day of the cases', async () => {
    const { values } = await numbers(engine);
    expect(values('assigned', 'partners', 'diiPa01')).toEqual([5, 7, 2 / 3]);
    const closed = await numbers(engine, {}, { eventDate: 'closed' });
    expect(closed.values('assigned', 'partners', 'tiPartnersPa04')).toEqual([1, 2, 2]);
  });

  test('[P17, P18] readers without HIV get no number about it, and readers without exact numbers none about few people', async () => {
    const whole = wholeTenant(tenant_id);
    const blind = { ...whole, hiddenFamilies: ['hiv'] } as Scope;
    const seen = await numbers(engine, {}, { scope: blind });
    expect(seen.values('assigned', 'partners')).toEqual([3, 4]);
    for (const name of ['notificationIndex', 'testingPa01', 'testingPa04'])
      expect(seen.measures[name]).toBeUndefined();
    const protectedOnes = await numbers(engine, {}, { threshold: 11 });
    for (const name of ['assigned', 'interviewed', 'partners', 'contactIndex', 'diiPa01', 'tiPa01'])
      expect(protectedOnes.measures[name]).toMatchObject({ value: null, suppressed: true });
  });
});
