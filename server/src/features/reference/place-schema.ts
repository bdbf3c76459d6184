import { countyFipsValid, stateFipsValid } from '@caseway/contract/codes';
import { z } from 'zod';

/** The shapes of the place files in server/seeds/reference. The tests check them. */

const stateFips = z.string().refine(stateFipsValid);
const countyFips = z.string().refine(countyFipsValid);
const population = z.number().int().positive();

export const countryRow = z.strictObject({
  code: z.string().regex(/^[A-Z]{2}$/),
  alpha3: z.string().regex(/^[A-Z]{3}$/),
  numeric: z.string().regex(/^\d{3}$/),
  /** Haitian Creole; English and Spanish come from the runtime. */
  ht: z.string().min(1),
});
export type CountryRow = z.infer<typeof countryRow>;

export const stateRow = z.strictObject({
  fips: stateFips,
  abbreviation: z.string().regex(/^[A-Z]{2}$/),
  label: z.string().min(1),
  labelI18N: z.strictObject({ es: z.string().min(1), ht: z.string().min(1) }),
  kind: z.enum(['state', 'district', 'territory']),
  population,
});
export type StateRow = z.infer<typeof stateRow>;

export const countyRow = z.strictObject({
  fips: countyFips,
  name: z.string().min(1),
  kind: z.enum([
    'county',
    'parish',
    'borough',
    'census-area',
    'municipality',
    'city-and-borough',
    'city',
    'planning-region',
    'municipio',
    'district',
    'island',
    'itself',
  ]),
  population: population.optional(),
});
export type CountyRow = z.infer<typeof countyRow>;

export const cityRow = z.strictObject({
  name: z.string().min(1),
  stateFips,
  countyFips: countyFips.nullable(),
});
export type CityRow = z.infer<typeof cityRow>;
