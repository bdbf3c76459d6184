import { recoveryLimits } from '@caseway/contract/recovery';
import { auditAccount } from '../../platform/audit/auditor.ts';
import { awaitSignIns, changeAddresses } from '../../platform/auth/addresses.ts';
import { isTaken } from '../../platform/auth/contact-changes.ts';
import type { Identity } from '../../platform/auth/identity.ts';
import { raiseVersions } from '../../platform/auth/memberships.ts';
import { forgetSecondFactors } from '../../platform/auth/second-factors.ts';
import type { Caller } from '../../platform/auth/sessions.ts';
import type { Tx } from '../../platform/db/database.ts';
import { networkOf } from '../../platform/http/network.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import { isEnough } from './list.ts';
import { sendRecoveryCode, sendRecoveryNotice, tellAdministrators } from './mail.ts';
import { approvedIn } from './requests.ts';

/** The steps of a recovery after its approval. All in the scope `identity`. */

type Parts = Pick<Identity, 'signing' | 'sessions' | 'signIn'>;

/**
 * Enough people have approved: the code is sent, and every previously known address gets a notice with a way to stop
 * it.
 */
export async function beginWaiting(
  tx: Tx,
  { signing }: Pick<Identity, 'signing'>,
  recoveryId: string,
  waitMinutes: number,
): Promise<void> {
  const [row] = await tx.rows<{ told_emails: string[]; told_phone: string | null; usable_at: Date }>(
    `update account_recovery r set state = 'approved', complete_hash = $2, stop_hash = $3,
       usable_at = now() + make_interval(mins => $4),
       expires_at = now() + make_interval(mins => $4, hours => $5),
       told_phone = a.phone,
       told_emails = array(
         select distinct place from (
           select lower(a.email) as place union all select a.username where a.username like '%@%'
           union all select lower(c.previous) from contact_change c
             where c.account_id = a.id and c.kind = 'EMAIL' and c.completed_at is not null) places
         where place is not null order by place)
     from account a where r.id = $1 and a.id = r.account_id
     returning told_emails, told_phone, usable_at`,
    [
      recoveryId,
      signing.accountRecoveryHash('complete', signing.accountRecoveryCode(recoveryId, 'complete')),
      signing.accountRecoveryHash('stop', signing.accountRecoveryCode(recoveryId, 'stop')),
      waitMinutes,
      recoveryLimits.codeHours,
    ],
  );
  await enqueue(tx, sendRecoveryCode, { recoveryId });
  const now = new Date(row!.usable_at.getTime() - waitMinutes * 60_000);
  await tellPlaces(tx, recoveryId, 'approved', { ...row!, now });
}

async function tellPlaces(
  tx: Tx,
  recoveryId: string,
  what: 'approved' | 'completed',
  { told_emails, told_phone, now }: { told_emails: string[]; told_phone: string | null; now: Date },
): Promise<void> {
  const places: (number | null)[] = [...told_emails.keys(), ...(told_phone === null ? [] : [null])];
  for (const place of places)
    await enqueue(tx, sendRecoveryNotice, { recoveryId, what, place, at: now.toISOString() });
}

interface Ending {
  id: string;
  account_id: string;
  email: string;
  told_emails: string[];
  told_phone: string | null;
  usable_at: Date;
  now: Date;
  good: boolean;
  usable: boolean;
}
type Refused = 'code-wrong' | 'code-expired' | 'too-many-requests';

