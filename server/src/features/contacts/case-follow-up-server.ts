import {
  type CaseFollowUp,
  caseFollowUpFaults,
  caseFollowUpRecord,
  proposedLastDay,
} from '@caseway/contract/case-follow-ups';
import { openCaseStatuses } from '@caseway/contract/case-reports';
import type { Fault } from '@caseway/contract/error';
import { followUpToday } from '@caseway/contract/follow-up';
import { passOn } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { caseSeen, personShown } from '../../platform/records/about-person.ts';
import { dayOfTenant, followedSql, followUpShown } from '../../platform/records/follow-up-sql.ts';
import { insertMade } from '../../platform/records/insert-made.ts';
import { openedWithCase } from '../../platform/records/opened.ts';
import { patientServer } from '../../platform/records/patient-record.ts';
import { type Entries, entriesOffered, faultsOfEntries } from '../../platform/records/record-faults.ts';
import { recordNumber } from '../../platform/records/record-number.ts';
import { recordReading } from '../../platform/records/record-server.ts';
import { readInOrder, readRecords } from '../../platform/records/record-sql.ts';
import { historyShown } from '../../platform/records/record-versions.ts';
import { conditionByCode } from '../reference/catalog.ts';

const followed = followedSql({ from: 'greatest(r.first_on, r.created_on)', until: 'r.last_on' });

/** Follow-ups of cases as the reader sees them. Those of a hidden case or person are left out. */
export const caseFollowUps = recordReading<typeof caseFollowUpRecord>({
  record: caseFollowUpRecord,
  endedColumn: 'ended_at',
  history: historyShown(caseFollowUpRecord),
  joined: `join case_report of on of.tenant_id = r.tenant_id and of.id = r.case_report_id
    ${dayOfTenant}
    join patient stored on stored.tenant_id = r.tenant_id and stored.id = r.patient_id
    cross join lateral app_shown(stored, stored.told_openly, r.disease_family) p`,
  sql: {
    name: `nullif(concat_ws(', ', p.last_name, p.first_name), '')`,
    birthDate: 'p.birth_date',
    caseId: 'of.case_id',
    condition: 'of.condition_code',
    county: 'r.county_fips',
    investigator: 'coalesce(of.investigator_id, r.started_by_id)',
    today: followed.today,
    unseenDays: followed.unseenDays,
  },
  more: { isMissed: followed.isMissed },
  filters: { show: followUpShown },
  orders: { today: followUpToday },
  searched: ['number', 'name', 'caseId'],
});

const read = (tx: Tx, ids: readonly string[]) => readRecords(tx, caseFollowUps, ids);

/** The follow-ups of a case that the reader sees: the current one first, then the newest. */
const readFollowUpsOf = (tx: Tx, caseId: string): Promise<CaseFollowUp[]> =>
  readInOrder(
    tx,
    read,
    `select id from case_follow_up where tenant_id = $1 and case_report_id = $2
     order by ended_at is not null, created_on desc, id`,
    [tx.tenantId, caseId],
  );

const isOpen = (status: string) => (openCaseStatuses as readonly string[]).includes(status);

