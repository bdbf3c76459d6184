import { dashboard } from '../dashboard.ts';
import { addDays } from '../date-range.ts';
import { bad, good, over, partOf, ratio } from '../measure.ts';
import { partnerCases, partnerRecords } from '../partner-facts.ts';

const [record, caseOf] = [over(partnerRecords), over(partnerCases)];

const ofCase = { role: 'case' } as const;
const interviewed = { ...ofCase, interviewStatus: 'I' } as const;
/**
 * The reports on sexually transmitted infections leave out HIV, which has its own dispositions and indices.
 */
const sti = { diseaseFamily: { not: ['hiv'] } } as const;
const hiv = { diseaseFamily: 'hiv' } as const;
const named = { role: ['partner', 'cluster', 'cohort'] } as const;
const partner = { role: 'partner', initiated: true } as const;
const cluster = { role: 'cluster', initiated: true } as const;
/** Partners and clusters, as the reports count them. */
const contact = { role: ['partner', 'cluster'], initiated: true } as const;
const examined = { ...contact, examOutcome: 'examined' } as const;

/** Dispositions in which an infection was prevented or treated; and in which it had been treated before. */
const brought = { ...sti, disposition: ['A', 'C'] } as const;
const treated = { ...sti, disposition: ['A', 'C', 'E'] } as const;
/** Tested for HIV because someone named them. */
const tested = { ...hiv, disposition: ['2', '3', '5', '6'] } as const;
/** Found to be infected through this work. */
const newlyFound = { disposition: ['C', 'D', '2', '5'] } as const;

const pa01 = { source: 'CDC-NBS-PA01' } as const;
const [byPa01, byPa04] = [
  { ...good, ...pa01, definition: 'PA01' },
  { ...good, source: 'CDC-NBS-PA04', definition: 'PA04' },
] as const;
/** Readers who may not see HIV get no numbers of it, not even zero. [P18] */
const tells = { tells: ['hiv'] } as const;

const interviewedWithin = (days: number) =>
  record.within('daysToInterview', days, 'left-out', interviewed, pa01);
const examinedWithin = (days: number) => record.within('daysToDisposition', days, 'left-out', examined, pa01);
const perInterviewed = record.count(interviewed);
const perInterviewedSti = record.count({ ...interviewed, ...sti });
const perInterviewedHiv = record.count({ ...interviewed, ...hiv });
const shows = ['assigned', 'interviewed'] as const;

/**
 * Partner services as in the CDC's program reports: confirmed and probable cases whose person has an
 * interviewer. A case and everyone named for it are counted by the case's dates. Two reports define indices
 * of the same names differently, so each states its report.
 */
