import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/* The results of the global search. Every page can request it; the searched lists are in search-lists.ts. */

/** Kinds of records, in display order. */
export const foundKinds = [
  'patients',
  'case-reports',
  'contacts',
  'case-follow-ups',
  'partner-services',
  'field-visits',
  'telemedicine',
  'incident-reports',
  'sample-shipments',
  'unassigned-specimens',
  'imports',
  'tenant-users',
  'organization-users',
  'facility-users',
  'jurisdiction-users',
  'organizations',
  'facilities',
  'jurisdictions',
  'programs',
  'locations',
] as const;
export type FoundKind = (typeof foundKinds)[number];

/**
 * The screen of each kind's list. A record's address is below it, except for records that open in the list.
 */
export const listPaths: Readonly<Record<FoundKind, string>> = {
  patients: '/patients',
  'case-reports': '/case-reports',
  contacts: '/contacts',
  'case-follow-ups': '/case-follow-ups',
  'partner-services': '/partner-services',
  'field-visits': '/field-visits',
  telemedicine: '/telemedicine',
  'incident-reports': '/incident-reports',
  'sample-shipments': '/sample-shipments',
  'unassigned-specimens': '/sample-shipments/unassigned',
  imports: '/imports',
  'tenant-users': '/admin/users/tenants',
  'organization-users': '/admin/users/organizations',
  'facility-users': '/admin/users/facilities',
  'jurisdiction-users': '/admin/users/jurisdictions',
  organizations: '/organizations',
  facilities: '/facilities',
  jurisdictions: '/jurisdictions',
  programs: '/programs',
  locations: '/locations',
};

/** The most records of one kind. */
export const foundAtMost = 5;
/** The most records requested by id. */
export const recentAtMost = 12;

const kind = z.enum(foundKinds);
const found = z.object({
  id: z.uuid(),
  /** Who or what it is: `Okafor, Ada`; empty if nothing in the list is known. */
  title: z.string(),
  /** What tells it apart from others; `condition` is a code. */
  detail: z.array(
    z.object({ as: z.enum(['text', 'day', 'instant', 'phone', 'condition']), value: z.string() }),
  ),
  /** Only the name sounds or looks alike. */
  similar: z.boolean(),
});
export type FoundRecord = z.infer<typeof found>;
const group = z.object({
  kind,
  /** The number of matches in the list; null if there are none and these are only similar. */
  count: z.int().nullable(),
  records: z.array(found),
});
export type FoundGroup = z.infer<typeof group>;

/**
 * Records of every kind the reader may list. The search text is in the body, because no address may contain a
 * name. [P16]
 */
export const searchEverything = endpoint({
  method: 'POST',
  path: '/api/web/search',
  access: 'general/other',
  deed: 'search',
  summary:
    'Records of every kind that the reader may list and that match words, and people with similar names',
  patientData: true,
  body: z.strictObject({
    words: z
      .array(
        z
          .string()
          .min(1)
          .max(200)
          .regex(/^[^\0\p{Surrogate}]*$/u),
      )
      .min(1)
      .max(10),
  }),
  response: z.object({
    /** In the order of the kinds; a kind without a match has no group. */
    groups: z.array(group),
  }),
});

/** Records by id, as the reader sees them now, because a device stores no names of recent records. */
export const recentRecords = endpoint({
  method: 'POST',
  path: '/api/web/search/recent',
  access: 'general/other',
  deed: 'read',
  summary: 'What records are called that the reader opened last',
  patientData: true,
  body: z.strictObject({
    records: z
      .array(z.strictObject({ kind, id: z.uuid() }))
      .min(1)
      .max(recentAtMost),
  }),
  response: z.object({
    /** In the requested order, without those the reader does not see. */
    records: z.array(found.extend({ kind })),
  }),
});
