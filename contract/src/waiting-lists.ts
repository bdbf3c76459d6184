import { caseFollowUpGrid } from './case-follow-ups.ts';
import { caseReportGrid, openCaseStatuses } from './case-reports.ts';
import { contactGrid } from './contacts.ts';
import { addDays } from './date-range.ts';
import type { Permission } from './endpoint.ts';
import { fieldVisitGrid } from './field-visits.ts';
import type { FilterItem, Grid } from './grid.ts';
import { importGrid } from './imports.ts';
import { partnerGrid } from './partner-services.ts';
import type { FeatureNeed } from './permission.ts';
import { linkToGrid } from './search-params.ts';
import { telemedicineGrid } from './telemedicine.ts';
import type { WaitingKind, WaitingListKind, WaitingQueue } from './waiting.ts';
import { workTaskRecord } from './work-tasks.ts';

/** A list of what waits for the reader; its number is how many rows the link shows. */
export interface WaitingList {
  grid: Grid;
  /** The list's screen, which is also its menu entry. */
  path: string;
  filters?: Record<string, string[]>;
  items?: (reader: Reader) => Omit<FilterItem, 'id'>[];
  /** Who works on it, if not everyone who reads the list. */
  permission?: Permission;
}
export interface Reader {
  accountId: string;
  /** Today in the tenant's time zone. */
  today: string;
}

const ownTasks = (items: WaitingList['items']): WaitingList => ({
  grid: workTaskRecord.grid,
  path: '/work-tasks',
  filters: { whose: ['mine'] },
  items: (reader) => [{ field: 'state', operator: 'is', value: 'open' }, ...items!(reader)],
});
const view = (grid: Grid, path: string, code: string, of = 'show'): WaitingList => ({
  grid,
  path,
  filters: { [of]: [code] },
});

export const waitingLists = {
  tasksOverdue: ownTasks(({ today }) => [{ field: 'dueOn', operator: 'before', value: today }]),
  tasksToday: ownTasks(({ today }) => [{ field: 'dueOn', operator: 'is', value: today }]),
  teamTasks: view(workTaskRecord.grid, '/work-tasks', 'my-teams', 'whose'),
  visitsOverdue: view(fieldVisitGrid, '/field-visits', 'overdue'),
  visitsToday: view(fieldVisitGrid, '/field-visits', 'today'),
  contactsDue: view(contactGrid, '/contacts', 'due'),
  caseFollowUpsDue: view(caseFollowUpGrid, '/case-follow-ups', 'due'),
  partnersLate: view(partnerGrid, '/partner-services', 'late'),
  telemedicineOverdue: view(telemedicineGrid, '/telemedicine', 'overdue'),
  telemedicineToday: view(telemedicineGrid, '/telemedicine', 'today'),
  ownCases: {
    grid: caseReportGrid,
    path: '/case-reports',
    items: ({ accountId }) => [
      { field: 'investigator', operator: 'is', value: accountId },
      { field: 'status', operator: 'isAnyOf', value: [...openCaseStatuses] },
    ],
  },
  tasks: ownTasks(() => []),
  // A file that nobody puts right in a month is left as it is.
  refusedFiles: {
    grid: importGrid,
    path: '/imports',
    permission: 'imports/write',
    items: ({ today }) => [
      { field: 'refused', operator: '>', value: 0 },
      { field: 'run', operator: 'is', value: 'import' },
      { field: 'createdAt', operator: 'onOrAfter', value: addDays(today, -30) },
    ],
  },
} as const satisfies Record<WaitingListKind, WaitingList>;

export interface Queue {
  permission: Permission;
  /** A feature that must be on, in addition to those of the permission. */
  feature?: FeatureNeed;
  path: string;
}
/** Queues that are not lists of records: who decides them, and where. */
export const waitingQueues = {
  codes: { permission: 'imports/write', path: '/imports/codes' },
  pairs: { permission: 'patients/merge', feature: 'imports', path: '/imports/pairs' },
  recoveries: { permission: 'users/write', path: '/admin/users/recovery' },
  accesses: { permission: 'privacy/officer', path: '/privacy' },
} as const satisfies Record<WaitingQueue, Queue>;

/** The filters of a list of what waits for a reader. */
export const waitingItems = (kind: WaitingListKind, reader: Reader): FilterItem[] => {
  const { items }: WaitingList = waitingLists[kind];
  return (items?.(reader) ?? []).map((item, id) => ({ id, ...item }));
};

/** Where to work on it: exactly the counted rows. */
export function waitingPath(kind: WaitingKind, reader: Reader): string {
  if (kind in waitingQueues) return waitingQueues[kind as WaitingQueue].path;
  const { grid, path, filters = {} }: WaitingList = waitingLists[kind as WaitingListKind];
  return linkToGrid(grid, path, {
    filters,
    filterModel: { items: waitingItems(kind as WaitingListKind, reader), logicOperator: 'and' },
    ...(grid.defaultRange && { range: 'all' as const }),
  });
}
