import { describe, expect, test } from 'vitest';
import { type BehindNumber, behindNumber } from './behind.ts';
import { cases } from './case-reports.ts';
import { type Dashboard, dashboard, shownBy, type WordsOf } from './dashboard.ts';
import { testing } from './dashboards/testing.ts';
import { code, day, fact, id, integer } from './fact.ts';
import { additivityOf, over, ratio } from './measure.ts';
import { results } from './results.ts';
import { answerOfCategory, categoriesThatAre, failedCategories } from './testing-analytics.ts';

const offers = fact(
  'offer',
  { id, facilityId: code('facilities'), offeredOn: day('open'), minutes: integer('counted') },
  { records: 'offers', eventDates: ['offeredOn'], enteredOn: 'offeredOn', person: false },
);
const exactOnly = { offers: 'Blocks of time of a provider are not about persons.' };
const [test_, event, offer] = [over(results), over(cases), over(offers)];

const plain = {
  permission: 'testing-analytics/read',
  facts: { results },
  main: 'results',
  filters: { sexFilter: 'sex' },
  defaultRange: (today: string) => ({ start: today, end: today }),
  measures: { tests: test_.count() },
  leading: ['tests', 'tests', 'tests', 'tests'],
  sections: { all: [] },
  series: {},
} as const;
const words = {
  title: 'Testing',
  rows: { count_one: '{{number}} test', count_other: '{{number}} tests' },
  section: { all: 'All' },
  day: { collectedOn: 'Specimen collected' },
  measure: { tests: { title: 'Tests', counted: 'Tests' } },
  series: {},
};
const declared = dashboard('plain', plain);
const ofTwo = dashboard('plain', {
  ...plain,
  facts: { results, cases },
  series: { sex: { on: 'cases', form: 'bars', by: 'sex', section: 'all' } },
});

/* Code that must not compile. It never runs; the types are the test. */
export const refused = [
  // @ts-expect-error a column that the fact lacks
  () => test_.count({ resultCategry: 'positive' }),
  // @ts-expect-error a number's test on a code
  () => test_.count({ sex: { atLeast: 3 } }),
  // @ts-expect-error a code that a column of fixed codes cannot be
  () => event.count({ classification: 'confirmd' }),
  // @ts-expect-error a condition on a column that numbers may not read
  () => event.count({ lastName: 'x' }),
  // @ts-expect-error the median of a code
  () => test_.median('sex', 'days'),
  // @ts-expect-error people of a fact without people
  () => offer.persons({ facilityId: 'x' }),
  // @ts-expect-error an unknown source
  () => test_.count({}, { source: 'hearsay' }),
  // @ts-expect-error a filter whose column has no look-up
  () => dashboard('a', { ...plain, filters: { nameFilter: 'testName' } }),
  // @ts-expect-error a filter without a column
  () => dashboard('b', { ...plain, filters: { shelfFilter: 'shelf' } }),
  // @ts-expect-error a fact not about persons, without the reason why only readers of exact counts see it
  () => dashboard('p', { ...plain, facts: { results, offers } }),
  // @ts-expect-error a sum of a number without a cap, which one person could dominate
  () => offer.sum('minutes'),
  () => test_.sum('ageYears'),
  // @ts-expect-error an unknown leading measure
  () => dashboard('e', { ...plain, leading: ['tests', 'tests', 'tests', 'people'] }),
  // @ts-expect-error three leading measures
  () => dashboard('f', { ...plain, leading: ['tests', 'tests', 'tests'] }),
  () =>
    dashboard('g', {
      ...plain,
      // @ts-expect-error a series by a column of another fact
      series: { outcome: { form: 'bars', by: 'outcome', section: 'all' } },
    }),
  () =>
    dashboard('h', {
      ...plain,
      // @ts-expect-error a series by a column of one record
      series: { name: { form: 'bars', by: 'accession', section: 'all' } },
    }),
  () =>
    dashboard('i', {
      ...plain,
      // @ts-expect-error a series that shows an unknown measure
      series: { sex: { form: 'bars', by: 'sex', shows: ['positivity'], section: 'all' } },
    }),
  () =>
    dashboard('j', {
      ...plain,
      facts: { results, cases },
      measures: { tests: test_.count(), cases: event.count() },
      // @ts-expect-error a series that shows a measure of another fact
      series: { sex: { form: 'bars', by: 'sex', shows: ['cases'], section: 'all' } },
    }),
  () =>
    dashboard('k', {
      ...plain,
      // @ts-expect-error a measure over a fact that the dashboard does not name
      measures: { tests: test_.count(), cases: event.count() },
    }),
  () =>
    dashboard('l', {
      ...plain,
      // @ts-expect-error an event date that is not a day
      eventDates: { sex: 'sex' },
    }),
  // @ts-expect-error classes of a column that does not split
  () => dashboard('m', { ...plain, classes: { by: 'accession', are: {}, rest: 'other' } }),
  () => words satisfies WordsOf<typeof declared>,
  // @ts-expect-error the day a fact is counted by, without its text
  () => ({ ...words, day: {} }) satisfies WordsOf<typeof declared>,
  // @ts-expect-error a chart of another fact without the texts for its rows
  () => ({ ...words, series: { sex: { title: 'Sex' } } }) satisfies WordsOf<typeof ofTwo>,
  // @ts-expect-error a measure without its texts
  () => ({ ...words, measure: {} }) satisfies WordsOf<typeof declared>,
];

