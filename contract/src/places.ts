import { z } from 'zod';
import { cliaCode, countyFips, npiCode, phoneNumber, stateFips, timeZoneName, zipCode } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { type Column, type Grid, gridSearch } from './grid.ts';
import { labelled } from './label.ts';
import { name } from './name.ts';
import { tenantExperiences } from './session.ts';

/*
 * The parts of a tenant that an administrator sets up: organisations, facilities, jurisdictions, programmes with their
 * tasks, and the locations where specimens are kept. Each kind has a grid whose rows are the whole records, and three
 * endpoints: read one, create one, change one. A change names the version it is based on and is refused with `conflict`
 * if the record has changed since. Records are never removed but deactivated (`active: false`), because others refer to
 * them.
 */

const id = z.uuid();
const version = z.number().int();
const params = z.strictObject({ id });

/** Values stored before they were checked are shown anyway. */
const asStored = z.string();
const asStoredOrNone = asStored.nullable();

/** The parts of every record besides its fields. */
const kept = { id, version, active: z.boolean() };

/** `waiting`: a facility that an import made and nobody has confirmed. */
export const placeStatuses = ['active', 'waiting', 'inactive'] as const;
export type PlaceStatus = (typeof placeStatuses)[number];
const activeOrNot = ['active', 'inactive'] as const satisfies readonly PlaceStatus[];
const statusColumn = { kind: 'choice', options: activeOrNot, width: 120 } as const satisfies Column;

const byName = { permission: 'settings/write' as const, filters: [] };

/** The three endpoints of one kind of record. */
function administered<Fields extends z.ZodRawShape, Stored extends z.ZodType>(
  path: string,
  noun: string,
  fields: z.ZodObject<Fields>,
  stored: Stored,
) {
  const access = 'settings/write' as const;
  const one = `/api/web/${path}/:id`;
  return {
    read: endpoint({
      method: 'GET',
      path: one,
      access,
      deed: 'read',
      summary: `One ${noun}`,
      params,
      response: stored,
    }),
    make: endpoint({
      method: 'POST',
      path: `/api/web/${path}`,
      access,
      deed: 'administration',
      summary: `Make a ${noun}`,
      body: fields,
      response: stored,
    }),
    change: endpoint({
      method: 'PATCH',
      path: one,
      access,
      deed: 'administration',
      summary: `Change, deactivate or reactivate a ${noun}`,
      params,
      body: fields.partial().extend({ version, active: z.boolean().optional() }),
      response: stored,
    }),
  };
}

// — Organisations —

const experience = z.enum(tenantExperiences);

export const organizationFields = z.strictObject({
  name: name(200),
  experience,
  contactName: name(200).nullable(),
  contactEmail: z.email().max(254).nullable(),
  contactPhone: phoneNumber.nullable(),
});
export type OrganizationFields = z.infer<typeof organizationFields>;

export const organizationRecord = z.object({
  ...kept,
  ...organizationFields.shape,
  name: asStored,
  contactName: asStoredOrNone,
  contactEmail: asStoredOrNone,
  contactPhone: asStoredOrNone,
  status: z.enum(activeOrNot),
  /** How many facilities and programmes belong to it. */
  facilities: z.number().int(),
  programs: z.number().int(),
});
export type OrganizationRecord = z.infer<typeof organizationRecord>;

export const organizationGrid = {
  id: 'organizations',
  ...byName,
  columns: {
    name: { kind: 'text', width: 300 },
    experience: { kind: 'choice', options: tenantExperiences, width: 170 },
    contactName: { kind: 'text', width: 180 },
    contactEmail: { kind: 'text', width: 220 },
    contactPhone: { kind: 'text', as: 'phone', width: 150, hidden: true },
    facilities: { kind: 'number', width: 110 },
    programs: { kind: 'number', width: 120 },
    status: statusColumn,
  },
  defaultSort: [{ field: 'name', sort: 'asc' }],
  row: organizationRecord,
} as const satisfies Grid;

export const searchOrganizations = gridSearch(organizationGrid);
export const organizationEndpoints = administered(
  'organizations',
  'organization',
  organizationFields,
  organizationRecord,
);

// — Facilities —

