import type { Tx } from '../db/database.ts';

/*
 * What a sign-in changes about an account. It has its own table, because accounts cannot be written while one of
 * several database servers is away (decision record 0058).
 */

/** SQL: whether someone has signed in with account `a`. */
export const hasSignedIn =
  'exists (select from account_state came where came.account_id = a.id and came.last_sign_in_at is not null)';

/** In the scope `identity`, like all that follow. */
export const noteSignIn = (tx: Tx, accountId: string): Promise<number> =>
  tx.run(
    `insert into account_state (account_id, member_of, last_sign_in_at)
     select id, member_of, now() from account where id = $1
     on conflict (account_id) do update set last_sign_in_at = excluded.last_sign_in_at`,
    [accountId],
  );

/** Nobody has signed in with the account since it was given to a new person. */
export const forgetSignIns = (tx: Tx, accountId: string): Promise<number> =>
  tx.run('update account_state set last_sign_in_at = null where account_id = $1', [accountId]);

/**
 * Stores from when until when an account is locked, if enough wrong answers were counted under `subject` within
 * `failureHours`. The statement is the same for an unknown account.
 */
export const noteLocked = (
  tx: Tx,
  accountId: string | null,
  { subject, failures, failureHours }: { subject: Buffer; failures: number; failureHours: number },
): Promise<number> =>
  tx.run(
    `insert into account_state as s (account_id, member_of, locked_at, locked_until)
     select a.id, a.member_of, now(), recent.at + make_interval(hours => $3)
     from account a, (select at from sign_in_failure where subject = $1 and at > now() - make_interval(hours => $3)
       order by at desc offset $4 limit 1) recent
     where a.id = $2
     on conflict (account_id) do update set locked_until = excluded.locked_until,
       locked_at = case when s.locked_until > excluded.locked_at then s.locked_at else excluded.locked_at end`,
    [subject, accountId, failureHours, failures - 1],
  );

export const noteUnlocked = (tx: Tx, accountId: string): Promise<number> =>
  tx.run('update account_state set locked_at = null, locked_until = null where account_id = $1', [accountId]);
