import type { AuditRecordKind, NamedAction } from '@caseway/contract/audit-action';
import type { AuditDeed } from '@caseway/contract/audit-deed';
import type { Method, Permission } from '@caseway/contract/endpoint';
import type { FeatureNeed } from '@caseway/contract/permission';
import type { Experience, OrgType } from '@caseway/contract/session';
import type { FastifyRequest } from 'fastify';
import type { Tx } from '../db/database.ts';
import type { Scope } from '../scope.ts';

/** Who sent a request. */
export interface Account {
  accountId: string;
  audience: 'staff' | 'patient';
  sessionId: string;
  /** A second factor was given; of a patient, the date of birth was right. */
  secondCheck: boolean;
}

/** The organisation a request acts for, checked against the account's memberships. */
export interface ActingOrg {
  id: string;
  orgType: OrgType;
  name: string;
  experience: Experience;
  /** IANA name; days and ranges of the request are in it. */
  timeZone: string;
  /**
   * The tenants whose records it reads: its own, or, of a jurisdiction, those that report to it and have what the
   * request is about switched on. [S1.6]
   */
  tenantIds: string[];
}

/** The record that is a patient's own. */
export interface OwnRecord {
  tenantId: string;
  patientId: string;
}

/** What a request may do, and what it may see. */
export interface Authorisation {
  org: ActingOrg;
  /** Whether the policy allows another permission as well. */
  may(permission: Permission): boolean;
  /** The scope in one of `org.tenantIds`. */
  scopeIn(tenantId: string): Scope;
  /**
   * The scope in which people's own columns, filters and presets are kept: for a jurisdiction, in the first tenant that
   * reports to it, even if that tenant has the feature off. Throws `not-found` where none reports.
   */
  ownScope(): Scope;
}

/** The one door for permissions; the HTTP layer asks it before a request's body is read. */
export interface Authorizer {
  /** Who sent the request. Throws the AppError `not-signed-in` or `session-expired`. */
  authenticate(request: FastifyRequest): Promise<Account>;
  /**
   * What the account may do for the organisation that the request names. The features of the permission and those that
   * the endpoint also names have to be on for that organisation; a jurisdiction reads only tenants that have them on.
   * Throws `forbidden`, `feature-off`, `tenant-suspended` or `second-factor-needed`.
   */
  authorise(
    request: FastifyRequest,
    account: Account,
    permission: Permission,
    feature?: FeatureNeed,
  ): Promise<Authorisation>;
  /**
   * A person who sent the request, while their session goes on: their access token may have run out since. What is
   * known of them is forgotten first, so that this and what is asked next comes from the database. Throws
   * `session-expired`. [P14]
   */
  confirm(request: FastifyRequest, account: Account): Promise<Account>;
  /** The record of a patient who has signed in. Throws `session-expired` when there is none any more. */
  recordOf(account: Account): Promise<OwnRecord>;
}

/** What a handler says for the audit log; the rest is known. */
export interface AuditEntry {
  /** What was done; the endpoint's method and path unless said otherwise. */
  action?: NamedAction;
  /** Of what kind it was, where that is not what the endpoint declares. */
  deed?: AuditDeed;
  recordKind?: AuditRecordKind;
  recordIds?: string[];
  /** Holds no value of a patient. */
  detail?: Record<string, unknown>;
}

export interface AuditEvent {
  tenantId: string;
  accountId: string | null;
  orgType: string | null;
  orgId: string | null;
  action: NamedAction | `${Method} ${string}`;
  deed: AuditDeed;
  recordKind: AuditRecordKind | null;
  recordIds: string[];
  detail: Record<string, unknown>;
  requestId: string;
  /** Network address the request came from. */
  address: string;
}

/** Writes the audit log. */
export interface Auditor {
  /** Adds an event in the transaction given, so that both are kept or neither. */
  write(tx: Tx, event: AuditEvent): Promise<void>;
}