export const facilityTypes = [
  'county-health',
  'hospital',
  'laboratory',
  'clinic',
  'school',
  'correctional',
  'worksite',
  'outreach',
] as const;
/** What a facility provides. */
export const providerKinds = [
  'ordering',
  'collecting',
  'testing',
  'treating',
  'vaccinating',
  'telemedicine',
] as const;

export const facilityFields = z.strictObject({
  name: name(200),
  facilityType: z.enum(facilityTypes),
  providerKinds: z.array(z.enum(providerKinds)).max(providerKinds.length),
  organization: id.nullable(),
  clia: cliaCode.nullable(),
  npi: npiCode.nullable(),
  street: name(200).nullable(),
  city: name(100).nullable(),
  state: stateFips.nullable(),
  postalCode: zipCode.nullable(),
  county: countyFips.nullable(),
  phone: phoneNumber.nullable(),
  /** Null: the tenant's. */
  timeZone: timeZoneName.nullable(),
  experience,
});
export type FacilityFields = z.infer<typeof facilityFields>;

export const facilityRecord = z.object({
  ...kept,
  ...facilityFields.shape,
  // Imports create facilities from reports.
  name: z.string(),
  facilityType: z.string(),
  experience: z.string(),
  clia: asStoredOrNone,
  npi: asStoredOrNone,
  street: asStoredOrNone,
  city: asStoredOrNone,
  state: asStoredOrNone,
  postalCode: asStoredOrNone,
  county: asStoredOrNone,
  phone: asStoredOrNone,
  timeZone: asStoredOrNone,
  status: z.enum(placeStatuses),
  createdAt: z.iso.datetime(),
  /** For a facility that waits: the number of its results that the reader sees, up to 1,000. */
  results: z.number().int().nullable(),
});
export type FacilityRecord = z.infer<typeof facilityRecord>;

export const facilityGrid = {
  id: 'facilities',
  ...byName,
  columns: {
    name: { kind: 'text', width: 300 },
    status: { kind: 'choice', options: placeStatuses, width: 150 },
    facilityType: { kind: 'choice', options: facilityTypes, width: 160 },
    organization: { kind: 'choice', options: 'organizations', width: 220 },
    city: { kind: 'text', width: 140 },
    county: { kind: 'choice', options: 'counties', width: 160 },
    clia: { kind: 'text', whole: true, width: 120 },
    npi: { kind: 'text', whole: true, width: 120 },
    phone: { kind: 'text', as: 'phone', width: 150, hidden: true },
    providerKinds: {
      kind: 'choice',
      options: providerKinds,
      many: true,
      sortable: false,
      width: 220,
      hidden: true,
    },
    street: { kind: 'text', width: 200, hidden: true },
    postalCode: { kind: 'text', width: 110, hidden: true },
    timeZone: { kind: 'text', as: 'timeZone', width: 170, hidden: true },
    createdAt: { kind: 'date', withTime: true, width: 170, hidden: true },
  },
  defaultSort: [{ field: 'name', sort: 'asc' }],
  row: facilityRecord,
} as const satisfies Grid;

export const searchFacilities = gridSearch(facilityGrid);
export const facilityEndpoints = administered('facilities', 'facility', facilityFields, facilityRecord);

/** Confirms that a facility made by an import is one of the tenant's own. */
export const confirmFacility = endpoint({
  method: 'POST',
  path: '/api/web/facilities/:id/confirm',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Confirm a facility that an import made',
  params,
  body: z.strictObject({ version }),
  response: facilityRecord,
});

/**
 * Merges a facility that an import made into another one, which gets its results, cases and persons, and later reports
 * under its name and numbers. Returns the other one.
 */
export const mergeFacility = endpoint({
  method: 'POST',
  path: '/api/web/facilities/:id/merge',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Merge a facility that an import made into another one',
  params,
  body: z.strictObject({ version, into: id }),
  response: facilityRecord,
});

// — Jurisdictions —

export const jurisdictionFields = z.strictObject({
  name: name(200),
  /** The jurisdiction that contains it. */
  parent: id.nullable(),
  /** FIPS codes. */
  counties: z.array(countyFips).min(1).max(400),
  /** Whether this tenant reports to it: then its users see the residents of its counties. */
  reporting: z.boolean(),
});
export type JurisdictionFields = z.infer<typeof jurisdictionFields>;