export const partnerServices = dashboard('partner-services', {
  permission: 'partner-service-analytics/read',
  facts: { records: partnerRecords, cases: partnerCases },
  main: 'records',
  base: {
    records: { classification: ['confirmed', 'probable'], assigned: true },
    cases: { classification: ['confirmed', 'probable'], assigned: true },
  },
  filters: {
    diseaseFamilyFilter: 'diseaseFamily',
    conditionFilter: 'conditionCode',
    countyFilter: 'countyFips',
    facilityFilter: 'facilityId',
    programFilter: 'programId',
    interviewerFilter: 'interviewerId',
    sexFilter: 'sex',
    raceFilter: 'race',
    ethnicityFilter: 'ethnicity',
  },
  textFilters: { caseBasisFilter: 'caseBasis' },
  eventDates: { assigned: 'assignedOn', interviewed: 'interviewedOn', closed: 'caseClosedOn' },
  /** 13 weeks, because an interview, an exam and their dispositions take time. */
  defaultRange: (today) => ({ start: addDays(today, -90), end: today }),
  measures: {
    assigned: record.count(ofCase, pa01),
    interviewed: record.share(interviewed, ofCase, { ...good, ...pa01 }),
    interviewed3: interviewedWithin(3),
    interviewed5: interviewedWithin(5),
    interviewed7: interviewedWithin(7),
    interviewed14: interviewedWithin(14),
    reinterviewed: record.share({ ...interviewed, reinterviewed: true }, interviewed, { ...good, ...pa01 }),
    closed: record.share({ ...ofCase, caseClosed: true }, ofCase, { ...good, ...pa01 }),
    periodPartners: record.sum('periodPartners', interviewed, pa01),
    periodPartnerIndex: ratio(record.sum('periodPartners', interviewed), perInterviewed, pa01),

    named: record.count(named),
    partners: record.count(partner, pa01),
    partnersOriginal: record.count({ ...partner, namedHow: 'original' }, pa01),
    partnersReinterview: record.count({ ...partner, namedHow: 're-interview' }, pa01),
    contactIndex: ratio(record.count(partner), perInterviewed, { ...good, ...pa01 }),
    withPartners: partOf(caseOf.count(partner), perInterviewed, { ...good, ...pa01 }),
    clusters: record.count(cluster, pa01),
    clusterIndex: ratio(record.count(cluster), perInterviewed, { ...good, ...pa01 }),
    withClusters: partOf(caseOf.count(cluster), perInterviewed, { ...good, ...pa01 }),

    contacts: record.count(contact, pa01),
    examined: record.share(examined, contact, { ...good, ...pa01 }),
    notExamined: record.share({ ...contact, examOutcome: 'not-examined' }, contact, { ...bad, ...pa01 }),
    knownBefore: record.share({ ...contact, examOutcome: 'known-before' }, contact, pa01),
    open: record.share({ ...contact, examOutcome: 'open' }, contact, { ...bad, ...pa01 }),
    examined3: examinedWithin(3),
    examined5: examinedWithin(5),
    examined7: examinedWithin(7),
    examined14: examinedWithin(14),

    broughtCases: caseOf.count({ ...named, ...brought }, { ...good, ...pa01 }),
    diiPa01: ratio(caseOf.count({ ...named, ...brought }), record.count({ ...ofCase, ...sti }), byPa01),
    diiPartnersPa04: ratio(caseOf.count({ ...partner, ...treated }), perInterviewedSti, byPa04),
    diiClustersPa04: ratio(caseOf.count({ ...cluster, ...treated }), perInterviewedSti, byPa04),
    tiPa01: ratio(record.count({ ...named, ...treated }), perInterviewedSti, byPa01),
    tiPartnersPa04: ratio(record.count({ ...partner, ...treated }), perInterviewedSti, byPa04),
    tiClustersPa04: ratio(record.count({ ...cluster, ...treated }), perInterviewedSti, byPa04),
    sourceFound: partOf(caseOf.count({ ...partner, ...sti, isSource: true }), perInterviewedSti, {
      ...good,
      ...pa01,
    }),
    neededToInterview: ratio(perInterviewed, record.count({ ...partner, ...newlyFound }), bad),

    notificationIndex: ratio(caseOf.count({ ...partner, ...tested }), perInterviewedHiv, {
      ...good,
      ...pa01,
      ...tells,
    }),
    testingPa01: ratio(record.count({ ...partner, ...tested }), perInterviewedHiv, { ...byPa01, ...tells }),
    testingPa04: ratio(caseOf.count({ ...partner, ...tested }), perInterviewedHiv, { ...byPa04, ...tells }),
    undated: record.undated(),
  },
  leading: ['assigned', 'interviewed', 'contactIndex', 'diiPa01'],
  home: 'assigned',
  sections: {
    cases: [
      'interviewed3',
      'interviewed5',
      'interviewed7',
      'interviewed14',
      'reinterviewed',
      'closed',
      'periodPartners',
      'periodPartnerIndex',
      'undated',
    ],
    contacts: [
      'partners',
      'partnersOriginal',
      'partnersReinterview',
      'withPartners',
      'clusters',
      'clusterIndex',
      'withClusters',
      'named',
    ],
    exams: [
      'contacts',
      'examined',
      'notExamined',
      'knownBefore',
      'open',
      'examined3',
      'examined5',
      'examined7',
      'examined14',
    ],
    indices: [
      'broughtCases',
      'diiPartnersPa04',
      'diiClustersPa04',
      'tiPa01',
      'tiPartnersPa04',
      'tiClustersPa04',
      'sourceFound',
      'neededToInterview',
    ],
    hiv: ['notificationIndex', 'testingPa01', 'testingPa04'],
    where: [],
    who: [],
  },
  series: {
    trend: { form: 'trend', of: ofCase, shows, wide: true, section: 'cases' },
    condition: {
      form: 'table',
      by: 'conditionCode',
      shows: ['assigned', 'interviewed', 'interviewed7', 'partners', 'contactIndex', 'examined'],
      wide: true,
      section: 'cases',
    },
    interviewStatus: {
      form: 'bars',
      by: 'interviewStatus',
      of: ofCase,
      shows: ['assigned'],
      section: 'cases',
    },
    daysToInterview: {
      form: 'buckets',
      by: 'daysToInterview',
      from: [0, 4, 6, 8, 15],
      of: interviewed,
      shows: ['assigned'],
      section: 'cases',
    },
    referralBasis: {
      form: 'bars',
      by: 'referralBasis',
      of: contact,
      shows: ['contacts', 'examined'],
      section: 'contacts',
    },
    namedHow: { form: 'bars', by: 'namedHow', of: named, shows: ['named'], section: 'contacts' },
    role: {
      form: 'table',
      by: 'role',
      of: contact,
      shows: [
        'contacts',
        'examined',
        'notExamined',
        'knownBefore',
        'open',
        'examined3',
        'examined5',
        'examined7',
        'examined14',
      ],
      wide: true,
      section: 'exams',
    },
    disposition: { form: 'bars', by: 'disposition', of: contact, shows: ['contacts'], section: 'exams' },
    daysToDisposition: {
      form: 'buckets',
      by: 'daysToDisposition',
      from: [0, 4, 6, 8, 15],
      of: examined,
      shows: ['contacts'],
      section: 'exams',
    },
    interviewer: {
      form: 'table',
      by: 'interviewerId',
      shows: ['assigned', 'interviewed', 'interviewed7', 'partners', 'contactIndex', 'examined', 'open'],
      wide: true,
      section: 'where',
    },
    county: { form: 'map', by: 'countyFips', of: ofCase, shows, section: 'where' },
    facility: { form: 'bars', by: 'facilityId', of: ofCase, shows, section: 'where' },
    ageSex: {
      form: 'pyramid',
      by: 'ageBand',
      sides: 'sex',
      of: ofCase,
      shows: ['assigned'],
      section: 'who',
    },
    race: { form: 'bars', by: 'race', of: ofCase, shows, section: 'who' },
    ethnicity: { form: 'bars', by: 'ethnicity', of: ofCase, shows, section: 'who' },
  },
});
