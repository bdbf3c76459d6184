import type {
  ChallengeMethod,
  FurtherChallenge,
  PatientFurtherChallenge,
  Proof,
  SignInAnswer,
  Tokens,
} from '@caseway/contract/session';
import { v7 } from 'uuid';
import { auditAccount } from '../audit/auditor.ts';
import type { Database, Tx } from '../db/database.ts';
import { inTurn, takeTurn } from '../db/try-turn.ts';
import type { Device } from '../http/anonymous.ts';
import { enqueue, type Job } from '../jobs/jobs.ts';
import { noteLocked, noteUnlocked } from './account-state.ts';
import { auditLater } from './late-audit.ts';
import { type KeptPasskey, type PasskeyAnswer, type Passkeys, readPasskeyAnswer } from './passkeys.ts';
import {
  bornOn,
  type PatientRecord,
  patientAccounts,
  patientNumberKey,
  recordsOf,
} from './patient-accounts.ts';
import { passkeysOf, readRecoveryCode, sendNotice, tell } from './second-factors.ts';
import type { Caller, Sessions } from './sessions.ts';
import type { Audience, Signing } from './signing.ts';
import { matchingStep } from './totp.ts';

/** [P11] */
export const signInLimits = {
  codeMinutes: 5,
  triesPerChallenge: 5,
  /** Wrong answers for one account, over all challenges, after which no answer is accepted. */
  failures: 20,
  failureHours: 24,
  /** Messages to one account. */
  sends: 3,
  sendMinutes: 15,
  /** How many of an account's latest challenges have valid codes. */
  codesInUse: 3,
  /** Seconds before the page offers to send another code, so that the first can arrive. */
  resendSeconds: 30,
} as const;

/** The names that a person gives. All of them must belong to one account. */
export interface Identification {
  username?: string;
  email?: string;
  phone?: string;
  patientId?: string;
}

/** The next question after a right answer. */
type FurtherOf<Who extends Audience> = Who extends 'patient' ? PatientFurtherChallenge : FurtherChallenge;

/** Sends what a challenge needs. The payload has only the challenge's id. */
export type SendJob = Job<{ challengeId: string }>;

export interface SignIn {
  /**
   * Begins a sign-in. The answer, and the work for it, are the same whether the account is known, unknown, disabled,
   * locked or over its limit. [P12]
   */
  begin(
    audience: Audience,
    who: Identification,
    method: ChallengeMethod,
    device?: Device,
  ): Promise<SignInAnswer>;
  /**
   * The tokens, the next challenge for a patient and for a person with a second factor [P21], or the reason for
   * neither: `code-wrong` as long as the challenge can still be answered; `code-expired` if it has expired, was
   * answered, was tried too often, or if `details` belong to another audience. [P11]
   */
  answer<Who extends Audience>(
    audience: Who,
    details: string,
    secret: string,
    caller: Caller,
  ): Promise<Tokens | FurtherOf<Who> | 'code-wrong' | 'code-expired'>;
  /** Deletes the wrong answers of a member of staff, who can then sign in again. */
  unlock(tx: Tx, accountId: string): Promise<void>;
}

export interface SignInOptions {
  database: Database;
  signing: Signing;
  sessions: Sessions;
  passkeys: Passkeys;
  sendJob: SendJob;
}

/** How a challenge is answered. */
type Step = ChallengeMethod | 'BIRTH_DATE';

interface NewChallenge {
  audience: Audience;
  /** The key to count its messages and failures by. */
  subject: Buffer;
  /** What was typed. The answer depends on nothing else. */
  named: Buffer;
  accountId: string | undefined;
  /** The patient accounts that it may belong to. */
  candidates?: readonly string[];
  method: Step;
  /** The factors proven before. */
  proven: readonly Proof[];
  nameless?: boolean;
  /** The browser it began in, if one of its accounts has signed in there before. */
  device?: string | null;
}

/** A challenge that is being answered. */
interface Tried {
  id: string;
  account_id: string | null;
  candidates: string[];
  method: Step;
  subject: Buffer;
  named: Buffer;
  sent: boolean;
  proven: Proof[];
  nameless: boolean;
  device: string | null;
  /** When it was answered. */
  at: Date;
}

