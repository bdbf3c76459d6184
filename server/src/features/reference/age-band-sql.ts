import type { ColumnSql } from '../../platform/analytics/facts.ts';
import { ageBands } from './catalog.ts';

const known = ageBands.filter(({ fromYears }) => fromYears !== null);

/** The band of an age in years. Null if the age is unknown: the band for that is the one without limits. */
export const ageBandSql = (age: string): string =>
  `(array['${known.map(({ code }) => code).join("', '")}'])[width_bucket(${age}, array[${known.map(({ fromYears }) => fromYears).join(', ')}])]`;

/** Age in whole years and its band on a day, by the birth date and by the openly known one. */
export function agesOn(
  day: string,
  birthDate: string,
  open: string,
): Record<'ageYears' | 'ageBand', ColumnSql> {
  const at = (born: string) => `cast(extract(year from age(${day}, ${born})) as integer)`;
  return {
    ageYears: { sql: at(birthDate), open: at(open) },
    ageBand: { sql: ageBandSql(at(birthDate)), open: ageBandSql(at(open)) },
  };
}
