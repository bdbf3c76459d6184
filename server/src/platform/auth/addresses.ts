import type { Tx } from '../db/database.ts';

/**
 * Waits for those who answer a challenge of an account at this moment: they hold their challenge and then the account,
 * so the person who changes it takes both in the same order. In the scope `identity`.
 */
export const awaitSignIns = (tx: Tx, accountId: string) =>
  tx.rows(
    `select from sign_in_challenge where (account_id = $1 or $1 = any (candidates)) and consumed_at is null
       and expires_at > now() order by id for update`,
    [accountId],
  );

/**
 * Changes the mail address or the telephone number of an account; `change` does it, and its answer is given back. A
 * challenge that was begun while the account had another one is nobody's from then on: it is answered like one of a
 * name that nobody has, whatever code was read at the former place. Everything that writes an address goes through
 * here; a test holds that. In the scope `identity`. [P11, P12]
 */
export async function changeAddresses<T>(tx: Tx, accountId: string, change: () => Promise<T>): Promise<T> {
  await awaitSignIns(tx, accountId);
  const addresses = async () => {
    const [account] = await tx.rows<{ email: string | null; phone: string | null }>(
      'select email, phone from account where id = $1 for update',
      [accountId],
    );
    return account;
  };
  const before = await addresses();
  const answer = await change();
  const after = await addresses();
  if (before?.email !== after?.email || before?.phone !== after?.phone) await leaveSignIns(tx, accountId);
  return answer;
}

/** Takes an account out of every challenge and every change of address that was begun. In the scope `identity`. */
export async function leaveSignIns(tx: Tx, accountId: string): Promise<void> {
  // Others who share the address keep the challenge.
  await tx.run(
    `update sign_in_challenge set candidates = array_remove(candidates, $1),
       account_id = case when account_id = $1 then null else account_id end
     where (account_id = $1 or $1 = any (candidates)) and consumed_at is null and expires_at > now()`,
    [accountId],
  );
  // Another change that was begun has asked at the former place too.
  await tx.run(
    `update contact_change set expires_at = now()
     where account_id = $1 and completed_at is null and expires_at > now()`,
    [accountId],
  );
}