/** What is known about its account; empty for an unknown name. */
interface Concerned {
  enabled: boolean;
  email: string | null;
  has_second: boolean;
  has_passkey: boolean;
  totp_seed: string | null;
  totp_last: number | null;
}

type Challenge = Tried & Concerned;

const isSent = (method: Step) => method === 'EMAIL' || method === 'SMS';
/** The device verifies the person before it uses a passkey, so a passkey is two factors. */
const areTwoFactors = (proven: readonly Proof[]) =>
  proven.includes('PASSKEY') ||
  proven.includes('BIRTH_DATE') ||
  (proven.some((one) => one === 'EMAIL' || one === 'SMS') &&
    proven.some((one) => one === 'TOTP' || one === 'RECOVERY_CODE'));

export function createSignIn({ database, signing, sessions, passkeys, sendJob }: SignInOptions): SignIn {
  /** Requests for one account run one after the other, so that simultaneous requests cannot exceed a limit. */
  const asVisitor = <T>(work: (tx: Tx) => Promise<T>) =>
    inTurn(() => database.withScope({ kind: 'identity' }, work));

  async function issue(
    tx: Tx,
    {
      audience,
      subject,
      named,
      accountId,
      candidates = [],
      method,
      proven,
      nameless = false,
      device = null,
    }: NewChallenge,
  ): Promise<Omit<SignInAnswer, 'destination' | 'challengeMethod'>> {
    const challengeId = v7();
    const [row] = await tx.rows<{ expires_at: Date; resend_at: Date }>(
      `with earlier as (
         select count(*) as sends from sign_in_challenge
         where subject = $3 and sent and method in ('EMAIL', 'SMS') and created_at > now() - make_interval(mins => $7)),
       asked as (
         select count(*) as times, min(created_at) as first from sign_in_challenge
         where named = $13 and promised and method in ('EMAIL', 'SMS')
           and created_at > now() - make_interval(mins => $7))
       insert into sign_in_challenge (id, audience, subject, named, account_id, method, proven, nameless, candidates, device,
         sent, promised, expires_at)
       select $1, $2, $3, $13, $4, $5, $6, $11, $12, $14, sends < $8 or $5 not in ('EMAIL', 'SMS'), times < $8,
         now() + make_interval(mins => $9) from earlier, asked
       returning expires_at, (select case
         when $5 not in ('EMAIL', 'SMS') then now()
         when times < $8 - 1 then now() + make_interval(secs => $10)
         else coalesce(first, now()) + make_interval(mins => $7) end from asked) as resend_at`,
      [
        challengeId,
        audience,
        subject,
        accountId ?? null,
        method,
        proven,
        signInLimits.sendMinutes,
        signInLimits.sends,
        signInLimits.codeMinutes,
        signInLimits.resendSeconds,
        nameless,
        candidates,
        named,
        device,
      ],
    );
    // Also for an unknown name, and after enough messages were sent: the job finds nothing to do, and this request
    // does the same work.
    if (isSent(method)) await enqueue(tx, sendJob, { challengeId });
    return {
      details: await signing.challengeDetails(challengeId, audience, row!.expires_at),
      expiresAt: row!.expires_at.toISOString(),
      resendAt: row!.resend_at.toISOString(),
      ...(method === 'PASSKEY' && {
        passkey: {
          ...(await passkeys.request(
            signing.passkeyChallenge(challengeId),
            // Passkeys are listed only after a first proof.
            proven.length > 0 ? await passkeysOf(tx, accountId!) : undefined,
          )),
        },
      }),
    };
  }

  /** The next factor to prove; undefined if that is enough. */
  async function further(
    tx: Tx,
    audience: Audience,
    challenge: Challenge,
    proven: readonly Proof[],
  ): Promise<FurtherChallenge | PatientFurtherChallenge | undefined> {
    const { subject, named, candidates, device } = challenge;
    const accountId = challenge.account_id ?? undefined;
    if (audience === 'patient') {
      if (proven.includes('BIRTH_DATE')) return undefined;
      const method = 'BIRTH_DATE';
      const next = await issue(tx, {
        audience,
        subject,
        named,
        accountId,
        candidates,
        method,
        proven,
        device,
      });
      return { ...next, challengeMethod: method, destination: null, proofs: [method] };
    }
    const wasSent = proven.some((one) => one === 'EMAIL' || one === 'SMS');
    if (proven.includes('PASSKEY') || (wasSent && (!challenge.has_second || areTwoFactors(proven))))
      return undefined;
    const method = !wasSent ? 'EMAIL' : challenge.has_passkey ? 'PASSKEY' : 'TOTP';
    const next = await issue(tx, { audience, subject, named, accountId, method, proven, device });
    return {
      ...next,
      challengeMethod: method,
      destination: isSent(method) ? maskedAddress(challenge.email!) : null,
      proofs: acceptedBy({ ...challenge, method, proven: [...proven] }),
    };
  }

  /** The records of the patients whose date of birth a challenge asks for; none for other challenges. */
  async function recordsAsked(challengeId: string): Promise<PatientRecord[]> {
    const [asked] = await database.withScope({ kind: 'identity' }, (tx) =>
      tx.rows<{ candidates: string[] }>(
        `select candidates from sign_in_challenge where id = $1 and method = 'BIRTH_DATE'`,
        [challengeId],
      ),
    );
    return asked ? recordsOf(database, await patientAccounts(database, asked.candidates)) : [];
  }

  /**
   * The keys to count a wrong answer under: the name that the challenge began with and, after a code that went to
   * several patients, each of them, so that another name gives no new tries.
   */
  function subjectsOf(audience: Audience, { subject, candidates, proven, device }: Challenge): Buffer[] {
    const shared = proven.length > 0 ? candidates : [];
    const each = shared.map((id) => subjectOf(audience, [id], device));
    return [subject, ...each.filter((one) => !one.equals(subject))];
  }

  /**
   * The key to count messages and failures of accounts by. A browser in which they have signed in has its own. [P25]
   */
  const subjectOf = (audience: Audience, accounts: readonly string[], device: string | null): Buffer =>
    device === null
      ? signing.subjectOf('account', audience, accounts.join())
      : signing.subjectOf('device', audience, [device, ...accounts].join());

  /**
   * Whether it is the code of this challenge or of the account's last ones before it. If strangers have used up the
   * messages, the codes that arrived answer the challenge that the owner begins. Each code works once.
   */
  async function isRecentCode(
    tx: Tx,
    challenge: Challenge,
    recent: readonly { id: string }[],
    code: string,
  ): Promise<boolean> {
    // All are compared, so that timing does not show which one matched.
    const [found] = recent.filter(({ id }) => signing.isOneTimeCode(id, code));
    if (!found) return false;
    if (found.id === challenge.id) return true;
    const used = await tx.run(
      'update sign_in_challenge set consumed_at = now() where id = $1 and consumed_at is null',
      [found.id],
    );
    return used > 0;
  }

  /** The challenges whose codes answer this one, newest first. */
  function recentChallenges(tx: Tx, challenge: Challenge): Promise<{ id: string }[]> {
    return tx.rows<{ id: string }>(
      `select id from sign_in_challenge
       where (account_id = $2 or named = $3) and account_id is not distinct from $2 and candidates = $4
         and method = $5 and sent and (consumed_at is null or id = $1)
         and created_at > now() - make_interval(mins => $6)
         and created_at <= (select created_at from sign_in_challenge where id = $1)
       order by created_at desc limit $7`,
      [
        challenge.id,
        challenge.account_id,
        challenge.named,
        challenge.candidates,
        challenge.method,
        signInLimits.codeMinutes,
        signInLimits.codesInUse,
      ],
    );
  }

  /** The factor that the secret proves; undefined if it proves none. */
  async function proofOf(
    tx: Tx,
    challenge: Challenge,
    secret: string,
    { records, recent }: { records: readonly PatientRecord[]; recent: readonly { id: string }[] },
  ): Promise<Proof | undefined> {
    if (challenge.method === 'BIRTH_DATE') {
      const person = bornOn(records, secret.trim());
      if (person) challenge.account_id = person.accountId;
      return person && 'BIRTH_DATE';
    }
    const accepted = acceptedBy(challenge);
    const answer = readPasskeyAnswer(secret);
    if (answer)
      return accepted.includes('PASSKEY') && (await isPasskeyOf(tx, challenge, answer))
        ? 'PASSKEY'
        : undefined;
    const recovery = readRecoveryCode(secret);
    if (recovery)
      return accepted.includes('RECOVERY_CODE') && (await useRecoveryCode(tx, challenge, recovery))
        ? 'RECOVERY_CODE'
        : undefined;
    const code = secret.replaceAll(/\s/g, '');
    if (isSent(challenge.method))
      return (await isRecentCode(tx, challenge, recent, code)) ? challenge.method : undefined;
    // Also without an authenticator app, so that timing does not show whether there is one.
    const totp = signing.totpSecret(challenge.totp_seed ?? challenge.id);
    const step = matchingStep(totp, code, challenge.totp_last ?? -1, Date.now());
    if (step === undefined || !challenge.totp_seed || !accepted.includes('TOTP')) return undefined;
    // Read again from the row, because another browser may answer another challenge of the account at this moment.
    const used = await tx.run(
      `update totp_authenticator set last_step = $2, last_used_at = now()
       where account_id = $1 and seed = $3 and last_step < $2`,
      [challenge.account_id, step, challenge.totp_seed],
    );
    return used > 0 ? 'TOTP' : undefined;
  }

  async function isPasskeyOf(tx: Tx, challenge: Challenge, answer: PasskeyAnswer): Promise<boolean> {
    const [passkey] = await tx.rows<KeptPasskey & { accountId: string }>(
      `select p.account_id as "accountId", p.credential_id as "credentialId", p.public_key as "publicKey", p.counter,
         p.transports from passkey p join account a on a.id = p.account_id
       where p.credential_id = $1 and (p.account_id = $2 or $3) and a.disabled_at is null and a.patient_id is null
       for update of p`,
      [answer.id, challenge.account_id, challenge.nameless],
    );
    const counter =
      passkey && (await passkeys.answered(answer, signing.passkeyChallenge(challenge.id), passkey));
    if (counter === undefined) return false;
    await tx.run('update passkey set counter = $2, last_used_at = now() where credential_id = $1', [
      answer.id,
      counter,
    ]);
    // Without a name, the passkey identifies the person.
    challenge.account_id ??= passkey!.accountId;
    challenge.enabled = true;
    return true;
  }

  async function useRecoveryCode(tx: Tx, { account_id }: Challenge, code: string): Promise<boolean> {
    const used = await tx.run(
      'update recovery_code set used_at = now() where account_id = $1 and hash = $2 and used_at is null',
      [account_id, signing.recoveryHash(account_id!, code)],
    );
    return used > 0;
  }

  return {
    async unlock(tx, accountId) {
      await tx.run('delete from sign_in_failure where subject = $1 or account_id = $2', [
        signing.subjectOf('account', 'staff', accountId),
        accountId,
      ]);
      await noteUnlocked(tx, accountId);
    },

    async begin(audience, who, method, device) {
      const challenge = await asVisitor(async (tx) => {
        const nameless = Object.values(who).every((value) => value === undefined);
        const found = await accountsOf(tx, audience, who);
        const accountId = found.length === 1 ? found[0] : undefined;
        // Several people who share the address get one code; then they are asked who they are.
        const isNamed =
          method === 'EMAIL' ? who.email !== undefined : method === 'SMS' && who.phone !== undefined;
        const candidates = audience === 'patient' && (accountId || isNamed) ? found : [];
        const isKnown = device !== undefined && found.some((id) => device.accounts.includes(id));
        const knownDevice = isKnown ? device.id : null;
        // People who begin without a name share no limit with each other.
        const name = nameless ? v7() : nameOf(who);
        const named = signing.subjectOf('name', audience, isKnown ? `${name} ${device.id}` : name);
        const subject =
          accountId || isKnown ? subjectOf(audience, accountId ? [accountId] : found, knownDevice) : named;
        await takeTurn(tx, subject.readBigInt64BE());
        const about = { audience, subject, named, accountId, candidates, device: knownDevice };
        return issue(tx, { ...about, method, proven: [], nameless });
      });
      return {
        ...challenge,
        challengeMethod: method,
        destination: method === 'EMAIL' ? maskedAddress(who.email ?? who.username) : null,
      };
    },

    async answer<Who extends Audience>(audience: Who, details: string, secret: string, caller: Caller) {
      const challengeId = await signing.readChallengeDetails(details, audience);
      if (!challengeId) return 'code-expired';
      // Before the counting transaction, which would otherwise wait for a second connection.
      const records = audience === 'patient' ? await recordsAsked(challengeId) : [];
      return asVisitor(async (tx) => {
        const [known] = await tx.rows<{ subject: Buffer }>(
          'select subject from sign_in_challenge where id = $1',
          [challengeId],
        );
        if (!known) return 'code-expired';
        await takeTurn(tx, known.subject.readBigInt64BE());
        const [tried] = await tx.rows<Tried>(
          `update sign_in_challenge set tries = tries + 1
         where id = $1 and audience = $2 and consumed_at is null and expires_at > now() and tries < $3
         returning id, account_id, candidates, method, subject, named, sent, proven, nameless, device, now() as at`,
          [challengeId, audience, signInLimits.triesPerChallenge],
        );
        if (!tried) return 'code-expired';
        // Also for an unknown name, which has no account.
        const [of] = await tx.rows<Concerned>(
          `select a.id is not null and a.disabled_at is null
             or exists (select from account c where c.id = any ($2::uuid[]) and c.disabled_at is null) as enabled,
           a.email,
           a.second_factor_at is not null as has_second, o.seed as totp_seed, o.last_step as totp_last,
           exists (select from passkey p where p.account_id = $1) as has_passkey
         from (select $1::uuid as id) t left join account a on a.id = t.id
           left join totp_authenticator o on o.account_id = t.id`,
          [tried.account_id, tried.candidates],
        );
        const challenge: Challenge = { ...tried, ...of! };
        const subjects = subjectsOf(audience, challenge);
        const [{ failures }] = (await tx.rows(
          `select coalesce(max(n), 0)::int as failures from (select count(*) as n from sign_in_failure
         where subject = any ($1::bytea[]) and at > now() - make_interval(hours => $2) group by subject) counted`,
          [subjects, signInLimits.failureHours],
        )) as [{ failures: number }];
        // A factor that nobody can guess opens a locked account too, so that a stranger cannot lock out its owner.
        const locked = failures >= signInLimits.failures && !readPasskeyAnswer(secret);
        // Also for a locked account, so that the work does not show the lock.
        const recent = isSent(challenge.method) ? await recentChallenges(tx, challenge) : [];
        const proof = locked ? undefined : await proofOf(tx, challenge, secret, { records, recent });
        const isKnown = challenge.account_id !== null || challenge.candidates.length > 0;
        /** If several people share an address, each gets a log entry once someone has read the code there. */
        const concerned =
          challenge.account_id !== null || challenge.proven.length === 0
            ? [challenge.account_id ?? challengeId]
            : challenge.candidates;
        if (!proof || !challenge.enabled || !isKnown) {
          const isLockedNow = await fail(tx, challenge, subjects);
          // Also for an unknown name: it finds no tenant to write to.
          const action = locked ? 'sign-in/refused-locked' : 'sign-in/failed';
          for (const one of concerned) await auditLater(tx, one, action, { ...caller, at: tried.at });
          // Also for an unknown name: the message has no recipient.
          if (isLockedNow) {
            const one = challenge.account_id ?? challengeId;
            await auditLater(tx, one, 'account/locked', { ...caller, at: tried.at });
            await sendNotice(tx, one, 'locked');
          }
          return 'code-wrong';
        }
        await tx.run('update sign_in_challenge set consumed_at = now() where id = $1', [challengeId]);
        const proven = [...challenge.proven, proof];
        if (proof === 'RECOVERY_CODE') await tell(tx, challenge.account_id!, 'recovery-code-used', caller);
        const next = await further(tx, audience, challenge, proven);
        const action = next ? 'sign-in/first-factor' : 'sign-in/succeeded';
        for (const one of concerned) await auditAccount(tx, one, action, { ...caller, by: proof });
        if (next) return next as FurtherOf<Who>;
        const accountId = challenge.account_id!;
        const session = { accountId, audience, methods: proven, secondCheck: areTwoFactors(proven) };
        return sessions.open(tx, session, caller);
      });
    },
  };
}

