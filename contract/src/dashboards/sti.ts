import { cases } from '../case-reports.ts';
import { dashboard } from '../dashboard.ts';
import { addDays } from '../date-range.ts';
import { bad, good, over } from '../measure.ts';
import { results } from '../results.ts';
import { retest, treatments } from '../treatments.ts';
import { testing } from './testing.ts';

const [test, event, treated] = [over(results), over(cases), over(treatments)];

/** Sexually transmitted infections. HIV is added where `restrictedDiseaseFamilies` has it. */
export const stiFamilies = [
  'chlamydia',
  'gonorrhea',
  'syphilis',
  'chancroid',
  'trichomoniasis',
  'mycoplasma-genitalium',
  'genital-herpes',
] as const;
const ofThese = { diseaseFamily: stiFamilies } as const;
const positive = { resultCategory: ['positive'] } as const;
const negative = { resultCategory: ['negative'] } as const;
/** Cases as counted nationally. */
const real = { classification: ['confirmed', 'probable'] } as const;
const syphilis = { diseaseFamily: ['syphilis'] } as const;
/** Cases of children, by the year and county of birth. */
const congenital = { ...real, conditionCode: ['syphilis-congenital'] } as const;
/** Infections whose treatment guidelines ask for a retest. */
const retestable = { diseaseFamily: ['chlamydia', 'gonorrhea'] } as const;
const treatedWithin = (days: number) => event.within('daysToTreatment', days, 'counts-as-not', real);
const shows = ['tests', 'positivity'] as const;

/** [S1.1, S3.11, S4.9, S9.6] */
export const sti = dashboard('sti', {
  permission: 'sti-analytics/read',
  facts: { results, cases, treatments },
  main: 'results',
  base: { results: ofThese, cases: ofThese, treatments: ofThese },
  filters: { ...testing.filters, assayFilter: 'assay' },
  restrictedFilter: 'restrictedDiseaseFamilies',
  eventDates: testing.dates,
  /** 30 days before today to today. [S9.6] */
  defaultRange: (today) => ({ start: addDays(today, -30), end: today }),
  classes: { by: 'resultCategory', are: { positive: ['positive'], negative: ['negative'] }, rest: 'other' },
  measures: {
    tests: test.count(),
    people: test.persons(),
    positive: test.count(positive),
    negative: test.count(negative),
    other: test.count({ resultCategory: { not: ['positive', 'negative'] } }),
    positivity: test.share(
      positive,
      { resultCategory: ['positive', 'negative'] },
      { ...bad, source: 'HP2020-STD-1.1', coarse: true },
    ),
    cases: event.count(real),
    rate: event.rate(real, bad),
    syphilisCases: event.count({ ...real, ...syphilis }),
    syphilisInPregnancy: event.count({ ...real, ...syphilis, pregnant: ['yes'] }, bad),
    congenitalSyphilis: event.count(congenital, bad),
    congenitalSyphilisRate: event.rate(congenital, { population: 'live-births', ...bad }),
    hivTested: event.share(
      { hivTested: true },
      // People known to have HIV are not tested for it again.
      { ...real, ...ofThese, hivKnown: false },
      { ...good, source: 'CDC-STI-2021', tells: ['hiv'] },
    ),
    treated7: treatedWithin(7),
    treated14: treatedWithin(14),
    treated30: treatedWithin(30),
    presumptive: event.count({ ...real, daysToTreatment: { atMost: -1 } }),
    retestEligible: treated.count(retestable),
    retested: treated.share({ daysToRetest: { atMost: retest.until } }, retestable, {
      ...good,
      source: 'CDC-STI-2021',
    }),
    undated: test.undated(),
  },
  leading: ['tests', 'positivity', 'cases', 'treated14'],
  home: 'cases',
  sections: {
    tests: ['people', 'positive', 'negative', 'other', 'undated'],
    cases: ['rate', 'syphilisInPregnancy', 'congenitalSyphilis', 'congenitalSyphilisRate', 'hivTested'],
    treatment: ['treated7', 'treated30', 'presumptive', 'retestEligible', 'retested'],
    where: [],
    who: [],
  },
  series: {
    trend: { form: 'trend', mean: 7, shows, wide: true, section: 'tests' },
    siteBySex: {
      form: 'heat',
      by: 'anatomicSite',
      across: 'sex',
      shows: ['positivity', 'tests'],
      section: 'tests',
    },
    siteByAge: {
      form: 'heat',
      by: 'anatomicSite',
      across: 'ageBand',
      shows: ['positivity', 'tests'],
      section: 'tests',
    },
    site: { form: 'bars', by: 'anatomicSite', shows, section: 'tests' },
    assay: { form: 'bars', by: 'assay', shows, section: 'tests' },
    curve: {
      on: 'cases',
      form: 'epidemic-curve',
      by: 'diseaseFamily',
      of: real,
      shows: ['cases'],
      section: 'cases',
    },
    stage: {
      on: 'cases',
      form: 'bars',
      by: 'conditionCode',
      of: { ...real, ...syphilis },
      shows: ['cases', 'rate'],
      section: 'cases',
    },
    condition: {
      on: 'cases',
      form: 'table',
      by: 'conditionCode',
      of: real,
      shows: ['cases', 'rate', 'treated7', 'treated14', 'treated30', 'presumptive'],
      wide: true,
      section: 'treatment',
    },
    // Presumptive treatment has no time to treatment, and is counted separately.
    timeToTreatment: {
      on: 'cases',
      form: 'box',
      by: 'conditionCode',
      column: 'daysToTreatment',
      unit: 'days',
      of: { ...real, any: [{ daysToTreatment: { atLeast: 0 } }, { daysToTreatment: { known: false } }] },
      wide: true,
      section: 'treatment',
    },
    county: {
      on: 'cases',
      form: 'map',
      by: 'countyFips',
      of: real,
      shows: ['rate', 'cases'],
      section: 'where',
    },
    facility: { form: 'bars', by: 'facilityId', shows, section: 'where' },
    ageSex: { form: 'pyramid', by: 'ageBand', sides: 'sex', shows, section: 'who' },
    race: { form: 'bars', by: 'race', shows, section: 'who' },
    ethnicity: { form: 'bars', by: 'ethnicity', shows, section: 'who' },
  },
});
