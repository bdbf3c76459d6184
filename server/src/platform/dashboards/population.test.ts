import { describe, expect, test } from 'vitest';
import { agesOfBand, type PeopleCount, type PopulationSet, Populations } from './population.ts';

const published = { publisher: 'Made up', title: 'People', published: 2025 };
const set = (
  year: number,
  counts: PeopleCount[],
  kind: PopulationSet['kind'] = 'residents',
): PopulationSet => ({
  ...published,
  kind,
  year,
  counts,
});
/** Each county has 100 girls and 110 boys below 5, and 300 women and 290 men from 5 on. */
const county = (fips: string): PeopleCount[] => [
  { county: fips, sex: 'F', from: 0, below: 5, people: 100 },
  { county: fips, sex: 'M', from: 0, below: 5, people: 110 },
  { county: fips, sex: 'F', from: 5, below: null, people: 300 },
  { county: fips, sex: 'M', from: 5, below: null, people: 290 },
];
const year = (of: number) => ({ start: `${of}-01-01`, end: `${of}-12-31` });
const today = '2026-06-30';
const known = new Populations(
  [set(2024, [...county('12001'), ...county('12003')]), set(2023, county('12001'))],
  {
    today,
  },
);
const residents = (range: { start: string; end: string }, whom = {}) =>
  known.people('residents', range, whom);

describe('the people in the denominator of a rate', () => {
  test('for a whole year are its residents', () => {
    expect(residents(year(2024))).toEqual({ people: 1600 });
    expect(residents(year(2024), { counties: ['12003'] })).toEqual({ people: 800 });
    expect(residents(year(2024), { sexes: ['F'] })).toEqual({ people: 800 });
    expect(residents(year(2024), { ages: [{ from: 5, below: null }] })).toEqual({ people: 1180 });
  });

  test('for a part of a year are that part of them, and of years both', () => {
    // 2024 has 366 days: 31 of them.
    const january = residents({ start: '2024-01-01', end: '2024-01-31' }) as { people: number };
    expect(january.people).toBeCloseTo((1600 * 31) / 366, 9);
    const both = residents({ start: '2023-01-01', end: '2024-12-31' }, { counties: ['12001'] });
    expect(both).toEqual({ people: 1600 });
  });

  test('for a year without numbers are those of the last one before, for five years', () => {
    // 181 days of 2026 until today.
    const now = residents(year(2026)) as { people: number };
    expect(now.people).toBeCloseTo((1600 * 181) / 365, 9);
    const later = new Populations([set(2019, county('12001'))], { today });
    expect(later.people('residents', year(2024), {})).toEqual({ people: 800 });
    expect(later.people('residents', year(2025), {})).toEqual({ without: 'no-population' });
    expect(later.people('residents', year(2018), {})).toEqual({ without: 'no-population' });
  });

  test('are unknown for a county, a sex or ages without a number', () => {
    expect(residents(year(2024), { counties: ['12001', '12005'] })).toEqual({ without: 'no-population' });
    // A county that is not known for the whole range is left out if all counties are requested.
    expect(known.counties('residents', { start: '2023-12-31', end: '2024-01-01' })).toEqual(['12001']);
    expect(residents(year(2024), { sexes: ['F', 'O'] })).toEqual({ without: 'no-population-by-filter' });
    expect(residents(year(2024), { ages: [{ from: 0, below: 1 }] })).toEqual({
      without: 'no-population-by-age',
    });
    // Consecutive ages are one.
    const parts = [
      { from: 1, below: 5 },
      { from: 0, below: 1 },
    ];
    expect(residents(year(2024), { ages: parts })).toEqual({ people: 420 });
    expect(known.people('live-births', year(2024), {})).toEqual({ without: 'no-population' });
  });

  test('for live births are those of the range', () => {
    const births = new Populations(
      [set(2024, [{ county: '12001', sex: null, from: 0, below: null, people: 732 }], 'live-births')],
      { today },
    );
    expect(births.people('live-births', { start: '2024-01-01', end: '2024-01-31' }, {})).toEqual({
      people: 62,
    });
    expect(births.people('live-births', year(2024), { sexes: ['F'] })).toEqual({
      without: 'no-population-by-filter',
    });
  });

  test('are those of the counties of a jurisdiction, and not of an organization', () => {
    const sets = [set(2024, [...county('12001'), ...county('12003')])];
    const jurisdiction = new Populations(sets, { today, counties: ['12003', '12009'] });
    expect(jurisdiction.people('residents', year(2024), {})).toEqual({ people: 800 });
    expect(jurisdiction.people('residents', year(2024), { counties: ['12001'] })).toEqual({
      without: 'no-population',
    });
    const place = new Populations(sets, { today, ofPlace: true });
    expect(place.people('residents', year(2024), {})).toEqual({ without: 'no-population-of-place' });
  });

  test('name their sources', () => {
    expect(known.sources('residents', { start: '2023-01-01', end: '2024-12-31' })).toEqual([
      { ...published, years: [2023, 2024] },
    ]);
    expect(known.sources('residents', year(2015))).toEqual([]);
  });
});

test('a band of ages is known by its code', () => {
  expect(agesOfBand('25-29')).toEqual({ from: 25, below: 30 });
  expect(agesOfBand('0-0')).toEqual({ from: 0, below: 1 });
  expect(agesOfBand('85+')).toEqual({ from: 85, below: null });
  expect(agesOfBand('unknown')).toBeUndefined();
});
