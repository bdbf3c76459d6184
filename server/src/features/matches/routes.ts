import * as contract from '@caseway/contract/matches';
import { actIn } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Scope } from '../../platform/scope.ts';
import { decideMatch, listMatches, readMatch } from './matches.ts';

type OrgScope = Extract<Scope, { kind: 'org' }>;

/** Pairs of patients that may be one person. */
export function serveMatches(app: App): void {
  serve(app, contract.listMatches, (call) =>
    call.withScope(async (tx) => {
      const found = await listMatches(tx, call.query.state, Number(call.query.page));
      call.audit({
        recordKind: 'patient',
        recordIds: found.rows.flatMap(({ patient, candidate }) => [patient.id, candidate.id]),
      });
      return found;
    }),
  );

  serve(app, contract.decideMatch, async (call) => {
    const { id } = call.params;
    const { body } = call;
    const { decision } = body;
    const values = body.decision === 'same' ? body.values : {};
    const { tenantId } = call.scope as OrgScope;
    const pair = await call.withScope((tx) => readMatch(tx, id));
    const recordIds = [pair.patient.id, pair.candidate.id];
    // A merge moves everything, including what the person may not see.
    await actIn(app, call, { kind: 'service', tenantId }, tenantId, async (tx, audit) => {
      await decideMatch(tx, tenantId, id, decision, call.account.accountId, values);
      // Whose name or birth date was kept, never the value itself.
      const chosen = Object.entries(values).map(([value, side]) => `${side}.${value}`);
      await audit({
        action: 'decide match',
        recordKind: 'patient',
        recordIds,
        detail: { decision, ...(chosen.length > 0 && { chosen }) },
      });
    });
    return call.withScope(async (tx) => {
      call.audit({ recordKind: 'patient', recordIds });
      return readMatch(tx, id);
    });
  });
}
