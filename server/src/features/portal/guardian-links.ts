import { birthday, type GuardianRules, guardianBar, isGuardianToday } from '@caseway/contract/guardian-rules';
import type { Guardian, GuardiansAnswer } from '@caseway/contract/guardians';
import { guardianRuleColumns } from '../../platform/auth/guardianship.ts';
import type { Tx } from '../../platform/db/database.ts';

/*
 * Who is a guardian of which child. The rows are read and written as the service of the tenant; the callers have
 * checked that the reader sees the child.
 */

/** The tenant's rules and its time zone. */
export async function guardianRules(tx: Tx): Promise<GuardianRules & { timeZone: string }> {
  const [rules] = await tx.rows<GuardianRules & { timeZone: string }>(
    `select t.time_zone as "timeZone", ${guardianRuleColumns} from tenant t where t.id = $1`,
    [tx.tenantId],
  );
  return rules!;
}

export type StoredLink = Omit<
  Guardian,
  'firstName' | 'lastName' | 'state' | 'madeAt' | 'endedAt' | 'personId'
> & {
  personId: string;
  madeAt: Date;
  endedAt: Date | null;
};

/** The links of a child, the latest first; of a place only those that it made. */
export const linksOf = (tx: Tx, childId: string, place: string | null): Promise<StoredLink[]> => {
  const named = (who: string) =>
    `(select nullif(concat_ws(' ', a.first_name, a.last_name), '') from account a where a.id = ${who})`;
  return tx.rows<StoredLink>(
    `select l.id, l.guardian_id as "personId", l.relation, l.evidence, l.from_on as "from", l.until_on as "until",
       l.made_at as "madeAt", ${named('l.made_by')} as "madeBy", l.ended_at as "endedAt",
       ${named('l.ended_by')} as "endedBy", l.end_reason as "endReason"
     from guardian_link l
     where l.tenant_id = $1 and l.child_id = $2 and ($3::uuid is null or l.org_id = $3)
     order by l.made_at desc, l.id desc limit 200`,
    [tx.tenantId, childId, place],
  );
};

export const insertLink = (
  tx: Tx,
  link: Pick<StoredLink, 'id' | 'personId' | 'relation' | 'evidence' | 'from' | 'until'> & {
    childId: string;
    place: string | null;
    accountId: string;
  },
) =>
  tx.run(
    `insert into guardian_link (tenant_id, id, child_id, guardian_id, relation, evidence, from_on, until_on, org_id, made_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      tx.tenantId,
      link.id,
      link.childId,
      link.personId,
      link.relation,
      link.evidence,
      link.from,
      link.until,
      link.place,
      link.accountId,
    ],
  );

/** Ends a link; the person whom it was for, or undefined if there is no such link that has not ended. */
export async function endLink(
  tx: Tx,
  link: { id: string; childId: string; place: string | null; accountId: string; reason: string },
): Promise<string | undefined> {
  const [ended] = await tx.rows<{ personId: string }>(
    `update guardian_link set ended_at = now(), ended_by = $4, end_reason = $5
     where tenant_id = $1 and id = $2 and child_id = $3 and ended_at is null and ($6::uuid is null or org_id = $6)
     returning guardian_id as "personId"`,
    [tx.tenantId, link.id, link.childId, link.accountId, link.reason, link.place],
  );
  return ended?.personId;
}

/** What the reader is answered. `names`: of the people whom they see. */
export function guardiansAnswer(
  links: readonly StoredLink[],
  names: ReadonlyMap<string, { firstName: string | null; lastName: string | null }>,
  birthDate: string | null,
  rules: GuardianRules,
  today: string,
): GuardiansAnswer {
  const guardians = links.map(({ personId, madeAt, endedAt, ...link }): Guardian => {
    const time = { from: link.from, until: link.until, ended: endedAt !== null };
    const seen = names.get(personId);
    return {
      ...link,
      personId: seen ? personId : null,
      firstName: seen?.firstName ?? null,
      lastName: seen?.lastName ?? null,
      state:
        endedAt !== null
          ? 'ended'
          : isGuardianToday(time, birthDate, rules, today)
            ? 'active'
            : link.from > today && guardianBar(birthDate, rules, today) === null
              ? 'planned'
              : 'over',
      madeAt: madeAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
    };
  });
  const isOpen = ({ state }: Guardian) => state === 'active' || state === 'planned';
  return {
    bar: guardianBar(birthDate, rules, today),
    closesOn: birthDate === null ? null : birthday(birthDate, rules.guardianUntilAge),
    today,
    guardians: [...guardians.filter(isOpen), ...guardians.filter((one) => !isOpen(one))],
  };
}
