import { readFileSync } from 'node:fs';
import { postalState } from '@caseway/contract/codes';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { countiesOf as countiesOfMap, mapFile } from '../../../seeds/reference/build-counties.ts';
import { cityRow, countryRow, countyRow, stateRow } from './place-schema.ts';
import {
  cities,
  citiesOf,
  cityNamed,
  counties,
  countiesOf,
  countries,
  countryOf,
  countyByFips,
  countyNamed,
  currentCounty,
  stateByFips,
  stateOf,
  states,
  timeZones,
} from './places.ts';

const file = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../seeds/reference/${name}`, import.meta.url), 'utf8'));
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('the files of places [S3.12, S3.13]', () => {
  test.each([
    ['countries.json', countryRow],
    ['states.json', stateRow],
    ['counties.json', countyRow],
    ['cities.json', cityRow],
  ])('%s has its shape', (name, shape) => {
    expect(z.array(shape).safeParse(file(name)).error?.issues.slice(0, 3)).toBeUndefined();
  });

  test('counties.json has the same counties as the map of the screens', () => {
    const rows = file('counties.json') as { fips: string; population?: number }[];
    const populations = new Map(
      rows.flatMap((row) => (row.population === undefined ? [] : [[row.fips, row.population]])),
    );
    expect(countiesOfMap(readFileSync(mapFile, 'utf8'), populations)).toEqual(rows);
  });
});

describe('countries', () => {
  test('all 249 of ISO 3166-1 with names in English, Spanish and Haitian Creole', () => {
    expect(countries).toHaveLength(249);
    expect(new Set(countries.map((country) => country.numeric)).size).toBe(249);
    expect(
      countries.filter((country) => !country.label || !country.labelI18N.es || !country.labelI18N.ht),
    ).toEqual([]);
    expect(countries.find((country) => country.code === 'HT')).toMatchObject({
      alpha3: 'HTI',
      numeric: '332',
      label: 'Haiti',
      labelI18N: { es: 'Haití', ht: 'Ayiti' },
    });
  });

  test('by any of its codes or names', () => {
    for (const written of [
      'US',
      'usa',
      '840',
      'United States',
      'Estados Unidos',
      'États-Unis',
      'Etazini',
      'U.S.A.',
    ]) {
      expect(countryOf(written)?.code, written).toBe('US');
    }
    expect(countryOf('Atlantis')).toBeUndefined();
  });
});

describe('states', () => {
  test('have the postal abbreviations used in addresses', () => {
    expect(states.map(({ fips }) => postalState(fips))).toEqual(
      states.map(({ abbreviation }) => abbreviation),
    );
    expect(postalState('99')).toBeNull();
  });

  test('fifty, the District of Columbia and five territories', () => {
    expect(states.filter((state) => state.kind === 'state')).toHaveLength(50);
    expect(states.filter((state) => state.kind === 'district').map((state) => state.abbreviation)).toEqual([
      'DC',
    ]);
    expect(states.filter((state) => state.kind === 'territory').map((state) => state.abbreviation)).toEqual([
      'AS',
      'GU',
      'MP',
      'PR',
      'VI',
    ]);
  });

  test('their populations add up to the census of 2020', () => {
    // Census Bureau, apportionment: 331,449,281 residents of the fifty states and the District of Columbia.
    expect(sum(states.filter((state) => state.kind !== 'territory').map((state) => state.population))).toBe(
      331_449_281,
    );
  });

  test('by code, abbreviation or name in any language', () => {
    for (const written of ['12', 'FL', 'fl', 'Florida', 'Florid'])
      expect(stateOf(written)?.fips, written).toBe('12');
    expect(stateOf('Nueva York')?.abbreviation).toBe('NY');
    expect(stateOf('Pòtoriko')?.fips).toBe('72');
    expect(stateByFips('03')).toBeUndefined();
    expect(stateOf('Ontario')).toBeUndefined();
  });
});

describe('counties', () => {
  test('Florida has 67, whose populations add up to the census of 2020', () => {
    expect(countiesOf('12')).toHaveLength(67);
    expect(sum(countiesOf('12').map((county) => county.population!))).toBe(21_538_187);
  });

  test('Connecticut has nine planning regions and none of its old counties', () => {
    expect(countiesOf('09').map((county) => county.fips)).toEqual([
      '09110',
      '09120',
      '09130',
      '09140',
      '09150',
      '09160',
      '09170',
      '09180',
      '09190',
    ]);
    expect(countyByFips('09001')).toBeUndefined();
    expect(currentCounty('09001')).toBeUndefined();
    expect(sum(countiesOf('09').map((county) => county.population!))).toBe(stateByFips('09')!.population);
  });

  test('every state and territory has some, and each belongs to one', () => {
    expect(states.filter((state) => countiesOf(state.fips).length === 0)).toEqual([]);
    expect(counties.filter((county) => !stateByFips(county.stateFips))).toEqual([]);
    expect([
      countiesOf('48').length,
      countiesOf('22').length,
      countiesOf('72').length,
      countiesOf('51').length,
    ]).toEqual([254, 64, 78, 133]);
  });

  test('have the right names', () => {
    const called = (fips: string) => {
      const { label, labelI18N } = countyByFips(fips)!;
      return [label, labelI18N.es, labelI18N.ht];
    };
    expect(called('12086')).toEqual(['Miami-Dade County', 'Condado de Miami-Dade', 'Konte Miami-Dade']);
    expect(called('22071')[0]).toBe('Orleans Parish');
    expect(called('09110')[0]).toBe('Capitol Planning Region');
    expect(called('02020')[0]).toBe('Anchorage Municipality');
    expect(called('72127')[0]).toBe('San Juan Municipio');
    expect(called('11001')[0]).toBe('District of Columbia');
  });

  test('by name, with or without the word, unless the name fits two', () => {
    for (const written of [
      'Miami-Dade',
      'MIAMI-DADE COUNTY',
      'miami dade',
      'Dade',
      'Dade County',
      'Condado de Miami-Dade',
    ]) {
      expect(countyNamed('12', written)?.fips, written).toBe('12086');
    }
    expect(countyNamed('12', 'Saint Johns County')?.fips).toBe('12109');
    expect(countyNamed('35', 'Dona Ana')?.fips).toBe('35013');
    expect(countyNamed('24', 'Baltimore County')?.fips).toBe('24005');
    expect(countyNamed('24', 'Baltimore City')?.fips).toBe('24510');
    expect(countyNamed('24', 'Baltimore')).toBeUndefined();
    expect(countyNamed('29', 'St. Louis County')?.fips).toBe('29189');
    expect(countyNamed('51', 'James City County')?.fips).toBe('51095');
    expect(countyNamed('51', 'Virginia Beach')?.fips).toBe('51810');
    expect(countyNamed('12', 'Orange County, CA')).toBeUndefined();
  });

  test('retired codes lead to the current county', () => {
    expect(currentCounty('12025')?.fips).toBe('12086');
    expect(currentCounty('46113')?.name).toBe('Oglala Lakota');
    expect(currentCounty('12086')?.fips).toBe('12086');
    expect(currentCounty('12999')).toBeUndefined();
  });
});

describe('cities', () => {
  test('each is in a county of its state, or in several', () => {
    const astray = cities.filter(
      (city) => city.countyFips !== null && countyByFips(city.countyFips)?.stateFips !== city.stateFips,
    );
    expect(astray).toEqual([]);
    expect(cities.filter((city) => city.countyFips === null).map((city) => city.code)).toEqual([
      'FL:Englewood',
      'FL:Longboat Key',
      'FL:Poinciana',
    ]);
    expect(new Set(cities.map((city) => city.code)).size).toBe(cities.length);
  });

  test('every state and every county of Florida has one', () => {
    expect(states.filter((state) => citiesOf(state.fips).length === 0)).toEqual([]);
    expect(new Set(citiesOf('12').flatMap((city) => city.countyFips ?? [])).size).toBe(67);
  });

  test('by name within a state', () => {
    expect(cityNamed('12', 'SAINT PETERSBURG')?.countyFips).toBe('12103');
    expect(cityNamed('72', 'Mayaguez')?.countyFips).toBe('72097');
    expect(cityNamed('06', 'Miami')).toBeUndefined();
  });
});

describe('time zones', () => {
  test('every zone of the runtime, with labels', () => {
    const zones = timeZones();
    expect(zones.find((zone) => zone.code === 'America/New_York')).toEqual({
      code: 'America/New_York',
      label: 'Eastern Time (New York)',
      labelI18N: { es: 'Hora oriental (Nueva York)', ht: 'Lè lès (Nouyòk)' },
    });
    for (const needed of [
      'UTC',
      'America/Port-au-Prince',
      'America/Puerto_Rico',
      'America/Chicago',
      'Pacific/Honolulu',
    ]) {
      expect(zones.map((zone) => zone.code)).toContain(needed);
    }
    expect(new Set(zones.map((zone) => zone.code)).size).toBe(zones.length);
    expect(zones.filter((zone) => !zone.label || !zone.labelI18N.es || !zone.labelI18N.ht)).toEqual([]);
  });
});
