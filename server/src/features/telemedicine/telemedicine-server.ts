import { randomBytes } from 'node:crypto';
import { dashboards } from '@caseway/contract/dashboards/all';
import { todayIn } from '@caseway/contract/date-range';
import {
  bookingFaults,
  heldFaults,
  overdueMinutes,
  type TelemedicineVisit,
  telemedicineRecord,
} from '@caseway/contract/telemedicine';
import { endedVisits } from '@caseway/contract/telemedicine-flow';
import { clockIn } from '@caseway/contract/zoned-time';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { passOn } from '../../platform/carried/carried.ts';
import { recordsOf } from '../../platform/dashboards/behind.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { faultAt } from '../../platform/http/app-error.ts';
import { faultsOfCase, seePerson } from '../../platform/records/about-person.ts';
import { insertMade } from '../../platform/records/insert-made.ts';
import { type PatientWriter, patientServer } from '../../platform/records/patient-record.ts';
import { type OwnPlace, ownPlaceOf, placeOfMade } from '../../platform/records/place-of-made.ts';
import { type Entries, entriesOffered, faultsOfEntries } from '../../platform/records/record-faults.ts';
import { recordNumber } from '../../platform/records/record-number.ts';
import { recordReading, type Values } from '../../platform/records/record-server.ts';
import { readRecords } from '../../platform/records/record-sql.ts';
import { historyShown } from '../../platform/records/record-versions.ts';
import { isTaken, lockProviders, takenFault, takeTime, timeOf } from './provider-time.ts';
import { remindOf } from './reminders.ts';
import { telemedicineFact } from './telemedicine-fact.ts';
import { tellOfChanges } from './told-changes.ts';
import { cancelledLate, lasted, waited } from './visit-times.ts';

/** Visits as the reader sees them. Those with a hidden person are left out. */
export const visits = recordReading<typeof telemedicineRecord>({
  record: telemedicineRecord,
  endedColumn: 'closed_at',
  history: historyShown(telemedicineRecord),
  joined: `cross join lateral (select cast(now() at time zone t.time_zone as date) as today from tenant t where t.id = r.tenant_id) d
    left join case_report of on of.tenant_id = r.tenant_id and of.id = r.case_report_id
    join patient stored on stored.tenant_id = r.tenant_id and stored.id = r.patient_id
    cross join lateral app_shown(stored, stored.told_openly, r.disease_family) p`,
  sql: {
    endsAt: `r.starts_at + r.minutes * interval '1 minute'`,
    waited: waited('r'),
    lasted: lasted('r'),
    cancelledLate: cancelledLate('r'),
    overdue: `case when r.status = 'booked' and r.starts_at + interval '${overdueMinutes} minutes' <= now()
      then 'yes' else 'no' end`,
    name: `nullif(concat_ws(', ', p.last_name, p.first_name), '')`,
    birthDate: 'p.birth_date',
    county: 'case when app_told(p.told_by) then p.county_fips end',
    caseId: 'of.case_id',
  },
  more: { isToday: 'r.starts_at is not null and r.planned_on = d.today' },
  filters: {
    show: {
      kind: 'choice',
      sql: 'f.id',
      among: (codes, tenant) => `f.tenant_id = ${tenant} and ('all' = any (${codes})
        or 'today' = any (${codes}) and f."isToday"
        or 'waiting' = any (${codes}) and f.status = 'arrived'
        or 'overdue' = any (${codes}) and f.overdue = 'yes'
        or 'unbooked' = any (${codes}) and f.status in ('proposed', 'waitlisted'))`,
      order: [],
    },
  },
  searched: ['number', 'name', 'caseId'],
  behind: recordsOf(dashboards, [{ fact: telemedicineFact, by: 'id' }]),
});

const read = (tx: Tx, ids: readonly string[]) => readRecords(tx, visits, ids);

interface Context {
  own: OwnPlace;
  offered: Entries;
  timeZone: string;
}

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<string, string>> = {
  'not-five': 'times are in steps of five minutes',
  past: 'the time is over',
  'too-far': 'the time is more than 400 days ahead',
  future: 'the time is yet to come',
  'before-arrived': 'the time lies before the arrival',
  'before-joined': 'the time lies before the visit began',
};
const time = ['provider', 'startsAt', 'minutes'] as const;
const held = ['arrivedAt', 'joinedAt', 'endedAt'] as const;

const valuesAfter = (changes: Readonly<Record<string, { to: unknown }>>): Partial<TelemedicineVisit> =>
  Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]));

const isEnded = (status: unknown) => (endedVisits as readonly unknown[]).includes(status);

const plannedOn = (
  { startsAt, wantedBy, createdOn }: Partial<Pick<TelemedicineVisit, 'startsAt' | 'wantedBy' | 'createdOn'>>,
  { timeZone }: Context,
) => (startsAt ? todayIn(timeZone, new Date(startsAt)) : (wantedBy ?? createdOn));

