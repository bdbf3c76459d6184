import { randomUUID } from 'node:crypto';
import { caseReports } from '@caseway/contract/dashboards/case-reports';
import { addDays } from '@caseway/contract/date-range';
import { describe, expect, test } from 'vitest';
import { asSuperuser } from '../../../test/database.ts';
import { makeFacility, makeOrganization, makeTenant } from '../../../test/factories.ts';
import type { PopulationSet } from '../../platform/dashboards/population.ts';
import {
  type Asked,
  caseOf,
  database,
  duckdb,
  insert,
  numbersOf,
  org,
  ownerUrl,
  postgres,
  type Row,
} from './test-cases.ts';

/*
 * Tables published by public health agencies, rebuilt from single cases: each number on the dashboard matches the
 * published one.
 */

const engines = [
  ['PostgreSQL', postgres],
  ['DuckDB', duckdb],
] as const;
const { id: tenantId } = await makeTenant(database);
const people = Array.from({ length: 2000 }, () => randomUUID());
let numbered = 0;
const [organization, county] = [await makeOrganization(database, { tenant_id: tenantId }), '12001'];

/** Cases of one day, entered on the day they began. */
const casesOf = (count: number, day: string, given: Row): Row[] =>
  Array.from({ length: count }, () =>
    caseOf(people[numbered++ % people.length]!, day, { ...given, reported_on: day, received_on: day }),
  );
const ofFamily = (disease_family: string, condition_code = disease_family): Row => ({
  disease_family,
  condition_code,
});

/**
 * Sexually transmitted infections of the United States, CDC surveillance tables 1941 to 2023. The population is what the
 * published cases and rates of chlamydia imply (709,452 at 251.4; 877,478 at 301.7).
 */
const infections = [
  { year: 2000, people: 282_200_000, syphilis: 5979, rate: 2.1, congenital: 580, chancroid: 78 },
  { year: 2003, people: 290_800_000, syphilis: 7177, rate: 2.5, congenital: 432, chancroid: 54 },
] as const;

/** Cases in each MMWR week of 2018, as they stood in that week. NNDSS table I, infrequently reported diseases. */
const firstWeek = '2017-12-31';
const weekly = {
  listeriosis: [
    2, 4, 2, 2, 1, 2, 6, 4, 2, 6, 3, 3, 8, 2, 5, 6, 3, 4, 3, 2, 5, 5, 7, 5, 4, 5, 7, 10, 3, 5, 16, 11, 8, 7,
    12, 6, 7, 3, 9, 6, 4, 7, 3, 10, 4, 10, 0, 8, 6, 5, 3, 7,
  ],
  tularemia: [
    1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 0, 0, 0, 7, 0, 0, 0, 3, 4, 4, 1, 10, 1, 4, 6, 2, 2, 0, 0,
    1, 1, 1, 2, 2, 2, 2, 14, 0, 1, 1, 0, 1, 0, 1, 1, 0,
  ],
} as const;

/** Cases of COVID-19 by local authority until the end of a day, United Kingdom, 2020. */
const days = ['2020-03-31', '2020-04-30', '2020-05-31', '2020-06-30', '2020-08-01'] as const;
const authorities = {
  Rutland: [6, 28, 76, 90, 100],
  Torbay: [49, 227, 264, 271, 282],
  'Isle of Wight': [19, 201, 401, 419, 423],
} as const;

