import type { Permission } from '@caseway/contract/endpoint';
import { type Feature, type FeatureNeed, featureOf, featuresNeeded } from '@caseway/contract/permission';
import { compilePolicy, type Enforcer, permissionSubject } from '@caseway/contract/policy';
import type { FastifyRequest } from 'fastify';
import type { Database, Tx } from '../db/database.ts';
import type { Account, Authorisation, Authorizer, OwnRecord } from '../http/access.ts';
import { AppError } from '../http/app-error.ts';
import { keepJson } from '../http/kept-json.ts';
import { loadTenantPolicy, policyLines, type TenantPolicy } from '../policy/tenant-policy.ts';
import { type Decided, decided, type Scope } from '../scope.ts';
import { FreshCache } from './fresh-cache.ts';
import { childrenOf, type GuardianshipOptions } from './guardianship.ts';
import {
  isSuspended,
  type Membership,
  membershipFor,
  membershipsOf,
  orgGoesOn,
  reachOf,
} from './memberships.ts';
import { patientAccounts, recordsOf } from './patient-accounts.ts';
import { sessionGoesOn } from './sessions.ts';
import type { OrgClaims, Signing } from './signing.ts';

/** The header with the token of the organisation that a request acts for. [S10.5] */
export const orgTokenHeader = 'x-org-token';

/**
 * Milliseconds for which a valid session or membership is not looked up again. Revoked access must end within five
 * seconds; this leaves as much time for a busy database to answer. [P14]
 */
const freshMs = 2500;

export interface IdentityAuthorizer extends Authorizer {
  /** The same check outside the start of a request: for look-ups with or without an organisation, and for streams. */
  authoriseFor(
    account: Account,
    orgToken: string | undefined,
    permission: Permission,
    feature?: FeatureNeed,
  ): Promise<Authorisation>;
  /**
   * The same for background work: what the person may do now, read from the database itself. Throws
   * `session-expired` if the session that began the work has ended, and `forbidden` if the person has left the
   * organisation.
   */
  authoriseAbsent(
    absent: Absent,
    permission: Permission,
    feature?: FeatureNeed,
  ): Promise<{ account: Account; authorisation: Authorisation }>;
  /**
   * How a person reads a tenant through each of their organizations, even while signed out. It decides what they are
   * sent.
   */
  readersOf(accountId: string, tenantId: string): Promise<Reader[]>;
  /**
   * The holders that have lost their session or their organisation. Reads the database itself, in one query for all.
   */
  revokedAmong(holders: readonly Holder[]): Promise<Holder[]>;
  /** The policy lines of an account in one of its organisations. In the scope `identity`. */
  linesFor(tx: Tx, membership: Membership): Promise<string[]>;
  /** The next request looks the session up again. */
  forgetSession(sessionId: string): void;
  /** The next requests look memberships and their tenants' settings up again. */
  forgetMemberships(): void;
}

/** What a person sees of a tenant, and what they may do there. */
export interface Reader extends Pick<Authorisation, 'may'> {
  scope: Scope;
}

/** Someone with an open stream. */
export interface Holder {
  account: Account;
  orgToken: string;
}

/** A person whose work runs on without them, and the organisation it is for. */
export interface Absent extends Pick<OrgClaims, 'accountId' | 'orgType' | 'orgId'> {
  sessionId: string;
}

export interface AuthorizerOptions {
  database: Database;
  signing: Signing;
  /** Codes of the disease families that are restricted in every tenant. [P18] */
  restrictedFamilies: readonly string[];
  guardianship: GuardianshipOptions;
}

interface Granted {
  membership: Membership;
  enforcer: Enforcer;
  subject: string;
  /** The access for some features. A jurisdiction reads only the tenants that have these on for it. */
  authorisationFor(features: readonly Feature[]): Authorisation;
}

