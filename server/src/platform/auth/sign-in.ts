import type { ChallengeMethod, SignInAnswer, Tokens } from '@caseway/contract/session';
import { v7 } from 'uuid';
import { auditAccount } from '../audit/auditor.ts';
import type { Database, Tx } from '../db/database.ts';
import { enqueue, type Job } from '../jobs/jobs.ts';
import type { Caller, Sessions } from './sessions.ts';
import type { Audience, Signing } from './signing.ts';

/** [P11] */
export const signInLimits = {
  codeMinutes: 5,
  triesPerChallenge: 5,
  /** Wrong answers of one account, whatever the challenges, after which no answer is right any more. */
  failures: 20,
  failureHours: 24,
  /** Messages to one account. */
  sends: 3,
  sendMinutes: 15,
  /** Seconds before the page offers to send another: time for the first to arrive. */
  resendSeconds: 30,
} as const;

/** By what a person says who they are. Several must all be true of one account. */
export interface Identification {
  username?: string;
  email?: string;
  phone?: string;
  patientId?: string;
}

/** Sends what a challenge needs; its payload is the challenge's id alone. */
export type SendJob = Job<{ challengeId: string }>;

export interface SignIn {
  /**
   * Begins a sign-in. The answer, and the work done for it, are the same for an account that is known, unknown,
   * disabled, locked or asked about too often. [P12]
   */
  begin(audience: Audience, who: Identification, method: ChallengeMethod): Promise<SignInAnswer>;
  /**
   * The tokens, or why not: `code-wrong` as long as the challenge can still be answered, `code-expired` when it lapsed,
   * was answered, was tried too often, or when `details` are none of this audience. [P11]
   */
  answer(
    audience: Audience,
    details: string,
    secret: string,
    caller: Caller,
  ): Promise<Tokens | 'code-wrong' | 'code-expired'>;
}

export interface SignInOptions {
  database: Database;
  signing: Signing;
  sessions: Sessions;
  sendJob: SendJob;
}

interface Challenge {
  account_id: string | null;
  method: ChallengeMethod;
  subject: Buffer;
  sent: boolean;
  enabled: boolean;
}

