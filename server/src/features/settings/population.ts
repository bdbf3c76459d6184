import { randomUUID } from 'node:crypto';
import {
  deletePopulation,
  importPopulation,
  type PopulationYear,
  previewPopulation,
  readPopulation,
} from '@caseway/contract/population';
import type { PeopleCount } from '../../platform/dashboards/population.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt, refuse } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { wholeTenant } from '../../platform/policy/authority.ts';
import { readPopulationTable } from './population-table.ts';

const bodyLimit = 12 * 2 ** 20;

/** The years that the tenant has, the newest first. */
const yearsOf = async (tx: Tx): Promise<PopulationYear[]> => {
  const rows = await tx.rows<Omit<PopulationYear, 'importedAt'> & { importedAt: Date }>(
    `select p.kind, p.year, p.publisher, p.title, p.published, p.imported_at as "importedAt",
       nullif(concat_ws(' ', a.first_name, a.last_name), '') as "importedBy",
       c.counties, c.people, c.by_sex as "bySex", c.ages
     from population p left join account a on a.id = p.imported_by
     join (select kind, year, cast(count(distinct county_fips) as integer) as counties, cast(sum(people) as float8) as people,
         bool_and(sex <> 'both') as by_sex, cast(min(groups) as integer) as ages
       from (select *, count(*) over (partition by kind, year, county_fips, sex) as groups from population_count
         where tenant_id = $1) as g group by kind, year) c
       on c.kind = p.kind and c.year = p.year
     where p.tenant_id = $1 order by p.kind desc, p.year desc`,
    [tx.tenantId],
  );
  return rows.map(({ importedAt, ...one }) => ({ ...one, importedAt: importedAt.toISOString() }));
};

/** A summary of a year's numbers, before they are stored. */
function inFigures(year: number, counts: readonly PeopleCount[]) {
  const groups = Map.groupBy(counts, ({ county, sex }) => `${county} ${sex}`);
  return {
    year,
    counties: new Set(counts.map(({ county }) => county)).size,
    people: counts.reduce((total, { people }) => total + people, 0),
    bySex: counts.every(({ sex }) => sex !== null),
    ages: Math.min(...[...groups.values()].map((some) => some.length)),
  };
}

/** Stores the numbers of a year in place of earlier ones. */
export async function storePopulation(
  tx: Tx,
  {
    kind,
    year,
    ...source
  }: { kind: string; year: number; publisher: string; title: string; published: number },
  counts: readonly PeopleCount[],
  accountId: string | null,
): Promise<void> {
  await tx.run('delete from population where tenant_id = $1 and kind = $2 and year = $3', [
    tx.tenantId,
    kind,
    year,
  ]);
  await tx.run(
    `insert into population (tenant_id, kind, year, id, publisher, title, published, imported_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tx.tenantId, kind, year, randomUUID(), source.publisher, source.title, source.published, accountId],
  );
  await tx.run(
    `insert into population_count (tenant_id, kind, year, county_fips, sex, age_from, age_below, people)
     select p.tenant_id, p.kind, p.year, n.*
     from population p, unnest($4::text[], $5::text[], $6::smallint[], $7::smallint[], $8::integer[]) as n
     where p.tenant_id = $1 and p.kind = $2 and p.year = $3`,
    [
      tx.tenantId,
      kind,
      year,
      counts.map(({ county }) => county),
      counts.map(({ sex }) => sex ?? 'both'),
      counts.map(({ from }) => from),
      counts.map(({ below }) => below),
      counts.map(({ people }) => people),
    ],
  );
}

/** Anyone else who imports waits until the transaction has ended. */
const lockTenant = (tx: Tx) => tx.rows('select from tenant where id = $1 for update', [tx.tenantId]);

/** The populations for rates: tables that a tenant imports. */
export function servePopulation(app: App): void {
  serve(app, readPopulation, (call) => {
    wholeTenant(call);
    return call.withScope(async (tx) => ({ years: await yearsOf(tx) }));
  });

  serve(
    app,
    previewPopulation,
    (call) => {
      wholeTenant(call);
      const { kind, text } = call.body;
      const { years, ...read } = readPopulationTable(text, call.body);
      return call.withScope(async (tx) => {
        const there = (await yearsOf(tx)).filter((one) => one.kind === kind);
        return {
          ...read,
          years: [...years].map(([year, counts]) => {
            const before = there.find((one) => one.year === year);
            const replaces = before
              ? { publisher: before.publisher, title: before.title, published: before.published }
              : null;
            return { ...inFigures(year, counts), replaces };
          }),
        };
      });
    },
    { bodyLimit },
  );

  serve(
    app,
    importPopulation,
    (call) => {
      wholeTenant(call);
      const { kind, text, publisher, title, published } = call.body;
      const { years, faultCount } = readPopulationTable(text, call.body);
      if (faultCount > 0 || years.size === 0)
        refuse([faultAt('text', 'faulty-table', `${faultCount} faults, ${years.size} years`)]);
      return call.withScope(async (tx) => {
        await lockTenant(tx);
        for (const [year, counts] of years)
          await storePopulation(
            tx,
            { kind, year, publisher, title, published },
            counts,
            call.account.accountId,
          );
        call.audit({
          action: 'setting/population-imported',
          recordKind: 'tenant',
          recordIds: [tx.tenantId],
          detail: { population: kind, years: [...years.keys()].map(String), publisher, title },
        });
        return { years: await yearsOf(tx) };
      });
    },
    { bodyLimit },
  );

  serve(app, deletePopulation, (call) => {
    wholeTenant(call);
    const { kind, year } = call.params;
    return call.withScope(async (tx) => {
      await lockTenant(tx);
      const [gone] = await tx.rows<{ publisher: string; title: string }>(
        'delete from population where tenant_id = $1 and kind = $2 and year = $3 returning publisher, title',
        [tx.tenantId, kind, year],
      );
      if (!gone) throw new AppError('not-found');
      call.audit({
        action: 'setting/population-deleted',
        recordKind: 'tenant',
        recordIds: [tx.tenantId],
        detail: { population: kind, years: [String(year)], publisher: gone.publisher, title: gone.title },
      });
      return { years: await yearsOf(tx) };
    });
  });
}