export function createAuthorizer({
  database,
  signing,
  restrictedFamilies,
  guardianship,
}: AuthorizerOptions): IdentityAuthorizer {
  const sessions = new FreshCache<{ secondCheck: boolean } | undefined>({ freshMs });
  const grants = new FreshCache<Granted | 'suspended' | undefined>({ freshMs });
  const ownRecords = new FreshCache<OwnRecord | undefined>({ freshMs });
  // Both are valid for one version, so they are as fresh as the membership that names it.
  const policies = new FreshCache<TenantPolicy>({ freshMs: 3_600_000, capacity: 1000 });
  const enforcers = new FreshCache<Enforcer>({ freshMs: 3_600_000 });
  const lines = new FreshCache<string[]>({ freshMs: 3_600_000, capacity: 500 });

  /** The session of an access token, while it is active. */
  const sessionOf = ({ sessionId, accountId, audience }: Omit<Account, 'secondCheck'>) =>
    sessions.get(sessionId, () =>
      database.withScope({ kind: 'identity' }, async (tx) => {
        const [session] = await tx.rows<{ secondCheck: boolean }>(
          `select s.second_check as "secondCheck" from session s join account a on a.id = s.account_id
           where s.id = $1 and s.account_id = $2 and s.audience = $3 and ${sessionGoesOn}`,
          [sessionId, accountId, audience],
        );
        return session;
      }),
    );

  const policyOf = (tx: Tx, tenantId: string, version: number) =>
    policies.get(`${tenantId} ${version}`, () => loadTenantPolicy(tx, tenantId));

  const policyKey = ({ accountId, tenantId, orgType, orgId, policyVersion, roleIds }: Membership) =>
    [accountId, tenantId, orgType, orgId, policyVersion, ...roleIds].join(' ');

  const linesFor = (tx: Tx, membership: Membership): Promise<string[]> =>
    lines.get(policyKey(membership), async () => {
      const { accountId, orgId: id, orgType, experience, roleIds, tenantId, policyVersion } = membership;
      const policy = await policyOf(tx, tenantId, policyVersion);
      return keepJson(policyLines(accountId, { id, orgType, experience }, roleIds, policy));
    });

  const load = (tx: Tx, membership: Membership): Promise<Enforcer> =>
    enforcers.get(policyKey(membership), async () => compilePolicy(await linesFor(tx, membership)));

  async function grant(tx: Tx, membership: Membership): Promise<Granted> {
    const until = performance.now() + freshMs;
    const { accountId, orgId: id, orgType, experience, name, timeZone } = membership;
    const enforcer = await load(tx, membership);
    const subject = permissionSubject({ id, orgType, experience }, accountId);
    const { tenants, counties } = await reachOf(tx, membership);
    const may = (permission: Permission) =>
      isOn(membership, permission) && enforcer.allows(accountId, subject, permission);
    const seesRestricted = may('restricted-families/read');
    const privacyOfficer = may('privacy/officer');
    const shown = new Map(
      tenants.map((tenant) => [
        tenant.id,
        {
          // The managing tenant's grants do not show other tenants' families: each tenant decides for itself.
          hiddenFamilies:
            seesRestricted && tenant.restrictedReported
              ? []
              : [...new Set([...restrictedFamilies, ...tenant.restrictedFamilies])].sort(),
          genderIdentityShown: tenant.genderIdentityKept,
          // Filled by the reader's first transaction, and dropped with the membership.
          [decided]: { tenantId: tenant.id, orgId: id, until } as Decided,
        },
      ]),
    );
    const scopeIn = (tenantId: string | undefined): Scope => {
      const here = tenantId === undefined ? undefined : shown.get(tenantId);
      if (tenantId === undefined || !here) throw new AppError('not-found');
      return {
        kind: 'org',
        tenantId,
        orgType: subject === 'A' ? 'A' : orgType,
        orgId: id,
        accountId,
        counties,
        ...here,
        privacyOfficer,
      };
    };
    return {
      membership,
      enforcer,
      subject,
      authorisationFor(needed) {
        const read = tenants.filter((tenant) =>
          needed.every((one) => tenant.features?.includes(one) ?? true),
        );
        const tenantIds = read.map((tenant) => tenant.id);
        return {
          org: { id, orgType, name, experience, timeZone, tenantIds },
          may,
          tenantsFor(permission, feature) {
            const wanted = featuresNeeded(permission, feature);
            if (!may(permission) || !wanted.every((one) => hasFeature(membership, one))) return [];
            return read
              .filter(({ features }) => wanted.every((one) => features?.includes(one) ?? true))
              .map((tenant) => tenant.id);
          },
          scopeIn: (tenantId) => scopeIn(tenantIds.includes(tenantId) ? tenantId : undefined),
          ownScope: () => scopeIn(tenants[0]?.id),
        };
      },
    };
  }

  const grantKey = ({ accountId, tenantId, orgType, orgId }: OrgClaims) =>
    [accountId, tenantId, orgType, orgId].join(' ');

  async function authoriseFor(
    account: Account,
    orgToken: string | undefined,
    permission: Permission,
    feature?: FeatureNeed,
  ) {
    const claims = orgToken ? signing.readOrgToken(orgToken) : undefined;
    // A token for someone else's organisation counts as no token.
    if (!claims || claims.accountId !== account.accountId) throw new AppError('forbidden', { permission });
    return authoriseAs(account, claims, permission, feature);
  }

  async function authoriseAs(
    account: Account,
    claims: OrgClaims,
    permission: Permission,
    feature?: FeatureNeed,
  ) {
    const granted = await grantOf(claims);
    if (granted === 'suspended') throw new AppError('tenant-suspended');
    if (!granted) throw new AppError('forbidden', { permission });
    if (needsSecondFactor(granted.membership, account)) throw new AppError('second-factor-needed');
    const needed = featuresNeeded(permission, feature);
    if (!needed.every((one) => hasFeature(granted.membership, one)))
      throw new AppError('feature-off', { permission });
    const authorisation = granted.authorisationFor(needed);
    if (!authorisation.may(permission)) throw new AppError('forbidden', { permission });
    return authorisation;
  }

  async function grantOf(claims: OrgClaims) {
    return grants.get(grantKey(claims), () =>
      database.withScope({ kind: 'identity' }, async (tx) => {
        const membership = await membershipFor(tx, claims);
        if (membership) return grant(tx, membership);
        return (await isSuspended(tx, claims)) ? 'suspended' : undefined;
      }),
    );
  }

  async function readersOf(accountId: string, tenantId: string): Promise<Reader[]> {
    const entries = await database.withScope({ kind: 'identity' }, (tx) => membershipsOf(tx, accountId));
    const readers: Reader[] = [];
    for (const { orgType, orgId, tenantId: ofOrg } of entries) {
      const granted = await grantOf({ accountId, orgType, orgId, tenantId: ofOrg });
      if (!granted || granted === 'suspended') continue;
      const { org, tenantsFor, scopeIn } = granted.authorisationFor([]);
      const may = (permission: Permission) => tenantsFor(permission).includes(tenantId);
      if (org.tenantIds.includes(tenantId)) readers.push({ may, scope: scopeIn(tenantId) });
    }
    return readers;
  }

  async function authoriseAbsent(
    { sessionId, ...absent }: Absent,
    permission: Permission,
    feature?: FeatureNeed,
  ) {
    const { accountId, orgType, orgId } = absent;
    const who = { accountId, sessionId, audience: 'staff' } as const;
    sessions.forget(sessionId);
    const session = await sessionOf(who);
    if (!session) throw new AppError('session-expired');
    const entries = await database.withScope({ kind: 'identity' }, (tx) => membershipsOf(tx, accountId));
    const entry = entries.find((one) => one.orgType === orgType && one.orgId === orgId);
    if (!entry) throw new AppError('forbidden', { permission });
    const claims = { ...absent, tenantId: entry.tenantId };
    grants.forget(grantKey(claims));
    const account = { ...who, ...session };
    return { account, authorisation: await authoriseAs(account, claims, permission, feature) };
  }

  async function revokedAmong(holders: readonly Holder[]): Promise<Holder[]> {
    if (holders.length === 0) return [];
    const claims = holders.map(({ orgToken }) => signing.readOrgToken(orgToken)!);
    const good = await database.withScope({ kind: 'identity' }, (tx) =>
      tx.rows<{ index: number }>(
        `select h.index::int from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[])
           with ordinality as h (session_id, account_id, tenant_id, org_type, org_id, index)
         where exists (select from session s join account a on a.id = s.account_id
             where s.id = h.session_id and s.account_id = h.account_id and ${sessionGoesOn}
               and (s.second_check or not exists (
                 select from tenant t where t.id = h.tenant_id and t.second_factor_required)))
           and exists (select from membership m join tenant t on t.id = m.tenant_id and t.suspended_at is null
             where m.tenant_id = h.tenant_id and m.account_id = h.account_id and m.org_type = h.org_type
               and m.org_id = h.org_id and m.ended_at is null and ${orgGoesOn})`,
        [
          holders.map(({ account }) => account.sessionId),
          holders.map(({ account }) => account.accountId),
          claims.map(({ tenantId }) => tenantId),
          claims.map(({ orgType }) => orgType),
          claims.map(({ orgId }) => orgId),
        ],
      ),
    );
    const kept = new Set(good.map(({ index }) => index - 1));
    return holders.filter((_, index) => !kept.has(index));
  }

  return {
    async authenticate(request: FastifyRequest) {
      const { authorization } = request.headers;
      if (!authorization) throw new AppError('not-signed-in');
      const [, token] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization) ?? [];
      const claims = token ? await signing.readAccessToken(token) : undefined;
      const session = claims && (await sessionOf(claims));
      if (!session) throw new AppError('session-expired');
      return { ...claims, ...session };
    },
    authorise(request, account, permission, feature) {
      return authoriseFor(account, orgTokenOf(request), permission, feature);
    },
    async confirm(request, account) {
      sessions.forget(account.sessionId);
      ownRecords.forget(account.accountId);
      const orgToken = orgTokenOf(request);
      const claims = orgToken ? signing.readOrgToken(orgToken) : undefined;
      if (claims) grants.forget(grantKey(claims));
      const session = await sessionOf(account);
      if (!session) throw new AppError('session-expired');
      return { ...account, ...session };
    },
    async recordOf({ accountId, secondCheck }, asked) {
      const own =
        secondCheck &&
        (await ownRecords.get(accountId, async () => {
          const [record] = await recordsOf(database, await patientAccounts(database, [accountId]));
          return record && { tenantId: record.tenantId, patientId: record.patientId };
        }));
      if (!own) throw new AppError('session-expired');
      if (asked === undefined) return own;
      const { id, right } = asked;
      if (right === undefined) throw new AppError('forbidden');
      const child = (await childrenOf(guardianship, own)).find(({ patientId }) => patientId === id);
      if (!child) throw new AppError('not-found');
      if (!child.may.includes(right)) throw new AppError('forbidden');
      const { patientId, hiddenFamilies } = child;
      return { tenantId: own.tenantId, patientId, guardian: { hiddenFamilies } };
    },
    authoriseFor,
    authoriseAbsent,
    readersOf,
    revokedAmong,
    linesFor,
    forgetSession(sessionId) {
      sessions.forget(sessionId);
    },
    forgetMemberships() {
      grants.clear();
    },
  };
}

const orgTokenOf = ({ headers }: FastifyRequest): string | undefined => {
  const header = headers[orgTokenHeader];
  return Array.isArray(header) ? undefined : header;
};

/** Whether the tenant requires a second factor that the session began without. [P21] */
export const needsSecondFactor = (
  { secondFactorRequired }: Pick<Membership, 'secondFactorRequired'>,
  { secondCheck }: Pick<Account, 'secondCheck'>,
): boolean => secondFactorRequired && !secondCheck;

/** Whether the feature of a permission is on for the organisation. [S1.6] */
const isOn = (membership: Membership, permission: Permission): boolean =>
  hasFeature(membership, featureOf(permission));

function hasFeature({ tenantFeatures, betaFeatures }: Membership, feature: Feature | undefined): boolean {
  return feature === undefined || tenantFeatures.includes(feature) || betaFeatures.includes(feature);
}
