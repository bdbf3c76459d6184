import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedData } from '../../../test/shared-data.ts';
import { readPopulationTable } from './population-table.ts';

const read = (...lines: string[]) => readPopulationTable(lines.join('\n'));
const problems = (...lines: string[]) =>
  read(...lines).faults.map(({ line, column, value, code }) => [line, column, value, code]);

describe('a table of the population', () => {
  test('has a line for each county, year, sex and age', () => {
    const { years, faultCount } = read(
      'FIPS;Year;Sex;Age;Population',
      '12001;2024;Female;0-4;1,200',
      '12001;2024;F;5+;30000',
      '12001;2024;M;under 5;1300',
      '12001;2024;male;5 and over;29000',
    );
    expect(faultCount).toBe(0);
    expect(years.get(2024)).toEqual([
      { county: '12001', sex: 'F', from: 0, below: 5, people: 1200 },
      { county: '12001', sex: 'F', from: 5, below: null, people: 30_000 },
      { county: '12001', sex: 'M', from: 0, below: 5, people: 1300 },
      { county: '12001', sex: 'M', from: 5, below: null, people: 29_000 },
    ]);
  });

  test('may have births, or people without age and sex, by the names of counties', () => {
    const births = read('state,county,year,births', 'FL,Alachua County,2023,2800');
    expect(births.years.get(2023)).toEqual([
      { county: '12001', sex: null, from: 0, below: null, people: 2800 },
    ]);
  });

  test('may have a column for each sex and age, and numbers for its years', () => {
    const header =
      'STATE,COUNTY,YEAR,POPESTIMATE,UNDER5_TOT,AGE04_MALE,AGE04_FEM,AGE513_MALE,AGE513_FEM,AGE5PLUS_MALE,AGE5PLUS_FEM';
    const table = `${header.replaceAll('AGE5PLUS', 'AGE05PLUS')}\n12,1,11,9,9,9,9,9,9,9,9\n12,1,12,500,90,50,40,30,20,210,200`;
    const codes = readPopulationTable(table);
    expect([codes.yearCodes, codes.years.size]).toEqual([['11', '12'], 0]);
    // The ages 5 to 13 have no upper neighbour.
    const known = readPopulationTable(table, { yearCodes: { 12: 2019 } });
    expect(known.years.get(2019)).toEqual([
      { county: '12001', sex: null, from: 0, below: null, people: 500 },
    ]);
  });

  test('is read by consecutive groups if there are several kinds', () => {
    const header = 'fips,year,AGE04_TOT,AGE59_TOT,AGE513_TOT,AGE10PLUS_TOT,AGE65PLUS_TOT';
    expect(read(header, '12001,2020,1,2,9,4,9').years.get(2020)).toEqual([
      { county: '12001', sex: null, from: 0, below: 5, people: 1 },
      { county: '12001', sex: null, from: 5, below: 10, people: 2 },
      { county: '12001', sex: null, from: 10, below: null, people: 4 },
    ]);
  });

  test('may contain totals, which are left out beside their parts', () => {
    const { years } = read(
      'STATE,COUNTY,YEAR,AGEGRP,TOT_POP,TOT_MALE,TOT_FEMALE',
      ...Array.from({ length: 19 }, (_, group) => `12,001,2021,${group},99,40,50`),
    );
    const counts = years.get(2021)!;
    // Eighteen groups for each sex.
    expect(counts).toHaveLength(36);
    expect(counts.filter(({ sex }) => sex === 'M').at(-1)).toMatchObject({
      from: 85,
      below: null,
      people: 40,
    });
  });

  test('gets its faults line by line', () => {
    expect(
      problems(
        'fips,year,sex,age,population',
        '99999,2024,F,0-4,1',
        '12001,24,F,0-4,1',
        '12001,1824,F,0-4,1',
        '12001,2024,X,0-4,1',
        '12001,2024,F,old,1',
        '12001,2024,F,9-5,1',
        '12001,2024,F,0-4,',
        '12001,2024,F,0-4,12.5',
      ),
    ).toEqual([
      [2, 'fips', '99999', 'unknown-county'],
      [4, 'year', '1824', 'unknown-year'],
      [5, 'sex', 'X', 'unknown-sex'],
      [6, 'age', 'old', 'unknown-age'],
      [7, 'age', '9-5', 'unknown-age'],
      [8, 'population', '', 'no-number'],
      [9, 'population', '12.5', 'not-a-number'],
    ]);
  });

  test('must have every age once, for both sexes', () => {
    const of = (...ages: string[]) =>
      problems('fips,year,age,population', ...ages.map((age) => `12001,2024,${age},1`)).map(
        ([line, , , code]) => [line, code],
      );
    expect(of('0-4', '5+')).toEqual([]);
    expect(of('0-4', '0-4', '5+')).toEqual([[3, 'repeated']]);
    expect(of('0-4', '3-9', '10+')).toEqual([[3, 'ages-overlap']]);
    expect(of('0-4', '10+')).toEqual([[3, 'ages-incomplete']]);
    expect(of('5+')).toEqual([[2, 'ages-incomplete']]);
    expect(of('0-4', '5-9')).toEqual([[2, 'ages-incomplete']]);
    expect(problems('fips,year,sex,population', '12001,2024,F,1')).toEqual([
      [2, undefined, undefined, 'one-sex'],
    ]);
  });

  test('is refused as a whole if the file is not a table', () => {
    expect(problems('a,b', '1,2')).toEqual([[1, undefined, undefined, 'no-county-column']]);
    expect(problems('fips,people', '12001,2')).toEqual([[1, undefined, undefined, 'no-year-column']]);
    expect(problems('fips,year', '12001,2020')).toEqual([[1, undefined, undefined, 'no-number-column']]);
    expect(problems('fips,year,people', '12001,2020,"2')).toEqual([[1, undefined, undefined, 'unreadable']]);
  });

  test.runIf(sharedData)('of the Census Bureau is read as published', () => {
    const text = (name: string) => readFileSync(join(sharedData!, 'reference/population', name), 'utf8');
    const florida = readPopulationTable(text('florida-counties-age-sex-2019.csv'), {
      yearCodes: { 12: 2019 },
    });
    const counts = florida.years.get(2019)!;
    expect(florida.faultCount).toBe(0);
    // 67 counties, two sexes, eighteen groups; in total the published estimate of the state.
    expect(counts).toHaveLength(67 * 2 * 18);
    expect(counts.reduce((total, { people }) => total + people, 0)).toBe(21_477_737);

    // Connecticut has had other counties since 2022.
    const country = text('us-counties-2020-2021.csv');
    const yearCodes = { 2: 2020, 3: 2021 };
    const strict = readPopulationTable(country, { yearCodes });
    expect(new Set(strict.faults.map(({ code }) => code))).toEqual(new Set(['unknown-county']));
    const { years, faultCount } = readPopulationTable(country, { yearCodes, leaveOutUnknown: true });
    expect(faultCount).toBe(0);
    expect([...years].map(([year, some]) => [year, some.length])).toEqual([
      [2020, 3134],
      [2021, 3134],
    ]);
  });
});
