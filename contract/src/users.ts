import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { gridQuery } from './grid.ts';
import { labelled } from './label.ts';
import {
  byServer,
  choice,
  computed,
  email,
  foundCode,
  inColumn,
  instant as instantField,
  needed,
  phone,
  type RecordOf,
  recordApart,
  reference,
  references,
  text,
  timeZone,
} from './record.ts';
import { languages, orgTypes } from './session.ts';

/*
 * A user is an account that belongs to an organization; an account can belong to many. A row of the grids,
 * and the id in an address, is one membership: the person, the organization, and their roles there.
 */

/**
 * - `invited`: has not signed in yet.
 * - `locked`: temporarily cannot sign in, after too many wrong codes.
 * - `inactive`: no longer belongs to the organization.
 * - `disabled`: the account cannot sign in anywhere.
 */
export const userStatuses = ['active', 'invited', 'locked', 'inactive', 'disabled'] as const;
/** Whether someone has a second factor. */
export const yesNo = ['yes', 'no'] as const;
export type UserStatus = (typeof userStatuses)[number];

const id = z.uuid();
const instant = z.iso.datetime().nullable();

/** What is known of a person. */
const person = {
  firstName: needed(text(100)),
  middleName: text(100),
  lastName: needed(text(100)),
  /** Also their sign-in name. */
  email: needed(email()),
  phone: phone(),
  language: needed(inColumn('language_code', choice(languages))),
  timeZone: needed(timeZone()),
};
export const personFields = z.strictObject({
  firstName: person.firstName.written,
  middleName: person.middleName.written.nullable(),
  lastName: person.lastName.written,
  email: person.email.written,
  phone: person.phone.written.nullable(),
  language: person.language.written,
  timeZone: person.timeZone.written,
});
export type PersonFields = z.infer<typeof personFields>;

const roleIds = z.array(id).min(1).max(30);

/** An organization and the roles in it. */
export const membershipFields = z.strictObject({
  orgType: z.enum(orgTypes),
  orgId: id,
  roleIds,
});
export type MembershipFields = z.infer<typeof membershipFields>;

export const userMembership = z.object({
  id,
  version: z.number().int(),
  orgType: z.enum(orgTypes),
  orgId: id,
  orgName: z.string(),
  roleIds: z.array(id),
  active: z.boolean(),
  createdAt: z.iso.datetime(),
  endedAt: instant,
  /** Null if the reader may change it. Otherwise the reason, one of `userRefusals`. */
  locked: z.enum(['own-membership', 'holds-more']).nullable(),
});
export type UserMembership = z.infer<typeof userMembership>;

const identity = { name: { width: 220, sensitive: true }, email: { width: 240, sensitive: true } };
// An account is changed with the rest in view, because its state decides what may be.
const formOnly = true as const;
const rest = {
  roles: { width: 260, formOnly },
  status: { width: 120 },
  lastSignInAt: { width: 170 },
  secondFactor: { width: 130 },
  phone: { width: 150, hidden: true, sensitive: true },
  language: { width: 140, hidden: true, formOnly },
  timeZone: { width: 180, hidden: true, formOnly },
  invitedAt: { width: 170, hidden: true },
  createdAt: { width: 170, hidden: true },
};

/** A user in one organization; `active`: belongs to it. New users are invited. */
export const users = recordApart({
  id: 'users',
  kind: 'user',
  noun: 'user',
  table: 'user_list',
  access: { read: 'users/read', write: 'users/write' },
  name: 'name',
  fields: {
    ...person,
    roles: needed(inColumn('role_ids', references('roles', roleIds))),
    accountId: byServer(needed(inColumn('account_id', reference()))),
    /** `Castellanos, Erin Maria`: the grid's sort order. */
    name: computed(text(302)),
    organization: byServer(reference('organizations')),
    facility: byServer(reference('facilities')),
    jurisdiction: byServer(reference('managedJurisdictions')),
    status: foundCode(userStatuses),
    /** An authenticator app or a passkey. */
    secondFactor: foundCode(yesNo),
    lastSignInAt: byServer(instantField()),
    /** When the last invitation was sent. */
    invitedAt: byServer(instantField()),
    createdAt: byServer(needed(instantField())),
  },
  also: {
    /** When the account was locked and until when; null unless the status says so. */
    lock: z.object({ since: instant, until: z.iso.datetime() }).nullable(),
    /** Only those the reader administers. */
    memberships: z.array(userMembership),
    /**
     * What may be changed: nothing; name, language and time zone; or, before the first sign-in, also the
     * addresses.
     */
    editable: z.enum(['nothing', 'name', 'everything']),
  },
  // The users of each type of organization. [S1.2]
  lists: {
    'organization-users': { ...identity, organization: { width: 240 }, ...rest },
    'tenant-users': { ...identity, ...rest },
    'facility-users': {
      ...identity,
      facility: { width: 240 },
      organization: { width: 220, hidden: true },
      ...rest,
    },
    'jurisdiction-users': { ...identity, jurisdiction: { width: 240 }, ...rest },
  },
  // [S9.2]
  sortedBy: 'name',
  form: [['firstName', 'middleName'], ['lastName', 'phone'], 'email', ['language', 'timeZone'], 'roles'],
});
export type UserRow = RecordOf<typeof users>;
export const { read: readUser, change: changeUser } = users.endpoints;
const userDetail = readUser.response!;
export type UserDetail = z.infer<typeof userDetail & z.ZodType>;

