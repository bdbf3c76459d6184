import type { Tx } from '../../platform/db/database.ts';

/** The families by which the older one was known before. A merge with a hidden person is hidden. [P18] */
const familiesBefore = `coalesce((select array_agg(f.family) from jsonb_array_elements_text(
    m.moved -> 'before' -> 'diseaseFamilies') f (family)), '{}')`;

/**
 * The person that a merged one became, across any number of merges; undefined if there is none, or the reader may
 * not know about one of the merges. As in timelines, these are for readers who see the whole tenant and both
 * persons.
 */
export async function mergedInto(tx: Tx, id: string): Promise<string | undefined> {
  const [into] = await tx.rows<{ id: string }>(
    `with recursive way as (
       select p.id, p.merged_into, 0 as steps from patient p where p.tenant_id = $1 and p.id = $2
       union all
       select p.id, p.merged_into, w.steps + 1 from way w
       join patient_match m on m.tenant_id = $1 and m.patient_id = w.id and m.candidate_id = w.merged_into
         and m.state = 'same' and (${familiesBefore} = '{}' or not ${familiesBefore} <@ app_hidden_families())
       join patient p on p.tenant_id = $1 and p.id = w.merged_into where w.steps < 20)
     select id from way where merged_into is null and steps > 0`,
    [tx.tenantId, id],
  );
  return into?.id;
}
