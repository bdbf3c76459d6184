import { listOwnChildren } from '@caseway/contract/guardians';
import { childrenOf, type GuardianshipOptions } from '../../platform/auth/guardianship.ts';
import type { App } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';

/** The children whose records a guardian can choose in the portal. */
export function serveOwnChildren(app: App, guardianship: GuardianshipOptions): void {
  serve(app, listOwnChildren, async (call) => {
    const children = await childrenOf(guardianship, call.patient);
    call.audit({ recordKind: 'patient', recordIds: children.map(({ patientId }) => patientId) });
    return {
      children: children.map(({ patientId: id, firstName, lastName, birthDate, may }) => ({
        id,
        firstName,
        lastName,
        birthDate,
        may: [...may],
      })),
    };
  });
}
