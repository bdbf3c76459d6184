import { type AuditRow, recordsNamed } from './audit.ts';
import { auditActionKey, auditActions } from './audit-action.ts';
import { caseReportGrid } from './case-reports.ts';
import { columnOfFilter } from './dashboard.ts';
import { dashboards } from './dashboards/all.ts';
import type { Grid } from './grid.ts';
import type { Labelled } from './label.ts';

/** The code of the words that someone typed into the search box of a list, among its filters. */
export const typedWords = 'typedWords';

/** Actions whose events say by which columns their list or numbers were narrowed; each has a second sentence. */
export const narrowedActions: readonly string[] = auditActions.filter(
  (action) =>
    action === 'export' ||
    /^POST \/api\/web\/grid\/[^/]+\/search$/.test(action) ||
    action.startsWith('POST /api/web/analytics/'),
);

/** Actions of which people give the reason, which is in the sentence. */
export const reasonedActions: readonly string[] = [
  'break-glass/opened',
  'break-glass/not-found',
  'tenant/suspended',
];

/** Actions that the product does by itself, or someone in another tenant: their sentence names nobody. */
export const namelessActions: readonly string[] = [
  'audit/archived',
  'retention/raw-messages-deleted',
  'retention/uploads-deleted',
  'jurisdiction/reporting-began',
  'jurisdiction/reporting-changed',
  'jurisdiction/reporting-ended',
];

/** Actions that change or read one record or many; their sentence has a form for each number. */
export const countedActions: readonly string[] = [
  'change',
  'consider changes',
  'map code',
  'looked up by a dry run',
];

type Told = Pick<AuditRow, 'action' | 'deed' | 'records' | 'withheld' | 'reason' | 'filteredBy'>;

/**
 * Where the sentence of an event is among the words of `audit` (`narrowed.export`), and the number that its form depends
 * on. Its placeholders are `who`, `records`, `columns` and `reason`. An action that is not known has no sentence.
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

/** Columns that bring their own words: answers of a form. */
const ownColumns: Grid['columns'] = caseReportGrid.columns;

/** The own words of a column or filter, or the keys of its words, of which the first that a language has is used. */
export function wordsOfColumn(code: string): { own: Labelled | undefined; keys: readonly string[] } {
  // The words of a dashboard's filter are those of the column that it narrows.
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
