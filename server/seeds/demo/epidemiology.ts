/**
 * The diseases of the demo: who is tested, when, how often it is positive, how long reports take. Realistic in shape
 * (seasons, ages, trends, outbreaks), invented in every figure: nothing here is a statement about a real place.
 */

import type { ResultCategory } from '../../src/features/reference/schema.ts';

/** A test as it is ordered within an encounter. */
export interface DemoTest {
  loinc: string;
  family: string;
  /** Share of the encounter's patients for whom this test is ordered. */
  ordered: number;
  /** Share positive among those ordered, at the season's mean. */
  positivity: number;
  /** Share of results that are neither positive nor negative. */
  unclear: number;
  unclearCategories: readonly ResultCategory[];
  /** Median hours from receipt at the laboratory to the result. */
  hoursToResult: number;
  /** Words of the result: detected / not detected, reactive / non-reactive, positive / negative. */
  wording: 'detected' | 'reactive' | 'positive';
  assays: readonly string[];
}

/** The confirmatory tests that a laboratory adds to a positive screen, and how often they agree. */
const reflexes: Readonly<Record<string, readonly DemoTest[]>> = {
  // RPR: a treponemal test.
  '20507-0': [
    reflex('24110-9', 'syphilis', 0.9, 0.88, 'reactive', ['ARCHITECT Syphilis TP', 'LIAISON Treponema']),
  ],
  // HIV antigen and antibody: the differentiation of antibodies, and the virus.
  '56888-1': [
    reflex('5221-7', 'hiv', 0.85, 0.86, 'reactive', ['Geenius HIV 1/2']),
    reflex('5018-7', 'hiv', 0.45, 0.88, 'detected', ['Aptima HIV-1 Quant Dx']),
  ],
  // Hepatitis C antibody: the virus.
  '13955-0': [reflex('11259-9', 'hepatitis-c', 0.82, 0.66, 'detected', ['cobas HCV'])],
  // Hepatitis B surface antigen: antibodies to the core.
  '5196-1': [
    reflex('13952-7', 'hepatitis-b', 0.7, 0.95, 'reactive', ['ARCHITECT Anti-HBc II']),
    reflex('24113-3', 'hepatitis-b', 0.55, 0.06, 'reactive', ['ARCHITECT Anti-HBc IgM']),
  ],
};

function reflex(
  loinc: string,
  family: string,
  ordered: number,
  positivity: number,
  wording: DemoTest['wording'],
  assays: readonly string[],
): DemoTest {
  return {
    loinc,
    family,
    ordered,
    positivity,
    unclear: 0,
    unclearCategories: [],
    hoursToResult: 30,
    wording,
    assays,
  };
}

/** The tests that follow a positive one. */
export const reflexOf = (test: DemoTest): readonly DemoTest[] => reflexes[test.loinc] ?? [];

export interface Encounter {
  id: string;
  /** Share of all encounters. */
  share: number;
  /** Weight of an age in whole years. */
  age: (years: number) => number;
  /** Share of women among those tested. */
  female: number;
  /** Relative volume on a day of the year (0–365) and `recency`, 0 three years ago to 1 today. */
  volume: (dayOfYear: number, recency: number) => number;
  /** Relative positivity on that day. */
  risk: (dayOfYear: number, recency: number) => number;
  sites: readonly string[];
  tests: readonly DemoTest[];
}

/** The ages of people tested at a type of facility, in whole years: from, to. Absent: all ages. */
const agesAt: Readonly<Record<string, readonly [number, number]>> = {
  worksite: [18, 70],
  correctional: [18, 90],
  school: [5, 65],
};
/** Whether a person of an age is tested at a type of facility; null: the age is unknown. */
export function isTestedAt(facilityType: string, years: number | null): boolean {
  const [from, to] = agesAt[facilityType] ?? [0, Number.POSITIVE_INFINITY];
  return years === null || (years >= from && years <= to);
}

