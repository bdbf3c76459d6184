import type { GlassAccess } from '@caseway/contract/break-glass';
import { caseRecord } from '@caseway/contract/case-record';
import { type CaseReport, eventDateFaults, eventDates } from '@caseway/contract/case-reports';
import type { Fault } from '@caseway/contract/error';
import type { Labelled } from '@caseway/contract/label';
import { caseWorkRules } from '@caseway/contract/work-rules';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { hasCome } from '../../platform/auth/memberships.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { faultAt } from '../../platform/http/app-error.ts';
import { accessesOf } from '../../platform/policy/break-glass.ts';
import { patientServer } from '../../platform/records/patient-record.ts';
import { historyShown } from '../../platform/records/record-versions.ts';
import type { TimelineShown } from '../../platform/records/timeline.ts';
import { giveByRules } from '../../platform/records/work-rules.ts';
import { conditionByCode, familyByCode } from '../reference/catalog.ts';
import { addEvents, eventsOf } from './case-events.ts';
import { lawfulFor, readCase } from './record.ts';
import { readStored, type StoredCase } from './stored-case.ts';

interface Context {
  /** Accounts that the writer may choose, and whether the requested accounts are still members. */
  offered: ReadonlyMap<string, string>;
  here: Map<string, boolean>;
}

/** For API users; the screens have their own words for each code. */
const faultMessages: Readonly<Record<string, string>> = {
  unlawful: 'the case definition of the condition does not know this classification',
  'not-an-investigator': 'nobody who can be given cases of this tenant',
  'open-contacts': 'contacts of the case are still under follow-up',
  'open-follow-up': 'the person of the case is still under follow-up',
  'not-of-county': 'no jurisdiction of the county of the case that the tenant reports to',
  'no-rule': 'no case rule has been applied to this case',
  future: 'the day lies in the future',
  'before-1900': 'the day lies before 1900',
  'before-birth': 'the day lies before the birth',
  'after-next': 'the day lies after one that has to follow it',
};
export const caseFault = (field: string, code: string): Fault =>
  faultAt(field, code, faultMessages[code] ?? code);

/** The columns in which a place sees its own value if another place has reported a different one. */
const toldWithin: Readonly<Record<string, [column: string, type: 'date' | 'text' | 'uuid']>> = {
  onsetOn: ['onset_on', 'date'],
  collectedOn: ['collected_on', 'date'],
  reportedOn: ['reported_on', 'date'],
  outcome: ['outcome', 'text'],
  pregnant: ['pregnant', 'text'],
  hospitalized: ['hospitalized', 'text'],
  visitType: ['visit_type', 'text'],
  jurisdiction: ['jurisdiction_id', 'uuid'],
};

/** A place that shares a case sees it without what others have told. [P23] */
export const caseOnTimeline: TimelineShown = { shown: 'app_case_shown(stored, stored.told_within)' };

