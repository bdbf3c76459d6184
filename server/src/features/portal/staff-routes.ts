import {
  readHeldResultRules,
  readPatientWordsReview,
  readPortalState,
  releaseResult,
  setHeldResultRules,
} from '@caseway/contract/portal';
import type { App } from '../../platform/http/app.ts';
import { AppError, refuse } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { familiesChanged, faultsOfRules, lockRules, readRules, writeRules } from './held-results.ts';
import { patientWordsReview } from './patient-words.ts';
import { release } from './portal-state.ts';
import { stateFor, withPatient } from './seen-patient.ts';

/** What staff do so that patients see their results: release withheld ones, and set rules for withholding. */
export function servePortalToStaff(app: App): void {
  serve(app, readPortalState, async (call) => stateFor(app, call, await withPatient(app, call)));

  serve(app, releaseResult, async (call) => {
    const { id } = call.params;
    const { resultId } = call.body;
    const found = await withPatient(app, call, async (tx, _patient, tenantId) => {
      const { accountId } = call.account;
      if (!(await release(tx, { tenantId, patientId: id, resultId, accountId })))
        throw new AppError('not-found');
      call.audit({ action: 'result/released', recordKind: 'result', recordIds: [resultId, id] });
    });
    return stateFor(app, call, found);
  });

  serve(app, readPatientWordsReview, () => patientWordsReview());
  serve(app, readHeldResultRules, (call) => call.withScope(async (tx) => ({ rules: await readRules(tx) })));
  serve(
    app,
    setHeldResultRules,
    (call) => {
      refuse(faultsOfRules(call.body.rules));
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
    },
    { alsoWrong: (call) => faultsOfRules(call.body.rules ?? []) },
  );
}

/** Only readers who may see the results of a family decide what is shown of it. [P18] */
function refuseUnseen({ scope }: Call, families: ReadonlySet<string>): void {
  const hidden = scope.kind === 'org' ? scope.hiddenFamilies : [];
  if (hidden.some((family) => families.has(family)))
    throw new AppError('forbidden', { permission: 'restricted-families/read' });
}
