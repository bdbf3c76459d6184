import type {
  AnalyticsAnswer,
  AnalyticsComparison,
  MeasureValue,
  SeriesRow,
} from '@caseway/contract/analytics';
import { dashboard } from '@caseway/contract/dashboard';
import { addDays } from '@caseway/contract/date-range';
import { over } from '@caseway/contract/measure';
import { results } from '@caseway/contract/results';

/* A dashboard of invented rows, with a chart of each form that testing analytics lacks. */

const test = over(results);
const positive = { resultCategory: ['positive'] } as const;
const section = 'forms';

export const forms = dashboard('forms', {
  permission: 'testing-analytics/read',
  facts: { results },
  main: 'results',
  filters: { diseaseFamilyFilter: 'diseaseFamily', sexFilter: 'sex' },
  defaultRange: (today) => ({ start: addDays(today, -30), end: today }),
  caution: 'no-proof-of-cause',
  measures: {
    tests: test.count(),
    people: test.persons(),
    tested: test.share(positive, {}, { interval: true }),
    linked: test.share(positive),
    kept: test.share(positive),
    incidence: test.rate(positive, { per: 100_000 }),
    late: test.within('tenthsCollectedToResulted', 14, 'left-out'),
    index: test.perPerson({}, { definition: 'PA01' }),
  },
  leading: ['tests', 'people', 'tested', 'incidence'],
  sections: { [section]: ['late', 'index'] },
  series: {
    curve: {
      form: 'epidemic-curve',
      by: 'resultCategory',
      against: { years: 5, as: 'median' },
      estimate: true,
      changes: [{ on: '2026-03-01', name: 'Definition of 2026' }],
      wide: true,
      section,
    },
    heat: { form: 'heat', by: 'race', across: 'ageBand', section },
    box: { form: 'box', by: 'diseaseFamily', column: 'tenthsCollectedToResulted', unit: 'days', section },
    buckets: { form: 'buckets', by: 'tenthsCollectedToResulted', from: [0, 1, 2, 4, 8, 31], section },
    table: { form: 'table', by: 'diseaseFamily', shows: ['tests', 'linked', 'incidence'], section },
    across: { form: 'table', by: 'diseaseFamily', across: 'sex', section },
    continuum: { form: 'continuum', steps: ['tested', 'linked', 'kept'], section },
    pairs: { form: 'pairs', left: 'race', right: 'sex', strata: ['ageBand'], least: 3, section },
    own: { form: 'own', section },
    bars: { form: 'bars', by: 'diseaseFamily', shows: ['tests', 'linked'], section },
    trend: { form: 'trend', shows: ['tests'], section },
    pyramid: { form: 'pyramid', by: 'ageBand', sides: 'sex', shows: ['tests'], section },
  },
});

const statistic = (title: string) => ({ title, counted: `${title}, as counted.` });
export const formsWords = {
  title: 'Every form',
  rows: { count_one: '{{number}} test', count_other: '{{number}} tests' },
  section: { forms: 'Forms' },
  measure: {
    tests: statistic('Tests'),
    people: statistic('People'),
    tested: statistic('Tested'),
    linked: statistic('Linked to care'),
    kept: statistic('Kept in care'),
    incidence: statistic('Incidence'),
    late: statistic('Within two weeks'),
    index: statistic('Disease intervention index'),
  },
  series: {
    curve: { title: 'Epidemic curve', unit: 'Cases by classification' },
    heat: { title: 'Age and race' },
    box: { title: 'Days to result' },
    buckets: { title: 'Days to onset' },
    table: { title: 'Diseases' },
    across: { title: 'Diseases by sex' },
    continuum: { title: 'Care continuum' },
    pairs: { title: 'Reported together' },
    own: { title: 'Counted apart' },
    bars: { title: 'By disease' },
    trend: { title: 'Over time' },
    pyramid: { title: 'Age and sex' },
  },
};

export const count = (value: number): MeasureValue => ({
  value,
  numerator: value,
  denominator: null,
  suppressed: false,
});
export const share = (numerator: number, denominator: number): MeasureValue => ({
  value: numerator / denominator,
  numerator,
  denominator,
  suppressed: false,
});
const plain = (value: number | null, more: Partial<MeasureValue> = {}): MeasureValue => ({
  value,
  numerator: null,
  denominator: null,
  suppressed: false,
  ...more,
});
export const withheld: MeasureValue = {
  value: null,
  numerator: null,
  denominator: null,
  suppressed: true,
};
const spread = (
  n: number,
  excluded: number,
  ...[p10, p25, p50, p75, p90]: number[]
): SeriesRow['values'] => ({
  n: { ...count(n), excluded },
  p10: plain(p10!),
  p25: plain(p25!),
  p50: plain(p50!),
  p75: plain(p75!),
  p90: plain(p90!),
});

const weeks = Array.from({ length: 14 }, (_, week) => addDays('2026-01-04', week * 7));
const codes = ['positive', 'negative', 'inconclusive'];
const races = ['2106-3', '2054-5', '2028-9'];
const bands = ['0-4', '5-9', '10-14', '15-19', '20-24'];

/** A loaded comparison. */
export const comparedWith = (
  measures: AnalyticsAnswer['measures'],
): { data: AnalyticsComparison | undefined; isError: boolean; refetch: () => unknown } => ({
  data: {
    asOf: '2026-04-11T12:00:00.000Z',
    previousRange: { start: '2025-09-28', end: '2026-01-03' },
    measures,
  },
  isError: false,
  refetch: () => undefined,
});

