import type { Tx } from '../db/database.ts';

/**
 * Waits for requests that are answering a challenge of the account. They lock their challenge and then the account,
 * so a change locks both in the same order. In the scope `identity`.
 */
export const awaitSignIns = (tx: Tx, accountId: string) =>
  tx.rows(
    `select from sign_in_challenge where (account_id = $1 or $1 = any (candidates)) and consumed_at is null
       and expires_at > now() order by id for update`,
    [accountId],
  );

/**
 * Changes the email address or the telephone number of an account: runs `change` and returns its result. A challenge
 * that began with the old address then belongs to nobody: it is answered like one for an unknown name, even with a
 * code that was read at the old address. Every write of an address goes through here; a test checks that. In the
 * scope `identity`. [P11, P12]
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

/** Removes an account from every open challenge and change of address. In the scope `identity`. */
export async function leaveSignIns(tx: Tx, accountId: string): Promise<void> {
  // Others who share the address keep the challenge.
  await tx.run(
    `update sign_in_challenge set candidates = array_remove(candidates, $1),
       account_id = case when account_id = $1 then null else account_id end
     where (account_id = $1 or $1 = any (candidates)) and consumed_at is null and expires_at > now()`,
    [accountId],
  );
  // Another open change has also sent a code to the old address.
  await tx.run(
    `update contact_change set expires_at = now()
     where account_id = $1 and completed_at is null and expires_at > now()`,
    [accountId],
  );
}
