import {
  beginOwnContactChange,
  changeOwnLanguage,
  confirmOwnContactChange,
  endOwnSession,
  giveConsent,
  listOwnResults,
  listOwnSessions,
  listRecordAccess,
  ownResultFile,
  readOwnRecord,
} from '@caseway/contract/portal';
import { auditAccount } from '../../platform/audit/auditor.ts';
import type { Identity } from '../../platform/auth/identity.ts';
import { callerOf } from '../../platform/auth/sessions.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refused } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { wordsForPatients } from '../../platform/words/label-overrides.ts';
import { consentsOf } from '../patients/consents.ts';
import { serveOwnFollowUp } from './own-follow-up.ts';
import { addConsent, addContactToRecord, hasVisits, readOwn } from './own-record.ts';
import { readOwnResults } from './own-results.ts';
import { readRecordAccess } from './record-access.ts';

/**
 * What patients see and do themselves. Everything is read in their own scope; changes to their account run as sign-in.
 */
export function servePortal(app: App, { sessions, contactChanges }: Identity): void {
  const asSignIn = <T>(work: Parameters<typeof app.database.withScope<T>>[1]) =>
    app.database.withScope<T>({ kind: 'identity' }, work);
  const withConsents = async (call: Call, record: Awaited<ReturnType<typeof readOwn>>) => {
    const { tenantId, patientId } = call.patient;
    return {
      ...record,
      visits: await hasVisits(app.database, tenantId, patientId),
      consents: await consentsOf(app.database, tenantId, patientId),
    };
  };
  const own = async (call: Call) => {
    call.audit({ recordKind: 'patient', recordIds: [call.patient.patientId] });
    return withConsents(call, await call.withScope(readOwn));
  };

  serve(app, readOwnRecord, own);
  serve(app, changeOwnLanguage, async (call) => {
    const { accountId } = call.account;
    await asSignIn(async (tx) => {
      await tx.run('update account set language_code = $2 where id = $1', [
        accountId,
        call.body.languageCode,
      ]);
      await auditAccount(tx, accountId, 'account/changed', { ...callerOf(call), fields: ['languageCode'] });
    });
    return own(call);
  });
  serve(app, giveConsent, async (call) => {
    const { kind, given, wording } = call.body;
    const record = await call.withScope(async (tx) => {
      const { accountId } = call.account;
      await addConsent(tx, { ...call.patient, accountId, kind, given, wording, language: call.language });
      call.audit({
        action: 'patient/consent',
        recordKind: 'patient',
        recordIds: [call.patient.patientId],
        detail: { kind, given, wording },
      });
      return readOwn(tx);
    });
    return withConsents(call, record);
  });

  serve(app, beginOwnContactChange, (call) =>
    asSignIn(async (tx) => {
      const { details, present, expiresAt } = await contactChanges.begin(
        tx,
        call.account.accountId,
        call.body,
      );
      return { details, present, expiresAt: expiresAt.toISOString() };
    }),
  );
  serve(app, confirmOwnContactChange, async (call) => {
    const { accountId } = call.account;
    const { email, phone } = await asSignIn(async (tx) => {
      const answer = await contactChanges.confirm(tx, accountId, call.body, callerOf(call));
      if (answer !== 'done') return { answer, email: null, phone: null };
      const [account] = await tx.rows<{ email: string | null; phone: string | null }>(
        'select email, phone from account where id = $1',
        [accountId],
      );
      return { answer, ...account! };
    }).then(({ answer, ...contact }) => {
      // Thrown after the transaction, which counts the attempt.
      if (answer === 'wrong') throw refused('newCode', 'code-wrong', 'one of the codes is wrong');
      if (answer !== 'done') throw refused('details', 'code-expired', 'the codes are no longer good');
      return contact;
    });
    const { tenantId, patientId } = call.patient;
    await app.database.withScope({ kind: 'service', tenantId }, (tx) =>
      addContactToRecord(tx, tenantId, patientId, {
        ...(email === null ? {} : { email }),
        ...(phone === null ? {} : { phone }),
      }),
    );
    return own(call);
  });

  serve(app, listOwnResults, (call) =>
    call.withScope(async (tx) => {
      const results = await readOwnResults(tx);
      const recordIds = [call.patient.patientId, ...results.map(({ id }) => id)];
      call.audit({ recordKind: 'result', recordIds });
      return { results };
    }),
  );
  serve(app, ownResultFile, async (call) => {
    const { id } = call.params;
    const words = await wordsForPatients(app.database, call.patient.tenantId);
    return call.withScope(async (tx) => {
      const [result] = await readOwnResults(tx, id);
      call.audit({ recordKind: 'result', recordIds: [call.patient.patientId, ...(result ? [id] : [])] });
      if (!result) throw new AppError('not-found');
      // The file name has no person's name and no finding.
      call.setHeader(
        'content-disposition',
        `attachment; filename="result-${result.resultedOn ?? 'undated'}.pdf"`,
      );
      // Loaded on first use: it brings fonts and dates of three languages, which the start need not wait for.
      const { resultFile } = await import('./result-file.ts');
      const [tenant] = await tx.rows<{ logo: Buffer | null }>('select logo from tenant where id = $1', [
        tx.tenantId,
      ]);
      return resultFile(result, await readOwn(tx), call.language, words, tenant!.logo);
    });
  });

  serveOwnFollowUp(app);

  serve(app, listRecordAccess, async (call) => {
    const { tenantId, patientId } = call.patient;
    call.audit({ recordKind: 'patient', recordIds: [patientId] });
    return app.database.withScope(
      { kind: 'service', tenantId },
      (tx) => readRecordAccess(tx, call.patient, call.account.accountId, call.query.before),
      { readOnly: true },
    );
  });

  serve(app, listOwnSessions, (call) =>
    asSignIn(async (tx) => {
      const { accountId, sessionId } = call.account;
      const list = await sessions.list(tx, accountId);
      return {
        sessions: list.map(({ createdAt, lastUsedAt, endsAt, ...session }) => ({
          ...session,
          current: session.id === sessionId,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt.toISOString(),
          endsAt: endsAt.toISOString(),
        })),
      };
    }),
  );
  serve(app, endOwnSession, (call) =>
    asSignIn(async (tx) => {
      const only = { only: call.params.id };
      const ended = await sessions.endOf(
        tx,
        call.account.accountId,
        only,
        'ended by its owner',
        callerOf(call),
      );
      if (ended === 0) throw new AppError('not-found');
    }),
  );
}
