import type { InitUserAnswer } from '@caseway/contract/session';
import { orgKey } from '@caseway/contract/session';
import { type IdentityAuthorizer, needsSecondFactor } from '../../platform/auth/authorizer.ts';
import { type MembershipEntry, membershipFor, membershipsOf } from '../../platform/auth/memberships.ts';
import type { Signing } from '../../platform/auth/signing.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Account } from '../../platform/http/access.ts';
import { AppError } from '../../platform/http/app-error.ts';

export interface InitRequest {
  account: Account;
  /** The last used organisation, `orgType:id`. */
  wanted: string | undefined;
  signing: Signing;
  authorizer: IdentityAuthorizer;
}

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

/** Everything the browser needs to begin, in the scope `identity`: three queries, and one more per policy version. [S3.5] */
export async function initAnswer(
  tx: Tx,
  { account: asking, wanted, signing, authorizer }: InitRequest,
): Promise<InitUserAnswer> {
  const { accountId } = asking;
  const [account] = await tx.rows<AccountRow>(
    `select id, cognito_account_id as "cognitoAccountId", last_name as "lastName", first_name as "firstName",
       middle_name as "middleName", phone, email, language_code as "languageCode", time_zone as "timeZone"
     from account where id = $1`,
    [accountId],
  );
  if (!account) throw new AppError('session-expired');
  const memberships = await membershipsOf(tx, accountId);
  memberships.sort((a, b) => byName(a.name, b.name) || byName(a.orgId, b.orgId));

  const entry = ({ orgType, orgId: id, name, experience, tenantId }: MembershipEntry) => ({
    id,
    name,
    orgType,
    experience,
    token: signing.orgToken({ accountId, orgType, orgId: id, tenantId }),
  });
  // [S4.6]
  const chosenEntry =
    memberships.find(({ orgType, orgId }) => orgKey({ orgType, id: orgId }) === wanted) ?? memberships[0];
  const selected = chosenEntry && (await membershipFor(tx, { accountId, ...chosenEntry }));
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
    availableOrgs: memberships.map(entry),
    selectedOrg: selected
      ? {
          ...entry(selected),
          tenant: selected.orgType === 'PHJ' ? null : tenant!,
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
  };
}
