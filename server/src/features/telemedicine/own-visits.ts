import { freeTimes } from '@caseway/contract/free-times';
import {
  bookingsADay,
  bookOwnVisit,
  cancelOwnVisit,
  changedByPatient,
  findOwnFreeTimes,
  listOwnVisits,
  moveOwnVisit,
  type OwnVisit,
  openBookingsAtMost,
  patientDays,
} from '@caseway/contract/own-visits';
import type { Experience } from '@caseway/contract/session';
import { telemedicineRecord, type telemedicineVisitTypes } from '@caseway/contract/telemedicine';
import type { Tx } from '../../platform/db/database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refused } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import {
  changeOfDeed,
  changePatientRecord,
  type Deed,
  lockedRecord,
  makePatientRecord,
  type PatientWriter,
  type Person,
} from '../../platform/records/patient-record.ts';
import { patientWriter } from '../../platform/records/serve-patient-records.ts';
import { readPlans, type StoredPlan } from './availability-rows.ts';
import { answerFree, daysFrom, type Found, findFree } from './find-free.ts';
import { lockProviders } from './provider-time.ts';
import { presentProviders } from './providers.ts';
import { telemedicineServer } from './telemedicine-server.ts';

interface Office {
  timeZone: string;
  experience: Experience;
  /** Whether the tenant has visits by video at all, and whether its patients book them. */
  on: boolean;
  booking: boolean;
}

const openStates = ['booked', 'arrived', 'in-progress'];

