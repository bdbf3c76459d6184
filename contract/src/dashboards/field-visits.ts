import { dashboard } from '../dashboard.ts';
import { endOfMonth, startOfMonth } from '../date-range.ts';
import { fieldVisitAttempts, fieldVisits as visits } from '../field-visit-facts.ts';
import { bad, good, over, ratio } from '../measure.ts';
import { visitFilters, visitTextFilters } from '../visit-columns.ts';

const [visit, attempt] = [over(visits), over(fieldVisitAttempts)];
const done = { status: ['done'] } as const;
const cancelled = { status: ['cancelled'] } as const;
const notCancelled = { status: { not: ['cancelled'] } } as const;
const underWay = { status: { not: ['done', 'cancelled'] } } as const;
const metInPerson = ['cooperative', 'uncooperative'] as const;
const reached = { ...done, result: metInPerson } as const;
const shows = ['visits', 'completion', 'cooperation'] as const;
const tries = ['attempts', 'reachedShare'] as const;

/** [S1.1, S3.11, S9.8] */
export const fieldVisits = dashboard('field-visits', {
  permission: 'field-visit-analytics/read',
  facts: { visits, attempts: fieldVisitAttempts },
  main: 'visits',
  filters: visitFilters,
  textFilters: visitTextFilters,
  eventDates: { planned: 'plannedFor', done: 'doneOn', created: 'createdOn' },
  /** The current month. [S9.8] */
  defaultRange: (today) => ({ start: startOfMonth(today), end: endOfMonth(today) }),
  classes: {
    by: 'status',
    are: { done: ['done'], cancelled: ['cancelled'] },
    rest: 'underWay',
  },
  measures: {
    visits: visit.count(),
    people: visit.persons(),
    done: visit.count(done),
    cancelled: visit.count(cancelled),
    completion: visit.share(done, notCancelled, good),
    open: visit.count(underWay),
    overdue: visit.count({ ...underWay, dueOn: { daysAgo: { atLeast: 1 } } }, bad),
    unassigned: visit.count({ status: ['open'] }, bad),
    contactRate: visit.share(reached, done, { ...good, source: 'AAPOR-2023', interval: true }),
    cooperation: visit.share(
      { ...done, result: ['cooperative'] },
      { ...done, result: metInPerson },
      // Below this, the share says more about chance than about the workers.
      { ...good, source: 'AAPOR-2023', interval: true, from: 20 },
    ),
    notFound: visit.share({ ...done, result: ['not-found'] }, done, bad),
    attemptsPerVisit: ratio(visit.sum('attemptCount', done), visit.count(done)),
    attemptsPerContact: ratio(visit.sum('attemptCount', reached), visit.count(reached)),
    firstAttemptMedian: visit.median('daysToAttempt', 'days'),
    firstAttemptP90: visit.percentile('daysToAttempt', 0.9, 'days', { beside: 'firstAttemptMedian' }),
    contactMedian: visit.median('daysToContact', 'days'),
    contactP90: visit.percentile('daysToContact', 0.9, 'days', { beside: 'contactMedian' }),
    doneMedian: visit.median('daysToDone', 'days'),
    doneP90: visit.percentile('daysToDone', 0.9, 'days', { beside: 'doneMedian' }),
    attemptedWithin3: visit.within('daysToAttempt', 3, 'counts-as-not', notCancelled),
    doneWithin7: visit.within('daysToDone', 7, 'counts-as-not', notCancelled),
    doneWithin14: visit.within('daysToDone', 14, 'counts-as-not', notCancelled),
    inTime: visit.share({ inTime: ['yes'] }, { inTime: ['yes', 'no'] }, good),
    attempts: attempt.count(),
    reachedShare: attempt.share({ reached: true }, {}, good),
    undated: visit.undated(),
  },
  leading: ['visits', 'completion', 'cooperation', 'firstAttemptMedian'],
  home: 'visits',
  sections: {
    visits: ['people', 'done', 'open', 'cancelled'],
    outcomes: ['contactRate', 'notFound', 'attemptsPerVisit', 'attemptsPerContact'],
    timing: ['contactMedian', 'doneMedian', 'attemptedWithin3', 'doneWithin7', 'doneWithin14', 'inTime'],
    attempts: ['attempts', 'reachedShare'],
    work: ['overdue', 'unassigned', 'undated'],
    where: [],
    who: [],
  },
  series: {
    trend: { form: 'trend', wide: true, section: 'visits' },
    status: { form: 'bars', by: 'status', shows: ['visits'], section: 'visits' },
    visitType: { form: 'bars', by: 'visitType', shows, section: 'visits' },
    result: { form: 'bars', by: 'result', of: done, shows: ['visits'], section: 'outcomes' },
    outcome: { form: 'bars', by: 'outcome', shows: ['visits'], section: 'outcomes' },
    attemptCount: {
      form: 'buckets',
      by: 'attemptCount',
      from: [0, 1, 2, 3, 4, 6],
      of: done,
      section: 'outcomes',
    },
    firstAttempt: { form: 'buckets', by: 'daysToAttempt', from: [0, 1, 4, 8, 15], section: 'timing' },
    daysToDone: { form: 'buckets', by: 'daysToDone', from: [0, 4, 8, 15, 31], of: done, section: 'timing' },
    timeOfDay: {
      on: 'attempts',
      form: 'heat',
      by: 'weekday',
      across: 'dayPart',
      shows: ['attempts', 'reachedShare'],
      section: 'attempts',
    },
    method: { on: 'attempts', form: 'bars', by: 'method', shows: tries, section: 'attempts' },
    attemptOutcome: { on: 'attempts', form: 'bars', by: 'outcome', shows: ['attempts'], section: 'attempts' },
    worker: {
      form: 'bars',
      by: 'workerId',
      top: 20,
      shows: ['visits', 'open', 'cooperation'],
      section: 'work',
    },
    openAge: {
      form: 'buckets',
      by: 'createdOn',
      from: [0, 4, 8, 15, 31],
      of: underWay,
      shows: ['open'],
      section: 'work',
    },
    taskCategory: { form: 'bars', by: 'taskCategory', shows, section: 'work' },
    registration: { form: 'bars', by: 'registration', shows, section: 'work' },
    county: { form: 'map', by: 'countyFips', shows, section: 'where' },
    facility: { form: 'bars', by: 'facilityId', shows, section: 'where' },
    program: { form: 'bars', by: 'programId', shows, section: 'where' },
    diseaseFamily: { form: 'bars', by: 'diseaseFamily', shows, section: 'where' },
    ageSex: { form: 'pyramid', by: 'ageBand', sides: 'sex', shows: ['visits'], section: 'who' },
    race: { form: 'bars', by: 'race', shows, section: 'who' },
    ethnicity: { form: 'bars', by: 'ethnicity', shows, section: 'who' },
  },
});
