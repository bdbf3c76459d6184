import type { PortalState } from '@caseway/contract/portal';
import type { Tx } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import type { Call } from '../../platform/http/serve.ts';
import { consentsOf } from '../patients/consents.ts';
import { presentConsents } from './own-record.ts';
import {
  type ReachablePatient,
  reachablePatient,
  type Seen,
  seenByStaff,
  withAccount,
} from './portal-state.ts';

export interface SeenPatient {
  tenantId: string;
  patient: ReachablePatient;
  seen: Seen;
}

/**
 * Runs an action on a patient whom the reader sees, in the tenant of the record, and returns what the reader then
 * sees of the record.
 */
export async function withPatient(
  app: App,
  call: Call<{ id: string }>,
  work: (tx: Tx, patient: ReachablePatient, tenantId: string) => Promise<void> = async () => {},
): Promise<SeenPatient> {
  const { id } = call.params;
  for (const tenantId of call.org.tenantIds) {
    const found = await call.withScope(
      async (tx) => {
        call.audit({ recordKind: 'patient', recordIds: [id] });
        const patient = await reachablePatient(tx, id);
        if (!patient) return undefined;
        await work(tx, patient, tenantId);
        return { patient, seen: await seenByStaff(tx, id, patient) };
      },
      { tenantId },
    );
    if (found) {
      const consents = presentConsents(await consentsOf(app.database, tenantId, id));
      const isPlace = call.org.orgType === 'O' || call.org.orgType === 'F';
      return { tenantId, patient: found.patient, seen: { ...found.seen, consents, isPlace } };
    }
  }
  throw new AppError('not-found');
}

/** The state of a patient's access, for the caller. */
export const stateFor = (
  app: App,
  call: Call<{ id: string }>,
  { tenantId, seen }: SeenPatient,
): Promise<PortalState> =>
  withAccount(app.database, { tenantId, patientId: call.params.id, reader: call.account.accountId }, seen);
