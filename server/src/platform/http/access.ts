import type { AuditRecordKind, NamedAction } from '@caseway/contract/audit-action';
import type { AuditDeed } from '@caseway/contract/audit-deed';
import type { Method, Permission } from '@caseway/contract/endpoint';
import type { GuardianRight } from '@caseway/contract/guardian-rules';
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
  /** A second factor was given; for a patient, the correct date of birth. */
  secondCheck: boolean;
}

/** The organisation a request acts for, checked against the account's memberships. */
export interface ActingOrg {
  id: string;
  orgType: OrgType;
  name: string;
  experience: Experience;
  /** IANA name, used for days and ranges of the request. */
  timeZone: string;
  /**
   * The tenants whose records it reads: its own, or, for a jurisdiction, those that report to it and have the request's
   * features on. [S1.6]
   */
  tenantIds: string[];
}

/** A patient's own record, or that of a child whose guardian they are. */
export interface OwnRecord {
  tenantId: string;
  patientId: string;
  /** They read as the child's guardian, without results of these disease families. */
  guardian?: { hiddenFamilies: string[] };
}

/** A child whose record is asked for, and what has to be allowed for it; no right if it is never about a child. */
export interface ChildAsked {
  id: string;
  right: GuardianRight | undefined;
}

/** What a request may do, and what it may see. */
export interface Authorisation {
  org: ActingOrg;
  /** Whether the policy also allows another permission. */
  may(permission: Permission): boolean;
  /** The tenants in which the request may use another permission: those that have its features on; none if it is refused. */
  tenantsFor(permission: Permission, feature?: FeatureNeed): readonly string[];
  /** The scope in one of `org.tenantIds`. */
  scopeIn(tenantId: string): Scope;
  /**
   * The scope of people's own columns, filters and saved views. For a jurisdiction it is the first tenant that
   * reports to it, even if that tenant has the feature off. Throws `not-found` if none reports.
   */
  ownScope(): Scope;
}

/** The one place that decides permissions; the HTTP layer calls it before a request's body is read. */
export interface Authorizer {
  /** The sender of the request. Throws the AppError `not-signed-in` or `session-expired`. */
  authenticate(request: FastifyRequest): Promise<Account>;
  /**
   * What the account may do for the organisation that the request names. The features of the permission and of the
   * endpoint have to be on for that organisation; a jurisdiction reads only tenants that have them on. Throws
   * `forbidden`, `feature-off`, `tenant-suspended` or `second-factor-needed`.
   */
  authorise(
    request: FastifyRequest,
    account: Account,
    permission: Permission,
    feature?: FeatureNeed,
  ): Promise<Authorisation>;
  /**
   * The sender of the request, while their session is active; their access token may have expired. Cached data about
   * them is dropped first, so that this and the next checks read the database. Throws `session-expired`. [P14]
   */
  confirm(request: FastifyRequest, account: Account): Promise<Account>;
  /**
   * The record of a patient who has signed in; throws `session-expired` if it no longer exists. With a child, that
   * child's record: throws `not-found` unless they are the child's guardian today, and `forbidden` for what guardians
   * may not do.
   */
  recordOf(account: Account, child?: ChildAsked): Promise<OwnRecord>;
}

/** The handler's part of an audit event. */
export interface AuditEntry {
  /** The action; the endpoint's method and path by default. */
  action?: NamedAction;
  /** Its kind, if it differs from the endpoint's. */
  deed?: AuditDeed;
  recordKind?: AuditRecordKind;
  recordIds?: string[];
  /** Contains no value of a patient. */
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
  /** The network address of the request. */
  address: string;
}

/** Writes the audit log. */
export interface Auditor {
  /** Adds an event in the given transaction, so that both are stored or neither. */
  write(tx: Tx, event: AuditEvent): Promise<void>;
}