/** What answers a challenge: the first of a sign-in only its own method, the next any second factor of the account. */
function acceptedBy({ method, proven, has_passkey, totp_seed }: Challenge): Proof[] {
  if (isSent(method) || proven.length === 0) return [method];
  return [
    ...(has_passkey ? (['PASSKEY'] as const) : []),
    ...(totp_seed ? (['TOTP'] as const) : []),
    'RECOVERY_CODE',
  ];
}

/**
 * Counts a wrong answer under its subjects, and stores the lock of the account once there were too many. The
 * statements are the same for everyone. Returns whether this answer caused the lock.
 */
async function fail(
  tx: Tx,
  { subject, account_id }: Challenge,
  subjects: readonly Buffer[],
): Promise<boolean> {
  const [before] = await tx.rows<{ failures: number }>(
    `with added as (
       insert into sign_in_failure (subject, id, account_id) select s, gen_random_uuid(), $4 from unnest($1::bytea[]) as s)
     select count(*)::int as failures from sign_in_failure
     where subject = $2 and at > now() - make_interval(hours => $3)`,
    [subjects, subject, signInLimits.failureHours, account_id],
  );
  await noteLocked(tx, account_id, { subject, ...signInLimits });
  return before!.failures === signInLimits.failures - 1;
}

/** At most this many patients share an address. */
const sharersAtMost = 20;

