import { countiesOf } from '../../src/features/reference/places.ts';
import { storePopulation } from '../../src/features/settings/population.ts';
import type { PeopleCount } from '../../src/platform/dashboards/population.ts';
import type { Tx } from '../../src/platform/db/database.ts';

/** People per thousand, from one age to the next: invented, similar to the country. */
const ages: readonly (readonly [from: number, people: number])[] = [
  [0, 10],
  [1, 42],
  [5, 54],
  [10, 57],
  [15, 58],
  [20, 59],
  [25, 64],
  [30, 68],
  [35, 66],
  [40, 64],
  [45, 122],
  [55, 136],
  [65, 112],
  [75, 62],
  [85, 26],
];
/** Births per hundred thousand people. */
const birthsOf = 1010;

const source = {
  publisher: 'Demonstration figures, not for use',
  title: 'County totals of the 2020 census with made-up ages and sexes',
  published: 2020,
};

/** An invented population for each county of the state. */
export async function seedPopulation(tx: Tx, stateFips: string, years: readonly number[]): Promise<void> {
  const people = countiesOf(stateFips).flatMap(({ fips: county, population }): PeopleCount[] =>
    population === null
      ? []
      : ages.flatMap(([from, share], index) => {
          const both = Math.round((population * share) / 1000);
          const below = ages[index + 1]?.[0] ?? null;
          const women = Math.round(both * (from < 45 ? 0.49 : from < 75 ? 0.515 : 0.57));
          return [
            { county, sex: 'F', from, below, people: women },
            { county, sex: 'M', from, below, people: both - women },
          ];
        }),
  );
  const births = countiesOf(stateFips).flatMap(({ fips: county, population }): PeopleCount[] =>
    population === null
      ? []
      : [{ county, sex: null, from: 0, below: null, people: Math.round((population * birthsOf) / 100_000) }],
  );
  for (const year of years) {
    await storePopulation(tx, { kind: 'residents', year, ...source }, people, null);
    await storePopulation(tx, { kind: 'live-births', year, ...source }, births, null);
  }
}
