import { randomInt, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { auditAccount } from '../audit/auditor.ts';
import type { Tx } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import { enqueue } from '../jobs/jobs.ts';
import { sendAccountNotice } from './account-mail.ts';
import type { AccountNotice } from './account-notices.ts';
import type { KeptPasskey, Passkeys } from './passkeys.ts';
import type { Caller } from './sessions.ts';
import { codeAlphabet, type Signing } from './signing.ts';
import { base32, matchingStep, totpAddress } from './totp.ts';

/** Minutes until an enrolment expires. */
const enrolmentMinutes = 15;
const recoveryCodes = 10;
const recoveryLength = 10;
const passkeysAtMost = 20;

/** A recovery code in the form for comparison; undefined for any other text. */
export function readRecoveryCode(secret: string): string | undefined {
  const plain = secret.toLowerCase().replaceAll(/[\s-]/g, '');
  return plain.length === recoveryLength && [...plain].every((letter) => codeAlphabet.includes(letter))
    ? plain
    : undefined;
}

/** The account that has the factors. */
export interface Owner {
  accountId: string;
  username: string;
  name: string;
}

export interface OwnFactors {
  totp: { createdAt: Date; lastUsedAt: Date | null } | null;
  passkeys: { id: string; name: string; synced: boolean; createdAt: Date; lastUsedAt: Date | null }[];
  recoveryCodesLeft: number;
}

/** The result of an enrolment: recovery codes with the first factor, shown once. */
export interface Enrolled {
  recoveryCodes: string[] | null;
}

/** Authenticator app, passkeys and recovery codes of an account. All in the scope `identity`. */
export interface SecondFactors {
  of(tx: Tx, accountId: string): Promise<OwnFactors>;
  beginTotp(owner: Owner): Promise<{ details: string; secret: string; address: string }>;
  /** Undefined if the code is wrong or the enrolment has expired. An earlier app stops working. */
  addTotp(
    tx: Tx,
    accountId: string,
    details: string,
    code: string,
    caller: Caller,
  ): Promise<Enrolled | undefined>;
  beginPasskey(
    tx: Tx,
    owner: Owner,
  ): Promise<{ details: string; options: Awaited<ReturnType<Passkeys['creation']>> }>;
  /** Undefined if the answer is wrong, the enrolment has expired, or there are too many. */
  addPasskey(
    tx: Tx,
    accountId: string,
    made: { details: string; response: unknown; name: string },
    caller: Caller,
  ): Promise<Enrolled | undefined>;
  /** False if the account has no such passkey. */
  renamePasskey(tx: Tx, accountId: string, id: string, name: string): Promise<boolean>;
  /** False if the account has no such factor. */
  removeTotp(tx: Tx, accountId: string, caller: Caller): Promise<boolean>;
  removePasskey(tx: Tx, accountId: string, id: string, caller: Caller): Promise<boolean>;
  /** Makes ten new codes; earlier ones stop working. */
  newRecoveryCodes(tx: Tx, accountId: string, caller: Caller): Promise<string[]>;
  /** Removes all of them, for someone who has lost them. */
  removeAll(tx: Tx, accountId: string, caller: Caller): Promise<void>;
}

export interface SecondFactorsOptions {
  signing: Signing;
  passkeys: Passkeys;
  /** Host name of the product's address, which tells several products apart in an app. */
  host: string;
}

export function createSecondFactors({ signing, passkeys, host }: SecondFactorsOptions): SecondFactors {
  const lapsesAt = () => new Date(Date.now() + enrolmentMinutes * 60_000);

  async function makeRecoveryCodes(tx: Tx, accountId: string): Promise<string[]> {
    const codes = Array.from({ length: recoveryCodes }, () =>
      Array.from({ length: recoveryLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join(''),
    );
    await tx.run('delete from recovery_code where account_id = $1', [accountId]);
    await tx.run('insert into recovery_code (account_id, hash) select $1, unnest($2::bytea[])', [
      accountId,
      codes.map((code) => signing.recoveryHash(accountId, code)),
    ]);
    const half = recoveryLength / 2;
    return codes.map((code) => `${code.slice(0, half)}-${code.slice(half)}`);
  }

  /** The steps after adding a factor: recovery codes with the first one, the log, and a message. */
  async function added(tx: Tx, accountId: string, notice: AccountNotice, caller: Caller): Promise<Enrolled> {
    const isFirst = await tx.run(
      'update account set second_factor_at = now() where id = $1 and second_factor_at is null',
      [accountId],
    );
    await tell(tx, accountId, notice, caller);
    return { recoveryCodes: isFirst ? await makeRecoveryCodes(tx, accountId) : null };
  }

  /** The steps after removing a factor. Throws `last-second-factor` if a tenant requires one and none is left. */
  async function removed(tx: Tx, accountId: string, notice: AccountNotice, caller: Caller): Promise<void> {
    const [{ none }] = (await tx.rows(
      `select not exists (select from totp_authenticator where account_id = $1)
         and not exists (select from passkey where account_id = $1) as none`,
      [accountId],
    )) as [{ none: boolean }];
    if (none) {
      await tx.run('update account set second_factor_at = null where id = $1', [accountId]);
      await tx.run('delete from recovery_code where account_id = $1', [accountId]);
    }
    if (none && notice !== 'second-factor-reset' && (await isSecondFactorRequired(tx, accountId)))
      throw new AppError('last-second-factor');
    await tell(tx, accountId, notice, caller);
  }

  return {
    async of(tx, accountId) {
      const [totp] = await tx.rows<NonNullable<OwnFactors['totp']>>(
        `select created_at as "createdAt", last_used_at as "lastUsedAt" from totp_authenticator where account_id = $1`,
        [accountId],
      );
      const keys = await tx.rows<OwnFactors['passkeys'][number]>(
        `select id, name, synced, created_at as "createdAt", last_used_at as "lastUsedAt" from passkey
         where account_id = $1 order by created_at, id`,
        [accountId],
      );
      const [left] = await tx.rows<{ count: number }>(
        'select count(*) from recovery_code where account_id = $1 and used_at is null',
        [accountId],
      );
      return { totp: totp ?? null, passkeys: keys, recoveryCodesLeft: left!.count };
    },

    async beginTotp({ accountId, username }) {
      const seed = randomUUID();
      const secret = base32(signing.totpSecret(seed));
      return {
        details: await signing.ownDetails('totp', accountId, seed, lapsesAt()),
        secret,
        address: totpAddress({ secret, issuer: `Caseway ${host}`, username }),
      };
    },

    async addTotp(tx, accountId, details, code, caller) {
      await takeTurn(tx, accountId);
      const seed = await signing.readOwnDetails('totp', accountId, details);
      const step = seed && matchingStep(signing.totpSecret(seed), code, -1, Date.now());
      if (!seed || step === undefined) return undefined;
      // Enrolment uses up the shown code.
      await tx.run(
        `insert into totp_authenticator (account_id, seed, last_step) values ($1, $2, $3)
         on conflict (account_id) do update
           set seed = excluded.seed, last_step = excluded.last_step, created_at = now(), last_used_at = null`,
        [accountId, seed, step],
      );
      return added(tx, accountId, 'totp-added', caller);
    },

    async beginPasskey(tx, { accountId, username, name }) {
      const id = randomUUID();
      return {
        details: await signing.ownDetails('passkey', accountId, id, lapsesAt()),
        options: await passkeys.creation(
          { id: accountId, username, name },
          signing.passkeyChallenge(id),
          await passkeysOf(tx, accountId),
        ),
      };
    },

    async addPasskey(tx, accountId, { details, response, name }, caller) {
      await takeTurn(tx, accountId);
      const id = await signing.readOwnDetails('passkey', accountId, details);
      const made = id && (await passkeys.made(response, signing.passkeyChallenge(id)));
      if (!made) return undefined;
      // Another account's credential, or a repeated answer, is not added.
      const isNew = await tx.run(
        `insert into passkey (id, account_id, credential_id, public_key, counter, transports, synced, name)
         select $1, $2, $3, $4, $5, $6, $7, $8 where (select count(*) from passkey where account_id = $2) < $9
         on conflict (credential_id) do nothing`,
        [
          v7(),
          accountId,
          made.credentialId,
          made.publicKey,
          made.counter,
          made.transports,
          made.synced,
          name,
          passkeysAtMost,
        ],
      );
      return isNew ? added(tx, accountId, 'passkey-added', caller) : undefined;
    },

    async renamePasskey(tx, accountId, id, name) {
      return (
        (await tx.run('update passkey set name = $3 where account_id = $1 and id = $2', [
          accountId,
          id,
          name,
        ])) > 0
      );
    },

    async removeTotp(tx, accountId, caller) {
      await takeTurn(tx, accountId);
      if (!(await tx.run('delete from totp_authenticator where account_id = $1', [accountId]))) return false;
      await removed(tx, accountId, 'totp-removed', caller);
      return true;
    },

    async removePasskey(tx, accountId, id, caller) {
      await takeTurn(tx, accountId);
      if (!(await tx.run('delete from passkey where account_id = $1 and id = $2', [accountId, id])))
        return false;
      await removed(tx, accountId, 'passkey-removed', caller);
      return true;
    },

    async newRecoveryCodes(tx, accountId, caller) {
      await tell(tx, accountId, 'recovery-codes-made', caller);
      return makeRecoveryCodes(tx, accountId);
    },

    async removeAll(tx, accountId, caller) {
      await takeTurn(tx, accountId);
      await forgetSecondFactors(tx, accountId);
      await removed(tx, accountId, 'second-factor-reset', caller);
    },
  };
}

/** Changes of one account's factors run one at a time, so that each sees the result of the one before. */
const takeTurn = (tx: Tx, accountId: string) =>
  tx.rows('select from account where id = $1 for update', [accountId]);

/** Removes every second factor of an account, without a message. In the scope `identity`. */
export async function forgetSecondFactors(tx: Tx, accountId: string): Promise<void> {
  for (const table of ['totp_authenticator', 'passkey', 'recovery_code'])
    await tx.run(`delete from ${table} where account_id = $1`, [accountId]);
}

/** Whether a tenant of this person requires a second factor. In the scope `identity`. */
export async function isSecondFactorRequired(tx: Tx, accountId: string): Promise<boolean> {
  const found = await tx.rows(
    `select from membership m join tenant t on t.id = m.tenant_id and t.second_factor_required
     where m.account_id = $1 and m.ended_at is null limit 1`,
    [accountId],
  );
  return found.length > 0;
}

/** The passkeys of an account, in the form for a browser. In the scope `identity`. */
export const passkeysOf = (tx: Tx, accountId: string) =>
  tx.rows<Pick<KeptPasskey, 'credentialId' | 'transports'>>(
    'select credential_id as "credentialId", transports from passkey where account_id = $1 order by created_at',
    [accountId],
  );

/** Logs an event of a person's account with its changes, and emails the person. */
export async function tell(
  tx: Tx,
  accountId: string,
  notice: AccountNotice,
  caller: Caller,
  changes: Record<string, unknown> = {},
): Promise<void> {
  await auditAccount(tx, accountId, `account/${notice}`, { ...caller, ...changes });
  await sendNotice(tx, accountId, notice);
}

/** Queues the message about an account event. */
export const sendNotice = (tx: Tx, accountId: string, notice: AccountNotice): Promise<void> =>
  enqueue(tx, sendAccountNotice, { accountId, notice, id: v7(), at: new Date().toISOString() });
