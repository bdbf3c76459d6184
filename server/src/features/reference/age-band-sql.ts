import { ageBands } from './catalog.ts';

const known = ageBands.filter(({ fromYears }) => fromYears !== null);

/** The band of an age in years. Null where the age is not known: the band for that is the one without limits. */
export const ageBandSql = (age: string): string =>
  `(array['${known.map(({ code }) => code).join("', '")}'])[width_bucket(${age}, array[${known.map(({ fromYears }) => fromYears).join(', ')}])]`;