export const userGrids = {
  O: users.grids['organization-users'],
  T: users.grids['tenant-users'],
  F: users.grids['facility-users'],
  PHJ: users.grids['jurisdiction-users'],
} as const;

const params = z.strictObject({ id });

/**
 * Why a change of a user is refused; worded under `users:refusal.<code>`.
 * - `beyond-your-rights`: it would give a permission that the administrator does not have.
 * - `holds-more`: the person has a permission there that the administrator does not.
 * - `own-membership`: no one changes their own roles or removes themselves.
 * - `unknown-organization`: the administrator does not administer it.
 * - `unknown-role`: the tenant has no such role.
 * - `kept-by-person`: the person changes this in their own profile.
 * - `address-taken`: another account has this address.
 * - `exists-already`: the person already belongs to that organization.
 * - `sent-just-now`: the last invitation is less than a minute old.
 * - `asked-first`: the membership ended some time ago, and the person may have another employer: they are
 * invited again.
 */
export const userRefusals = [
  'beyond-your-rights',
  'holds-more',
  'own-membership',
  'unknown-organization',
  'unknown-role',
  'kept-by-person',
  'address-taken',
  'exists-already',
  'sent-just-now',
  'asked-first',
] as const;
export type UserRefusal = (typeof userRefusals)[number];

/** A role that can be given in one organization. */
export const grantableRole = labelled.extend({
  id,
  code: z.string(),
  /** Its permissions there, including inherited ones. */
  permissions: z.array(z.string()),
  /** Permissions the reader does not have; with any of them, they may not give the role. */
  missing: z.array(z.string()),
});
export type GrantableRole = z.infer<typeof grantableRole>;

export const grantableRoles = endpoint({
  method: 'GET',
  path: '/api/web/users/roles',
  access: 'users/read',
  deed: 'read',
  summary: 'The roles of the tenant, and which of them the reader can give in an organisation',
  query: z.strictObject({ orgType: z.enum(orgTypes), orgId: id }),
  response: z.object({ roles: z.array(grantableRole) }),
});

/**
 * Organizations of one type in which the reader can give roles; at most 50, searched by words of their names.
 */
export const administeredOrgs = endpoint({
  method: 'GET',
  path: '/api/web/users/organizations',
  access: 'users/read',
  deed: 'search',
  summary: 'Organisations of one type whose users the reader administers',
  query: z.strictObject({ orgType: z.enum(orgTypes), words: z.string().max(200).default('') }),
  response: z.object({ organizations: z.array(z.object({ id, name: z.string() })) }),
});

/**
 * Someone who already belongs to the tenant keeps their name and addresses, and gets an email about the new
 * roles. Someone with an account elsewhere gets an offer, and belongs to the tenant once they accept; the
 * answer is the same as for an unknown address. [P12]
 */
export const inviteUser = endpoint({
  method: 'POST',
  path: '/api/web/users',
  access: 'users/write',
  deed: 'administration',
  summary: 'Invite somebody by mail into one or several organisations',
  body: personFields.extend({ memberships: z.array(membershipFields).min(1).max(50) }),
  response: userDetail,
});

export const addMembership = endpoint({
  method: 'POST',
  path: '/api/web/users/:id/memberships',
  access: 'users/write',
  deed: 'administration',
  summary: 'Bring a user into one more organisation',
  params,
  body: membershipFields,
  response: userDetail,
});

/**
 * Removes a person from every organization the caller administers; `ended` lists these, so that it can be
 * undone.
 */
export const deactivateUser = endpoint({
  method: 'POST',
  path: '/api/web/users/:id/deactivate',
  access: 'users/write',
  deed: 'administration',
  summary: 'Take a user out of every organisation that the caller administers',
  params,
  response: z.object({ user: userDetail, ended: z.array(id) }),
});

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/web/users/:id/invitation',
  access: 'users/write',
  deed: 'administration',
  summary: 'Send the invitation of a user again',
  params,
  response: userDetail,
});