/** What patients see and do of their visits. It is read and written by the service, for the signed-in patient alone. */
export function serveOwnVisits(app: App, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  const server = telemedicineServer(lookups);
  const asService = <T>(call: Call, work: (tx: Tx) => Promise<T>, readOnly = false) =>
    app.database.withScope({ kind: 'service', tenantId: call.patient.tenantId }, work, { readOnly });

  /** The tenant as far as it decides; throws where patients do not book there. */
  const officeOf = async (call: Call, tx: Tx) => {
    const [office] = await tx.rows<Office>(
      `select time_zone as "timeZone", experience, 'telemedicine' = any (tenant_features) as on,
         patients_book and 'telemedicine' = any (tenant_features) as booking from tenant where id = $1`,
      [call.patient.tenantId],
    );
    return office!;
  };
  const bookingOffice = async (call: Call, tx: Tx) => {
    const office = await officeOf(call, tx);
    if (!office.booking) throw new AppError('feature-off');
    return office;
  };
  /** The service as somebody who books visits, in the name of the patient. */
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
  const offeredBy = async (call: Call, office: Office) => {
    const { tenantId } = call.patient;
    const names = await presentProviders(app.database, lookups, clerk(call, office), tenantId);
    const plansOf = async (tx: Tx, provider?: string) =>
      (await readPlans(tx, tenantId, provider === undefined ? null : [provider])).filter(
        (one) => one.plan.patients && names.has(one.provider),
      );
    return { names, plansOf };
  };

  serve(app, listOwnVisits, async (call) => {
    const { tenantId, patientId } = call.patient;
    const { office, rows, left } = await asService(
      call,
      async (tx) => ({
        office: await officeOf(call, tx),
        rows: await ownRows(tx, tenantId, patientId),
        left: await bookingsLeft(tx, call),
      }),
      true,
    );
    const shown = office.on ? rows : [];
    call.audit({ recordKind: 'telemedicine-visit', recordIds: [patientId, ...shown.map(({ id }) => id)] });
    const names =
      shown.length === 0 ? new Map<string, string>() : await lookups.labels('providers', clerk(call, office));
    const now = Date.now();
    return {
      visits: shown.map(({ startsAt, provider, visitType, bookedBy, ...visit }) => ({
        ...visit,
        startsAt: startsAt?.toISOString() ?? null,
        provider: provider === null ? null : (names.get(provider) ?? null),
        visitType: bookedBy === 'patient' ? visitType : null,
        mayChange: office.booking && isChangeable(visit.status, startsAt, now),
      })),
      booking: office.booking,
      left,
    };
  });

  serve(app, findOwnFreeTimes, async (call) => {
    const { tenantId } = call.patient;
    const { visitType, visit, from } = call.query;
    const office = await asService(call, (tx) => bookingOffice(call, tx), true);
    const { names, plansOf } = await offeredBy(call, office);
    return asService(
      call,
      async (tx) => {
        const moved = visit === undefined ? undefined : await ownVisit(tx, call, visit);
        const { times, next } = await answerFree(tx, tenantId, {
          plans: await plansOf(tx),
          visitType: moved?.visitType ?? visitType ?? 'other',
          visit: visit ?? null,
          now: Date.now(),
          ...daysFrom(office.timeZone, from, patientDays),
        });
        return { times: times.map((time) => ({ ...time, name: names.get(time.provider)! })), next };
      },
      true,
    );
  });

  /** Runs one change of the patient's visits; those of one patient run one after the other. */
  async function changing(call: Call, work: (tx: Tx, own: Own) => Promise<Written | null>): Promise<void> {
    const { tenantId, patientId } = call.patient;
    const office = await asService(call, (tx) => bookingOffice(call, tx), true);
    const { plansOf } = await offeredBy(call, office);
    const person = clerk(call, office);
    const writer = patientWriter(person, tenantId, await server.context(person));
    const languages = await lookups.labels('languages', person);
    await asService(call, async (tx) => {
      await tx.rows(`select pg_advisory_xact_lock(hashtextextended('visits of ' || $1, 0))`, [patientId]);
      const written = await work(tx, { writer, plansOf, languages });
      if (written)
        await app.auditor.write(tx, {
          tenantId,
          accountId: call.account.accountId,
          orgType: null,
          orgId: null,
          deed: call.deed,
          recordKind: 'telemedicine-visit',
          recordIds: [written.id, patientId],
          requestId: call.requestId,
          address: call.address,
          action: written.action,
          detail: written.detail,
        });
    });
  }
  const does = async (tx: Tx, writer: PatientWriter, id: string, version: number | null, deed: Deed) => {
    const stored = await lockedRecord(tx, server, writer.tenantId, id);
    const of = version ?? stored.version;
    const change = await changeOfDeed(tx, server, writer, stored, of, deed);
    const fields = await changePatientRecord(tx, server, writer, stored, of, change);
    return { id, action: 'change' as const, detail: { fields, transition: deed.transition } };
  };

  serve(app, bookOwnVisit, async (call) => {
    const { tenantId, patientId } = call.patient;
    const { id, visitType, startsAt, provider } = call.body;
    const language = call.language.split('-')[0]!;
    await changing(call, async (tx, { writer, plansOf, languages }) => {
      const [there] = await tx.rows<{ patientId: string }>(
        'select patient_id as "patientId" from telemedicine_visit where tenant_id = $1 and id = $2',
        [tenantId, id],
      );
      // The request was sent before, and its answer was lost.
      if (there?.patientId === patientId) return null;
      if ((await bookingsLeft(tx, call)) === 0)
        throw refused('visitType', 'too-many', 'as many visits are booked as a patient can book');
      const { plan, minutes } = await chosen(tx, tenantId, plansOf, { startsAt, provider, visitType });
      const given = {
        ...nothing,
        patient: patientId,
        visitType,
        taskCategory: 'telemedicine',
        facility: plan.facility,
        language: languages.has(language) ? language : null,
        interpreter: plan.languages.length > 0 && !plan.languages.includes(language) ? 'yes' : 'no',
        bookedBy: 'patient',
      };
      await makePatientRecord(tx, server, writer, id, given);
      await does(tx, writer, id, null, { transition: 'book', fields: { provider, startsAt, minutes } });
      return { id, action: 'telemedicine-visit/made', detail: { transition: 'book' } };
    });
    return { id };
  });

  serve(app, moveOwnVisit, async (call) => {
    const { tenantId } = call.patient;
    const { id } = call.params;
    const { version, startsAt, provider } = call.body;
    await changing(call, async (tx, { writer, plansOf }) => {
      const { visitType } = await changeableVisit(tx, call, id);
      if (await isTooOften(tx, call)) throw refused('startsAt', 'too-often', 'it was moved too often today');
      const { minutes } = await chosen(tx, tenantId, plansOf, { startsAt, provider, visitType, visit: id });
      return does(tx, writer, id, version, {
        transition: 'reschedule',
        fields: { provider, startsAt, minutes },
      });
    });
    return { id };
  });

  serve(app, cancelOwnVisit, async (call) => {
    const { id } = call.params;
    const { version, why } = call.body;
    await changing(call, async (tx, { writer }) => {
      await changeableVisit(tx, call, id);
      return does(tx, writer, id, version, {
        transition: 'cancel',
        fields: { cancelledBy: 'patient', cancelledWhy: why || null },
      });
    });
    return { id };
  });
}

