import {
  invitePatient,
  readHeldResultRules,
  readPortalState,
  releaseResult,
  setHeldResultRules,
} from '@caseway/contract/portal';
import type { Tx } from '../../platform/db/database.ts';
import { actIn } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { familiesChanged, faultsOfRules, lockRules, readRules, writeRules } from './held-results.ts';
import { invite } from './invitation.ts';
import { consentsOf, presentConsents } from './own-record.ts';
import {
  type ReachablePatient,
  reachablePatient,
  release,
  seenByStaff,
  withAccount,
} from './portal-state.ts';

/** What staff do so that patients see their results: invite them, release what is held back, set what is. */
export function servePortalToStaff(app: App): void {
  /**
   * Does something with a patient whom the reader sees, in the tenant that has the record, and answers with how things
   * stand afterwards.
   */
  async function withPatient(
    call: Call<{ id: string }>,
    work: (tx: Tx, patient: ReachablePatient, tenantId: string) => Promise<void>,
  ) {
    const { id } = call.params;
    for (const tenantId of call.org.tenantIds) {
      const seen = await call.withScope(
        async (tx) => {
          call.audit({ recordKind: 'patient', recordIds: [id] });
          const patient = await reachablePatient(tx, id);
          if (!patient) return undefined;
          await work(tx, patient, tenantId);
          return seenByStaff(tx, id, patient);
        },
        { tenantId },
      );
      if (seen) {
        const consents = presentConsents(await consentsOf(app.database, tenantId, id));
        return { tenantId, seen: { ...seen, consents } };
      }
    }
    throw new AppError('not-found');
  }

  serve(app, readPortalState, async (call) => {
    const { tenantId, seen } = await withPatient(call, async () => {});
    return withAccount(app.database, tenantId, call.params.id, seen);
  });

  serve(app, invitePatient, async (call) => {
    const { id } = call.params;
    const { by, to, languageCode } = call.body;
    let person: ReachablePatient | undefined;
    const { tenantId, seen } = await withPatient(call, async (_tx, patient) => {
      person = patient;
    });
    if (!(by === 'EMAIL' ? seen.emails : seen.phones).includes(to))
      throw refused('to', 'not-in-record', 'the record has no such address or number');
    const kind = by === 'EMAIL' ? 'email' : 'text';
    if (seen.consents.some((one) => one.kind === kind && !one.given))
      throw refused('to', 'no-consent', 'the patient has said not to be contacted that way');
    await actIn(app, call, { kind: 'identity' }, tenantId, async (tx, audit) => {
      await invite(tx, {
        tenantId,
        patientId: id,
        firstName: person?.firstName ?? '',
        lastName: person?.lastName ?? '',
        by,
        to,
        languageCode,
      });
      await audit({ action: 'patient/invited', recordKind: 'patient', recordIds: [id], detail: { by } });
    });
    return withAccount(app.database, tenantId, id, seen);
  });

  serve(app, releaseResult, async (call) => {
    const { id } = call.params;
    const { resultId } = call.body;
    const { tenantId, seen } = await withPatient(call, async (tx, _patient, tenantId) => {
      const { accountId } = call.account;
      if (!(await release(tx, { tenantId, patientId: id, resultId, accountId })))
        throw new AppError('not-found');
      call.audit({ action: 'result/released', recordKind: 'result', recordIds: [resultId, id] });
    });
    return withAccount(app.database, tenantId, id, seen);
  });

  serve(app, readHeldResultRules, (call) => call.withScope(async (tx) => ({ rules: await readRules(tx) })));
  serve(app, setHeldResultRules, (call) => {
    const faults = faultsOfRules(call.body.rules);
    if (faults.length > 0) throw new AppError('validation-failed', { faults });
    const tenantId = call.org.tenantIds[0]!;
    return call.withScope(async (tx) => {
      await lockRules(tx, tenantId);
      const before = await readRules(tx);
      refuseUnseen(call, familiesChanged(before, call.body.rules));
      await writeRules(tx, tenantId, call.body.rules);
      const after = await readRules(tx);
      call.audit({
        action: 'setting/held-results-changed',
        recordKind: 'setting',
        detail: { before, after },
      });
      return { rules: after };
    });
  });
}

/** What is told of a family is decided by who may see its results. [P18] */
function refuseUnseen({ scope }: Call, families: ReadonlySet<string>): void {
  const hidden = scope.kind === 'org' ? scope.hiddenFamilies : [];
  if (hidden.some((family) => families.has(family)))
    throw new AppError('forbidden', { permission: 'restricted-families/read' });
}

const refused = (path: string, code: string, message: string) =>
  new AppError('validation-failed', { faults: [{ path, code, message }] });
