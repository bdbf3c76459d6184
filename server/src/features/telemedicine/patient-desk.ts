import type { Experience } from '@caseway/contract/session';
import type { Tx } from '../../platform/db/database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import type { Call } from '../../platform/http/serve.ts';
import {
  changeOfDeed,
  changePatientRecord,
  type Deed,
  lockedRecord,
  type PatientWriter,
  type Person,
} from '../../platform/records/patient-record.ts';
import { patientWriter } from '../../platform/records/serve-patient-records.ts';
import { telemedicineServer } from './telemedicine-server.ts';

export interface Office {
  timeZone: string;
  experience: Experience;
  /** Whether the tenant has visits by video at all, and whether its patients book them. */
  on: boolean;
  booking: boolean;
}

/** What a patient has done to one of their visits, for the audit log. */
export interface Written {
  id: string;
  action: 'telemedicine-visit/made' | 'change';
  detail: Record<string, unknown>;
}

/** Lets patients see and change their visits. The service reads and writes these, only for the signed-in patient. */
export type PatientDesk = ReturnType<typeof patientDesk>;

export function patientDesk(app: App, optionsOf: OptionsOf) {
  const lookups = new Lookups(app.database, optionsOf);
  const server = telemedicineServer(lookups, 'patient');

  const asService = <T>(call: Call, work: (tx: Tx) => Promise<T>, readOnly = false) =>
    app.database.withScope({ kind: 'service', tenantId: call.patient.tenantId }, work, { readOnly });

  /** The tenant's settings for what its patients may do. */
  const officeOf = async (call: Call, tx: Tx): Promise<Office> => {
    const [office] = await tx.rows<Office>(
      `select time_zone as "timeZone", experience, 'telemedicine' = any (tenant_features) as on,
         patients_book and 'telemedicine' = any (tenant_features) as booking from tenant where id = $1`,
      [call.patient.tenantId],
    );
    return office!;
  };
  /** The tenant's settings; throws if patients cannot do this there. */
  const officeWith = async (call: Call, tx: Tx, needed: 'on' | 'booking'): Promise<Office> => {
    const office = await officeOf(call, tx);
    if (!office[needed]) throw new AppError('feature-off');
    return office;
  };

  /** The service as a person who books visits, in the name of the patient. */
  const clerk = (call: Call, { timeZone, experience }: Office): Person => {
    const { tenantId } = call.patient;
    return {
      account: call.account,
      org: { id: tenantId, orgType: 'T', name: '', experience, timeZone, tenantIds: [tenantId] },
      scopeIn: () => ({ kind: 'service', tenantId }),
      may: (permission) => permission === 'telemedicine/write',
      language: call.language,
    };
  };

  /** Runs one change of the patient's visits with its audit row. Changes of one patient run one at a time. */
  async function changing(
    call: Call,
    office: Office,
    work: (tx: Tx, writer: PatientWriter) => Promise<Written | null>,
  ): Promise<void> {
    const { tenantId, patientId } = call.patient;
    const person = clerk(call, office);
    const writer = patientWriter(person, tenantId, await server.context(person));
    await call.withService(async (tx) => {
      await tx.rows(`select pg_advisory_xact_lock(hashtextextended('visits of ' || $1, 0))`, [patientId]);
      const written = await work(tx, writer);
      if (written)
        call.audit({
          recordKind: 'telemedicine-visit',
          recordIds: [written.id, patientId],
          action: written.action,
          detail: written.detail,
        });
    });
  }

  /**
   * Does a transition of a visit. If a version is given and the visit has another one, it is refused as a conflict.
   */
  const does = async (
    tx: Tx,
    writer: PatientWriter,
    id: string,
    version: number | null,
    deed: Deed,
  ): Promise<Written> => {
    const stored = await lockedRecord(tx, server, writer.tenantId, id);
    const of = version ?? stored.version;
    const change = await changeOfDeed(tx, server, writer, stored, of, deed);
    const fields = await changePatientRecord(tx, server, writer, stored, of, change);
    return { id, action: 'change', detail: { fields, transition: deed.transition } };
  };

  return { lookups, server, asService, officeOf, officeWith, clerk, changing, does };
}