export function createSignIn({ database, signing, sessions, sendJob }: SignInOptions): SignIn {
  return {
    async begin(audience, who, method) {
      const challengeId = v7();
      const times = await database.withScope({ kind: 'identity' }, async (tx) => {
        const accountId = await accountOf(tx, audience, who);
        const subject = accountId
          ? signing.subjectOf('account', audience, accountId)
          : signing.subjectOf('name', audience, nameOf(who));
        await takeTurn(tx, subject);
        const [row] = await tx.rows<{ expires_at: Date; resend_at: Date }>(
          `with earlier as (
             select count(*) as sends, min(created_at) as first from sign_in_challenge
             where subject = $3 and sent and created_at > now() - make_interval(mins => $6))
           insert into sign_in_challenge (id, audience, subject, account_id, method, sent, expires_at)
           select $1, $2, $3, $4, $5, sends < $7, now() + make_interval(mins => $8) from earlier
           returning expires_at, (select case when sends < $7 - 1 then now() + make_interval(secs => $9)
             else coalesce(first, now()) + make_interval(mins => $6) end from earlier) as resend_at`,
          [
            challengeId,
            audience,
            subject,
            accountId ?? null,
            method,
            signInLimits.sendMinutes,
            signInLimits.sends,
            signInLimits.codeMinutes,
            signInLimits.resendSeconds,
          ],
        );
        // Also for a name that nobody has, and when enough was sent: the job finds nothing to do, and this request took
        // no other way.
        await enqueue(tx, sendJob, { challengeId });
        return row!;
      });
      return {
        details: await signing.challengeDetails(challengeId, audience, times.expires_at),
        challengeMethod: method,
        destination: maskedAddress(who.email ?? who.username),
        expiresAt: times.expires_at.toISOString(),
        resendAt: times.resend_at.toISOString(),
      };
    },

    async answer(audience, details, secret, caller) {
      const challengeId = await signing.readChallengeDetails(details, audience);
      if (!challengeId) return 'code-expired';
      return database.withScope({ kind: 'identity' }, async (tx) => {
        const [known] = await tx.rows<{ subject: Buffer }>(
          'select subject from sign_in_challenge where id = $1',
          [challengeId],
        );
        if (!known) return 'code-expired';
        await takeTurn(tx, known.subject);
        const [challenge] = await tx.rows<Challenge>(
          `update sign_in_challenge c set tries = tries + 1
           where id = $1 and audience = $2 and consumed_at is null and expires_at > now() and tries < $3
           returning account_id, method, subject, sent,
             exists (select from account a where a.id = c.account_id and a.disabled_at is null) as enabled`,
          [challengeId, audience, signInLimits.triesPerChallenge],
        );
        if (!challenge) return 'code-expired';
        const [{ failures }] = (await tx.rows(
          `select count(*) as failures from sign_in_failure
           where subject = $1 and at > now() - make_interval(hours => $2)`,
          [challenge.subject, signInLimits.failureHours],
        )) as [{ failures: number }];
        const right = signing.isOneTimeCode(challengeId, secret);
        const locked = failures >= signInLimits.failures;
        if (!right || locked || !challenge.sent || !challenge.enabled || !challenge.account_id) {
          await tx.run('insert into sign_in_failure (subject, id) values ($1, $2)', [
            challenge.subject,
            v7(),
          ]);
          // For a name nobody has it finds no tenant to write to, after the same look.
          const action = locked ? 'sign-in/refused-locked' : 'sign-in/failed';
          await auditAccount(tx, challenge.account_id ?? challengeId, action, { ...caller });
          return 'code-wrong';
        }
        await tx.run('update sign_in_challenge set consumed_at = now() where id = $1', [challengeId]);
        await auditAccount(tx, challenge.account_id, 'sign-in/succeeded', { ...caller });
        const { account_id: accountId, method } = challenge;
        return sessions.open(tx, { accountId, audience, methods: [method] }, caller);
      });
    },
  };
}

/** One account's requests come one after the other, so that no limit is passed by asking at the same time. */
async function takeTurn(tx: Tx, subject: Buffer): Promise<void> {
  await tx.rows('select pg_advisory_xact_lock($1)', [subject.readBigInt64BE()]);
}

/** The one enabled account that all of it is true of; two that share an address are none. */
async function accountOf(tx: Tx, audience: Audience, who: Identification): Promise<string | undefined> {
  const given = [
    ['username', who.username?.toLowerCase()],
    ['lower(email)', who.email?.toLowerCase()],
    ['phone', who.phone],
    ['patient_id::text', who.patientId?.toLowerCase()],
  ].filter(([, value]) => value !== undefined) as [string, string][];
  const conditions = given.map(([column], index) => `${column} = $${index + 1}`);
  if (given.length === 0) return undefined;
  const rows = await tx.rows<{ id: string }>(
    `select id from account where ${conditions.join(' and ')} and disabled_at is null
       and patient_id is ${audience === 'patient' ? 'not null' : 'null'} limit 2`,
    given.map(([, value]) => value),
  );
  return rows.length === 1 ? rows[0]!.id : undefined;
}

const nameOf = ({ username, email, phone, patientId }: Identification): string =>
  JSON.stringify([username, email, phone, patientId].map((value) => value?.toLowerCase() ?? null));

/**
 * Where a message goes, as far as the person said themselves: `e***@d***`. Made from what was typed and always of one
 * length, so that it tells nothing of whether there is such an account. [P12]
 */
export function maskedAddress(typed: string | undefined): string {
  const [, name, domain] = /^(.).*@(.)/.exec(typed ?? '') ?? [];
  const shown = (character: string | undefined) =>
    character && /^[!-~]$/.test(character) && !/["\\]/.test(character) ? character : '*';
  return `${shown(name)}***@${shown(domain)}***`;
}
