import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/*
 * Recovery of an account whose owner can no longer sign in. They ask on the sign-in screen; the account's
 * administrators verify in another way who is asking, and approve. A code goes to the new address, and a
 * notice that says how to stop it to every address known before.
 */

const id = z.uuid();
const instant = z.iso.datetime();

/** The limits of every recovery. The server sets the code's waiting time after the approval. */
export const recoveryLimits = {
  /** Days for a decision. */
  openDays: 7,
  /** Hours the code is valid, once it can be used. */
  codeHours: 24,
  /** Requests from one network, and in total, per hour. */
  perNetwork: 5,
  inAll: 100,
  /** Requests for one account that reach its administrators, per 24 hours. */
  perAccount: 3,
  /** Wrong codes from one network, per 24 hours. */
  wrongCodes: 20,
} as const;

/** The answer and the work are the same, whether or not the account exists. [P12] */
export const requestRecovery = endpoint({
  method: 'POST',
  path: '/auth/recovery/request',
  access: 'public',
  deed: 'administration',
  summary: 'Ask to get back into a staff account after losing every way to sign in',
  body: z.strictObject({
    /** The sign-in name or the email address of the account. */
    name: z.string().trim().min(1).max(254),
    /** Where the person can be reached now. */
    email: z.email().max(254),
    /** The person's own words; shown as text to those who decide. */
    reason: z.string().trim().min(10).max(500),
  }),
  response: z.object({}),
});

const codeBody = z.strictObject({ code: z.string().trim().min(1).max(60) });

/** The code is refused as `code-wrong`, or as `code-expired` if it was used, stopped or is too old. */
export const completeRecovery = endpoint({
  method: 'POST',
  path: '/auth/recovery/complete',
  access: 'public',
  deed: 'administration',
  summary: 'Take an approved recovery to its end with the code that came to the new address',
  body: codeBody,
  response: z.discriminatedUnion('state', [
    /** Until then it can be stopped from the addresses known before. */
    z.object({ state: z.literal('waiting'), from: instant }),
    /** The new sign-in name. */
    z.object({ state: z.literal('done'), username: z.string() }),
  ]),
});

export const stopRecovery = endpoint({
  method: 'POST',
  path: '/auth/recovery/stop',
  access: 'public',
  deed: 'administration',
  summary: 'Stop a recovery with the code that came to an address known before',
  body: codeBody,
  response: z.object({}),
});

// — What the account's administrators see —

/**
 * - `open`: waits for a decision. `approved`: the code has been sent, or is waiting to be.
 * - `cancelled`: stopped by its owner. `expired`: no one decided, or the code was not used.
 */
export const recoveryStates = ['open', 'approved', 'completed', 'declined', 'cancelled', 'expired'] as const;
export type RecoveryState = (typeof recoveryStates)[number];

/** How someone verified who is asking; worded under `recovery:verified.<code>`. */
export const verifications = ['call', 'person', 'colleague', 'other'] as const;

/**
 * Why a user may not approve; worded under `recovery:refusal.<code>`.
 * - `own-account`: no one approves their own request.
 * - `holds-more`: the account has a permission that they do not.
 * - `elsewhere`: it belongs to an organization whose users they do not administer.
 * - `approved-already`: someone else has to be the second.
 * - `address-taken`: another account has the new address.
 */
export const recoveryRefusals = [
  'own-account',
  'holds-more',
  'elsewhere',
  'approved-already',
  'address-taken',
] as const;
export type RecoveryRefusal = (typeof recoveryRefusals)[number];

export const recovery = z.object({
  id,
  accountId: id,
  who: z.string(),
  /** The addresses known before. */
  email: z.string(),
  phone: z.string().nullable(),
  /** When one of them last changed, within the last 90 days. */
  contactChangedAt: instant.nullable(),
  newEmail: z.string(),
  reason: z.string(),
  askedAt: instant,
  state: z.enum(recoveryStates),
  /** The deadline of the decision, or of the code. */
  expiresAt: instant,
  /** When the code becomes usable; null before the approval. */
  usableAt: instant.nullable(),
  endedAt: instant.nullable(),
  note: z.string().nullable(),
  approvals: z.array(
    z.object({
      /** Null for someone of another tenant. */
      by: z.string().nullable(),
      at: instant,
      verifiedBy: z.enum(verifications).nullable(),
      verification: z.string().nullable(),
    }),
  ),
  /** The number of approvals needed. */
  needed: z.number().int(),
  /** Why the reader may not approve; null if they may. */
  refusal: z.enum(recoveryRefusals).nullable(),
});
export type Recovery = z.infer<typeof recovery>;

export const recoveryPageSize = 50;

export const listRecoveries = endpoint({
  method: 'GET',
  path: '/api/web/recoveries',
  access: 'users/write',
  deed: 'search',
  summary: 'Who asks to get back into an account that the caller administers; those that wait, or all',
  query: z.strictObject({
    only: z.enum(['waiting', 'all']).default('waiting'),
    /** From 0. */
    page: z
      .string()
      .regex(/^\d{1,4}$/)
      .default('0'),
  }),
  response: z.object({ recoveries: z.array(recovery), rowCount: z.number().int() }),
});

const params = z.strictObject({ id });

/** Needs a recent sign-in, like everything that protects an account. */
export const approveRecovery = endpoint({
  method: 'POST',
  path: '/api/web/recoveries/:id/approve',
  access: 'users/write',
  deed: 'administration',
  summary: 'Say how it was found out who is asking, and approve the recovery',
  params,
  body: z.strictObject({
    verifiedBy: z.enum(verifications),
    verification: z.string().trim().min(10).max(500),
  }),
  response: recovery,
});

export const declineRecovery = endpoint({
  method: 'POST',
  path: '/api/web/recoveries/:id/decline',
  access: 'users/write',
  deed: 'administration',
  summary: 'Decline a recovery, or take an approval back until the code is used',
  params,
  body: z.strictObject({ note: z.string().trim().max(500).nullable() }),
  response: recovery,
});