export const jurisdictionRecord = z.object({
  ...kept,
  ...jurisdictionFields.shape,
  name: asStored,
  counties: z.array(z.string()),
  status: z.enum(activeOrNot),
});
export type JurisdictionRecord = z.infer<typeof jurisdictionRecord>;

/** Those that the tenant manages. */
export const jurisdictionGrid = {
  id: 'jurisdictions',
  ...byName,
  columns: {
    name: { kind: 'text', width: 320 },
    counties: { kind: 'choice', options: 'counties', many: true, sortable: false, width: 380 },
    parent: { kind: 'choice', options: 'managedJurisdictions', width: 240 },
    status: statusColumn,
  },
  defaultSort: [{ field: 'name', sort: 'asc' }],
  row: jurisdictionRecord,
} as const satisfies Grid;

export const searchJurisdictions = gridSearch(jurisdictionGrid);
export const jurisdictionEndpoints = administered(
  'jurisdictions',
  'jurisdiction',
  jurisdictionFields,
  jurisdictionRecord,
);

// — Reporting to jurisdictions —

/** How a tenant reports: whether its restricted disease families are included. [P18] */
const reporting = z.strictObject({ restrictedFamilies: z.boolean() });
export type Reporting = z.infer<typeof reporting>;

const reportedJurisdiction = z.object({
  id,
  /** The counties that the tenant has seen, and agrees to by starting. */
  version,
  name: z.string(),
  /** FIPS codes. */
  counties: z.array(z.string()),
  /** The name of the tenant that manages it. */
  managedBy: z.string(),
  own: z.boolean(),
  /** False if the jurisdiction is deactivated or the tenant that manages it is suspended. */
  open: z.boolean(),
  /** Null: the tenant does not report to it. */
  reporting: reporting.nullable(),
  /** Null if it does not report, or began before this was recorded. */
  since: z.iso.datetime().nullable(),
});
export type ReportedJurisdiction = z.infer<typeof reportedJurisdiction>;

/** How many are found at most; the rest is counted. */
export const reportedFound = 50;

export const listReporting = endpoint({
  method: 'GET',
  path: '/api/web/reporting',
  access: 'settings/write',
  deed: 'search',
  summary: 'The jurisdictions there are, those that the tenant reports to first',
  query: z.strictObject({ words: z.string().max(200).default('') }),
  response: z.object({ jurisdictions: z.array(reportedJurisdiction), total: z.number().int() }),
});

/**
 * Refused with `conflict` where `before` no longer holds; it is also a conflict if the jurisdiction has changed since
 * the person saw it. Including restricted families needs the permission to see them.
 */
export const changeReporting = endpoint({
  method: 'PUT',
  path: '/api/web/reporting/:id',
  access: 'settings/write',
  deed: 'administration',
  summary:
    'Begin or end reporting to a jurisdiction, or say whether restricted disease families are included',
  params,
  body: z.strictObject({ version, before: reporting.nullable(), after: reporting.nullable() }),
  response: reportedJurisdiction,
});

const reportingTenant = z.object({
  id,
  name: z.string(),
  /** Not suspended, so its records are seen. */
  active: z.boolean(),
  restrictedFamilies: z.boolean(),
  since: z.iso.datetime().nullable(),
});

export const listReporters = endpoint({
  method: 'GET',
  path: '/api/web/jurisdictions/:id/reporting',
  access: 'settings/write',
  deed: 'search',
  summary: 'The tenants that report to a jurisdiction which the tenant manages',
  params,
  response: z.object({ tenants: z.array(reportingTenant) }),
});

// — Programmes and tasks —

/** A name in English, and in the other languages for which someone has given one. */
const names = { label: name(120), labelEs: name(120).nullable(), labelHt: name(120).nullable() };
const storedNames = { label: asStored, labelEs: asStoredOrNone, labelHt: asStoredOrNone };

export const programFields = z.strictObject({
  ...names,
  programType: id,
  /** Null: it is the whole tenant's. */
  organization: id.nullable(),
  /**
   * New results of these families belong to it. A family belongs to one programme of the tenant and one of each
   * organisation.
   */
  diseaseFamilies: z.array(z.string().max(60)).max(200),
});
export type ProgramFields = z.infer<typeof programFields>;