await insert(
  tenantId,
  'patient',
  people.map((id) => ({ id })),
);
await insert(
  tenantId,
  'case_report',
  infections.flatMap(({ year, syphilis, congenital, chancroid }) =>
    [
      { count: syphilis, given: ofFamily('syphilis', 'syphilis-primary') },
      { count: congenital, given: ofFamily('syphilis', 'syphilis-congenital') },
      { count: chancroid, given: ofFamily('chancroid') },
    ].flatMap(({ count, given }) =>
      // Throughout the year, including its first and last day.
      Array.from({ length: count }, (_, index) =>
        casesOf(1, addDays(`${year}-01-01`, Math.floor((index * 364) / (count - 1))), {
          ...given,
          county_fips: county,
        }),
      ).flat(),
    ),
  ),
);
await insert(
  tenantId,
  'case_report',
  Object.entries(weekly).flatMap(([family, counts]) =>
    counts.flatMap((count, week) => casesOf(count, addDays(firstWeek, 7 * week + 6), ofFamily(family))),
  ),
);
const facilities = new Map<string, string>();
for (const name of Object.keys(authorities)) {
  const { id } = await makeFacility(database, {
    tenant_id: tenantId,
    organization_id: organization.id,
    name,
  });
  facilities.set(name, id);
}
await insert(
  tenantId,
  'case_report',
  Object.entries(authorities).flatMap(([name, until]) =>
    until.flatMap((count, at) =>
      casesOf(count - (until[at - 1] ?? 0), days[at]!, {
        ...ofFamily('covid-19'),
        facility_id: facilities.get(name),
      }),
    ),
  ),
);
// The planner expects a handful of rows until its next statistics.
await asSuperuser('analyze', [], ownerUrl);
await duckdb.caughtUp(tenantId);

const populations = infections.map(
  ({ year, people }): PopulationSet => ({
    kind: 'residents',
    year,
    publisher: 'CDC',
    title: 'Implied by cases and rates of chlamydia',
    published: 2024,
    counts: [{ county, sex: null, from: 0, below: null, people }] as never,
  }),
);

describe.each(engines)('published tables, on %s', (_, analytics) => {
  const ask = (asked: Asked) => numbersOf(analytics, caseReports, [org(tenantId)], { populations, ...asked });

  test.each(infections)(
    'syphilis and chancroid in the United States, $year [S4.11]',
    async ({ year, syphilis, rate, congenital, chancroid }) => {
      const { series } = await ask({
        eventDate: 'reported',
        start: `${year}-01-01`,
        end: `${year}-12-31`,
        filters: { diseaseFamily: ['syphilis', 'chancroid'] },
      });
      const of = (condition: string) => series.condition!.find(({ key }) => key === condition)!.values;
      expect(of('syphilis-primary').cases!.value).toBe(syphilis);
      expect(of('syphilis-primary').caseRate!.value!.toFixed(1)).toBe(String(rate));
      expect(of('syphilis-congenital').cases!.value).toBe(congenital);
      expect(of('chancroid').cases!.value).toBe(chancroid);
      expect(of('chancroid').caseRate!.value!.toFixed(1)).toBe('0.0');
    },
  );

  test.each(Object.entries(weekly))('%s by MMWR week of 2018', async (family, counts) => {
    const { measures, series } = await ask({
      eventDate: 'reported',
      start: firstWeek,
      end: addDays(firstWeek, 7 * 52 - 1),
      filters: { diseaseFamily: [family] },
    });
    const found = new Map(series.curve!.map(({ key, values }) => [key, values.reports!.value]));
    expect(counts.map((_, week) => found.get(addDays(firstWeek, 7 * week)) ?? 0)).toEqual(counts);
    expect(measures.cases!.value).toBe({ listeriosis: 278, tularemia: 80 }[family]);
  });

  test.each(days.map((day, at) => [day, at] as const))(
    'COVID-19 by local authority until %s',
    async (end, at) => {
      const { series } = await ask({
        eventDate: 'reported',
        start: '2020-01-01',
        end,
        filters: { diseaseFamily: ['covid-19'] },
      });
      const found = Object.fromEntries(
        series.facility!.map(({ key, values }) => [key, values.cases!.value] as const),
      );
      expect(found).toEqual(
        Object.fromEntries(
          Object.entries(authorities).map(([name, until]) => [facilities.get(name), until[at]]),
        ),
      );
    },
  );
});