export const formsAnswer: AnalyticsAnswer = {
  asOf: '2026-04-11T12:00:00.000Z',
  dateRangeValue: { start: '2026-01-04', end: '2026-04-11' },
  timeZone: 'UTC',
  suppressionThreshold: 11,
  anySuppressed: true,
  half: true,
  populations: {
    residents: [{ publisher: 'Made up', title: 'Estimates', published: 2024, years: [2023, 2024] }],
  },
  measures: {
    tests: count(1234),
    people: plain(640, { numerator: 640, rough: true }),
    tested: { ...share(412, 572), interval: { low: 0.682, high: 0.756 } },
    linked: share(300, 572),
    kept: share(320, 572),
    incidence: plain(21.2152, { numerator: 12, denominator: 971_000, unstable: true }),
    late: { ...share(90, 120), excluded: 14 },
    index: plain(null, { without: 'too-few' }),
  },
  series: {
    curve: weeks.flatMap((key, week) =>
      codes.map((key2, code) => ({
        key,
        key2,
        values: {
          tests:
            (week === 3 && code === 1) || week === 5
              ? withheld
              : count(Math.round(6 + 5 * Math.sin(week / 2)) - code * 2 + 4),
        },
        ...(week >= 12 && { incomplete: true }),
      })),
    ),
    heat: races.flatMap((key, race) =>
      bands.flatMap((key2, band) =>
        race === 2 && band === 4
          ? []
          : [
              {
                key,
                key2,
                values: { tests: race === 1 && band === 0 ? withheld : count(race * 40 + band * band * 9) },
              },
            ],
      ),
    ),
    box: [
      { key: 'chlamydia', values: spread(212, 9, 1, 2, 4, 7, 13) },
      { key: 'syphilis', values: spread(48, 0, 2, 5, 9, 15, 28) },
      {
        key: 'gonorrhea',
        values: Object.fromEntries(['n', 'p10', 'p25', 'p50', 'p75', 'p90'].map((at) => [at, withheld])),
      },
      {
        key: 'rsv',
        values: {
          n: count(0),
          ...Object.fromEntries(['p10', 'p25', 'p50', 'p75', 'p90'].map((at) => [at, plain(null)])),
        },
      },
    ],
    buckets: ['0', '1', '2', '4', '8', '31'].map((key, index) => ({
      key,
      values: { tests: count(900 - index * 140) },
    })),
    table: [
      { key: 'chlamydia', values: { tests: count(212), linked: share(40, 212), incidence: plain(21) } },
      { key: 'syphilis', values: { tests: withheld, linked: withheld, incidence: withheld } },
    ],
    across: [
      { key: 'chlamydia', key2: 'F', values: { tests: count(120) } },
      { key: 'chlamydia', key2: 'M', values: { tests: count(92) } },
      { key: 'syphilis', key2: 'M', values: { tests: count(48) } },
    ],
    continuum: [
      { key: 'tested', values: { tested: share(412, 572) } },
      { key: 'linked', values: { linked: share(300, 572) } },
      // More are retained than were linked: the steps are not parts of each other.
      { key: 'kept', values: { kept: share(320, 572) } },
    ],
    pairs: [
      {
        key: '2106-3',
        key2: 'F',
        pair: { both: 274, first: 610, second: 6, neither: 1216 },
        values: {
          tests: count(274),
          prr: plain(63.1275, { interval: { low: 28.2, high: 141.2 } }),
          adjusted: plain(58.3, { interval: { low: 26.1, high: 130.4 } }),
        },
      },
      {
        key: '2054-5',
        key2: 'M',
        pair: { both: 40, first: 200, second: 60, neither: 900 },
        values: {
          tests: count(40),
          prr: plain(2.67, { interval: { low: 1.84, high: 3.87 } }),
          adjusted: plain(1.1, { interval: { low: 0.7, high: 1.73 } }),
        },
      },
      {
        key: '2028-9',
        key2: 'F',
        pair: { both: 3, first: 10, second: 0, neither: 900 },
        values: {
          tests: count(3),
          prr: plain(null, { without: 'no-others' }),
          adjusted: plain(null, { without: 'no-others' }),
        },
      },
    ],
    own: [{ key: 'a', label: 'Feed A', values: { tests: count(7) } }],
    bars: [{ key: 'chlamydia', values: { tests: count(212), linked: share(40, 212) } }],
    trend: [{ key: '2026-01-04', values: { tests: count(12) } }],
    pyramid: [{ key: '5-9', key2: 'F', values: { tests: count(7) } }],
  },
  overlays: {
    curve: {
      against: weeks.map((key, week) => ({
        key,
        value: 14 + (week % 4),
        years: [2021, 2022, 2023, 2024, 2025],
      })),
      estimate: [
        { key: weeks[12]!, value: 26.4, interval: { low: 23.2, high: 30.1 } },
        { key: weeks[13]!, value: null },
      ],
      changes: [{ on: '2026-03-01', name: 'Definition of 2026' }],
    },
  },
  granularity: 'week',
  incompleteFrom: '2026-03-29',
};

/** The look-ups behind the charts. */
export const formsLabels: Record<string, Record<string, string>> = {
  resultCategories: { positive: 'Confirmed', negative: 'Probable', inconclusive: 'Suspected' },
  race: { '2106-3': 'White', '2054-5': 'Black or African American', '2028-9': 'Asian' },
  ageBands: { '0-4': '0–4', '5-9': '5–9', '10-14': '10–14', '15-19': '15–19', '20-24': '20–24' },
  diseaseFamilies: { chlamydia: 'Chlamydia', syphilis: 'Syphilis', gonorrhea: 'Gonorrhea', rsv: 'RSV' },
  sex: { F: 'Female', M: 'Male' },
};
