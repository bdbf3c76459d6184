import { z } from 'zod';
import { auditActions, auditRecordKinds } from './audit-action.ts';
import { auditDeeds } from './audit-deed.ts';
import { addDays } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { type Grid, gridQuery, gridSearch } from './grid.ts';
import { orgTypes } from './session.ts';

const id = z.uuid();
const text = z.string().nullable();

export const auditRow = z.object({
  id,
  at: z.iso.datetime(),
  accountId: id.nullable(),
  /** Null for the system, someone in another tenant, or an unknown user. */
  who: text,
  /** The name the account signs in with; null for patients. */
  account: text,
  deed: z.enum(auditDeeds),
  /** Method and path of a request, or the name of an action (`user/invited`). */
  action: z.string(),
  recordKind: text,
  /** How many records it names. */
  records: z.number().int(),
  /** The case number, if the event names only that case report and the reader may see it. */
  caseNumber: text,
  /** The columns and filters that narrowed a list, file or numbers; never their values. */
  filteredBy: z.array(z.string()),
  orgType: z.enum([...orgTypes, 'A']).nullable(),
  organization: text,
  /** The reason, if the person had to give one. */
  reason: text,
  address: text,
  /**
   * True for readers who can see neither the record nor all accesses: they do not learn which hidden record
   * was opened, or why.
   */
  withheld: z.boolean(),
});
export type AuditRow = z.infer<typeof auditRow>;

/**
 * How many records an event names, or why there is no number. `totals`: the reader saw only counts; `none`:
 * other events name the records of the file; `withheld`: the records are hidden.
 */
export function recordsNamed({
  deed,
  records,
  withheld,
}: Pick<AuditRow, 'deed' | 'records' | 'withheld'>): number | 'totals' | 'none' | 'withheld' {
  if (withheld) return 'withheld';
  if (records > 0) return records;
  if (deed === 'numbers') return 'totals';
  return deed === 'export' ? 'none' : 0;
}

export const auditGrid = {
  id: 'audit',
  permission: 'audit/read',
  columns: {
    at: { kind: 'date', withTime: true, width: 180 },
    who: { kind: 'text', sensitive: true, width: 180, hidden: true },
    account: { kind: 'text', sensitive: true, width: 240, hidden: true },
    // Only for filtering: the action's sentence says the same in more detail.
    deed: { kind: 'choice', options: auditDeeds, width: 150, hidden: true },
    action: { kind: 'choice', options: auditActions, width: 520 },
    recordKind: { kind: 'choice', options: auditRecordKinds, width: 220 },
    records: { kind: 'number', width: 110, hidden: true },
    organization: { kind: 'text', width: 200 },
    reason: { kind: 'text', width: 150 },
    address: { kind: 'text', width: 150, hidden: true },
  },
  card: { title: ['action'], lines: ['at', 'recordKind', 'organization', 'reason'] },
  // [S9.3]
  defaultSort: [{ field: 'at', sort: 'desc' }],
  // Ids of accounts, and of records the event names.
  filters: ['accountFilter', 'recordFilter'],
  defaultRange: (today) => ({ start: addDays(today, -30), end: today }),
  rangeFields: ['at'],
  row: auditRow,
} as const satisfies Grid;

export const searchAudit = gridSearch(auditGrid);

export const auditEvent = auditRow.extend({
  /** The values before and after a change, and other details of the event. */
  detail: z.record(z.string(), z.unknown()),
  /** At most the first thousand. */
  recordIds: z.array(id),
  requestId: text,
  /**
   * Its place in the chain; null for events the product did not write, and for readers of part of the log.
   */
  place: z.object({ lane: z.number().int(), number: z.number().int(), hash: z.string() }).nullable(),
});
export type AuditEventDetail = z.infer<typeof auditEvent>;

export const readAuditEvent = endpoint({
  method: 'GET',
  path: '/api/web/audit/events/:id',
  access: 'audit/read',
  deed: 'read',
  summary: 'One event of the audit log',
  params: z.strictObject({ id }),
  response: auditEvent,
});

/** Months of the log that have moved to archive files, newest first. */
export const listAuditArchives = endpoint({
  method: 'GET',
  path: '/api/web/audit/archives',
  access: 'audit/read',
  deed: 'read',
  summary: 'The months of the audit log that were moved to archive files',
  response: z.object({
    months: z.array(
      z.object({
        /** `YYYY-MM`. */
        month: z.string(),
        events: z.number().int(),
        file: z.string(),
        /** SHA-256 of the file, in hexadecimal. */
        digest: z.string(),
        archivedAt: z.iso.datetime(),
      }),
    ),
  }),
});

/** Every event that matches, on all pages, as CSV. The export is an event too. */
export const exportAudit = endpoint({
  method: 'POST',
  path: '/api/web/audit/export',
  access: 'audit/read',
  deed: 'export',
  summary: 'All matching events of the audit log as CSV',
  body: z.strictObject({ query: gridQuery(auditGrid) }),
  produces: 'text/csv',
});

/**
 * The records a search text matches. A case number matches the case, its person and that person's other
 * cases; an id matches that record; an email address matches the user who signs in with it.
 */
export const findAuditedRecords = endpoint({
  method: 'POST',
  path: '/api/web/audit/records',
  access: 'audit/read',
  deed: 'search',
  summary: 'Find the ids under which a record is in the audit log',
  patientData: true,
  body: z.strictObject({ text: z.string().trim().min(1).max(254) }),
  response: z.object({
    records: z.array(z.object({ id, kind: z.enum(['case', 'patient', 'user', 'unknown']) })),
  }),
});

/** Verifies the tenant's whole log; see `npm run audit:verify`. */
export const verifyAudit = endpoint({
  method: 'POST',
  path: '/api/web/audit/verify',
  access: 'audit/read',
  deed: 'administration',
  summary: 'Find events of the audit log that were edited, taken out or put in by another hand',
  response: z.object({
    events: z.number().int(),
    /** Events in archive files; they are verified with the file. */
    archived: z.number().int(),
    /** A fingerprint of the whole current log. */
    digest: z.string(),
    checkedAt: z.iso.datetime(),
    faults: z.array(
      z.object({
        kind: z.enum(['edited', 'missing', 'foreign']),
        lane: z.number().int().nullable(),
        number: z.number().int().nullable(),
        eventId: id.nullable(),
        at: z.iso.datetime().nullable(),
      }),
    ),
  }),
});
export type AuditCheck = z.infer<(typeof verifyAudit)['response'] & z.ZodType>;
