import type { Profile } from '@caseway/contract/profile';
import {
  isSecondFactorRequired,
  type Owner,
  type SecondFactors,
} from '../../platform/auth/second-factors.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/http/app-error.ts';

export type Person = Omit<Profile, 'secondFactorRequired' | 'totp' | 'passkeys' | 'recoveryCodesLeft'>;

/** In the scope `identity`. */
export async function personOf(tx: Tx, accountId: string): Promise<Person> {
  const [person] = await tx.rows<Person>(
    `select first_name as "firstName", coalesce(middle_name, '') as "middleName", last_name as "lastName",
       language_code as "languageCode", time_zone as "timeZone", username, email, phone,
       phone_confirmed as "phoneConfirmed"
     from account where id = $1`,
    [accountId],
  );
  if (!person) throw new AppError('session-expired');
  return person;
}

/** The future owner of a passkey or authenticator app, in the words that the person sees. In the scope `identity`. */
export async function ownerOf(tx: Tx, accountId: string): Promise<Owner> {
  const { username, firstName, lastName } = await personOf(tx, accountId);
  return { accountId, username, name: `${firstName} ${lastName}` };
}

/** Everything that a person sees of their own account. In the scope `identity`. */
export async function profileOf(tx: Tx, accountId: string, factors: SecondFactors): Promise<Profile> {
  const person = await personOf(tx, accountId);
  const { totp, passkeys, recoveryCodesLeft } = await factors.of(tx, accountId);
  const times = ({ createdAt, lastUsedAt }: { createdAt: Date; lastUsedAt: Date | null }) => ({
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  });
  return {
    ...person,
    secondFactorRequired: await isSecondFactorRequired(tx, accountId),
    totp: totp && times(totp),
    passkeys: passkeys.map((passkey) => ({ ...passkey, ...times(passkey) })),
    recoveryCodesLeft,
  };
}
