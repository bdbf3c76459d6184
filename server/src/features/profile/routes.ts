import {
  addPasskey,
  addTotp,
  beginContactChange,
  beginPasskey,
  beginTotp,
  changeProfile,
  confirmContactChange,
  endOtherSessions,
  endSession,
  listSessions,
  makeRecoveryCodes,
  readProfile,
  removePasskey,
  removePhone,
  removeTotp,
  renamePasskey,
} from '@caseway/contract/profile';
import { auditAccount } from '../../platform/audit/auditor.ts';
import type { Identity } from '../../platform/auth/identity.ts';
import { raiseVersions } from '../../platform/auth/memberships.ts';
import { callerOf } from '../../platform/auth/sessions.ts';
import type { Tx } from '../../platform/db/database.ts';
import { changesBetween } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refused } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { ownerOf, type Person, personOf, profileOf } from './queries.ts';

/** What people see and change in their own account. */
export function serveProfile(app: App, { sessions, secondFactors, contactChanges }: Identity): void {
  serve(app, readProfile, (call) =>
    call.withScope((tx) => profileOf(tx, call.account.accountId, secondFactors)),
  );
  serve(app, changeProfile, (call) =>
    call.withScope(async (tx) => {
      const { accountId } = call.account;
      const { firstName, middleName, lastName, languageCode, timeZone } = call.body;
      await raiseVersions(tx, accountId);
      const before = named(await personOf(tx, accountId));
      await tx.run(
        `update account set first_name = coalesce($2, first_name),
           middle_name = case when $3::text is null then middle_name else nullif($3, '') end,
           last_name = coalesce($4, last_name), language_code = coalesce($5, language_code),
           time_zone = coalesce($6, time_zone) where id = $1`,
        [accountId, firstName, middleName, lastName, languageCode, timeZone],
      );
      const changes = changesBetween(before, named(await personOf(tx, accountId)));
      if (Object.keys(changes.after).length > 0)
        await auditAccount(tx, accountId, 'account/changed', { ...callerOf(call), ...changes });
      return profileOf(tx, accountId, secondFactors);
    }),
  );

  /** A change to what protects the account. It needs a recent sign-in. */
  const guarded = <Result>(call: Call, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    call.withScope(async (tx) => {
      await sessions.assertRecent(tx, call.account.sessionId);
      return work(tx);
    });

  serve(app, beginTotp, (call) =>
    guarded(call, async (tx) => secondFactors.beginTotp(await ownerOf(tx, call.account.accountId))),
  );
  serve(app, addTotp, (call) =>
    guarded(call, async (tx) => {
      const { accountId, sessionId } = call.account;
      const { details, code } = call.body;
      const plain = code.replaceAll(/\s/g, '');
      const added = await secondFactors.addTotp(tx, accountId, details, plain, callerOf(call));
      if (!added) throw refused('code', 'code-wrong', 'the code is wrong, or the enrolment has lapsed');
      await sessions.markChecked(tx, sessionId);
      return added;
    }),
  );
  serve(app, removeTotp, (call) =>
    guarded(call, async (tx) => {
      if (!(await secondFactors.removeTotp(tx, call.account.accountId, callerOf(call))))
        throw new AppError('not-found');
    }),
  );

  serve(app, beginPasskey, (call) =>
    guarded(call, async (tx) => {
      const { details, options } = await secondFactors.beginPasskey(
        tx,
        await ownerOf(tx, call.account.accountId),
      );
      return { details, options: { ...options } };
    }),
  );
  serve(app, addPasskey, (call) =>
    guarded(call, async (tx) => {
      const { accountId, sessionId } = call.account;
      const added = await secondFactors.addPasskey(tx, accountId, call.body, callerOf(call));
      if (!added) throw refused('response', 'passkey-refused', 'the passkey could not be added');
      await sessions.markChecked(tx, sessionId);
      return added;
    }),
  );
  serve(app, renamePasskey, (call) =>
    call.withScope(async (tx) => {
      const { id } = call.params;
      if (!(await secondFactors.renamePasskey(tx, call.account.accountId, id, call.body.name)))
        throw new AppError('not-found');
    }),
  );
  serve(app, removePasskey, (call) =>
    guarded(call, async (tx) => {
      if (!(await secondFactors.removePasskey(tx, call.account.accountId, call.params.id, callerOf(call))))
        throw new AppError('not-found');
    }),
  );
  serve(app, makeRecoveryCodes, (call) =>
    guarded(call, async (tx) => {
      const { accountId } = call.account;
      const { totp, passkeys } = await secondFactors.of(tx, accountId);
      if (!totp && passkeys.length === 0) throw new AppError('not-found');
      return { recoveryCodes: await secondFactors.newRecoveryCodes(tx, accountId, callerOf(call)) };
    }),
  );

  serve(app, beginContactChange, (call) =>
    guarded(call, async (tx) => {
      const begun = await contactChanges.begin(tx, call.account.accountId, call.body);
      return { ...begun, expiresAt: begun.expiresAt.toISOString() };
    }),
  );
  serve(app, confirmContactChange, async (call) => {
    const { accountId } = call.account;
    // A wrong answer is counted, so the count must not be rolled back with the transaction.
    const outcome = await guarded(call, async (tx) => {
      const answer = await contactChanges.confirm(tx, accountId, call.body, callerOf(call));
      return answer === 'done' ? profileOf(tx, accountId, secondFactors) : answer;
    });
    if (outcome === 'wrong') throw refused('newCode', 'code-wrong', 'one of the codes is wrong');
    if (outcome === 'over') throw refused('newCode', 'code-expired', 'the codes are no longer valid');
    if (outcome === 'taken') throw refused('value', 'address-taken', 'another account has this address');
    return outcome;
  });
  serve(app, removePhone, (call) =>
    guarded(call, async (tx) => {
      if (!(await contactChanges.removePhone(tx, call.account.accountId, callerOf(call))))
        throw new AppError('not-found');
    }),
  );

  serve(app, listSessions, async (call) => {
    const { accountId, sessionId } = call.account;
    const list = await call.withScope((tx) => sessions.list(tx, accountId));
    return {
      sessions: list.map(({ createdAt, lastUsedAt, endsAt, ...session }) => ({
        ...session,
        current: session.id === sessionId,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        endsAt: endsAt.toISOString(),
      })),
    };
  });
  serve(app, endSession, async (call) => {
    const { accountId } = call.account;
    const ended = await call.withScope((tx) =>
      sessions.endOf(tx, accountId, { only: call.params.id }, 'ended by its owner', callerOf(call)),
    );
    if (ended === 0) throw new AppError('not-found');
  });
  serve(app, endOtherSessions, async (call) => {
    const { accountId, sessionId } = call.account;
    const ended = await call.withScope((tx) =>
      sessions.endOf(tx, accountId, { except: sessionId }, 'ended by its owner', callerOf(call)),
    );
    return { ended };
  });
}

/** The audit log's name for a person's own settings. */
const named = ({ firstName, middleName, lastName, languageCode: language, timeZone }: Person) => ({
  firstName,
  middleName,
  lastName,
  language,
  timeZone,
});
