import { readFileSync } from 'node:fs';
import { inOrderOfZones, nameOfTimeZone } from '@caseway/contract/time-zone';
import { foldPlace } from '../../platform/text/fold.ts';
import type { CityRow, CountryRow, CountyRow, StateRow } from './place-schema.ts';

/**
 * Countries, states, counties, cities and time zones, read once and looked up in constant time. Names of countries and
 * time zones in English and Spanish come from the runtime (Unicode CLDR), the rest from server/seeds/reference.
 */

const folder = new URL('../../../seeds/reference/', import.meta.url);
const load = <T>(file: string): T => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as T;

interface Labels {
  label: string;
  labelI18N: { es: string; ht: string };
}

export interface Country extends Labels {
  /** ISO 3166-1 alpha-2. */
  code: string;
  alpha3: string;
  /** Three digits. */
  numeric: string;
}
export interface State extends Labels {
  /** Two-digit FIPS code. */
  fips: string;
  /** Postal abbreviation. */
  abbreviation: string;
  kind: StateRow['kind'];
  /** People at the census of 1 April 2020. */
  population: number;
}
export interface County extends Labels {
  /** Five-digit FIPS code of the current boundaries: Connecticut has its planning regions. */
  fips: string;
  stateFips: string;
  /** The name without the kind of county. */
  name: string;
  kind: CountyRow['kind'];
  /** People at the census of 1 April 2020; null without a figure, and then there is no rate. */
  population: number | null;
}
export interface City {
  /** `FL:Miami`: postal abbreviation of the state and name. */
  code: string;
  label: string;
  stateFips: string;
  /** Null for a city in several counties. */
  countyFips: string | null;
}
export interface TimeZone extends Labels {
  /** IANA name. */
  code: string;
}

const names = (language: string) => new Intl.DisplayNames([language], { type: 'region' });
const [english, spanish, french] = [names('en'), names('es'), names('fr')];

