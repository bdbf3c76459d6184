import { dashboards } from '@caseway/contract/dashboards/all';
import { endedVisits, visitStatuses } from '@caseway/contract/field-visit-flow';
import { type FieldVisit, fieldVisitRecord, visitDays, visitFaults } from '@caseway/contract/field-visits';
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
import { fieldVisitAttemptFact, fieldVisitFact } from './field-visit-facts.ts';
import { expectBack } from './not-back.ts';

const isOver = `r.status in ('done', 'cancelled')`;
const isOut = `r.status = 'on-the-way'`;
/** The person's home address in one line. */
const home = `concat_ws(', ', p.street, p.street2, nullif(concat_ws(' ', p.city, p.postal_code), ''))`;

/** Visits as the reader sees them. Those with a hidden person are left out. */
export const visits = recordReading<typeof fieldVisitRecord>({
  record: fieldVisitRecord,
  endedColumn: 'ended_at',
  history: historyShown(fieldVisitRecord),
  joined: `join patient stored on stored.tenant_id = r.tenant_id and stored.id = r.patient_id
    cross join lateral app_shown(stored, stored.told_openly, r.disease_family) p
    cross join lateral (select cast(now() at time zone t.time_zone as date) as today from tenant t where t.id = r.tenant_id) d
    left join case_report of on of.tenant_id = r.tenant_id and of.id = r.case_report_id`,
  sql: {
    tryIn: `case when not ${isOver} then r.try_in end`,
    return: `case when ${isOut} then case when r.expected_back < now() then 'overdue' else 'expected' end end`,
    outSince: `case when ${isOut} then r.out_since end`,
    expectedBack: `case when ${isOut} then r.expected_back end`,
    name: `nullif(concat_ws(', ', p.last_name, p.first_name), '')`,
    birthDate: 'p.birth_date',
    phone: 'case when app_told(p.told_by) then p.phones[1] end',
    place: `coalesce(r.address, case when app_told(p.told_by) then nullif(${home}, '') end)`,
    county: 'case when app_told(p.told_by) then p.county_fips end',
    caseId: 'of.case_id',
    condition: 'of.condition_code',
    diseaseFamily: 'r.disease_family',
  },
  more: { today: 'd.today' },
  filters: {
    show: {
      kind: 'choice',
      sql: 'f.id',
      among: (codes, tenant) => `f.tenant_id = ${tenant} and ('all' = any (${codes})
        or f.status not in ('done', 'cancelled') and ('open' = any (${codes})
          or 'today' = any (${codes}) and f."plannedFor" <= f.today
          or 'mine' = any (${codes}) and f.worker = app_account()
          or 'overdue' = any (${codes}) and f.return = 'overdue'))`,
      order: [],
    },
  },
  orders: { status: visitStatuses },
  searched: ['number', 'name', 'caseId', 'place', 'phone'],
  behind: recordsOf(dashboards, [
    { fact: fieldVisitFact, by: 'id' },
    { fact: fieldVisitAttemptFact, by: 'visit_id' },
  ]),
});

export const read = (tx: Tx, ids: readonly string[]) => readRecords(tx, visits, ids);

/** The visits of a case that the reader sees: open visits first, the next one before the others. */
export async function readVisitsOf(tx: Tx, caseId: string): Promise<FieldVisit[]> {
  const rows = await tx.rows<{ id: string }>(
    `select id from field_visit where tenant_id = $1 and case_report_id = $2
     order by ended_at is not null, planned_for, id`,
    [tx.tenantId, caseId],
  );
  const found = new Map(
    (
      await read(
        tx,
        rows.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  );
  return rows.flatMap(({ id }) => found.get(id) ?? []);
}

interface Context {
  own: OwnPlace;
  offered: Entries;
}

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<string, string>> = { far: 'the day is more than a year away' };

const isEnded = (status: unknown) => (endedVisits as readonly unknown[]).includes(status);

/** What the declaration of a visit does not say. */
export const visitServer = (lookups: Lookups) =>
  patientServer<FieldVisit, Context>({
    ...visits,
    record: fieldVisitRecord,
    read,
    lock: (tx, tenantId, ids) =>
      tx.rows(
        'select from field_visit where tenant_id = $1 and id = any ($2::uuid[]) order by id for update',
        [tenantId, ids],
      ),
    async answer(tx, id) {
      const [answer] = await read(tx, [id]);
      return answer ?? null;
    },
    async context(person) {
      return {
        own: ownPlaceOf(person),
        offered: await entriesOffered(fieldVisitRecord, lookups, person),
      };
    },
    async faults(tx, writer, { stored, changes }) {
      const next = { ...stored, ...valuesAfter(changes) };
      if (stored.version === 0) await seePerson(tx, stored.patient);
      const days = Object.fromEntries(
        visitDays.filter((name) => changes[name]).map((name) => [name, next[name]]),
      );
      return [
        ...visitFaults(days, writer.today).map(({ field, code }) =>
          faultAt(field, code, messages[code] ?? code),
        ),
        ...(changes.caseRecord ? await faultsOfCase(tx, next) : []),
        ...faultsOfEntries(fieldVisitRecord, next, Object.keys(changes), writer.context.offered),
      ];
    },
    // Undoing a return does not give the person more time.
    derived: (_, { changes, done }) => {
      if (done?.transition !== 'set-out') return {};
      const now = Date.now();
      return {
        out_since: new Date(now).toISOString(),
        expected_back: new Date(now + Number(changes.minutesOut!.to) * 60_000).toISOString(),
      };
    },
    sets: ({ status }) =>
      status && isEnded(status.to) !== isEnded(status.from)
        ? [`ended_at = ${isEnded(status.to) ? 'now()' : 'null'}`]
        : [],
    async insert(tx, writer, id, given) {
      await insertVisit(tx, writer, id, given);
    },
    async write(tx, { tenantId }, changed) {
      await recordChange(
        tx,
        tenantId,
        'field_visit',
        changed.map(({ stored }) => stored.id),
      );
      await expectBack(
        tx,
        tenantId,
        changed.flatMap(({ stored, changes }) => (changes.minutesOut?.to ? [stored.id] : [])),
      );
    },
  });

const valuesAfter = (changes: Readonly<Record<string, { to: unknown }>>): Partial<FieldVisit> =>
  Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]));

/**
 * Stores a visit with who sees it: the place that it is written for, the family of its case, and what decides about
 * its person.
 */
async function insertVisit(
  tx: Tx,
  { tenantId, today, context: { own } }: PatientWriter<Context>,
  id: string,
  given: Values,
): Promise<void> {
  const { facility, organization } = await placeOfMade(tx, tenantId, own, null);
  await insertMade(
    tx,
    tenantId,
    fieldVisitRecord,
    {
      ...given,
      id,
      facility,
      status: 'open',
      number: recordNumber('FV', today),
      attemptCount: 0,
      attemptDays: 0,
      createdOn: today,
    },
    { organization_id: organization },
    'patient',
  );
  if (typeof given.caseRecord === 'string')
    await passOn(tx, tenantId, 'case_report', [given.caseRecord], ['field_visit']);
  await recordChange(tx, tenantId, 'field_visit', [id]);
}
