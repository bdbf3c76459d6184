import { type AuditRow, recordsNamed } from './audit.ts';
import { auditActionKey, auditActions } from './audit-action.ts';
import { caseReportGrid } from './case-reports.ts';
import { columnOfFilter } from './dashboard.ts';
import { dashboards } from './dashboards/all.ts';
import type { Grid } from './grid.ts';
import type { Labelled } from './label.ts';

/** The filter code for text typed into a list's search box. */
export const typedWords = 'typedWords';

/** Actions whose events list the columns that narrowed the list or numbers; each has a second sentence. */
export const narrowedActions: readonly string[] = auditActions.filter(
  (action) =>
    action === 'export' ||
    /^POST \/api\/web\/grid\/[^/]+\/search$/.test(action) ||
    action.startsWith('POST /api/web/analytics/'),
);

/** Actions that require a reason, which the sentence quotes. */
export const reasonedActions: readonly string[] = [
  'break-glass/opened',
  'break-glass/not-found',
  'tenant/suspended',
];

/** Actions by the system or by someone in another tenant; their sentence names no one. */
export const namelessActions: readonly string[] = [
  'audit/archived',
  'retention/raw-messages-deleted',
  'retention/uploads-deleted',
  'jurisdiction/reporting-began',
  'jurisdiction/reporting-changed',
  'jurisdiction/reporting-ended',
];

/** Actions on one or many records; their sentence has singular and plural forms. */
export const countedActions: readonly string[] = [
  'change',
  'consider changes',
  'map code',
  'looked up by a dry run',
];

type Told = Pick<AuditRow, 'action' | 'deed' | 'records' | 'withheld' | 'reason' | 'filteredBy'>;

/**
 * Where an event's sentence is in the `audit` texts (`narrowed.export`), and the count that selects its
 * plural form. Its placeholders are `who`, `records`, `columns` and `reason`. Unknown actions have no
 * sentence.
 */
export function sentenceOf(event: Told): {
  group: 'sentence' | 'narrowed' | 'reasoned';
  action: string;
  count: number | undefined;
} {
  const action = auditActionKey(event.action);
  const named = recordsNamed(event);
  const group =
    event.reason !== null && reasonedActions.includes(action)
      ? 'reasoned'
      : event.filteredBy.length > 0 && narrowedActions.includes(action)
        ? 'narrowed'
        : 'sentence';
  const count = countedActions.includes(action) ? (typeof named === 'number' ? named : 1) : undefined;
  return { group, action, count };
}

/** Columns with their own labels: answers of a form. */
const ownColumns: Grid['columns'] = caseReportGrid.columns;

/** A column's or filter's own label, or the keys of its label; a language uses the first key it has. */
export function wordsOfColumn(code: string): { own: Labelled | undefined; keys: readonly string[] } {
  // A dashboard filter shares the label of the column it narrows.
  const ofDashboards = dashboards.flatMap((one) =>
    code === one.restrictedFilter ? ['restricted'] : (columnOfFilter(one, code) ?? []),
  );
  return {
    own: ownColumns[code]?.words,
    keys: [
      ...ofDashboards.map((column) => `analytics:filter.${column}`),
      `case-reports:filters.${code.replace(/Filter$/, '')}`,
      ...[
        'case-reports',
        'testing-analytics',
        'audit',
        'users',
        'imports',
        'work-tasks',
        'treatments',
        'vaccinations',
        'documents',
        'incident-reports',
        'contacts',
        'case-follow-ups',
        'partner-services',
        'field-visits',
        'sample-shipments',
        'telemedicine',
      ].map((name) => `${name}:column.${code}`),
      `places:field.${code}`,
    ],
  };
}
