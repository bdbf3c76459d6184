import { dashboard } from '../dashboard.ts';
import { endOfMonth, startOfMonth } from '../date-range.ts';
import { bad, good, over } from '../measure.ts';
import { longWaitMinutes } from '../telemedicine.ts';
import { telemedicineVisits as visits } from '../telemedicine-facts.ts';
import { visitFilters, visitTextFilters } from '../visit-columns.ts';

const visit = over(visits);
const held = { status: ['fulfilled'] } as const;
const missed = { status: ['no-show'] } as const;
const timed = { weekday: { known: true } } as const;
const fhir = { source: 'FHIR-R5-APPOINTMENT' } as const;
const shows = ['visits', 'noShowShare', 'waitMedian'] as const;

/** [S1.1, S3.11, S9.8] */
export const telemedicine = dashboard('telemedicine', {
  permission: 'telemedicine-analytics/read',
  facts: { visits },
  main: 'visits',
  filters: visitFilters,
  textFilters: visitTextFilters,
  eventDates: { planned: 'plannedOn', created: 'createdOn' },
  /** The current month. [S9.8] */
  defaultRange: (today) => ({ start: startOfMonth(today), end: endOfMonth(today) }),
  /** [S4.11] */
  clear: 'sets-filters',
  classes: {
    by: 'status',
    are: { fulfilled: ['fulfilled'], noShow: ['no-show'], cancelled: ['cancelled'] },
    rest: 'underWay',
  },
  measures: {
    visits: visit.count(),
    people: visit.persons(),
    booked: visit.count(timed),
    unbooked: visit.count({ status: ['proposed', 'waitlisted'] }, bad),
    fulfilled: visit.count(held),
    noShow: visit.count(missed, bad),
    cancelled: visit.count({ status: ['cancelled'] }),
    completion: visit.share(held, { status: ['fulfilled', 'no-show', 'cancelled'] }, { ...good, ...fhir }),
    noShowShare: visit.share(
      missed,
      { status: ['fulfilled', 'no-show'] },
      { ...bad, ...fhir, interval: true },
    ),
    cancelledLate: visit.share({ cancelledLate: ['yes'] }, { cancelledLate: ['yes', 'no'] }, bad),
    leadMedian: visit.median('daysToVisit', 'days'),
    leadP90: visit.percentile('daysToVisit', 0.9, 'days', { beside: 'leadMedian' }),
    waitMedian: visit.median('waitedMinutes', 'minutes'),
    waitP90: visit.percentile('waitedMinutes', 0.9, 'minutes', { beside: 'waitMedian' }),
    waitedLong: visit.share(
      { waitedMinutes: { atLeast: longWaitMinutes + 1 } },
      { waitedMinutes: { known: true } },
      bad,
    ),
    lastedMedian: visit.median('lastedMinutes', 'minutes', { direction: undefined }),
    lastedP90: visit.percentile('lastedMinutes', 0.9, 'minutes', {
      beside: 'lastedMedian',
      direction: undefined,
    }),
    minutesHeld: visit.sum('lastedMinutes', held),
    goodConnection: visit.share({ connection: ['good'] }, { connection: { known: true } }, good),
    interpreted: visit.share({ interpreter: ['yes'] }, { interpreter: { known: true } }),
  },
  leading: ['visits', 'completion', 'noShowShare', 'waitMedian'],
  home: 'visits',
  sections: {
    visits: ['people', 'booked', 'fulfilled', 'noShow', 'cancelled', 'cancelledLate', 'unbooked'],
    time: ['leadMedian', 'lastedMedian', 'waitedLong', 'minutesHeld'],
    care: ['goodConnection', 'interpreted'],
    where: [],
    who: [],
  },
  series: {
    trend: { form: 'trend', wide: true, section: 'visits' },
    status: { form: 'bars', by: 'status', shows: ['visits'], section: 'visits' },
    visitType: { form: 'bars', by: 'visitType', shows, section: 'visits' },
    taskCategory: { form: 'bars', by: 'taskCategory', shows, section: 'visits' },
    registration: { form: 'bars', by: 'registration', shows, section: 'visits' },
    cancelledBy: {
      form: 'bars',
      by: 'cancelledBy',
      of: { status: ['cancelled'] },
      shows: ['visits'],
      section: 'visits',
    },
    slots: {
      form: 'heat',
      by: 'startHour',
      across: 'weekday',
      of: timed,
      shows: ['visits', 'noShowShare'],
      wide: true,
      section: 'time',
    },
    lead: {
      form: 'buckets',
      by: 'daysToVisit',
      from: [0, 1, 4, 8, 15, 31],
      of: timed,
      shows: ['visits', 'noShowShare'],
      section: 'time',
    },
    wait: {
      form: 'buckets',
      by: 'waitedMinutes',
      from: [0, 6, 16, 31],
      of: held,
      shows: ['visits'],
      section: 'time',
    },
    lasted: { form: 'box', by: 'visitType', column: 'lastedMinutes', unit: 'minutes', section: 'time' },
    provider: {
      form: 'bars',
      by: 'providerId',
      top: 20,
      shows: ['visits', 'noShowShare', 'minutesHeld'],
      section: 'care',
    },
    language: { form: 'bars', by: 'language', shows, section: 'care' },
    interpreter: { form: 'bars', by: 'interpreter', shows, section: 'care' },
    connection: { form: 'bars', by: 'connection', of: held, shows: ['visits'], section: 'care' },
    county: { form: 'map', by: 'countyFips', shows, section: 'where' },
    facility: { form: 'bars', by: 'facilityId', shows, section: 'where' },
    program: { form: 'bars', by: 'programId', shows, section: 'where' },
    diseaseFamily: { form: 'bars', by: 'diseaseFamily', shows, section: 'where' },
    ageSex: { form: 'pyramid', by: 'ageBand', sides: 'sex', shows: ['visits'], section: 'who' },
    race: { form: 'bars', by: 'race', shows, section: 'who' },
    ethnicity: { form: 'bars', by: 'ethnicity', shows, section: 'who' },
  },
});