/**
 * Removes the authenticator apps and passkeys of someone who has lost them; the person gets an email. Like a
 * change of address, only for a person without other administrators.
 */
export const resetSecondFactor = endpoint({
  method: 'POST',
  path: '/api/web/users/:id/second-factor/reset',
  access: 'users/write',
  deed: 'administration',
  summary: 'Take the second factors of a user away',
  params,
  response: userDetail,
});

/** Lets someone sign in again after too many wrong codes. */
export const unlockUser = endpoint({
  method: 'POST',
  path: '/api/web/users/:id/unlock',
  access: 'users/write',
  deed: 'administration',
  summary: 'Let a user sign in again after too many wrong codes',
  params,
  response: userDetail,
});

// — Many at once —

/** Columns of the table, in export order. */
export const userTableColumns = [
  'email',
  'firstName',
  'middleName',
  'lastName',
  'phone',
  'language',
  'orgType',
  'organization',
  'roles',
  'status',
] as const;
export type UserTableColumn = (typeof userTableColumns)[number];
/** The most rows and characters of a table. */
export const userTableLimits = { rows: 5000, characters: 2_000_000 } as const;

/** The outcome of one row; with `dryRun`, the one it would have. */
export const userTableOutcomes = ['invited', 'added', 'changed', 'ended', 'unchanged', 'refused'] as const;

export const userTableRow = z.object({
  /** Line of the file, from 1. */
  line: z.number().int(),
  email: z.string(),
  outcome: z.enum(userTableOutcomes),
  /** Why it was refused: one of `userRefusals`, or a field's fault. */
  reason: z.string().nullable(),
  /** The column with the fault. */
  column: z.string().nullable(),
  /** Values for the reason's text: the missing permissions, the unknown role. */
  detail: z.array(z.string()),
});
export type UserTableRow = z.infer<typeof userTableRow>;

/** Each row is decided separately; refused rows change nothing. */
export const importUsers = endpoint({
  method: 'POST',
  path: '/api/web/users/table',
  access: 'users/write',
  deed: 'administration',
  summary: 'Invite, change and end users by a CSV table, or tell what would happen',
  body: z.strictObject({
    text: z.string().max(userTableLimits.characters),
    dryRun: z.boolean().default(true),
  }),
  response: z.object({
    rows: z.array(userTableRow),
    /** A fault of the whole table; it then has no rows. */
    fault: z
      .object({
        code: z.enum(['no-rows', 'too-many-rows', 'columns-missing', 'unreadable']),
        detail: z.string(),
      })
      .nullable(),
  }),
});

export const exportUsers = endpoint({
  method: 'POST',
  path: '/api/web/users/export',
  access: 'users/read',
  deed: 'export',
  summary: 'All matching users as CSV, in the columns that a table for import has',
  body: z.discriminatedUnion('orgType', [
    z.strictObject({ orgType: z.literal('O'), query: gridQuery(userGrids.O) }),
    z.strictObject({ orgType: z.literal('T'), query: gridQuery(userGrids.T) }),
    z.strictObject({ orgType: z.literal('F'), query: gridQuery(userGrids.F) }),
    z.strictObject({ orgType: z.literal('PHJ'), query: gridQuery(userGrids.PHJ) }),
  ]),
  produces: 'text/csv',
});

// — Offers to someone with an account, from a tenant they do not belong to —

export const membershipOffer = z.object({
  id,
  tenant: z.string(),
  /** Who invited them. */
  invitedBy: z.string(),
  invitedAt: z.iso.datetime(),
  organizations: z.array(z.object({ orgType: z.enum(orgTypes), name: z.string(), roles: z.array(labelled) })),
});
export type MembershipOffer = z.infer<typeof membershipOffer>;

export const listOffers = endpoint({
  method: 'GET',
  path: '/api/profile/offers',
  access: 'signed-in',
  deed: 'read',
  summary: 'Invitations of the signed-in person that they have not answered, the latest first',
  response: z.object({ offers: z.array(membershipOffer) }),
});

/**
 * 409 if none of it is valid any more: it was withdrawn, or the person who invited them may no longer give
 * it.
 */
export const acceptOffer = endpoint({
  method: 'POST',
  path: '/api/profile/offers/:id/accept',
  access: 'signed-in',
  deed: 'administration',
  summary: 'Accept an invitation: the person belongs to the organizations from then on',
  params,
  body: z.strictObject({}),
  response: z.object({ organizations: z.number() }),
});

export const refuseOffer = endpoint({
  method: 'POST',
  path: '/api/profile/offers/:id/refuse',
  access: 'signed-in',
  deed: 'administration',
  summary: 'Refuse an invitation',
  params,
  body: z.strictObject({}),
});
