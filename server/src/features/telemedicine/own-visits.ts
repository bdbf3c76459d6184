import { freeTimes } from '@caseway/contract/free-times';
import type { VisitNotice } from '@caseway/contract/inbox';
import {
  bookingsADay,
  bookOwnVisit,
  cancelOwnVisit,
  changedByPatient,
  findOwnFreeTimes,
  listOwnVisits,
  moveOwnVisit,
  openBookingsAtMost,
  patientDays,
} from '@caseway/contract/own-visits';
import { telemedicineRecord } from '@caseway/contract/telemedicine';
import type { Tx } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/app.ts';
import { refused } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { tell } from '../../platform/inbox/tell.ts';
import { makePatientRecord, type PatientWriter } from '../../platform/records/patient-record.ts';
import { readPlans, type StoredPlan } from './availability-rows.ts';
import { answerFree, daysFrom, type Found, findFree } from './find-free.ts';
import { type OwnRow, ownRows, ownVisit } from './own-visit-rows.ts';
import type { Office, PatientDesk, Written } from './patient-desk.ts';
import { lockProviders } from './provider-time.ts';
import { presentProviders } from './providers.ts';

const openStates = ['booked', 'arrived', 'in-progress'];

/** Serves what patients see and do about their visits. */
export function serveOwnVisits(
  app: App,
  { lookups, server, asService, officeOf, officeWith, clerk, does, ...desk }: PatientDesk,
): void {
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
    const { patientId, guardian } = call.patient;
    const { office, rows, left } = await asService(
      call,
      async (tx) => ({
        office: await officeOf(call, tx),
        rows: await ownRows(tx, call.patient),
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
        mayChange: !guardian && office.booking && isChangeable(visit.status, startsAt, now),
      })),
      // A guardian reads the visits of a child; the clinic books them.
      booking: office.booking && !guardian,
      left: guardian ? 0 : left,
    };
  });

  serve(app, findOwnFreeTimes, async (call) => {
    const { tenantId } = call.patient;
    const { visitType, visit, from } = call.query;
    const office = await asService(call, (tx) => officeWith(call, tx, 'booking'), true);
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

  /** Runs one change of the patient's visits if patients may book. */
  async function changing(call: Call, work: (tx: Tx, own: Own) => Promise<Written | null>): Promise<void> {
    const office = await asService(call, (tx) => officeWith(call, tx, 'booking'), true);
    const { plansOf } = await offeredBy(call, office);
    const languages = await lookups.labels('languages', clerk(call, office));
    await desk.changing(call, office, (tx, writer) => work(tx, { writer, plansOf, languages }));
  }

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
      await tellProviders(tx, id, { [provider]: 'visit-booked' });
      return { id, action: 'telemedicine-visit/made', detail: { transition: 'book' } };
    });
    return { id };
  });

  serve(app, moveOwnVisit, async (call) => {
    const { tenantId } = call.patient;
    const { id } = call.params;
    const { version, startsAt, provider } = call.body;
    await changing(call, async (tx, { writer, plansOf }) => {
      const { visitType, provider: before } = await changeableVisit(tx, call, id);
      if (await isTooOften(tx, call)) throw refused('startsAt', 'too-often', 'it was moved too often today');
      const { minutes } = await chosen(tx, tenantId, plansOf, { startsAt, provider, visitType, visit: id });
      const written = await does(tx, writer, id, version, {
        transition: 'reschedule',
        fields: { provider, startsAt, minutes },
      });
      await tellProviders(tx, id, {
        ...(before && { [before]: 'visit-moved' }),
        ...(provider !== before && { [provider]: 'visit-booked' }),
      });
      return written;
    });
    return { id };
  });

  serve(app, cancelOwnVisit, async (call) => {
    const { id } = call.params;
    const { version, why } = call.body;
    await changing(call, async (tx, { writer }) => {
      const { provider } = await changeableVisit(tx, call, id);
      const written = await does(tx, writer, id, version, {
        transition: 'cancel',
        fields: { cancelledBy: 'patient', cancelledWhy: why || null },
      });
      if (provider) await tellProviders(tx, id, { [provider]: 'visit-cancelled' });
      return written;
    });
    return { id };
  });
}

type PlansOf = (tx: Tx, provider?: string) => Promise<StoredPlan[]>;
/** What a change of a patient's visits depends on. */
interface Own {
  writer: PatientWriter;
  plansOf: PlansOf;
  languages: ReadonlyMap<string, string>;
}
/**
 * Notifies providers of what a patient has done with a visit. It names no actor, because not everyone may see the
 * patient.
 */
const tellProviders = (tx: Tx, id: string, what: Readonly<Record<string, VisitNotice>>): Promise<void> =>
  tell(
    tx,
    { tenantId: tx.tenantId, recordKind: telemedicineRecord.kind, actorId: null },
    Object.entries(what).map(([to, kind]) => ({ kind, recordId: id, to })),
  );

/** The fields of the form of a visit, without values. */
const nothing = Object.fromEntries(
  telemedicineRecord.form.flatMap((line) => [line].flat()).map((name) => [name, null]),
);

const isChangeable = (status: string, startsAt: Date | null, now: number) =>
  (changedByPatient as readonly string[]).includes(status) && startsAt !== null && startsAt.getTime() > now;

async function changeableVisit(tx: Tx, call: Call, id: string): Promise<OwnRow> {
  const visit = await ownVisit(tx, call, id);
  if (!isChangeable(visit.status, visit.startsAt, Date.now()))
    throw refused('status', 'not-changeable', 'it has begun, or is over');
  return visit;
}

/** Whether the patient has booked and moved visits as often as is allowed in a day. */
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

/** The patient's choice, if it is still free; the provider's time is locked until the transaction ends. */
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