/** The enabled accounts that match all of it: at most one for staff, for patients those of a family. */
async function accountsOf(tx: Tx, audience: Audience, who: Identification): Promise<string[]> {
  const given = [
    ['username = $', who.username?.toLowerCase()],
    ['lower(email) = $', who.email?.toLowerCase()],
    ['sign_in_phone = $', who.phone],
    ['patient_id::text = $', who.patientId?.toLowerCase()],
  ].filter(([, value]) => value !== undefined) as [string, string][];
  if (given.length === 0) return [];
  const params = given.map(([, value]) => value);
  const conditions = given.map(([condition], index) => `${condition}${index + 1}`);
  // The number on a patient's invitation works as the account name.
  if (who.patientId !== undefined) {
    params.push(patientNumberKey(who.patientId));
    conditions[conditions.length - 1] = `(${conditions.at(-1)} or username = $${params.length})`;
  }
  const most = audience === 'patient' ? sharersAtMost : 1;
  const rows = await tx.rows<{ id: string }>(
    `select id from account where ${conditions.join(' and ')} and disabled_at is null
       and patient_id is ${audience === 'patient' ? 'not null' : 'null'} order by id limit ${most + 1}`,
    params,
  );
  return rows.length <= most ? rows.map(({ id }) => id) : [];
}

/** One form for all spellings of a name. */
export const nameOf = ({ username, email, phone, patientId }: Identification): string =>
  JSON.stringify([username, email, phone, patientId].map((value) => value?.toLowerCase() ?? null));

/**
 * The masked address of a message, as far as the person gave it: `e***@d***`. Made from what was typed and always of
 * the same length, so that it does not reveal whether there is such an account. [P12]
 */
export function maskedAddress(typed: string | undefined): string {
  const [, name, domain] = /^(.).*@(.)/.exec(typed ?? '') ?? [];
  const shown = (character: string | undefined) =>
    character && /^[!-~]$/.test(character) && !/["\\]/.test(character) ? character : '*';
  return `${shown(name)}***@${shown(domain)}***`;
}
