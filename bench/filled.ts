import type { Column, Grid } from '@caseway/contract/grid';
import type { Database, Tx } from '../server/src/platform/db/database.ts';
import { percentile } from './figure.ts';

/* Persons and cases made by the database itself, and the time for lists of them. */

const step = 100_000;

/** The SQL of an id derived from a text, in the form that the product accepts. */
export const idOf = (text: string): string =>
  `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`;

/** Runs this for each part of this many records, in a transaction of the service. */
async function inParts(
  database: Database,
  tenantId: string,
  records: number,
  work: (tx: Tx, range: [tenantId: string, from: number, to: number]) => Promise<unknown>,
): Promise<void> {
  for (let from = 1; from <= records; from += step)
    await database.withScope({ kind: 'service', tenantId }, (tx) =>
      work(tx, [tenantId, from, Math.min(records, from + step - 1)]),
    );
}

/** Persons with names of 30,000 and births over 95 years. */
export const fillPersons = (database: Database, tenantId: string, persons: number): Promise<void> =>
  inParts(database, tenantId, persons, async (tx, range) => {
    await tx.run(
      `insert into patient (tenant_id, id, last_name, first_name, birth_date, sex_at_birth, race, ethnicity, city,
        county_fips, phones)
      select $1, ${idOf(`'p' || n`)}, 'Name' || hashint4(n) % 30000 + 30000, 'First' || hashint4(n * 7) % 5000 + 5000,
        case when n % 50 > 0 then date '1930-01-01' + abs(hashint4(n * 3)) % 34000 end, (array['F', 'M'])[n % 2 + 1],
        (array['2106-3', '2054-5', '2028-9', 'UNK'])[n % 4 + 1], (array['2135-2', '2186-5'])[n % 2 + 1],
        'City ' || abs(hashint4(n * 19)) % 900, lpad((12001 + 2 * (abs(hashint4(n * 5)) % 60))::text, 5, '0'),
        array['+1305555' || lpad((abs(hashint4(n * 11)) % 10000)::text, 4, '0')]
      from generate_series($2::int, $3::int) n`,
      range,
    );
    await tx.run(
      `insert into search_key (tenant_id, record_kind, key, record_id, places, families, county)
      select distinct $1::uuid, 'patient', k, p.id, '{}'::uuid[], '', p.county_fips from patient p, unnest(array[lower(p.last_name), lower(p.first_name),
        to_char(p.birth_date, 'YYYYMMDD'), to_char(p.birth_date, 'MMDDYYYY'), to_char(p.birth_date, 'DDMMYYYY'),
        substr(p.phones[1], 2), substr(p.phones[1], 3), substr(p.phones[1], 6)]) k
      where p.id in (select ${idOf(`'p' || n`)} from generate_series($2::int, $3::int) n) and k is not null`,
      range,
    );
  });

/** A case for each of the first persons, created over three years. */
export const fillCases = (database: Database, tenantId: string, cases: number): Promise<void> =>
  inParts(database, tenantId, cases, async (tx, range) => {
    await tx.run(
      `insert into case_report (tenant_id, id, case_id, patient_id, condition_code, disease_family, disease_category,
        classification, status, onset_on, collected_on, received_on, created_on, facility_id, investigator_id,
        county_fips, source, created_at, updated_at)
      select $1, ${idOf(`'c' || n`)}, 2023 + n * 3 / ($4 + 1) || '-' || lpad(n::text, 7, '0'), ${idOf(`'p' || n`)},
        (array['chlamydia', 'gonorrhea', 'salmonellosis', 'covid-19', 'pertussis'])[n % 5 + 1],
        (array['chlamydia', 'gonorrhea', 'salmonellosis', 'coronavirus', 'pertussis'])[n % 5 + 1], 'sti',
        (array['confirmed', 'probable', 'suspect'])[n % 3 + 1], (array['new', 'assigned', 'closed', 'complete'])[n % 4 + 1],
        case when n % 3 > 0 then date '2022-12-25' + n * 1095 / $4 end, date '2022-12-28' + n * 1095 / $4,
        date '2023-01-01' + n * 1095 / $4, date '2023-01-01' + n * 1095 / $4,
        (select array_agg(id) from (select id from facility order by id limit 50) f)[n % 50 + 1],
        case when n % 4 > 0 then (select array_agg(a.id) from (select id from account order by id limit 10) a)[n % 10 + 1] end,
        lpad((12001 + 2 * (abs(hashint4(n * 5)) % 60))::text, 5, '0'), 'elr',
        timestamptz '2023-01-01Z' + n * interval '1095 days' / $4, timestamptz '2023-01-03Z' + n * interval '1095 days' / $4
      from generate_series($2::int, $3::int) n`,
      [...range, cases],
    );
    await tx.run(
      `insert into search_key (tenant_id, record_kind, key, record_id, places, families, county)
      select $1, 'case', replace(c.case_id, '-', ''), c.id, array[c.facility_id], c.disease_family, c.county_fips
      from case_report c where c.id in (select ${idOf(`'c' || n`)} from generate_series($2::int, $3::int) n)`,
      range,
    );
  });

/** Queries that sort by each sortable column of a list, both ways. */
export const everySort = (grid: Grid): Record<string, object> =>
  Object.fromEntries(
    Object.entries<Column>(grid.columns)
      .filter(([, { sortable }]) => sortable !== false)
      .flatMap(([field]) =>
        (['asc', 'desc'] as const).map((sort) => [
          `sorted by ${field} ${sort}`,
          { sortModel: [{ field, sort }] },
        ]),
      ),
  );

/** Milliseconds of these queries, each run once before it is measured. */
export async function timesOf(
  search: (query: object) => Promise<number>,
  queries: Record<string, object>,
  runs: number,
): Promise<number[]> {
  const all: number[] = [];
  for (const [name, query] of Object.entries(queries)) {
    await search(query);
    const samples: number[] = [];
    for (let run = 0; run < runs; run++) samples.push(await search(query));
    all.push(...samples);
    if (process.env.BENCH_DETAIL)
      console.error(`${percentile(samples, 0.5).toFixed(1).padStart(8)} ms  ${name}`);
  }
  return all;
}
