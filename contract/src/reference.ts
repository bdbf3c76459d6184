import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { labelled } from './label.ts';
import { features } from './permission.ts';

/** An entry of a code list. `code` is the code of its standard (ISO 3166, FIPS, CDC, SNOMED CT …). */
export const codedLabel = labelled.extend({ id: z.string(), code: z.string() });
export type CodedLabel = z.infer<typeof codedLabel>;

/** Code: two-digit state FIPS. */
export const state = codedLabel.extend({ countryId: z.string(), abbreviation: z.string() });
/** A city, or a district where the country has those. */
export const cityDistrict = codedLabel.extend({
  stateId: z.string(),
  /** Five-digit FIPS code of its county; null if it has none or spans several. */
  countyFips: z.string().nullable(),
});
export type State = z.infer<typeof state>;
export type CityDistrict = z.infer<typeof cityDistrict>;

const id = z.string().max(100);
const geoQuery = z.strictObject({ stateId: id.optional(), countryId: id.optional() });
const tenantQuery = z.strictObject({ tenantId: id.optional() });

/** At start-up: every country, the states of one country (default: the United States), the cities of one state. [S3.12] */
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

/** The code lists of a tenant; a list the tenant has switched off is empty. */
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

/** A restricted family is absent for a reader who may not see it. [P18] */
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
 * What a list filter or a choice column can be set to: programs, facilities, counties, conditions, result categories …
 * The answer has those that the reader's organisation sees.
 */
export const lookupOption = labelled.extend({
  id: z.string(),
  /** Ids of the entries of other look-ups it belongs to, by look-up name: a program's program type. Dependent filters narrow by it. */
  within: z.record(z.string(), z.string()).optional(),
  /** Set on entries that are no longer in use: records still refer to them, and nothing new does. */
  inactive: z.boolean().optional(),
});
export type LookupOption = z.infer<typeof lookupOption>;

/** The look-up a grid column names as its `options`, or an analytics filter as its own. 404 for an unknown name. */
export const lookup = endpoint({
  method: 'GET',
  path: '/api/web/list/options/:lookup',
  access: 'general/other',
  deed: 'read',
  summary: 'Entries of a look-up for filters and choice columns',
  params: z.strictObject({ lookup: z.string().max(60) }),
  query: z.strictObject({
    /**
     * The feature of the screen: a jurisdiction is offered the entries of the tenants that have it on for that
     * jurisdiction. [S1.6]
     */
    feature: z.enum(features).optional(),
  }),
  response: z.object({
    options: z.array(lookupOption),
    /**
     * Address of a file with more `options` of the same shape, to be added after these without duplicates. It is the
     * same for everyone, and a browser may cache it. Counties: those of the tenant's state are here, all in the file.
     */
    rest: z.string().optional(),
  }),
});
