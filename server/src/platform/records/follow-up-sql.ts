import type { ChoiceField } from '../grid/grid-sql.ts';

/*
 * The columns and filters for lists of records with a daily follow-up to find who is due; for a record `r` on the
 * day `d.today`.
 */

export const dayOfTenant =
  'cross join lateral (select cast(now() at time zone t.time_zone as date) as today from tenant t where t.id = r.tenant_id) d';

/** `from`, `until`: SQL of the first and last day of the follow-up. */
export function followedSql({ from, until }: { from: string; until: string }) {
  const isFollowed = (day: string) => `r.status = 'under-follow-up' and ${day} between ${from} and ${until}`;
  return {
    /** Empty once the follow-up is over, and before it has begun. */
    today: `case when ${isFollowed('d.today')}
      then case when r.last_entry_on = d.today then r.last_outcome else 'due' end end`,
    isMissed: `coalesce(r.last_seen_on < d.today, true) and (
      ${isFollowed('d.today')} and r.last_entry_on = d.today
      or ${isFollowed('d.today - 1')} and coalesce(r.last_seen_on < d.today - 1, true))`,
    unseenDays: `case when ${isFollowed('d.today')} then d.today - greatest(r.last_seen_on, ${from} - 1) end`,
  };
}

/** Which records each view of a list shows. */
export const followUpShown: ChoiceField = {
  kind: 'choice',
  sql: 'f.id',
  among: (codes, tenant) => `f.tenant_id = ${tenant} and ('all' = any (${codes})
    or f.status = 'under-follow-up' and ('followed' = any (${codes})
      or 'due' = any (${codes}) and f.today = 'due' or 'missed' = any (${codes}) and f."isMissed"))`,
  order: [],
};