/** The hour of its start, in the tenant's time zone. */
const startHour = ({ startsAt }: Partial<Pick<TelemedicineVisit, 'startsAt'>>, { timeZone }: Context) =>
  startsAt ? clockIn(timeZone, startsAt).time.slice(0, 2) : null;

/** What the declaration of a visit does not say. Patients get mail about changes by staff. */
export const telemedicineServer = (lookups: Lookups, changedBy: 'staff' | 'patient' = 'staff') =>
  patientServer<TelemedicineVisit, Context>({
    ...visits,
    record: telemedicineRecord,
    read,
    lock: (tx, tenantId, ids) =>
      tx.rows(
        'select from telemedicine_visit where tenant_id = $1 and id = any ($2::uuid[]) order by id for update',
        [tenantId, ids],
      ),
    async answer(tx, id) {
      const [answer] = await read(tx, [id]);
      return answer ?? null;
    },
    async context(person) {
      return {
        own: ownPlaceOf(person),
        offered: await entriesOffered(telemedicineRecord, lookups, person),
        timeZone: person.org.timeZone,
      };
    },
    async faults(tx, { tenantId, now, context }, { stored, changes, undoes }) {
      const next = { ...stored, ...valuesAfter(changes) };
      const isChanged = (...names: readonly string[]) => names.some((name) => changes[name] !== undefined);
      if (stored.version === 0) await seePerson(tx, stored.patient);
      // An undone value was right when it was entered.
      const mistimed = isChanged(...time) && undoes === undefined ? bookingFaults(next, now) : [];
      const taken = isChanged('status', ...time) && mistimed.length === 0 ? timeOf(next) : null;
      if (taken) await lockProviders(tx, tenantId, [stored.provider, taken.provider]);
      return [
        ...(isChanged('caseRecord') ? await faultsOfCase(tx, next) : []),
        ...[...mistimed, ...(isChanged(...held) ? heldFaults(next, now) : [])].map(({ field, code }) =>
          faultAt(field, code, messages[code] ?? code),
        ),
        ...(taken && (await isTaken(tx, tenantId, stored.id, taken)) ? [takenFault()] : []),
        ...faultsOfEntries(telemedicineRecord, next, Object.keys(changes), context.offered),
      ];
    },
    derived: ({ context }, { stored, changes }) => ({
      ...(changes.startsAt || changes.wantedBy
        ? {
            planned_on: plannedOn({ ...stored, ...valuesAfter(changes) }, context),
            start_hour: startHour({ ...stored, ...valuesAfter(changes) }, context),
          }
        : {}),
      // The earlier room address no longer works.
      ...(changes.status?.to === 'booked' || changes.startsAt
        ? { room: randomBytes(16).toString('hex') }
        : {}),
    }),
    sets: ({ status }) =>
      status && isEnded(status.to) !== isEnded(status.from)
        ? [`closed_at = ${isEnded(status.to) ? 'now()' : 'null'}`]
        : [],
    async insert(tx, writer, id, given) {
      await insertVisit(tx, writer, id, given);
    },
    async write(tx, { tenantId }, changed) {
      await recordChange(
        tx,
        tenantId,
        'telemedicine_visit',
        changed.map(({ stored }) => stored.id),
      );
      const moved = changed
        .filter(({ changes }) => ['status', ...time].some((name) => changes[name] !== undefined))
        .map(({ stored, changes }) => ({ before: stored, after: { ...stored, ...valuesAfter(changes) } }));
      for (const { after } of moved) await takeTime(tx, tenantId, after.id, timeOf(after));
      await remindOf(
        tx,
        tenantId,
        moved.flatMap(({ after: { id, status, startsAt } }) =>
          status === 'booked' && startsAt ? [{ id, startsAt }] : [],
        ),
      );
      if (changedBy === 'staff') await tellOfChanges(tx, tenantId, moved);
    },
  });

/** Stores a visit with who sees it: the place where it is held, or that it is written for, and its case. */
async function insertVisit(
  tx: Tx,
  { tenantId, today, context }: PatientWriter<Context>,
  id: string,
  given: Values,
): Promise<void> {
  const { facility, organization } = await placeOfMade(
    tx,
    tenantId,
    context.own,
    given.facility as string | null,
  );
  const made: Values = { bookedBy: 'staff', ...given, createdOn: today };
  await insertMade(
    tx,
    tenantId,
    telemedicineRecord,
    {
      ...made,
      id,
      facility,
      status: 'proposed',
      number: recordNumber('TV', today),
      plannedOn: plannedOn(made, context),
    },
    { organization_id: organization },
    'patient',
  );
  if (typeof given.caseRecord === 'string')
    await passOn(tx, tenantId, 'case_report', [given.caseRecord], ['telemedicine_visit']);
  await recordChange(tx, tenantId, 'telemedicine_visit', [id]);
}
