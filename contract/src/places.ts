import { z } from 'zod';
import { cliaCode, countyFips, npiCode, stateFips, zipCode } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { is } from './expression.ts';
import { labelled } from './label.ts';
import {
  anyRecord,
  askedIf,
  byServer,
  choice,
  choices,
  coded,
  computed,
  count,
  elsewhere,
  email,
  entries,
  entry,
  families,
  flag,
  inColumn,
  instant,
  listed,
  needed,
  neededIf,
  onCreation,
  phone,
  type RecordOf,
  record,
  reference,
  references,
  text,
  timeZone,
} from './record.ts';
import { tenantExperiences } from './session.ts';

/*
 * The parts of a tenant that an administrator sets up: organizations, facilities, jurisdictions, programs
 * with their tasks, teams, and specimen storage locations. Records are deactivated (`active: false`), never removed,
 * because others refer to them.
 */

const id = z.uuid();
const version = z.number().int();
const params = z.strictObject({ id });

/** `waiting`: a facility created by an import and not yet confirmed. */
export const placeStatuses = ['active', 'waiting', 'inactive'] as const;
export type PlaceStatus = (typeof placeStatuses)[number];
const activeOrNot = ['active', 'inactive'] as const satisfies readonly PlaceStatus[];
const status = computed(choice(activeOrNot));
const access = 'settings/write';
/** Identifies a place, or decides who works with it and sees what: changed only with the rest in view. */
const inForm = { formOnly: true } as const;

// — Organisations —

export const organizations = record({
  id: 'organizations',
  kind: 'organization',
  noun: 'organization',
  table: 'organization',
  access,
  name: 'name',
  fields: {
    name: listed(300, needed(text(200))),
    experience: listed(170, needed(choice(tenantExperiences)), inForm),
    contactName: listed(180, text(200), inForm),
    contactEmail: listed(220, email()),
    contactPhone: listed(150, phone(), { hidden: true }),
    /** The number of its facilities and programs. */
    facilities: listed(110, computed(count())),
    programs: listed(120, computed(count())),
    status: listed(120, status),
  },
  sortedBy: 'name',
  form: ['name', 'experience', 'contactName', ['contactEmail', 'contactPhone']],
  begins: { experience: 'PUBLIC_HEALTH' },
});

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
/** The services of a facility. */
export const providerKinds = [
  'ordering',
  'collecting',
  'testing',
  'treating',
  'vaccinating',
  'telemedicine',
] as const;
const withoutBlanks = (typed: string) => typed.replaceAll(/[\s-]/g, '');

export const facilities = record({
  id: 'facilities',
  kind: 'facility',
  noun: 'facility',
  table: 'facility',
  access,
  name: 'name',
  fields: {
    name: listed(300, needed(text(200))),
    status: listed(150, computed(choice(placeStatuses))),
    facilityType: listed(160, needed(choice(facilityTypes))),
    experience: needed(choice(tenantExperiences)),
    organization: listed(220, reference('organizations'), inForm),
    city: listed(140, text(100)),
    county: listed(160, inColumn('county_fips', entry('counties', countyFips))),
    clia: listed(
      120,
      coded(cliaCode, (typed) => withoutBlanks(typed).toUpperCase()),
      { whole: true, ...inForm },
    ),
    npi: listed(120, coded(npiCode, withoutBlanks), { whole: true, ...inForm }),
    phone: listed(150, phone(), { hidden: true }),
    providerKinds: listed(220, needed(choices(providerKinds)), { hidden: true }),
    street: listed(200, text(200), { hidden: true }),
    state: inColumn('state_fips', entry('states', stateFips)),
    postalCode: listed(110, coded(zipCode), { hidden: true }),
    /** Null: the tenant's time zone. */
    timeZone: listed(170, timeZone(), { hidden: true }),
    createdAt: listed(170, byServer(needed(instant())), { hidden: true }),
    /** For a waiting facility: the number of its results the reader sees, up to 1,000. */
    results: byServer(elsewhere(count())),
  },
  sortedBy: 'name',
  form: [
    'name',
    'facilityType',
    'experience',
    'organization',
    'providerKinds',
    ['clia', 'npi'],
    'street',
    ['city', 'postalCode'],
    ['state', 'county'],
    ['phone', 'timeZone'],
  ],
  begins: { facilityType: 'clinic', experience: 'HEALTH_CARE', providerKinds: [] },
});
export type FacilityRecord = RecordOf<typeof facilities>;