export const programRecord = z.object({
  ...kept,
  ...programFields.shape,
  ...storedNames,
  /** How many tasks it has. */
  tasks: z.number().int(),
  status: z.enum(activeOrNot),
});
export type ProgramRecord = z.infer<typeof programRecord>;

export const programGrid = {
  id: 'programs',
  ...byName,
  columns: {
    label: { kind: 'text', width: 300 },
    programType: { kind: 'choice', options: 'programTypes', width: 220 },
    organization: { kind: 'choice', options: 'organizations', width: 240 },
    diseaseFamilies: { kind: 'choice', options: 'diseaseFamilies', many: true, sortable: false, width: 300 },
    tasks: { kind: 'number', width: 90 },
    status: statusColumn,
  },
  defaultSort: [{ field: 'label', sort: 'asc' }],
  row: programRecord,
} as const satisfies Grid;

export const searchPrograms = gridSearch(programGrid);
export const programEndpoints = administered('programs', 'program', programFields, programRecord);

/** The types a programme can have: those that the tenant has used, and those of the reference data. */
export const programTypes = endpoint({
  method: 'GET',
  path: '/api/web/programs/types',
  access: 'settings/write',
  deed: 'read',
  summary: 'The types that a program can have',
  response: z.object({ types: z.array(labelled.extend({ id })) }),
});

export const taskFields = z.strictObject({ ...names, program: id, taskCategory: z.string().max(60) });
export type TaskFields = z.infer<typeof taskFields>;

export const taskRecord = z.object({
  ...kept,
  ...taskFields.shape,
  ...storedNames,
  status: z.enum(activeOrNot),
});
export type TaskRecord = z.infer<typeof taskRecord>;

export const taskGrid = {
  id: 'tasks',
  ...byName,
  columns: {
    label: { kind: 'text', width: 340 },
    program: { kind: 'choice', options: 'programs', width: 280 },
    taskCategory: { kind: 'choice', options: 'taskCategories', width: 190 },
    status: statusColumn,
  },
  defaultSort: [{ field: 'label', sort: 'asc' }],
  row: taskRecord,
} as const satisfies Grid;

export const searchTasks = gridSearch(taskGrid);
export const taskEndpoints = administered('tasks', 'task', taskFields, taskRecord);

// — Locations —

/** A shelf is in a location, a bay in a shelf. [S3.8] */
export const locationLevels = ['location', 'shelf', 'bay'] as const;
export type LocationLevel = (typeof locationLevels)[number];

export const locationFields = z.strictObject({
  /** The name of a location, the code of a shelf or a bay; unique in what contains it. */
  name: name(80),
  /** The facility of a location; its shelves and bays are there too. */
  facility: id,
  /** Null: it is a location. What contains it decides what it is, and does not change. */
  parent: id.nullable(),
});
export type LocationFields = z.infer<typeof locationFields>;

export const locationRecord = z.object({
  ...kept,
  ...locationFields.shape,
  name: asStored,
  level: z.enum(locationLevels),
  /** `Freezer 2:Shelf:A:Bay3`. */
  displayName: z.string(),
  /** How many shelves or bays are in it, and how many specimens are kept directly in it. */
  parts: z.number().int(),
  specimens: z.number().int(),
  status: z.enum(activeOrNot),
});
export type LocationRecord = z.infer<typeof locationRecord>;

export const locationGrid = {
  id: 'locations',
  ...byName,
  columns: {
    displayName: { kind: 'text', width: 320 },
    level: { kind: 'choice', options: locationLevels, width: 130 },
    facility: { kind: 'choice', options: 'facilities', width: 280 },
    parts: { kind: 'number', width: 130 },
    specimens: { kind: 'number', width: 120 },
    status: statusColumn,
  },
  defaultSort: [{ field: 'displayName', sort: 'asc' }],
  // Everything in a location, directly or in one of its shelves.
  filters: ['withinFilter'],
  row: locationRecord,
} as const satisfies Grid;

export const searchLocations = gridSearch(locationGrid);
export const locationEndpoints = administered('locations', 'location', locationFields, locationRecord);

/** Refused with `in-use` if something is in it; it can be deactivated instead. */
export const removeLocation = endpoint({
  method: 'DELETE',
  path: '/api/web/locations/:id',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Remove a location, shelf or bay in which nothing lies',
  params,
  query: z.strictObject({ version: z.coerce.number().int() }),
  response: z.object({}),
});
