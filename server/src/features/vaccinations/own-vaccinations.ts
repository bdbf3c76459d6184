import { listOwnVaccinations, type OwnVaccination } from '@caseway/contract/vaccinations';
import type { Tx } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';

type Stored = OwnVaccination & { facilityId: string | null };

/** What the scope of a patient sees, the newest first. The policies leave out vaccinations entered in error. */
async function readOwn(tx: Tx, patientId: string): Promise<Stored[]> {
  const [office] = await tx.rows<{ on: boolean }>(
    `select 'vaccinations' = any (tenant_features) as on from tenant where id = $1`,
    [tx.tenantId],
  );
  if (!office?.on) throw new AppError('feature-off');
  return tx.rows<Stored>(
    `select id, vaccine, other_vaccine as "otherVaccine", given_on as "givenOn", dose, manufacturer, lot, source,
       facility_id as "facilityId", null as facility
     from vaccination where tenant_id = $1 and patient_id = $2 and state = 'given'
     order by given_on desc, id`,
    [tx.tenantId, patientId],
  );
}

/** The patient's own vaccinations. The service reads the names of places, because patients see no list of them. */
export function serveOwnVaccinations(app: App): void {
  serve(app, listOwnVaccinations, async (call) => {
    const { tenantId, patientId } = call.patient;
    const stored = await call.withScope(async (tx) => {
      const found = await readOwn(tx, patientId);
      call.audit({ recordKind: 'vaccination', recordIds: [patientId, ...found.map(({ id }) => id)] });
      return found;
    });
    const names = await app.database.withScope(
      { kind: 'service', tenantId },
      async (tx) =>
        new Map(
          (
            await tx.rows<{ id: string; name: string }>(
              'select id, name from facility where tenant_id = $1 and id = any ($2::uuid[])',
              [tenantId, stored.flatMap(({ facilityId }) => facilityId ?? [])],
            )
          ).map(({ id, name }) => [id, name]),
        ),
      { readOnly: true },
    );
    return {
      vaccinations: stored.map(({ facilityId, ...one }) => ({
        ...one,
        facility: (facilityId && names.get(facilityId)) || null,
      })),
    };
  });
}