/** The specimen for a site, by SNOMED CT code; see `specimen-types.json`. */
export const specimenOfSite: Readonly<Record<string, string>> = {
  nasopharyngeal: '258500001',
  nasal: '445297001',
  urine: '122575003',
  vaginal: '258520000',
  cervical: '119395005',
  urethral: '258530009',
  pharyngeal: '472881004',
  rectal: '258528007',
  blood: '119364003',
  stool: '119339001',
};

/** A smooth yearly wave: 1 on average, highest on `peak` (day of the year). */
const wave = (dayOfYear: number, peak: number, height: number): number =>
  Math.exp(height * Math.cos((2 * Math.PI * (dayOfYear - peak)) / 365.25)) / (1 + height * height * 0.25);

const ages =
  (centre: number, spread: number, { floor = 0.05, from = 0 } = {}) =>
  (years: number) =>
    years < from ? 0 : floor + Math.exp(-((years - centre) ** 2) / (2 * spread * spread));

export const encounters: readonly Encounter[] = [
  {
    id: 'respiratory',
    share: 0.36,
    age: (years) => (years < 5 ? 1.6 : years < 18 ? 1.0 : years < 65 ? 0.8 : 1.5),
    female: 0.55,
    volume: (day, recency) => wave(day, 15, 0.7) * (1.2 - 0.35 * recency),
    risk: (day) => wave(day, 15, 0.6) + 0.35 * wave(day, 215, 1.2),
    sites: ['nasopharyngeal', 'nasal'],
    tests: [
      {
        loinc: '94500-6',
        family: 'coronavirus',
        ordered: 0.95,
        positivity: 0.115,
        unclear: 0.012,
        unclearCategories: ['inconclusive', 'invalid', 'unsatisfactory'],
        hoursToResult: 16,
        wording: 'detected',
        assays: ['cobas SARS-CoV-2', 'Xpert Xpress CoV-2 plus', 'Aptima SARS-CoV-2'],
      },
      {
        loinc: '92142-9',
        family: 'influenza',
        ordered: 0.5,
        positivity: 0.08,
        unclear: 0.006,
        unclearCategories: ['invalid', 'unsatisfactory'],
        hoursToResult: 16,
        wording: 'detected',
        assays: ['Xpert Xpress Flu/RSV', 'BioFire RP2.1'],
      },
      {
        loinc: '92131-2',
        family: 'rsv',
        ordered: 0.3,
        positivity: 0.06,
        unclear: 0.006,
        unclearCategories: ['invalid'],
        hoursToResult: 16,
        wording: 'detected',
        assays: ['Xpert Xpress Flu/RSV', 'BioFire RP2.1'],
      },
    ],
  },
  {
    id: 'sti',
    share: 0.34,
    age: ages(25, 8, { from: 13 }),
    female: 0.58,
    volume: (day, recency) => 0.95 + 0.1 * wave(day, 200, 0.4) + 0.25 * recency,
    risk: (_, recency) => 0.9 + 0.2 * recency,
    sites: ['urine', 'vaginal', 'cervical', 'pharyngeal', 'rectal', 'urethral'],
    tests: [
      {
        loinc: '43304-5',
        family: 'chlamydia',
        ordered: 0.94,
        positivity: 0.105,
        unclear: 0.008,
        unclearCategories: ['equivocal', 'invalid', 'unsatisfactory'],
        hoursToResult: 30,
        wording: 'detected',
        assays: ['Aptima Combo 2', 'cobas CT/NG', 'Xpert CT/NG'],
      },
      {
        loinc: '43305-2',
        family: 'gonorrhea',
        ordered: 0.94,
        positivity: 0.045,
        unclear: 0.008,
        unclearCategories: ['equivocal', 'invalid', 'unsatisfactory'],
        hoursToResult: 30,
        wording: 'detected',
        assays: ['Aptima Combo 2', 'cobas CT/NG', 'Xpert CT/NG'],
      },
      {
        loinc: '20507-0',
        family: 'syphilis',
        ordered: 0.42,
        positivity: 0.055,
        unclear: 0.004,
        unclearCategories: ['indeterminate'],
        hoursToResult: 26,
        wording: 'reactive',
        assays: ['RPR card test'],
      },
      {
        loinc: '56888-1',
        family: 'hiv',
        ordered: 0.36,
        positivity: 0.007,
        unclear: 0.003,
        unclearCategories: ['indeterminate', 'invalid'],
        hoursToResult: 22,
        wording: 'reactive',
        assays: ['ARCHITECT HIV Ag/Ab Combo', 'Determine HIV-1/2 Ag/Ab Combo'],
      },
    ],
  },
  {
    id: 'hiv',
    share: 0.1,
    age: ages(34, 12, { from: 13 }),
    female: 0.42,
    // National HIV Testing Day (27 June) and World AIDS Day (1 December).
    volume: (day) =>
      0.9 + 0.5 * Math.exp(-((day - 178) ** 2) / 60) + 0.4 * Math.exp(-((day - 335) ** 2) / 60),
    risk: () => 1,
    sites: ['blood'],
    tests: [
      {
        loinc: '56888-1',
        family: 'hiv',
        ordered: 1,
        positivity: 0.011,
        unclear: 0.004,
        unclearCategories: ['indeterminate', 'invalid'],
        hoursToResult: 22,
        wording: 'reactive',
        assays: ['ARCHITECT HIV Ag/Ab Combo', 'Determine HIV-1/2 Ag/Ab Combo'],
      },
      {
        loinc: '20507-0',
        family: 'syphilis',
        ordered: 0.4,
        positivity: 0.045,
        unclear: 0.004,
        unclearCategories: ['indeterminate'],
        hoursToResult: 26,
        wording: 'reactive',
        assays: ['RPR card test'],
      },
    ],
  },
  {
    id: 'hepatitis',
    share: 0.08,
    age: ages(47, 14),
    female: 0.45,
    volume: (_, recency) => 0.9 + 0.2 * recency,
    risk: (_, recency) => 1.1 - 0.2 * recency,
    sites: ['blood'],
    tests: [
      {
        loinc: '13955-0',
        family: 'hepatitis-c',
        ordered: 0.85,
        positivity: 0.05,
        unclear: 0.006,
        unclearCategories: ['equivocal', 'indeterminate'],
        hoursToResult: 34,
        wording: 'reactive',
        assays: ['ARCHITECT Anti-HCV', 'Elecsys Anti-HCV II'],
      },
      {
        loinc: '5196-1',
        family: 'hepatitis-b',
        ordered: 0.6,
        positivity: 0.022,
        unclear: 0.004,
        unclearCategories: ['indeterminate'],
        hoursToResult: 34,
        wording: 'reactive',
        assays: ['ARCHITECT HBsAg', 'Elecsys HBsAg II'],
      },
    ],
  },
  {
    id: 'enteric',
    share: 0.06,
    age: (years) => (years < 5 ? 2.2 : years < 18 ? 0.9 : years < 65 ? 0.7 : 1.1),
    female: 0.52,
    volume: (day) => wave(day, 205, 0.5),
    risk: (day) => wave(day, 205, 0.7),
    sites: ['stool'],
    tests: [
      {
        loinc: '82301-3',
        family: 'salmonellosis',
        ordered: 0.9,
        positivity: 0.07,
        unclear: 0.01,
        unclearCategories: ['unsatisfactory'],
        hoursToResult: 62,
        wording: 'detected',
        assays: ['Culture'],
      },
      {
        loinc: '17576-0',
        family: 'shigellosis',
        ordered: 0.8,
        positivity: 0.03,
        unclear: 0.01,
        unclearCategories: ['unsatisfactory'],
        hoursToResult: 62,
        wording: 'detected',
        assays: ['Culture'],
      },
    ],
  },
  {
    id: 'vaccine-preventable',
    share: 0.03,
    age: (years) => (years < 2 ? 4 : years < 18 ? 2 : 0.35),
    female: 0.5,
    volume: (day, recency) => wave(day, 230, 0.3) * (0.8 + 0.4 * recency),
    risk: (_, recency) => 0.7 + 0.6 * recency,
    sites: ['nasopharyngeal'],
    tests: [
      {
        loinc: '23826-1',
        family: 'pertussis',
        ordered: 1,
        positivity: 0.07,
        unclear: 0.01,
        unclearCategories: ['indeterminate', 'unsatisfactory'],
        hoursToResult: 30,
        wording: 'detected',
        assays: ['BioFire RP2.1', 'Simplexa Bordetella Direct'],
      },
    ],
  },
  {
    id: 'vectorborne',
    share: 0.03,
    age: ages(42, 18, { floor: 0.2 }),
    female: 0.48,
    volume: (day) => wave(day, 260, 0.8),
    risk: (day, recency) => wave(day, 260, 0.9) * (0.8 + 0.4 * recency),
    sites: ['blood'],
    tests: [
      {
        loinc: '25338-5',
        family: 'dengue',
        ordered: 1,
        positivity: 0.06,
        unclear: 0.02,
        unclearCategories: ['equivocal', 'inconclusive'],
        hoursToResult: 48,
        wording: 'positive',
        assays: ['DENV Detect IgM Capture', 'Panbio Dengue IgM'],
      },
    ],
  },
];

