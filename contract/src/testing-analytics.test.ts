import { describe, expect, test } from 'vitest';
import { analyticsQuery } from './analytics.ts';
import { testing as testingAnalytics } from './dashboards/testing.ts';
import { initialFilters } from './search-params.ts';
import { categoriesThatAre } from './testing-analytics.ts';

const query = analyticsQuery(testingAnalytics);
const dateRangeValue = { start: '2026-03-01', end: '2026-03-31' };
const faultOf = (value: object) => query.safeParse(value).error?.issues[0];

describe('the query of testing analytics', () => {
  test('[S3.11] has exactly the eleven specified filters, each empty at first', () => {
    expect(initialFilters(testingAnalytics)).toEqual({
      programTypeFilter: [],
      programFilter: [],
      taskFilter: [],
      facilityFilter: [],
      countyFilter: [],
      diseaseFamilyFilter: [],
      sexFilter: [],
      genderFilter: [],
      raceFilter: [],
      ethnicityFilter: [],
      resultCategoryFilter: [],
    });
    expect(query.parse({ dateRangeValue })).toEqual({
      dateRangeValue,
      filters: initialFilters(testingAnalytics),
      eventDate: 'collected',
    });
  });

  test('[S7.10] refuses an undeclared filter, event date and property, and an inverted range', () => {
    expect(faultOf({ dateRangeValue, filters: { assayFilter: [] } })).toMatchObject({ path: ['filters'] });
    expect(faultOf({ dateRangeValue, eventDate: 'born' })).toMatchObject({ path: ['eventDate'] });
    expect(faultOf({ dateRangeValue, top: 1 })).toMatchObject({ code: 'unrecognized_keys' });
    expect(faultOf({ dateRangeValue: { start: '2026-03-02', end: '2026-03-01' } })).toMatchObject({
      path: ['dateRangeValue'],
    });
  });

  test('accepts only ranges that can be compared with an earlier one', () => {
    const codeOf = (start: string, end: string) => {
      const fault = faultOf({ dateRangeValue: { start, end } });
      return fault?.code === 'custom' ? fault.params?.code : fault?.code;
    };
    expect(codeOf('0001-01-01', '0001-12-31')).toBe('range-out-of-time');
    expect(codeOf('1899-12-31', '1900-01-31')).toBe('range-out-of-time');
    expect(codeOf('9999-12-01', '9999-12-31')).toBe('range-out-of-time');
    expect(codeOf('1900-01-01', '1900-01-31')).toBeUndefined();
    expect(codeOf('2199-12-01', '2199-12-31')).toBeUndefined();
    expect(query.safeParse({ dateRangeValue: { start: '0000-01-01', end: '0000-01-31' } }).success).toBe(
      false,
    );
  });

  test('[S9.6] opens from 30 days before today to today', () => {
    expect(testingAnalytics.defaultRange('2026-03-31')).toEqual(dateRangeValue);
  });
});

test('every result category is counted in exactly one way: positive, negative, other, or no test performed', () => {
  expect(categoriesThatAre('positive')).toEqual(['positive']);
  expect(categoriesThatAre('negative')).toEqual(['negative']);
  expect(categoriesThatAre('other')).toEqual([
    'presumptive-positive',
    'weak-positive',
    'inconclusive',
    'indeterminate',
    'equivocal',
    'invalid',
    'unsatisfactory',
  ]);
  expect(categoriesThatAre('none')).toEqual(['pending', 'not-done', 'quantitative']);
});