/** Confirms that a facility from an import belongs to the tenant. */
export const confirmFacility = endpoint({
  method: 'POST',
  path: '/api/web/facilities/:id/confirm',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Confirm a facility that an import made',
  params,
  body: z.strictObject({ version }),
  response: facilities.endpoints.read.response!,
});

/**
 * Merges a facility from an import into another one, which gets its results, cases and persons, and later
 * reports under its name and numbers. Returns the other one.
 */
export const mergeFacility = endpoint({
  method: 'POST',
  path: '/api/web/facilities/:id/merge',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Merge a facility that an import made into another one',
  params,
  body: z.strictObject({ version, into: id }),
  response: facilities.endpoints.read.response!,
});

// — Jurisdictions —

/** The jurisdictions the tenant manages. */
export const jurisdictions = record({
  id: 'jurisdictions',
  kind: 'jurisdiction',
  noun: 'jurisdiction',
  table: 'jurisdiction',
  access,
  name: 'name',
  fields: {
    name: listed(320, needed(text(200))),
    /** FIPS codes. */
    counties: listed(
      380,
      elsewhere(needed(entries('counties', z.array(countyFips).min(1).max(400)))),
      inForm,
    ),
    /** The jurisdiction that contains it. */
    parent: listed(240, reference('managedJurisdictions'), inForm),
    /** Whether this tenant reports to it; its users then see the residents of its counties. */
    reporting: elsewhere(needed(flag())),
    status: listed(120, status),
  },
  sortedBy: 'name',
  form: ['name', 'counties', 'parent', 'reporting'],
  begins: { counties: [], reporting: true },
});

// — Reporting to jurisdictions —

/** How a tenant reports: whether restricted disease families are included. [P18] */
const reporting = z.strictObject({ restrictedFamilies: z.boolean() });
export type Reporting = z.infer<typeof reporting>;

const reportedJurisdiction = z.object({
  id,
  /** The version of the counties that the tenant has seen and agrees to by starting. */
  version,
  name: z.string(),
  /** FIPS codes. */
  counties: z.array(z.string()),
  /** The name of the managing tenant. */
  managedBy: z.string(),
  own: z.boolean(),
  /** False if the jurisdiction is deactivated or its managing tenant is suspended. */
  open: z.boolean(),
  /** Null if the tenant does not report to it. */
  reporting: reporting.nullable(),
  /** Null if it does not report, or started before this was recorded. */
  since: z.iso.datetime().nullable(),
});
export type ReportedJurisdiction = z.infer<typeof reportedJurisdiction>;

/** The most found jurisdictions in an answer; the rest is only counted. */
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
 * Refused with `conflict` if `before` is outdated, or if the jurisdiction has changed since the user saw it.
 * Including restricted families needs the permission to see them.
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
  /** Not suspended, so its records are visible. */
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

/** A name in English, and its translations, if any. */
const names = {
  label: listed(320, needed(text(120))),
  labelEs: elsewhere(text(120)),
  labelHt: elsewhere(text(120)),
};

export const programs = record({
  id: 'programs',
  kind: 'program',
  noun: 'program',
  table: 'program',
  access,
  name: 'label',
  fields: {
    ...names,
    programType: listed(220, needed(reference('programTypes')), inForm),
    /** Null: it belongs to the whole tenant. */
    organization: listed(240, reference('organizations'), inForm),
    /**
     * New results of these families belong to it. A family belongs to one program of the tenant and one of
     * each organization.
     */
    diseaseFamilies: listed(300, needed(families()), inForm),
    tasks: listed(90, computed(count())),
    status: listed(120, status),
  },
  sortedBy: 'label',
  form: ['label', ['labelEs', 'labelHt'], 'programType', 'organization', 'diseaseFamilies'],
  begins: { diseaseFamilies: [] },
});

