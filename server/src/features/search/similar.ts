import { caseReportGrid } from '@caseway/contract/case-reports';
import { patientGrid } from '@caseway/contract/patients';
import type { App } from '../../platform/http/app.ts';
import type { Call } from '../../platform/http/serve.ts';
import { caseTables } from '../case-reports/rows.ts';
import { maybeNamed, nameLikeness } from '../patients/similar-names.ts';

/** People of a tenant whose names may be like the typed ones. */
export type Similar = (tenantId: string) => Promise<readonly string[]>;

/** Searches once in each tenant, and only if some list has room for them. */
export function someoneSimilar(
  app: App,
  call: Pick<Call, 'scopeIn'>,
  names: readonly string[],
  thisYear: number,
): Similar {
  const known = new Map<string, Promise<readonly string[]>>();
  return (tenantId) => {
    const people = known.get(tenantId) ?? maybeNamed(app, call, tenantId, names, thisYear);
    known.set(tenantId, people);
    return people;
  };
}

/** Records of people with their names as the reader sees them; the tenant is `$1`, the people are `$2`. */
const namedIn: Readonly<Record<string, string>> = {
  [patientGrid.id]: `select p.id, p.last_name, p.first_name
    from patient stored cross join lateral app_shown(stored, stored.told_openly) p
    where stored.tenant_id = $1 and stored.id = any ($2::uuid[]) and stored.merged_into is null`,
  [caseReportGrid.id]: `select report.id, p.last_name, p.first_name from ${caseTables}
    where report.tenant_id = $1 and report.patient_id = any ($2::uuid[])`,
};

/** Ids of the records of these people in a list whose names are like the typed ones, the most similar first. */
export async function similarIn(
  app: App,
  call: Pick<Call, 'scopeIn'>,
  tenantId: string,
  grid: string,
  people: readonly string[],
  names: readonly string[],
  besides: ReadonlySet<string>,
): Promise<string[]> {
  if (people.length === 0) return [];
  const rows = await app.database.withScope(
    call.scopeIn(tenantId),
    (tx) =>
      tx.rows<{ id: string; last_name: string | null; first_name: string | null }>(namedIn[grid]!, [
        tenantId,
        people,
      ]),
    { readOnly: true },
  );
  return rows
    .filter(({ id }) => !besides.has(id))
    .map(({ id, last_name, first_name }) => ({ id, score: nameLikeness(names, [last_name, first_name]) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1))
    .map(({ id }) => id);
}
