import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { labelled } from './label.ts';
import { features } from './permission.ts';

/** An entry of a code list. `code` is the code of its standard (ISO 3166, FIPS, CDC, SNOMED CT …). */
export const codedLabel = labelled.extend({ id: z.string(), code: z.string() });
export type CodedLabel = z.infer<typeof codedLabel>;

/** Code: two-digit state FIPS. */
export const state = codedLabel.extend({ countryId: z.string(), abbreviation: z.string() });
/** A city, or a district in countries that use districts. */
export const cityDistrict = codedLabel.extend({
  stateId: z.string(),
  /** The five-digit FIPS code of its county; null if it has none or spans several. */
  countyFips: z.string().nullable(),
});
export type State = z.infer<typeof state>;
export type CityDistrict = z.infer<typeof cityDistrict>;

const id = z.string().max(100);
const geoQuery = z.strictObject({ stateId: id.optional(), countryId: id.optional() });
const tenantQuery = z.strictObject({ tenantId: id.optional() });

/**
 * For start-up: every country, the states of one country (default: the United States), the cities of one
 * state. [S3.12]
 */
export const initialGeo = endpoint({
  method: 'GET',
  path: '/api/web/list/initialGeo',
  access: 'signed-in',
  deed: 'read',
  summary: 'Countries, with the states and cities of what is chosen',
  query: geoQuery,
  response: z.object({
    /** Code: ISO 3166-1 alpha-2. */
    countries: z.array(codedLabel),
    states: z.array(state),
    /** Empty without a stateId. */
    citiesDistricts: z.array(cityDistrict),
  }),
});

export const states = endpoint({
  method: 'GET',
  path: '/api/web/list/states',
  access: 'signed-in',
  deed: 'read',
  summary: 'States of a country, the United States by default',
  query: z.strictObject({ countryId: id.optional() }),
  response: z.object({ states: z.array(state) }),
});

export const citiesDistricts = endpoint({
  method: 'GET',
  path: '/api/web/list/cities_districts',
  access: 'signed-in',
  deed: 'read',
  summary: 'Cities or districts of a state',
  query: geoQuery,
  response: z.object({ citiesDistricts: z.array(cityDistrict) }),
});

/** The tenant's code lists; a list the tenant has switched off is empty. */
export const demographics = endpoint({
  method: 'GET',
  path: '/api/web/list/demographics',
  access: 'signed-in',
  deed: 'read',
  summary: 'Demographic code lists of a tenant',
  query: tenantQuery,
  response: z.object({
    sex: z.array(codedLabel),
    gender: z.array(codedLabel),
    sexualOrientation: z.array(codedLabel),
    race: z.array(codedLabel),
    ethnicity: z.array(codedLabel),
    language: z.array(codedLabel),
  }),
});

export const vaxAdverseReactions = endpoint({
  method: 'GET',
  path: '/api/web/list/vaxAdverseReactions',
  access: 'signed-in',
  deed: 'read',
  summary: 'Reactions that an adverse-event report can name',
  query: tenantQuery,
  response: z.object({ vaxAdverseReactions: z.array(codedLabel) }),
});

export const diseaseCategories = endpoint({
  method: 'GET',
  path: '/api/web/list/diseaseCategories',
  access: 'signed-in',
  deed: 'read',
  summary: 'Disease categories',
  response: z.object({ diseaseCategories: z.array(codedLabel) }),
});

/** Leaves out restricted families for readers who may not see them. [P18] */
export const diseaseFamilies = endpoint({
  method: 'GET',
  path: '/api/web/list/diseaseFamilies',
  access: 'signed-in',
  deed: 'read',
  summary: 'Disease families',
  response: z.object({
    diseaseFamilies: z.array(codedLabel.extend({ categoryId: z.string(), restricted: z.boolean() })),
  }),
});

export const timeZones = endpoint({
  method: 'GET',
  path: '/api/web/list/timeZones',
  access: 'signed-in',
  deed: 'read',
  summary: 'Time zones',
  /** `id` and `code` are the IANA name. */
  response: z.object({ timeZones: z.array(codedLabel) }),
});

/**
 * The options of a list filter or choice column: programs, facilities, counties, conditions, result
 * categories … Only those the reader's organization can see.
 */
export const lookupOption = labelled.extend({
  id: z.string(),
  /**
   * The ids of its parents in other look-ups, by look-up name: a program's program type. Dependent filters
   * use it.
   */
  within: z.record(z.string(), z.string()).optional(),
  /** Set on entries no longer in use: old records still refer to them, but new ones cannot. */
  inactive: z.boolean().optional(),
});
export type LookupOption = z.infer<typeof lookupOption>;

/** The look-up that a grid column or analytics filter names as its `options`. 404 for an unknown name. */
export const lookup = endpoint({
  method: 'GET',
  path: '/api/web/list/options/:lookup',
  access: 'general/other',
  deed: 'read',
  summary: 'Entries of a look-up for filters and choice columns',
  params: z.strictObject({ lookup: z.string().max(60) }),
  query: z.strictObject({
    /**
     * The screen's feature: a jurisdiction gets the entries of tenants that have it on for that jurisdiction.
     * [S1.6]
     */
    feature: z.enum(features).optional(),
  }),
  response: z.object({
    options: z.array(lookupOption),
    /**
     * The address of a file with more `options` of the same shape, to append without duplicates. It is the
     * same for everyone, so browsers may cache it. Counties: the answer has those of the tenant's state, the
     * file has all.
     */
    rest: z.string().optional(),
  }),
});
