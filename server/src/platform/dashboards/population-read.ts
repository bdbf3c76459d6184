import type { Population } from '@caseway/contract/measure';
import type { Database } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { type PeopleCount, type PopulationSet, Populations } from './population.ts';

/** A set never changes; its replacement has another id. */
type StoredSet = PopulationSet & { id: string };

/** Sets by id, the most recently used last. */
const kept = new Map<string, StoredSet>();
const mostKept = 200;

/**
 * The populations that the reader's tenants have imported. Tenants do not coordinate, so the first tenant's sets
 * come first.
 */
export async function readPopulations(database: Database, scopes: readonly Scope[]): Promise<StoredSet[]> {
  const found: StoredSet[] = [];
  for (const tenantId of new Set(scopes.flatMap((scope) => ('tenantId' in scope ? [scope.tenantId] : []))))
    found.push(...(await readSets(database, tenantId)));
  return found;
}

const readSets = (database: Database, tenantId: string): Promise<StoredSet[]> =>
  database.withScope(
    { kind: 'service', tenantId },
    async (tx) => {
      const sets = await tx.rows<Omit<StoredSet, 'counts'>>(
        `select id, kind, year, publisher, title, published from population where tenant_id = $1 order by kind, year`,
        [tenantId],
      );
      const unknown = sets.filter(({ id }) => !kept.has(id));
      const counts = Map.groupBy(
        unknown.length === 0
          ? []
          : await tx.rows<PeopleCount & { kind: Population; year: number }>(
              `select kind, year, county_fips as county, nullif(sex, 'both') as sex, age_from as "from", age_below as below, people
               from population_count where tenant_id = $1 and (kind, year) in (select * from unnest($2::text[], $3::smallint[]))`,
              [tenantId, unknown.map(({ kind }) => kind), unknown.map(({ year }) => year)],
            ),
        ({ kind, year }) => `${kind} ${year}`,
      );
      return sets.map((set) => {
        const known = kept.get(set.id) ?? { ...set, counts: counts.get(`${set.kind} ${set.year}`) ?? [] };
        kept.delete(set.id);
        kept.set(set.id, known);
        if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
        return known;
      });
    },
    { readOnly: true },
  );

/** The people behind a reader's rates: those of their jurisdiction or tenant, not of an organization or facility. */
export function populationsFor(
  scopes: readonly Scope[],
  sets: readonly PopulationSet[],
  today: string,
): Populations {
  const readers = scopes.flatMap((scope) => (scope.kind === 'org' ? [scope] : []));
  const limited = readers.filter(({ orgType }) => orgType === 'PHJ');
  return new Populations(sets, {
    today,
    ...(limited.length > 0 && { counties: [...new Set(limited.flatMap(({ counties }) => counties))] }),
    ofPlace: readers.some(({ orgType }) => orgType === 'O' || orgType === 'F'),
  });
}