/** The follow-ups of a case, and proposed days for another one if it can be started. */
export async function readFollowUps(tx: Tx, caseId: string, today: string) {
  const followUps = await readFollowUpsOf(tx, caseId);
  const [of] = await tx.rows<{ status: string; condition: string; onsetOn: string | null }>(
    `select status, condition_code as condition, onset_on as "onsetOn" from case_report
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, caseId],
  );
  if (!of || !isOpen(of.status) || followUps.some(({ status }) => status === 'under-follow-up'))
    return { followUps };
  const { isolationDays } = conditionByCode(of.condition) ?? {};
  return {
    followUps,
    proposed: { firstOn: today, lastOn: proposedLastDay({ onsetOn: of.onsetOn, isolationDays }, today) },
  };
}

interface Context {
  /** The organization or facility that the writer works for. */
  own: string | null;
  offered: Entries;
}

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<string, string>> = {
  'before-1900': 'the day lies before 1900',
  'before-birth': 'the day lies before the birth',
  'before-first': 'the last day lies before the first',
  'too-long': 'a follow-up has at most 366 days',
  over: 'the last day is over',
  'by-move': 'days are changed by the transition move, which asks why',
  'case-over': 'the investigation of the case is over',
  'already-followed': 'the case is followed up already',
};
const fault = (field: string, code: string): Fault => faultAt(field, code, messages[code] ?? code);

/** Why a follow-up of a case cannot be started. */
async function faultsOfStart(tx: Tx, field: string, caseId: string, id: string): Promise<Fault[]> {
  // Locks the case, so that ending it or starting another follow-up waits.
  const [of] = await tx.rows<{ status: string }>(
    'select status from case_report where tenant_id = $1 and id = $2 for update',
    [tx.tenantId, caseId],
  );
  if (of && !isOpen(of.status)) return [fault(field, 'case-over')];
  const others = await tx.rows(
    `select from case_follow_up where tenant_id = $1 and case_report_id = $2 and id <> $3
       and status = 'under-follow-up' limit 1`,
    [tx.tenantId, caseId, id],
  );
  return others.length > 0 ? [fault(field, 'already-followed')] : [];
}

const isEnded = (status: unknown) => status !== 'under-follow-up';
const valuesAfter = (changes: Readonly<Record<string, { to: unknown }>>): Partial<CaseFollowUp> =>
  Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]));

/** What the declaration of a case follow-up does not say. */
export const caseFollowUpServer = (lookups: Lookups) =>
  patientServer<CaseFollowUp, Context>({
    ...caseFollowUps,
    record: caseFollowUpRecord,
    read,
    lock: (tx, tenantId, ids) =>
      tx.rows(
        'select from case_follow_up where tenant_id = $1 and id = any ($2::uuid[]) order by id for update',
        [tenantId, ids],
      ),
    async answer(tx, id) {
      const [answer] = await read(tx, [id]);
      return answer ?? null;
    },
    opened: openedWithCase(read),
    async context(person) {
      const { orgType, id } = person.org;
      return {
        own: orgType === 'O' || orgType === 'F' ? id : null,
        offered: await entriesOffered(caseFollowUpRecord, lookups, person),
      };
    },
    async faults(tx, writer, { stored, changes, done, undoes }) {
      const next = { ...stored, ...valuesAfter(changes) };
      const isChanged = (...names: string[]) => names.some((name) => changes[name] !== undefined);
      const of = await caseSeen(tx, stored.caseRecord);
      // Writers who cannot see the case learn nothing about it.
      if (!of) throw new AppError('not-found');
      const isNew = stored.number === undefined;
      const isResumed = changes.status !== undefined && !isEnded(changes.status.to);
      const { firstOn, lastOn } = next;
      const person = isChanged('firstOn', 'lastOn') ? await personShown(tx, of.patient) : undefined;
      const days =
        firstOn && lastOn && isChanged('firstOn', 'lastOn')
          ? caseFollowUpFaults(
              { firstOn, lastOn },
              { today: writer.today, birthDate: person?.birthDate ?? null },
            )
          : [];
      const isMoved = !isNew && done === undefined && undoes === undefined;
      return [
        ...(isMoved ? (['firstOn', 'lastOn'] as const) : [])
          .filter((name) => isChanged(name))
          .map((name) => fault(name, 'by-move')),
        ...days.map(({ field, code }) => fault(field, code)),
        ...(isNew || isResumed
          ? await faultsOfStart(tx, isNew ? 'firstOn' : 'status', stored.caseRecord, stored.id)
          : []),
        ...faultsOfEntries(caseFollowUpRecord, next, Object.keys(changes), writer.context.offered),
      ];
    },
    derived: () => ({}),
    sets: ({ status }) =>
      status && isEnded(status.to) !== isEnded(status.from)
        ? [`ended_at = ${isEnded(status.to) ? 'now()' : 'null'}`]
        : [],
    async insert(tx, { tenantId, accountId, today, context: { own } }, id, given) {
      const { patient } = (await caseSeen(tx, given.caseRecord))!;
      await insertMade(
        tx,
        tenantId,
        caseFollowUpRecord,
        {
          ...given,
          ...{ id, patient, status: 'under-follow-up', number: recordNumber('FU', today), createdOn: today },
        },
        { told_by: own, started_by_id: accountId },
        'case_report',
      );
      await passOn(tx, tenantId, 'patient', [patient], ['case_follow_up']);
    },
    async write() {},
  });