export const countries: readonly Country[] = load<CountryRow[]>('countries.json')
  .map(({ ht, ...row }) => ({
    ...row,
    label: english.of(row.code)!,
    labelI18N: { es: spanish.of(row.code)!, ht },
  }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'));

export const states: readonly State[] = load<StateRow[]>('states.json').map((row) => ({ ...row }));
const stateByFipsIndex = new Map(states.map((state) => [state.fips, state]));

/** The name of a county of each kind; `#` is its short name. */
const countyNames: Readonly<Record<CountyRow['kind'], { en: string; es: string; ht: string }>> = {
  county: { en: '# County', es: 'Condado de #', ht: 'Konte #' },
  parish: { en: '# Parish', es: 'Parroquia de #', ht: 'Pawas #' },
  borough: { en: '# Borough', es: 'Borough de #', ht: 'Bowo #' },
  'census-area': { en: '# Census Area', es: 'Área censal de #', ht: 'Zòn resansman #' },
  municipality: { en: '# Municipality', es: 'Municipalidad de #', ht: 'Minisipalite #' },
  'city-and-borough': { en: '# City and Borough', es: 'Ciudad y borough de #', ht: 'Vil ak bowo #' },
  city: { en: '# (city)', es: 'Ciudad de #', ht: 'Vil #' },
  'planning-region': {
    en: '# Planning Region',
    es: 'Región de planificación de #',
    ht: 'Rejyon planifikasyon #',
  },
  municipio: { en: '# Municipio', es: 'Municipio de #', ht: 'Minisip #' },
  district: { en: '# District', es: 'Distrito de #', ht: 'Distri #' },
  island: { en: '# Island', es: 'Isla de #', ht: 'Zile #' },
  itself: { en: '#', es: '#', ht: '#' },
};

export const counties: readonly County[] = load<CountyRow[]>('counties.json').map((row) => {
  const called = countyNames[row.kind];
  return {
    fips: row.fips,
    stateFips: row.fips.slice(0, 2),
    name: row.name,
    kind: row.kind,
    label: called.en.replace('#', row.name),
    labelI18N: { es: called.es.replace('#', row.name), ht: called.ht.replace('#', row.name) },
    population: row.population ?? null,
  };
});
const countyIndex = new Map(counties.map((county) => [county.fips, county]));

export const cities: readonly City[] = load<CityRow[]>('cities.json').map((row) => ({
  code: `${stateByFipsIndex.get(row.stateFips)!.abbreviation}:${row.name}`,
  label: row.name,
  stateFips: row.stateFips,
  countyFips: row.countyFips,
}));

const group = <T>(list: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> =>
  Map.groupBy(list, key);
const countiesByState = group(counties, (county) => county.stateFips);
const citiesByState = group(cities, (city) => city.stateFips);

export const stateByFips = (fips: string): State | undefined => stateByFipsIndex.get(fips);
export const countyByFips = (fips: string): County | undefined => countyIndex.get(fips);
export const countiesOf = (stateFips: string): readonly County[] => countiesByState.get(stateFips) ?? [];
export const citiesOf = (stateFips: string): readonly City[] => citiesByState.get(stateFips) ?? [];

const countryIndex = new Map<string, Country>();
for (const country of countries) {
  const words = [country.label, country.labelI18N.es, country.labelI18N.ht, french.of(country.code)!];
  for (const word of [country.code, country.alpha3, country.numeric, ...words])
    countryIndex.set(foldPlace(word), country);
}
for (const word of [
  'united states of america',
  'u s a',
  'u s',
  'estados unidos de america',
  'eeuu',
  'etats unis d amerique',
]) {
  countryIndex.set(word, countryIndex.get('us')!);
}

/** A country by ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its name in English, Spanish, French or Haitian Creole. */
export const countryOf = (written: string): Country | undefined => countryIndex.get(foldPlace(written));

const stateIndex = new Map<string, State>();
for (const state of states) {
  for (const word of [state.fips, state.abbreviation, state.label, state.labelI18N.es, state.labelI18N.ht]) {
    stateIndex.set(foldPlace(word), state);
  }
}

/** A state by FIPS code, postal abbreviation or name. */
export const stateOf = (written: string): State | undefined => stateIndex.get(foldPlace(written));

/**
 * Counties whose code was retired and whose whole area is in one current county. Source: Census Bureau, changes to
 * counties.
 */
const retired: Readonly<Record<string, string>> = {
  '02270': '02158',
  '12025': '12086',
  '46113': '46102',
  '51515': '51019',
  '51560': '51005',
  '51780': '51083',
};

/**
 * The current county for a FIPS code, including retired codes. Undefined for an unknown code, and for one whose area
 * was divided, such as Connecticut's counties before 2022: there the city decides.
 */
export const currentCounty = (fips: string): County | undefined => countyIndex.get(retired[fips] ?? fips);

const kindWords =
  /( county| parish| borough| census area| municipality| city and borough| planning region| municipio| district| island)$/;
const countyNameIndex = new Map<string, County | null>();
for (const county of counties) {
  const exact = [county.label, county.labelI18N.es, county.labelI18N.ht];
  if (county.kind === 'city') exact.push(`${county.name} city`, `city of ${county.name}`);
  for (const name of new Set(exact.map(foldPlace)))
    countyNameIndex.set(`${county.stateFips} ${name}`, county);
}
for (const county of counties) {
  const key = `${county.stateFips} ${foldPlace(county.name)}`;
  const other = countyNameIndex.get(key);
  // Baltimore, St. Louis, Richmond …: a county and a city with the same name. The name alone is ambiguous.
  if (other !== undefined && other !== county) countyNameIndex.set(key, null);
  else countyNameIndex.set(key, county);
}
countyNameIndex.set('12 dade', countyIndex.get('12086')!);

/** A county by its name within a state, with or without "County"; undefined if the bare name fits two. */
export function countyNamed(stateFips: string, written: string): County | undefined {
  const name = foldPlace(written);
  const found = countyNameIndex.get(`${stateFips} ${name}`);
  if (found !== undefined) return found ?? undefined;
  const bare = name.replace(kindWords, '');
  return bare === name ? undefined : (countyNameIndex.get(`${stateFips} ${bare}`) ?? undefined);
}

const cityIndex = new Map(cities.map((city) => [`${city.stateFips} ${foldPlace(city.label)}`, city]));

/** A city by its name within a state. */
export const cityNamed = (stateFips: string, written: string): City | undefined =>
  cityIndex.get(`${stateFips} ${foldPlace(written)}`);

let zones: readonly TimeZone[] | undefined;

/** Every time zone of the runtime and UTC, by IANA name; those of the United States first. */
export function timeZones(): readonly TimeZone[] {
  zones ??= inOrderOfZones([
    'UTC',
    ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
  ]).map((zone) => ({
    code: zone,
    label: nameOfTimeZone(zone, 'en'),
    labelI18N: { es: nameOfTimeZone(zone, 'es'), ht: nameOfTimeZone(zone, 'ht') },
  }));
  return zones;
}
