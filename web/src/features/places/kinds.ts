import type { Grid } from '@caseway/contract/grid';
import {
  facilityEndpoints,
  facilityFields,
  facilityGrid,
  facilityTypes,
  jurisdictionEndpoints,
  jurisdictionFields,
  jurisdictionGrid,
  locationEndpoints,
  locationFields,
  locationGrid,
  organizationEndpoints,
  organizationFields,
  organizationGrid,
  type PlaceStatus,
  programEndpoints,
  programFields,
  programGrid,
  providerKinds,
  taskEndpoints,
  taskFields,
  taskGrid,
} from '@caseway/contract/places';
import { tenantExperiences } from '@caseway/contract/session';
import { z } from 'zod';

/** How a field is filled in. */
export interface FieldPlan {
  name: string;
  as: 'text' | 'email' | 'tel' | 'select' | 'one' | 'many' | 'counties' | 'check' | 'timeZone';
  /** Its choices: a look-up by its name, or fixed codes. */
  options?: string | readonly string[];
  /** It shares a line with its neighbour if there is room. */
  half?: true;
  /** It has a help text. */
  help?: true;
  /** Only for a new record: it cannot be changed later. */
  onlyNew?: true;
}

/** A record of any kind, as a screen handles it. */
export type PlaceRecord = { id: string; version: number; active: boolean; status: PlaceStatus } & Record<
  string,
  unknown
>;

/** One kind of record: its grid, its endpoints, and the fields of its form in their order. */
export interface PlaceKind {
  /** Also the name of its words, and its address. */
  name: 'organizations' | 'facilities' | 'jurisdictions' | 'programs' | 'tasks' | 'locations';
  grid: Grid;
  endpoints: typeof organizationEndpoints;
  schema: z.ZodObject;
  fields: readonly FieldPlan[];
  /** Values of a new record that are not empty. */
  initial: Readonly<Record<string, string | boolean | string[]>>;
  /** The column that names a record. */
  title: string;
}

/** The endpoints of every kind have the same form; a screen for all of them is typed with those of one. */
const alike = (endpoints: unknown) => endpoints as typeof organizationEndpoints;
const labels: readonly FieldPlan[] = [
  { name: 'label', as: 'text' },
  { name: 'labelEs', as: 'text', half: true },
  { name: 'labelHt', as: 'text', half: true },
];

export const placeKinds: readonly PlaceKind[] = [
  {
    name: 'organizations',
    grid: organizationGrid,
    endpoints: organizationEndpoints,
    schema: organizationFields,
    title: 'name',
    fields: [
      { name: 'name', as: 'text' },
      { name: 'experience', as: 'select', options: tenantExperiences, help: true },
      { name: 'contactName', as: 'text' },
      { name: 'contactEmail', as: 'email', half: true },
      { name: 'contactPhone', as: 'tel', half: true },
    ],
    initial: { experience: 'PUBLIC_HEALTH' },
  },
  {
    name: 'facilities',
    grid: facilityGrid,
    endpoints: alike(facilityEndpoints),
    schema: facilityFields,
    title: 'name',
    fields: [
      { name: 'name', as: 'text' },
      { name: 'facilityType', as: 'select', options: facilityTypes },
      { name: 'experience', as: 'select', options: tenantExperiences, help: true },
      { name: 'organization', as: 'one', options: 'organizations', help: true },
      { name: 'providerKinds', as: 'many', options: providerKinds },
      { name: 'clia', as: 'text', half: true, help: true },
      { name: 'npi', as: 'text', half: true, help: true },
      { name: 'street', as: 'text' },
      { name: 'city', as: 'text', half: true },
      { name: 'postalCode', as: 'text', half: true },
      { name: 'state', as: 'one', options: 'states', half: true },
      { name: 'county', as: 'one', options: 'counties', half: true },
      { name: 'phone', as: 'tel', half: true },
      { name: 'timeZone', as: 'timeZone', half: true },
    ],
    initial: { facilityType: 'clinic', experience: 'HEALTH_CARE', providerKinds: [] },
  },
  {
    name: 'jurisdictions',
    grid: jurisdictionGrid,
    endpoints: alike(jurisdictionEndpoints),
    schema: jurisdictionFields,
    title: 'name',
    fields: [
      { name: 'name', as: 'text' },
      { name: 'counties', as: 'counties', options: 'counties', help: true },
      { name: 'parent', as: 'one', options: 'managedJurisdictions', help: true },
      { name: 'reporting', as: 'check', help: true },
    ],
    initial: { counties: [], reporting: true },
  },
  {
    name: 'programs',
    grid: programGrid,
    endpoints: alike(programEndpoints),
    schema: programFields,
    title: 'label',
    fields: [
      ...labels,
      { name: 'programType', as: 'select', options: 'programTypes' },
      { name: 'organization', as: 'one', options: 'organizations', help: true },
      { name: 'diseaseFamilies', as: 'many', options: 'diseaseFamilies', help: true },
    ],
    initial: { diseaseFamilies: [] },
  },
  {
    name: 'tasks',
    grid: taskGrid,
    endpoints: alike(taskEndpoints),
    schema: taskFields,
    title: 'label',
    fields: [
      ...labels,
      { name: 'program', as: 'one', options: 'programs' },
      { name: 'taskCategory', as: 'select', options: 'taskCategories' },
    ],
    initial: {},
  },
  {
    name: 'locations',
    grid: locationGrid,
    endpoints: alike(locationEndpoints),
    schema: locationFields,
    title: 'displayName',
    fields: [
      { name: 'name', as: 'text' },
      { name: 'facility', as: 'one', options: 'facilities', onlyNew: true },
    ],
    initial: {},
  },
];

export const placeKind = (name: PlaceKind['name']): PlaceKind =>
  placeKinds.find((kind) => kind.name === name)!;

/** The values of a form: empty texts for unknown ones. */
export type PlaceValues = Record<string, string | boolean | string[]>;

/**
 * Typed values in the form that the contract requires: no blanks in telephone numbers, capital letters in CLIA numbers.
 */
const tidy: Readonly<Record<string, (text: string) => string>> = {
  phone: (text) => text.replaceAll(/[\s().-]/g, ''),
  contactPhone: (text) => text.replaceAll(/[\s().-]/g, ''),
  clia: (text) => text.replaceAll(/[\s-]/g, '').toUpperCase(),
  npi: (text) => text.replaceAll(/[\s-]/g, ''),
};

/** The contract's schema for a form: an empty field is null if that is allowed, otherwise a fault. */
export function formSchema({ schema }: PlaceKind): z.ZodType<Record<string, unknown>, PlaceValues> {
  const shape = Object.entries(schema.shape).map(([name, field]) => {
    const bare = (value: unknown) => {
      if (typeof value !== 'string') return value;
      const text = (tidy[name] ?? ((same) => same))(value.trim());
      return text === '' ? (field instanceof z.ZodNullable ? null : undefined) : text;
    };
    return [name, z.preprocess(bare, field as z.ZodType)];
  });
  return z.object(Object.fromEntries(shape)) as unknown as z.ZodType<Record<string, unknown>, PlaceValues>;
}

/** A record as its form begins with it; without one, a new record. */
export function valuesOf({ schema, initial }: PlaceKind, record: PlaceRecord | null): PlaceValues {
  return Object.fromEntries(
    Object.keys(schema.shape).map((name) => {
      const value = record === null ? initial[name] : (record[name] as PlaceValues[string] | null);
      return [name, value ?? ''];
    }),
  );
}