/** The recovery of a code, locked until the transaction ends; wrong codes are counted by network. */
async function recoveryOf(
  tx: Tx,
  { signing }: Pick<Identity, 'signing'>,
  purpose: 'complete' | 'stop',
  code: string,
  { address = '' }: Caller,
): Promise<Ending | Refused> {
  const subject = signing.subjectOf('name', 'staff', `recovery ${networkOf(address)}`);
  await tx.rows('select pg_advisory_xact_lock($1)', [subject.readBigInt64BE()]);
  const [wrong] = await tx.rows<{ count: number }>(
    `select count(*)::int as count from sign_in_failure where subject = $1 and at > now() - interval '24 hours'`,
    [subject],
  );
  const tooMany = wrong!.count >= recoveryLimits.wrongCodes;
  // Stopping is the safe side: nobody in the same network can block the owner, and a code of eighty bits cannot be
  // guessed.
  if (tooMany && purpose === 'complete') return 'too-many-requests';
  const [found] = await tx.rows<Ending>(
    `select r.id, r.account_id, r.email, r.told_emails, r.told_phone, r.usable_at, now() as now,
       r.state = 'approved' and r.expires_at > now() and a.disabled_at is null as good, r.usable_at <= now() as usable
     from account_recovery r join account a on a.id = r.account_id
     where r.${purpose}_hash = $1 for update of r`,
    [signing.accountRecoveryHash(purpose, code)],
  );
  if (found) return found.good ? found : 'code-expired';
  if (tooMany) return 'too-many-requests';
  await tx.run('insert into sign_in_failure (subject, id) values ($1, gen_random_uuid())', [subject]);
  return 'code-wrong';
}

/**
 * Lets the owner back in: they get the new address, everything that opened the account before is removed, and every
 * session ends. `taken`: another account has since got the address. The recovery ends if the approvals are no longer
 * enough: an approver has left, or the account has more rights than were approved.
 */
export async function complete(
  tx: Tx,
  parts: Parts,
  code: string,
  caller: Caller,
): Promise<{ state: 'waiting'; from: string } | { state: 'done'; username: string } | Refused | 'taken'> {
  const found = await recoveryOf(tx, parts, 'complete', code, caller);
  if (typeof found === 'string') return found;
  if (!found.usable) return { state: 'waiting', from: found.usable_at.toISOString() };
  const { id, account_id: accountId, email } = found;
  await raiseVersions(tx, accountId);
  await awaitSignIns(tx, accountId);
  await tx.rows('select from account where id = $1 for update', [accountId]);
  if (!(await isEnough(tx, { id, accountId }))) {
    await tx.run(`update account_recovery set state = 'expired', ended_at = now() where id = $1`, [id]);
    const detail = { ...caller, recoveryId: id };
    await auditAccount(tx, accountId, 'recovery/expired', detail, { alsoIn: await approvedIn(tx, id) });
    return 'code-expired';
  }
  if (await isTaken(tx, accountId, email)) return 'taken';
  await tx.run(`update account_recovery set state = 'completed', ended_at = now() where id = $1`, [id]);
  await forgetSecondFactors(tx, accountId);
  // The telephone may be lost, and would open the account with a text message.
  const [account] = await changeAddresses(tx, accountId, () =>
    tx.rows<{ username: string }>(
      `update account set email = $2, phone = null, second_factor_at = null,
         username = case when username like '%@%' then lower($2) else username end
       where id = $1 returning username`,
      [accountId, email],
    ),
  );
  await parts.signIn.unlock(tx, accountId);
  // Sign-ins that began in the old ways belong to nobody from here on, even if the address is the same.
  await tx.run(
    `update sign_in_challenge set account_id = null where account_id = $1 and consumed_at is null and expires_at > now()`,
    [accountId],
  );
  await tx.run(
    `update contact_change set expires_at = now() where account_id = $1 and completed_at is null and expires_at > now()`,
    [accountId],
  );
  await parts.sessions.endOf(tx, accountId, { except: null }, 'the account was recovered', caller);
  await auditAccount(tx, accountId, 'recovery/completed', { ...caller, recoveryId: id });
  await tellPlaces(tx, id, 'completed', found);
  return { state: 'done', username: account!.username };
}

/** Stops a recovery from a previously known address. The people who could have approved it get an email. */
export async function stop(tx: Tx, parts: Parts, code: string, caller: Caller): Promise<'stopped' | Refused> {
  const found = await recoveryOf(tx, parts, 'stop', code, caller);
  if (typeof found === 'string') return found;
  await tx.run(`update account_recovery set state = 'cancelled', ended_at = now() where id = $1`, [found.id]);
  const detail = { ...caller, recoveryId: found.id };
  await auditAccount(tx, found.account_id, 'recovery/cancelled', detail, {
    alsoIn: await approvedIn(tx, found.id),
  });
  await enqueue(tx, tellAdministrators, {
    recoveryId: found.id,
    what: 'cancelled',
    at: found.now.toISOString(),
  });
  return 'stopped';
}