/** What the declaration of a case does not say. */
export const caseServer = (lookups: Lookups) =>
  patientServer<StoredCase, Context>({
    record: caseRecord,
    history: historyShown(caseRecord),
    sql: {},
    searched: [],
    lock: (tx, tenantId, ids) =>
      // A separate statement, because rows joined to a locked row are not read again after another transaction has
      // changed it. Always in the same order, so that two never deadlock.
      tx.rows(
        'select from case_report where tenant_id = $1 and id = any($2::uuid[]) order by id for update',
        [tenantId, ids],
      ),
    read: readStored,
    answer: readCase,
    opened: {
      async find(database, call, id) {
        const { scope } = call;
        if (!call.may('break-glass/write') || scope.kind !== 'org') return undefined;
        // Not in the request's own transaction, because that reads no record.
        const [access] = await database.withScope(scope, (tx) => accessesOf(tx, scope, id), {
          readOnly: true,
        });
        return access;
      },
      answer(answer, access) {
        const record = answer as CaseReport;
        const breakGlass = access as GlassAccess;
        const conditionLabel = labelOf(conditionByCode(record.condition));
        const familyLabel = labelOf(familyByCode(record.diseaseFamily));
        return { ...record, breakGlass: { ...breakGlass, conditionLabel, familyLabel } };
      },
    },
    // Looked up before the transaction, because a transaction that waits for a second connection could wait forever.
    context: async (person) => ({
      offered: await lookups.labels('investigators', person),
      here: new Map(),
    }),
    async faults(tx, writer, { stored, changes }) {
      const { offered, here } = writer.context;
      const { today } = writer;
      const change = Object.fromEntries(
        Object.entries(changes).map(([field, { to }]) => [field, to]),
      ) as Partial<StoredCase>;
      const faults: Fault[] = [];
      const { classification, investigator } = change;
      if (classification !== undefined && !lawfulFor(stored.condition).includes(classification))
        faults.push(caseFault('classification', 'unlawful'));
      if (investigator && offered.has(investigator) && !here.has(investigator))
        here.set(investigator, await isHere(tx, writer.tenantId, investigator));
      if (investigator && !(offered.has(investigator) && here.get(investigator)))
        faults.push(caseFault('investigator', 'not-an-investigator'));
      const { jurisdiction } = change;
      if (jurisdiction && !(await isOfCounty(tx, writer.tenantId, jurisdiction, stored.county)))
        faults.push(caseFault('jurisdiction', 'not-of-county'));
      if (change.status === 'complete' && (await hasOpenContacts(tx, writer.tenantId, stored.id)))
        faults.push(caseFault('status', 'open-contacts'));
      if (
        (change.status === 'complete' || change.status === 'no_follow_up') &&
        (await isFollowedUp(tx, writer.tenantId, stored.id))
      )
        faults.push(caseFault('status', 'open-follow-up'));
      const dates = Object.fromEntries(
        eventDates.map((field) => [field, field in change ? change[field] : stored[field]]),
      ) as Parameters<typeof eventDateFaults>[0];
      const { birthDate } = stored;
      for (const { field, code, ...rest } of eventDateFaults(dates, new Set(Object.keys(change)), {
        today,
        birthDate,
      }))
        faults.push({ ...caseFault(field, code), ...rest });
      return faults;
    },
    derived: (_writer, { changes: { status, classification } }) => ({
      ...(classification && { classified_by: 'person' }),
      // A person has reviewed it and decided.
      ...((status || classification) && { review_reason: null }),
    }),
    sets(changes, param) {
      // The part of a case that its own place sees, if others have reported on it too. A person's change applies to
      // everyone.
      const within = Object.entries(toldWithin).flatMap(([field, [column, type]]) =>
        changes[field] ? [`'${column}', cast(${param(changes[field].to)} as ${type})`] : [],
      );
      const { status } = changes;
      const closes = status && (status.to === 'closed') !== (status.from === 'closed');
      return [
        'updated_at = now()',
        `told_within = app_within_next(told_within, to_jsonb(now())) || jsonb_build_object(${within.join(', ')})`,
        ...(closes ? [`closed_at = ${status.to === 'closed' ? 'now()' : 'null'}`] : []),
      ];
    },
    async write(tx, writer, changed) {
      await addEvents(tx, writer, changed.flatMap(eventsOf));
      await giveByRules(
        tx,
        writer.tenantId,
        'case_report',
        caseWorkRules,
        changed
          .filter(({ changes }) => changes.pregnant !== undefined)
          .map(({ stored, changes }) => {
            const { id, investigator, condition, classification, pregnant } = {
              ...stored,
              ...Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to])),
            };
            const family = conditionByCode(condition)?.family;
            return { id, account: investigator, values: { family, classification, pregnant } };
          }),
      );
      await recordChange(
        tx,
        writer.tenantId,
        'case_report',
        changed.map(({ stored }) => stored.id),
      );
    },
  });

/** A person who has left stays in the look-up for their old cases, but gets no new ones. */
async function isHere(tx: Tx, tenantId: string, accountId: string): Promise<boolean> {
  const rows = await tx.rows(
    `select from membership m join account a on a.id = m.account_id
     where m.tenant_id = $1 and a.id = $2 and m.ended_at is null and a.disabled_at is null and ${hasCome} limit 1`,
    [tenantId, accountId],
  );
  return rows.length > 0;
}

/** Contacts that the writer sees. */
async function hasOpenContacts(tx: Tx, tenantId: string, caseId: string): Promise<boolean> {
  const rows = await tx.rows(
    `select from contact where tenant_id = $1 and case_report_id = $2 and status = 'under-follow-up' limit 1`,
    [tenantId, caseId],
  );
  return rows.length > 0;
}

/** A person must not be lost from sight because the case is done. */
async function isFollowedUp(tx: Tx, tenantId: string, caseId: string): Promise<boolean> {
  const rows = await tx.rows(
    `select from case_follow_up where tenant_id = $1 and case_report_id = $2 and status = 'under-follow-up' limit 1`,
    [tenantId, caseId],
  );
  return rows.length > 0;
}

/** A jurisdiction without this county would not see a case that is sent to it. */
async function isOfCounty(
  tx: Tx,
  tenantId: string,
  jurisdictionId: string,
  county: string | null,
): Promise<boolean> {
  const rows = await tx.rows(
    `select from tenant_reporting r join jurisdiction j on j.id = r.jurisdiction_id and j.deactivated_at is null
     join jurisdiction_county c on c.jurisdiction_id = j.id and c.county_fips = $3
     where r.tenant_id = $1 and r.jurisdiction_id = $2 and r.ended_at is null limit 1`,
    [tenantId, jurisdictionId, county],
  );
  return rows.length > 0;
}

const labelOf = (entry: Labelled | undefined): Labelled | null =>
  entry ? { label: entry.label, labelI18N: entry.labelI18N } : null;