/** A time and place with more of one disease than usual. Days count back from today. */
export interface Outbreak {
  family: string;
  encounter: string;
  countyFips: string;
  fromDaysAgo: number;
  toDaysAgo: number;
  /** Additional encounters per 10,000 of the whole. */
  per10000: number;
  positivity: number;
}
export const outbreaks: readonly Outbreak[] = [
  {
    family: 'salmonellosis',
    encounter: 'enteric',
    countyFips: '12057',
    fromDaysAgo: 52,
    toDaysAgo: 34,
    per10000: 22,
    positivity: 0.62,
  },
  {
    family: 'pertussis',
    encounter: 'vaccine-preventable',
    countyFips: '12031',
    fromDaysAgo: 118,
    toDaysAgo: 60,
    per10000: 26,
    positivity: 0.44,
  },
  {
    family: 'dengue',
    encounter: 'vectorborne',
    countyFips: '12086',
    fromDaysAgo: 95,
    toDaysAgo: 40,
    per10000: 30,
    positivity: 0.38,
  },
  {
    family: 'syphilis',
    encounter: 'sti',
    countyFips: '12011',
    fromDaysAgo: 260,
    toDaysAgo: 20,
    per10000: 55,
    positivity: 0.2,
  },
  {
    family: 'coronavirus',
    encounter: 'respiratory',
    countyFips: '12105',
    fromDaysAgo: 400,
    toDaysAgo: 372,
    per10000: 60,
    positivity: 0.4,
  },
];

/** Relative number of residents per county, rounded by hand; counties not listed share the rest evenly. */
export const countyWeights: Readonly<Record<string, number>> = {
  '12086': 27,
  '12011': 19.5,
  '12099': 15,
  '12057': 15,
  '12095': 14.3,
  '12031': 10,
  '12103': 9.6,
  '12071': 7.8,
  '12105': 7.5,
  '12009': 6.1,
  '12127': 5.6,
  '12101': 5.8,
  '12115': 4.4,
  '12117': 4.7,
  '12081': 4.1,
  '12069': 3.9,
  '12021': 3.8,
  '12083': 3.8,
  '12097': 4,
  '12111': 3.4,
  '12033': 3.2,
  '12001': 2.8,
  '12073': 2.9,
  '12109': 2.8,
  '12091': 2.1,
  '12019': 2.2,
  '12053': 2,
  '12015': 1.9,
  '12113': 1.9,
  '12005': 1.8,
  '12061': 1.6,
  '12017': 1.6,
};
export const otherCountyWeight = 0.4;
