import type { Fault } from '@caseway/contract/error';
import {
  approveRecovery,
  completeRecovery,
  declineRecovery,
  listRecoveries,
  type Recovery,
  type RecoveryRefusal,
  requestRecovery,
  stopRecovery,
} from '@caseway/contract/recovery';
import type { Identity } from '../../platform/auth/identity.ts';
import { callerOf } from '../../platform/auth/sessions.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inTurn } from '../../platform/db/try-turn.ts';
import { actIn, type WriteAudit } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refuse } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { authorityToChange } from '../../platform/policy/authority.ts';
import { beginWaiting, complete, stop } from './ending.ts';
import { actingOf, isEnough, readRecoveries, readRecovery } from './list.ts';
import { keepRequest } from './requests.ts';

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<RecoveryRefusal, string>> = {
  'own-account': 'nobody approves the recovery of their own account',
  'holds-more': 'the account holds permissions that you do not',
  elsewhere: 'the account belongs to an organization whose users you do not administer',
  'approved-already': 'you have approved it; somebody else has to be the second',
  'address-taken': 'another account has the new address',
};

/** Account recovery after losing every way to sign in: request, decide, complete or stop. */
export function serveRecovery(
  app: App,
  identity: Pick<Identity, 'signing' | 'sessions' | 'signIn'>,
  { waitMinutes }: { waitMinutes: number },
): void {
  const asIdentity = <T>(work: (tx: Tx) => Promise<T>) => app.database.withScope({ kind: 'identity' }, work);
  /** The same for people who are not signed in. */
  const asVisitor = <T>(work: (tx: Tx) => Promise<T>) =>
    inTurn(() => app.anonymousDatabase.withScope({ kind: 'identity' }, work));

  serve(
    app,
    requestRecovery,
    async (call) => {
      const { address, requestId, language } = call;
      await asVisitor((tx) => keepRequest(tx, { ...call.body, address, requestId, language }));
      return {};
    },
    { named: ({ name }) => name.toLowerCase() },
  );

  serve(app, completeRecovery, async (call) => {
    const result = await asVisitor((tx) => complete(tx, identity, call.body.code, callerOf(call)));
    if (result === 'taken') throw new AppError('conflict');
    if (typeof result === 'string') throw new AppError(result);
    return result;
  });

  serve(app, stopRecovery, async (call) => {
    const result = await asVisitor((tx) => stop(tx, identity, call.body.code, callerOf(call)));
    if (result !== 'stopped') throw new AppError(result);
    return {};
  });

  serve(app, listRecoveries, (call) => {
    const { only, page } = call.query;
    return asIdentity((tx) => readRecoveries(tx, actingOf(call), { only, page: Number(page) }));
  });

  /** A decision about a waiting recovery; one at a time. */
  const decide = (
    call: Call<{ id: string }>,
    work: (tx: Tx, audit: WriteAudit, before: Recovery) => Promise<void>,
  ): Promise<Recovery> => {
    const acting = actingOf(call);
    return actIn(app, call, { kind: 'identity' }, acting.tenantId, async (tx, audit) => {
      await authorityToChange(tx, call);
      await identity.sessions.assertRecent(tx, call.account.sessionId);
      const before = await readRecovery(tx, acting, call.params.id, true);
      if (!before) throw new AppError('not-found');
      await work(tx, audit, before);
      return (await readRecovery(tx, acting, before.id))!;
    });
  };

  serve(
    app,
    approveRecovery,
    (call) =>
      decide(call, async (tx, audit, { id, accountId, state, refusal }) => {
        if (state !== 'open') throw new AppError('conflict');
        refuse(faultsOfApproval({ refusal }));
        const acting = actingOf(call);
        const { verifiedBy, verification } = call.body;
        await tx.run(
          `insert into recovery_approval (tenant_id, recovery_id, account_id, org_type, org_id, verified_by, verification)
         values ($1, $2, $3, $4, $5, $6, $7)`,
          [acting.tenantId, id, acting.accountId, acting.orgType, acting.orgId, verifiedBy, verification],
        );
        const enough = await isEnough(tx, { id, accountId });
        // How the person was verified is stored with the approval, not in the log: it may name a number or a person.
        await audit({
          action: enough ? 'recovery/approved' : 'recovery/approved-first',
          recordKind: 'account',
          recordIds: [accountId],
          detail: { recoveryId: id, verifiedBy },
        });
        if (enough) await beginWaiting(tx, identity, id, waitMinutes);
      }),
    {
      alsoWrong: (call) =>
        asIdentity(async (tx) => {
          const before = await readRecovery(tx, actingOf(call), call.params.id);
          if (!before) throw new AppError('not-found');
          return faultsOfApproval(before);
        }),
    },
  );

  serve(app, declineRecovery, (call) =>
    decide(call, async (tx, audit, { id, accountId, state }) => {
      if (state !== 'open' && state !== 'approved') throw new AppError('conflict');
      await tx.run(
        `update account_recovery set state = 'declined', ended_at = now(), ended_by = $2, note = $3, ended_in = $4
         where id = $1`,
        [id, call.account.accountId, call.body.note || null, actingOf(call).tenantId],
      );
      await audit({
        action: 'recovery/declined',
        recordKind: 'account',
        recordIds: [accountId],
        detail: { recoveryId: id, before: { state }, after: { state: 'declined' } },
      });
    }),
  );
}

/** Why a person cannot approve a recovery. */
const faultsOfApproval = ({ refusal }: Pick<Recovery, 'refusal'>): Fault[] =>
  refusal ? [{ path: '', code: refusal, message: messages[refusal] }] : [];