/** The possible types of a program: those the tenant has used, and those of the reference data. */
export const programTypes = endpoint({
  method: 'GET',
  path: '/api/web/programs/types',
  access: 'settings/write',
  deed: 'read',
  summary: 'The types that a program can have',
  response: z.object({ types: z.array(labelled.extend({ id })) }),
});

export const tasks = record({
  id: 'tasks',
  kind: 'task',
  noun: 'task',
  table: 'task',
  access,
  name: 'label',
  fields: {
    ...names,
    program: listed(280, needed(reference('programs')), inForm),
    taskCategory: listed(190, needed(entry('taskCategories'))),
    status: listed(120, status),
  },
  sortedBy: 'label',
  form: ['label', ['labelEs', 'labelHt'], 'program', 'taskCategory'],
});

// — Locations —

/** A shelf is in a location, a bay on a shelf, and a box in any of them; its specimens lie in rows and columns. [S3.8] */
export const locationLevels = ['location', 'shelf', 'bay', 'box'] as const;
export type LocationLevel = (typeof locationLevels)[number];
/** The levels that may be directly within each. */
export const levelsWithin: Readonly<Record<LocationLevel, readonly LocationLevel[]>> = {
  location: ['shelf', 'box'],
  shelf: ['bay', 'box'],
  bay: ['box'],
  box: [],
};
/** What a location is. */
export const equipments = ['room', 'freezer', 'refrigerator', 'nitrogen', 'cabinet', 'other'] as const;
const ofLocation = is('level', 'location');
const ofBox = is('level', 'box');
/** Degrees Celsius. */
const celsius = () => askedIf(ofLocation, count({ least: -200, most: 60 }));
/** Rows are named A to Z. */
const inBox = () => neededIf(ofBox, askedIf(ofBox, onCreation(count({ least: 1, most: 26 }))));

export const locations = record({
  id: 'locations',
  kind: 'location',
  noun: 'location',
  table: 'location',
  access,
  name: 'displayName',
  fields: {
    /** The name of a location, or the code of a shelf, bay or box; unique within its parent. */
    name: needed(text(80)),
    /** `Freezer 2:Shelf:A:Bay3:Box:7`. */
    displayName: listed(320, computed(text(400))),
    level: listed(130, onCreation(needed(choice(locationLevels)))),
    equipment: askedIf(ofLocation, choice(equipments)),
    coldest: celsius(),
    warmest: celsius(),
    rows: inColumn('row_count', inBox()),
    columns: inColumn('column_count', inBox()),
    /** A location's facility, which everything in it shares. */
    facility: listed(280, onCreation(needed(reference('facilities')))),
    /** Null for a location. */
    parent: onCreation(reference('locations')),
    /** The number of shelves, bays or boxes directly in it, and of specimens stored directly in it. */
    parts: listed(130, computed(count())),
    specimens: listed(120, computed(count())),
    status: listed(120, status),
  },
  sortedBy: 'displayName',
  // Everything in a location, directly or on one of its shelves.
  filters: ['withinFilter'],
  form: ['name', 'facility', 'equipment', ['coldest', 'warmest'], ['rows', 'columns']],
  begins: { level: 'location', rows: '9', columns: '9' },
});

/** Refused with `in-use` if it is not empty; it can be deactivated instead. */
export const removeLocation = endpoint({
  method: 'DELETE',
  path: '/api/web/locations/:id',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Remove a location, shelf, bay or box in which nothing lies',
  params,
  query: z.strictObject({ version: z.coerce.number().int() }),
  response: z.object({}),
});

// — Teams —

/** The most people in a team. */
const teamLimit = 200;

/** Staff who share a queue of tasks. */
export const teams = record({
  id: 'teams',
  kind: 'team',
  noun: 'team',
  table: 'team',
  access,
  name: 'name',
  fields: {
    name: listed(280, needed(text(120))),
    /** Accounts of the tenant's staff. */
    members: listed(
      480,
      inColumn('member_ids', needed(references('investigators', z.array(id).max(teamLimit)))),
      inForm,
    ),
    status: listed(120, status),
  },
  sortedBy: 'name',
  form: ['name', 'members'],
  begins: { members: [] },
});

/** Everything an administrator sets up, each with list, form and history. */
export const placeRecords = [organizations, facilities, jurisdictions, programs, tasks, teams, locations].map(
  anyRecord,
);