describe('a declaration', () => {
  test('is refused if a measure has a condition on a column that numbers may not use', () => {
    expect(() => event.count({ lastName: 'x' } as never)).toThrow('lastName');
    expect(() => event.count({ any: [{ pregnant: 'yes' }, { notes: 'x' }] } as never)).toThrow('notes');
  });

  test('is refused if a class and another measure share a name', () => {
    const classes = { by: 'resultCategory', are: { tests: ['positive'] }, rest: 'other' } as const;
    expect(() => dashboard('m', { ...plain, classes })).toThrow('tests is a class and another measure');
  });

  test('is refused if a retired name is used again', () => {
    expect(() => dashboard('r', plain, ['heightFilter'])).not.toThrow();
    for (const name of ['sexFilter', 'tests'])
      expect(() => dashboard('r', plain, [name])).toThrow('retired and used again');
  });

  test('a filter applies to facts that have its column with the same choices', () => {
    const filters = { sexFilter: 'sex', assayFilter: 'assay', facilityFilter: 'facilityId' } as const;
    const made: Dashboard = dashboard('s', {
      ...plain,
      facts: { results, cases, offers },
      exactOnly,
      filters,
      textFilters: { statusFilter: 'status' },
    });
    expect(made.unfiltered).toEqual({
      results: [],
      // A case's status is not a result's status.
      cases: ['assayFilter', 'statusFilter'],
      offers: ['sexFilter', 'assayFilter', 'statusFilter'],
    });
  });

  test('a ratio is of two counts, never of shares, which would lose their parts', () => {
    expect(ratio(event.count(), test_.count()).formula.form).toBe('ratio');
    expect(() => ratio(test_.share({ sex: 'F' }), test_.count())).toThrow('of two counts');
    expect(() => ratio(test_.median('tenthsCollectedToReceived', 'hours'), test_.count())).toThrow();
  });

  test("a number's additivity follows from its formula", () => {
    const of = ({ formula }: { formula: { form: keyof typeof additivityOf } }) => additivityOf[formula.form];
    expect(of(test_.count())).toBe('sum');
    expect(of(test_.persons())).toBe('distinct');
    expect(of(test_.median('tenthsCollectedToReceived', 'hours'))).toBe('order');
    expect(of(test_.share({ sex: 'F' }))).toBe('ratio');
  });

  test("shows the fact's first measure in a series that names none", () => {
    const made: Dashboard = dashboard('n', {
      ...plain,
      facts: { results, cases },
      measures: { cases: event.count(), tests: test_.count() },
      series: {
        sex: { form: 'bars', by: 'sex', section: 'all' },
        outcome: { on: 'cases', form: 'bars', by: 'outcome', section: 'all' },
      },
    });
    expect(shownBy(made, made.series.sex!)).toEqual(['tests']);
    expect(shownBy(made, made.series.outcome!)).toEqual(['cases']);
  });

  test('a median in tenths of an hour is divided by ten', () => {
    expect(test_.median('tenthsCollectedToReceived', 'hours').formula).toMatchObject({ scale: 10 });
    expect(test_.median('ageYears', 'days').formula).toMatchObject({ scale: 1 });
  });
});

describe('testing analytics', () => {
  test('counts a result as the categories of results say', () => {
    const { are }: NonNullable<Dashboard['classes']> = testing.classes!;
    const [positive, negative] = [are.positive!, are.negative!];
    expect([...positive]).toEqual(categoriesThatAre('positive'));
    expect([...negative]).toEqual(categoriesThatAre('negative'));
    expect(testing.measures.failedShare.formula).toMatchObject({ of: { resultCategory: failedCategories } });
    const others = Object.keys(answerOfCategory).filter(
      (one) => ![...positive, ...negative].includes(one as never),
    );
    expect(others).toEqual([...categoriesThatAre('other'), ...categoriesThatAre('none')]);
  });
});

test('the records behind a number are requested by a measure, or by a mark of a series', () => {
  const dateRangeValue = { start: '2026-03-01', end: '2026-03-31' };
  const taken = (given: Partial<BehindNumber>) =>
    behindNumber.safeParse({ dashboard: 'testing', dateRangeValue, ...given }).success;
  expect(taken({ measure: 'positive' })).toBe(true);
  expect(taken({ series: 'race', key: '2028-9', class: 'positive' })).toBe(true);
  expect(taken({ series: 'race' })).toBe(false);
  expect(taken({})).toBe(false);
});
