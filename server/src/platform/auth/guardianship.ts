import { todayIn } from '@caseway/contract/date-range';
import {
  type GuardianRight,
  type GuardianRules,
  hiddenFromGuardian,
  isGuardianToday,
} from '@caseway/contract/guardian-rules';
import type { Database } from '../db/database.ts';
import type { OwnRecord } from '../http/access.ts';

/** A child whose record a guardian may see today. */
export interface Child {
  patientId: string;
  firstName: string | null;
  lastName: string | null;
  /** `YYYY-MM-DD`. */
  birthDate: string;
  may: readonly GuardianRight[];
  /** The disease families of which the guardian sees no results. */
  hiddenFamilies: string[];
}

export interface GuardianshipOptions {
  database: Database;
  /** Codes of the disease families that a guardian sees only where the tenant's rules list them. */
  sensitiveFamilies: readonly string[];
  now: () => Date;
}

/** The tenant's rules, as columns of `tenant t`. */
export const guardianRuleColumns = `t.own_account_age as "ownAccountAge", t.guardian_until_age as "guardianUntilAge",
  t.guardian_rights as "guardianRights", t.guardian_families as "guardianFamilies",
  t.guardian_families_until_age as "guardianFamiliesUntilAge"`;

interface Linked extends Omit<Child, 'may' | 'hiddenFamilies' | 'birthDate'>, GuardianRules {
  birthDate: string | null;
  from: string;
  until: string | null;
  timeZone: string;
  restricted: string[];
  features: string[];
}

/**
 * The children whose record a person may see today by the tenant's rules. This is the one place that decides it, and
 * it reads the database each time: a link that was ended is closed with the next request. Records that were merged
 * count as the ones they were merged into.
 */
export async function childrenOf(
  { database, sensitiveFamilies, now }: GuardianshipOptions,
  { tenantId, patientId }: OwnRecord,
): Promise<Child[]> {
  const rows = await database.withScope(
    { kind: 'service', tenantId },
    (tx) =>
      tx.rows<Linked>(
        `with recursive me as (
           select $2::uuid as id
           -- Each is looked up by itself, never all of the tenant's merged records.
           union select p.id from me cross join lateral
             (select id from patient where tenant_id = $1 and merged_into = me.id offset 0) p
         ), way as (
           select l.id as link, l.child_id as id, 0 as steps from guardian_link l
           where l.tenant_id = $1 and l.guardian_id in (select id from me) and l.ended_at is null
           union all select w.link, p.merged_into, w.steps + 1 from way w cross join lateral
             (select merged_into from patient where tenant_id = $1 and id = w.id offset 0) p
           where p.merged_into is not null and w.steps < 20
         )
         select p.id as "patientId", p.first_name as "firstName", p.last_name as "lastName",
           case when coalesce(p.birth_date_precision, 'day') = 'day' then p.birth_date end as "birthDate",
           l.from_on as "from", l.until_on as "until", t.time_zone as "timeZone",
           t.restricted_families as restricted, t.tenant_features as features, ${guardianRuleColumns}
         from way w join guardian_link l on l.tenant_id = $1 and l.id = w.link
         join patient p on p.tenant_id = $1 and p.id = w.id and p.merged_into is null
         join tenant t on t.id = $1
         where p.id <> $2
         order by p.birth_date, p.id, l.id`,
        [tenantId, patientId],
      ),
    { readOnly: true },
  );
  const children = new Map<string, Child>();
  for (const { birthDate, from, until, timeZone, restricted, features, ...row } of rows) {
    const { patientId: id, firstName, lastName, ...rules } = row;
    const today = todayIn(timeZone, now());
    if (birthDate === null || !isGuardianToday({ from, until, ended: false }, birthDate, rules, today))
      continue;
    const sensitive = [...new Set([...sensitiveFamilies, ...restricted])].sort();
    children.set(id, {
      patientId: id,
      firstName,
      lastName,
      birthDate,
      may: rules.guardianRights.filter((right) =>
        needs[right].every((feature) => features.includes(feature)),
      ),
      hiddenFamilies: hiddenFromGuardian(sensitive, birthDate, rules, today),
    });
  }
  return [...children.values()];
}

/** The features of the tenant that a right is for. */
const needs: Readonly<Record<GuardianRight, readonly string[]>> = {
  results: [],
  vaccinations: ['vaccinations'],
  visits: ['telemedicine'],
  reactions: ['vaccinations', 'incident-reports'],
};
