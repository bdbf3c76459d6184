import { logoAddress } from '@caseway/contract/logo';
import type { InitUserAnswer, OrgEntry } from '@caseway/contract/session';
import { orgKey } from '@caseway/contract/session';
import { type IdentityAuthorizer, needsSecondFactor } from '../../platform/auth/authorizer.ts';
import { FreshCache } from '../../platform/auth/fresh-cache.ts';
import {
  type MembershipEntry,
  membershipFor,
  membershipsMark,
  membershipsOf,
  suspendedTenants,
} from '../../platform/auth/memberships.ts';
import type { Signing } from '../../platform/auth/signing.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Account } from '../../platform/http/access.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { keepJson } from '../../platform/http/kept-json.ts';
import { labelOverridesOf } from '../../platform/words/label-overrides.ts';

export interface InitRequest {
  account: Account;
  /** The last used organisation, `orgType:id`. */
  wanted: string | undefined;
  signing: Signing;
  authorizer: IdentityAuthorizer;
  available: AvailableOrgs;
}

/** The organisations of an account by name, and the tenant of each. */
interface Available {
  entries: OrgEntry[];
  tenantIds: string[];
}

/**
 * People in hundreds of organisations get as many signed tokens, which are cached as long as the list is the same. A
 * changed name is shown after a few seconds.
 */
export type AvailableOrgs = FreshCache<Available>;
export const rememberAvailableOrgs = (): AvailableOrgs =>
  new FreshCache<Available>({ freshMs: 5000, capacity: 200 });

interface AccountRow {
  id: string;
  cognitoAccountId: string | null;
  lastName: string;
  firstName: string;
  middleName: string | null;
  phone: string | null;
  email: string;
  languageCode: string;
  timeZone: string;
}

const byName = new Intl.Collator('en').compare;

/**
 * Everything that the browser needs to begin, in the scope `identity`: three statements, one more for an uncached
 * list of organisations, and one for a policy. [S3.5]
 */
export async function initAnswer(
  tx: Tx,
  { account: asking, wanted, signing, authorizer, available }: InitRequest,
): Promise<InitUserAnswer> {
  const { accountId } = asking;
  const [found] = await tx.prepared<
    AccountRow & { mark: string; suspended: InitUserAnswer['suspendedTenants'] }
  >(
    'beginning',
    `select id, cognito_account_id as "cognitoAccountId", last_name as "lastName", first_name as "firstName",
       middle_name as "middleName", phone, email, language_code as "languageCode", time_zone as "timeZone",
       ${membershipsMark} as mark, ${suspendedTenants} as suspended
     from account a where id = $1`,
    [accountId],
  );
  if (!found) throw new AppError('session-expired');
  const { mark, suspended, ...account } = found;
  const { entries, tenantIds } = await available.get(`${accountId} ${mark}`, async () => {
    const memberships = await membershipsOf(tx, accountId);
    memberships.sort((a, b) => byName(a.name, b.name) || byName(a.orgId, b.orgId));
    return {
      entries: keepJson(memberships.map((membership) => entryOf(signing, accountId, membership))),
      tenantIds: memberships.map(({ tenantId }) => tenantId),
    };
  });
  // [S4.6]
  const place = Math.max(
    0,
    entries.findIndex((entry) => orgKey(entry) === wanted),
  );
  const chosenOrg = entries[place];
  const selected =
    chosenOrg &&
    (await membershipFor(tx, {
      accountId,
      tenantId: tenantIds[place]!,
      orgType: chosenOrg.orgType,
      orgId: chosenOrg.id,
    }));
  const tenant = selected && { id: selected.tenantId, name: selected.tenantName };
  const chosen = (orgType: string) =>
    selected?.orgType === orgType ? { id: selected.orgId, name: selected.name } : null;

  return {
    user: {
      ...account,
      cognitoAccountId: account.cognitoAccountId ?? account.id,
      tenant: selected && selected.orgType !== 'PHJ' ? tenant! : null,
      adminOrg: chosen('O'),
      facility: chosen('F'),
    },
    availableOrgs: entries,
    selectedOrg: selected
      ? {
          ...entryOf(signing, accountId, selected),
          tenant: selected.orgType === 'PHJ' ? null : tenant!,
          logo: selected.orgType === 'PHJ' ? null : logoAddress(selected.logoHash),
          timeZone: selected.timeZone,
          secondFactorNeeded: needsSecondFactor(selected, asking),
        }
      : null,
    casbinPolicy: selected ? await authorizer.linesFor(tx, selected) : [],
    betaFeatures: selected?.betaFeatures ?? [],
    tenantFeatures: selected?.tenantFeatures ?? [],
    // [S3.4]
    languageSupport: {
      tenantLanguages: selected?.tenantLanguages ?? ['en'],
      externalLanguages: selected?.externalLanguages ?? ['en'],
      defaultLanguage: selected?.defaultLanguage ?? 'en',
    },
    suspendedTenants: suspended,
    labelOverrides: selected ? await labelOverridesOf(tx, selected.tenantId) : {},
  };
}

const entryOf = (
  signing: Signing,
  accountId: string,
  { orgType, orgId: id, name, experience, tenantId }: MembershipEntry,
): OrgEntry => ({
  id,
  name,
  orgType,
  experience,
  token: signing.orgToken({ accountId, orgType, orgId: id, tenantId }),
});