type PlansOf = (tx: Tx, provider?: string) => Promise<StoredPlan[]>;
/** What a change of a patient's visits goes by. */
interface Own {
  writer: PatientWriter;
  plansOf: PlansOf;
  languages: ReadonlyMap<string, string>;
}
interface Written {
  id: string;
  action: 'telemedicine-visit/made' | 'change';
  detail: Record<string, unknown>;
}

/** The fields of the form of a visit, without values. */
const nothing = Object.fromEntries(
  telemedicineRecord.form.flatMap((line) => [line].flat()).map((name) => [name, null]),
);

const isChangeable = (status: string, startsAt: Date | null, now: number) =>
  (changedByPatient as readonly string[]).includes(status) && startsAt !== null && startsAt.getTime() > now;

interface Row extends Omit<OwnVisit, 'startsAt' | 'mayChange' | 'visitType'> {
  startsAt: Date | null;
  visitType: (typeof telemedicineVisitTypes)[number];
  bookedBy: string | null;
}
const columns = `id, version, status, starts_at as "startsAt", minutes, provider_id as provider,
  visit_type as "visitType", booked_by as "bookedBy"`;

/** The visits of a patient: those to come with the next one first, then the others from the latest on. */
const ownRows = (tx: Tx, tenantId: string, patientId: string): Promise<Row[]> =>
  tx.rows<Row>(
    `select ${columns} from telemedicine_visit
     where tenant_id = $1 and patient_id = $2 and status <> 'entered-in-error'
     order by closed_at is not null, case when closed_at is null then starts_at end, starts_at desc, id limit 50`,
    [tenantId, patientId],
  );

/** One of the patient's own; `not-found` for any other. */
async function ownVisit(tx: Tx, { patient: { tenantId, patientId } }: Call, id: string): Promise<Row> {
  const [row] = await tx.rows<Row>(
    `select ${columns} from telemedicine_visit
     where tenant_id = $1 and id = $2 and patient_id = $3 and status <> 'entered-in-error'`,
    [tenantId, id, patientId],
  );
  if (!row) throw new AppError('not-found');
  return row;
}

async function changeableVisit(tx: Tx, call: Call, id: string): Promise<Row> {
  const visit = await ownVisit(tx, call, id);
  if (!isChangeable(visit.status, visit.startsAt, Date.now()))
    throw refused('status', 'not-changeable', 'it has begun, or is over');
  return visit;
}

/** Whether the patient has booked and moved visits as often as one can in a day. */
async function isTooOften(tx: Tx, { patient: { tenantId, patientId }, account }: Call): Promise<boolean> {
  const [row] = await tx.rows<{ count: number }>(
    `select count(*)::int as count from telemedicine_visit_history
     where tenant_id = $1 and patient_id = $2 and account_id = $3 and transition in ('book', 'reschedule')
       and at > now() - interval '24 hours'`,
    [tenantId, patientId, account.accountId],
  );
  return row!.count >= bookingsADay;
}

/** How many more visits the patient can book now. */
async function bookingsLeft(tx: Tx, call: Call): Promise<number> {
  const { tenantId, patientId } = call.patient;
  if (await isTooOften(tx, call)) return 0;
  const [row] = await tx.rows<{ count: number }>(
    `select count(*)::int as count from telemedicine_visit
     where tenant_id = $1 and patient_id = $2 and status = any ($3) and starts_at > now()`,
    [tenantId, patientId, openStates],
  );
  return Math.max(0, openBookingsAtMost - row!.count);
}

/** What a patient has chosen, if it is still free; the time of the provider is kept until the transaction ends. */
async function chosen(
  tx: Tx,
  tenantId: string,
  plansOf: PlansOf,
  of: { startsAt: string; provider: string; visitType: string; visit?: string },
): Promise<Found & Pick<StoredPlan, 'plan'>> {
  await lockProviders(tx, tenantId, [of.provider]);
  const plans = await plansOf(tx, of.provider);
  const start = Date.parse(of.startsAt);
  const only = { visitType: of.visitType, now: Date.now(), from: start, until: start + 1 };
  const [found] = await findFree(tx, tenantId, { ...only, plans, visit: of.visit ?? null });
  const plan = plans[0]?.plan;
  if (found && plan) return { ...found, plan };
  throw plan && freeTimes(plan, { ...only, taken: [] }).length > 0
    ? refused('startsAt', 'taken', 'somebody else has just taken this time')
    : refused('startsAt', 'not-offered', 'this time is not offered');
}
