import { cases, openCaseStatuses } from '../case-reports.ts';
import { dashboard } from '../dashboard.ts';
import { addDays } from '../date-range.ts';
import { bad, over } from '../measure.ts';
import { results } from '../results.ts';
import { shipments } from '../shipment-fact.ts';
import { transitions } from '../transition-fact.ts';
import { workTasks } from '../work-task-fact.ts';

const [report, task, step] = [over(cases), over(workTasks), over(transitions)];
const [box, test] = [over(shipments), over(results)];

const open = { status: openCaseStatuses } as const;
const rejected = ['rejected_by_jurisdiction', 'rejected_by_investigator'] as const;
const toDo = { state: ['open'] } as const;
/** Past its due date and not done. */
const overdue = { ...toDo, dueOn: { daysAgo: { atLeast: 1 } } } as const;
const onItsWay = ['in-transit', 'receiving'] as const;

/** What is waiting in a tenant, and how long it takes. [S1.1, S9.6] */
export const operations = dashboard('operations', {
  permission: 'operations-analytics/read',
  facts: { cases, workTasks, transitions, shipments, results },
  main: 'cases',
  filters: {
    programTypeFilter: 'programTypeId',
    programFilter: 'programId',
    taskFilter: 'taskId',
    facilityFilter: 'facilityId',
    countyFilter: 'countyFips',
    diseaseFamilyFilter: 'diseaseFamily',
  },
  eventDates: { created: 'createdOn' },
  defaultRange: (today) => ({ start: addDays(today, -30), end: today }),
  exactOnly: { shipments: 'A shipment is a box of specimens of several people.' },
  classes: {
    by: 'status',
    are: {
      toAssign: ['new', 'assigned_to_jurisdiction', 'accepted', ...rejected],
      inProgress: ['assigned', 'under_investigation', 'awaiting_interview', 'reopened'],
      awaitingReview: ['complete'],
    },
    rest: 'ended',
  },
  measures: {
    reports: report.count(),
    open: report.count(open),
    openOver30: report.count({ ...open, createdOn: { daysAgo: { atLeast: 31 } } }, bad),
    awaitingReview: report.count({ status: ['complete'] }),
    rejected: report.count({ status: rejected }, bad),
    tasks: task.count(),
    tasksOpen: task.count(toDo),
    tasksDone: task.count({ state: ['done'] }),
    tasksOverdue: task.count(overdue, bad),
    tasksOverdueShare: task.share(overdue, toDo, { ...bad, interval: true }),
    transitions: step.count(),
    rejections: step.count({ toStatus: rejected }, bad),
    assignMedian: step.median('daysToAssign', 'days'),
    assignWorkdays: step.median('workdaysToAssign', 'days', { beside: 'assignMedian' }),
    assignedInTime: step.within('workdaysToAssign', 1, 'left-out'),
    startMedian: step.median('daysToStart', 'days'),
    startWorkdays: step.median('workdaysToStart', 'days', { beside: 'startMedian' }),
    startedInTime: step.within('daysToStart', 3, 'left-out'),
    completeMedian: step.median('daysToComplete', 'days'),
    completeWorkdays: step.median('workdaysToComplete', 'days', { beside: 'completeMedian' }),
    completedInTime: step.within('daysToComplete', 14, 'left-out'),
    approveMedian: step.median('daysToApprove', 'days'),
    approveWorkdays: step.median('workdaysToApprove', 'days', { beside: 'approveMedian' }),
    approvedInTime: step.within('daysToApprove', 3, 'left-out'),
    shipments: box.count(),
    shipmentsReady: box.count({ state: ['packed'] }),
    shipmentsInTransit: box.count({ state: ['in-transit'] }),
    shipmentsAwaited: box.count({ state: onItsWay }),
    shipmentsLate: box.count({ state: onItsWay, expectedOn: { daysAgo: { atLeast: 1 } } }, bad),
    shipmentsLost: box.count({ state: ['lost'] }, bad),
    results: test.count(),
    latestResult: test.latest('createdOn'),
  },
  leading: ['open', 'awaitingReview', 'tasksOverdue', 'assignMedian'],
  sections: {
    cases: ['reports', 'openOver30', 'rejected'],
    tasks: ['tasks', 'tasksOpen', 'tasksDone', 'tasksOverdueShare'],
    time: [
      'startMedian',
      'completeMedian',
      'approveMedian',
      'assignedInTime',
      'startedInTime',
      'completedInTime',
      'approvedInTime',
      'transitions',
      'rejections',
    ],
    shipments: [
      'shipments',
      'shipmentsReady',
      'shipmentsInTransit',
      'shipmentsAwaited',
      'shipmentsLate',
      'shipmentsLost',
    ],
    results: ['results', 'latestResult'],
  },
  series: {
    trend: { form: 'trend', shows: ['reports', 'open'], wide: true, section: 'cases' },
    status: { form: 'bars', by: 'status', shows: ['reports'], section: 'cases' },
    openAge: {
      form: 'buckets',
      by: 'createdOn',
      from: [0, 8, 15, 31, 91],
      of: open,
      shows: ['open'],
      section: 'cases',
    },
    program: { form: 'bars', by: 'programId', shows: ['reports', 'open'], section: 'cases' },
    facility: { form: 'bars', by: 'facilityId', shows: ['reports', 'open'], section: 'cases' },
    work: {
      on: 'workTasks',
      form: 'table',
      by: 'work',
      shows: ['tasks', 'tasksOpen', 'tasksOverdue'],
      section: 'tasks',
    },
    overdueAge: {
      on: 'workTasks',
      form: 'buckets',
      by: 'dueOn',
      from: [1, 4, 8, 15, 31],
      of: overdue,
      shows: ['tasksOverdue'],
      section: 'tasks',
    },
    inStatus: {
      on: 'transitions',
      form: 'box',
      by: 'status',
      column: 'daysInFormer',
      unit: 'days',
      wide: true,
      section: 'time',
    },
    shipmentState: { on: 'shipments', form: 'bars', by: 'state', shows: ['shipments'], section: 'shipments' },
    shipmentFacility: {
      on: 'shipments',
      form: 'bars',
      by: 'facilityId',
      shows: ['shipments', 'shipmentsLate'],
      section: 'shipments',
    },
    resultTrend: {
      on: 'results',
      form: 'trend',
      mean: 7,
      shows: ['results'],
      wide: true,
      section: 'results',
    },
    resultFacility: { on: 'results', form: 'bars', by: 'facilityId', shows: ['results'], section: 'results' },
  },
});
