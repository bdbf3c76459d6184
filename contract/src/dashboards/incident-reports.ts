import { dashboard } from '../dashboard.ts';
import { addDays } from '../date-range.ts';
import { incidentReactions, incidents } from '../incident-facts.ts';
import { bad, over } from '../measure.ts';

const [report, part] = [over(incidents), over(incidentReactions)];
const serious = { serious: ['yes'] } as const;
const ofVaccine = { kind: ['vaccine-adverse-event'] } as const;
const other = { kind: ['other-incident'] } as const;
const open = { open: true } as const;
const shows = ['reports', 'serious'] as const;
const parts = ['vaccineReports', 'seriousReports'] as const;

/** [S1.1, S3.11, S9.10] */
export const incidentReports = dashboard('incident-reports', {
  permission: 'incident-report-analytics/read',
  facts: { incidents, incidentReactions },
  main: 'incidents',
  filters: {
    programFilter: 'programId',
    locationFilter: 'facilityId',
    visitTypeFilter: 'visitType',
    diseaseFamilyFilter: 'diseaseFamily',
  },
  eventDates: {
    received: 'receivedOn',
    vaccinated: 'vaccinatedOn',
    occurred: 'occurredOn',
    created: 'createdOn',
  },
  /** 14 days before to 14 days after today. [S9.10] */
  defaultRange: (today) => ({ start: addDays(today, -14), end: addDays(today, 14) }),
  caution: 'no-proof-of-cause',
  classes: { by: 'serious', are: { serious: ['yes'] }, rest: 'notSerious' },
  measures: {
    reports: report.count(),
    people: report.persons({ ofPerson: true }),
    serious: report.count(serious, bad),
    seriousShare: report.share(serious, {}, { ...bad, source: 'ICH-E2A', interval: true }),
    deaths: report.count({ died: true }, bad),
    hospitalized: report.count({ hospitalized: true }, bad),
    emergencyVisits: report.count({ emergencyVisit: true }),
    recovered: report.share(
      { outcome: ['recovered'] },
      { outcome: ['recovered', 'recovering', 'not-recovered', 'recovered-with-sequelae', 'fatal'] },
    ),
    vaccineReports: part.count(),
    seriousReports: part.count(serious, bad),
    onsetMedian: report.median('daysToOnset', 'days', { of: ofVaccine, direction: undefined }),
    onsetP90: report.percentile('daysToOnset', 0.9, 'days', {
      of: ofVaccine,
      beside: 'onsetMedian',
      direction: undefined,
    }),
    reportDelayMedian: report.median('daysToReport', 'days'),
    reportDelayP90: report.percentile('daysToReport', 0.9, 'days', { beside: 'reportDelayMedian' }),
    open: report.count(open),
    openOver30: report.count({ ...open, receivedOn: { daysAgo: { atLeast: 31 } } }, bad),
    nearMisses: report.count({ event: ['near-miss'] }),
    harmful: report.count({ harm: ['moderate', 'severe', 'death'] }, bad),
    undated: report.undated(),
  },
  leading: ['reports', 'serious', 'seriousShare', 'open'],
  home: 'reports',
  sections: {
    reports: ['people', 'deaths', 'hospitalized', 'emergencyVisits', 'recovered'],
    vaccines: ['vaccineReports'],
    timing: ['onsetMedian', 'reportDelayMedian', 'undated'],
    other: ['nearMisses', 'harmful'],
    work: ['openOver30'],
    where: [],
    who: [],
  },
  series: {
    trend: { form: 'trend', wide: true, section: 'reports' },
    kind: { form: 'bars', by: 'kind', shows, section: 'reports' },
    outcome: { form: 'bars', by: 'outcome', of: ofVaccine, shows, section: 'reports' },
    vaccine: { on: 'incidentReactions', form: 'bars', by: 'vaccine', shows: parts, section: 'vaccines' },
    reaction: {
      on: 'incidentReactions',
      form: 'bars',
      by: 'reaction',
      top: 20,
      shows: parts,
      section: 'vaccines',
    },
    dose: {
      on: 'incidentReactions',
      form: 'heat',
      by: 'vaccine',
      across: 'dose',
      shows: ['vaccineReports'],
      section: 'vaccines',
    },
    classification: { form: 'bars', by: 'classification', of: ofVaccine, shows, section: 'vaccines' },
    together: {
      on: 'incidentReactions',
      form: 'pairs',
      left: 'vaccine',
      right: 'reaction',
      strata: ['ageBand', 'sex'],
      least: 3,
      shows: ['vaccineReports'],
      wide: true,
      section: 'vaccines',
    },
    onset: {
      form: 'buckets',
      by: 'daysToOnset',
      from: [0, 1, 2, 4, 8, 15, 31],
      of: ofVaccine,
      shows,
      section: 'timing',
    },
    category: { form: 'bars', by: 'category', of: other, shows, section: 'other' },
    event: { form: 'bars', by: 'event', of: other, shows: ['reports'], section: 'other' },
    harm: { form: 'bars', by: 'harm', of: other, shows: ['reports'], section: 'other' },
    stage: { form: 'bars', by: 'stage', shows, section: 'work' },
    openAge: {
      form: 'buckets',
      by: 'receivedOn',
      from: [0, 3, 8, 31],
      of: open,
      shows: ['open'],
      section: 'work',
    },
    reporter: { form: 'bars', by: 'reporterRole', shows, section: 'work' },
    county: { form: 'map', by: 'countyFips', shows, section: 'where' },
    facility: { form: 'bars', by: 'facilityId', shows, section: 'where' },
    program: { form: 'bars', by: 'programId', shows, section: 'where' },
    ageSex: { form: 'pyramid', by: 'ageBand', sides: 'sex', of: { ofPerson: true }, shows, section: 'who' },
    race: { form: 'bars', by: 'race', of: { ofPerson: true }, shows, section: 'who' },
    ethnicity: { form: 'bars', by: 'ethnicity', of: { ofPerson: true }, shows, section: 'who' },
  },
});
