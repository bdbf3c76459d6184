import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { orgTypes } from './session.ts';

/*
 * Break the glass: someone opens one record that is hidden from them because of a restricted disease family
 * or another organization. It takes a reason and lasts a short time. No one learns that the record exists
 * before giving the reason, and a privacy officer reads every reason. [P18]
 */

const id = z.uuid();
const instant = z.iso.datetime();

/** Kinds of reasons, worded under `break-glass:kind.<code>`. */
export const breakGlassKinds = ['treatment', 'exposure', 'outbreak', 'legal', 'other'] as const;
export type BreakGlassKind = (typeof breakGlassKinds)[number];

/** A case number: the year it was created, then its number in that year. */
export const isCaseNumber = (text: string): boolean => /^\d{4}-\d{7}$/.test(text);

const reasonKind = z.enum(breakGlassKinds);

export const glassAccess = z.object({
  id,
  caseReportId: id,
  caseNumber: z.string(),
  reasonKind,
  reason: z.string(),
  expiresAt: instant,
});
export type GlassAccess = z.infer<typeof glassAccess>;

export const openGlassBody = z.strictObject({
  caseNumber: z
    .string()
    .trim()
    .refine(isCaseNumber, { error: 'not a case number', params: { code: 'case-number' } }),
  reasonKind,
  /** In the person's own words. */
  reason: z.string().trim().min(10).max(1000),
});

/**
 * Limited to 5 numbers that do not exist and 20 attempts in 24 hours, then 429. The answer says that a number
 * does not exist only after a reason was given, and the officer's list shows the attempt.
 */
export const openGlass = endpoint({
  method: 'POST',
  path: '/api/web/break-glass',
  access: 'break-glass/write',
  deed: 'administration',
  feature: 'case-reports',
  summary: 'Open one hidden case report by its exact number, for a stated reason and a short time',
  body: openGlassBody,
  response: z.object({
    /** Null if no case has this number. */
    caseReportId: id.nullable(),
    /** Null if the caller can already see the record and needs no access. */
    access: glassAccess.nullable(),
  }),
});

export const ownGlass = endpoint({
  method: 'GET',
  path: '/api/web/break-glass',
  access: 'break-glass/write',
  deed: 'read',
  feature: 'case-reports',
  summary: 'The accesses that the caller has at this moment',
  response: z.object({ accesses: z.array(glassAccess) }),
});

const params = z.strictObject({ id });

export const endGlass = endpoint({
  method: 'POST',
  path: '/api/web/break-glass/:id/end',
  access: 'break-glass/write',
  deed: 'administration',
  feature: 'case-reports',
  summary: 'Give up an access of one’s own before its time',
  params,
  response: z.object({ id }),
});

// — What a privacy officer sees —

/**
 * - `open`: still valid. `expired`: its time is over. `given-up`: its user ended it. `revoked`: an officer
 * ended it.
 * - `nothing`: no case had the number.
 */
export const glassStates = ['open', 'expired', 'given-up', 'revoked', 'nothing'] as const;

export const watchedAccess = z.object({
  id,
  who: z.string(),
  email: z.string(),
  orgType: z.enum(orgTypes),
  organization: z.string(),
  caseNumber: z.string(),
  reasonKind,
  reason: z.string(),
  openedAt: instant,
  expiresAt: instant,
  endedAt: instant.nullable(),
  state: z.enum(glassStates),
  /** How often it was used to read the record. */
  reads: z.number().int(),
  review: z.object({ at: instant, by: z.string(), note: z.string().nullable() }).nullable(),
  /** The officer's own access; someone else must review it. */
  own: z.boolean(),
});
export type WatchedAccess = z.infer<typeof watchedAccess>;

export const glassPageSize = 50;

export const listGlass = endpoint({
  method: 'GET',
  path: '/api/web/privacy/accesses',
  access: 'privacy/officer',
  deed: 'administration',
  summary: 'Who opened which hidden record, when and why; those that nobody has reviewed, or all',
  query: z.strictObject({
    only: z.enum(['unreviewed', 'all']).default('unreviewed'),
    /** From 0. */
    page: z
      .string()
      .regex(/^\d{1,4}$/)
      .default('0'),
  }),
  response: z.object({ accesses: z.array(watchedAccess), rowCount: z.number().int() }),
});

/** `own-access`: no one reviews their own access. */
export const glassRefusals = ['own-access'] as const;

export const reviewGlass = endpoint({
  method: 'POST',
  path: '/api/web/privacy/accesses/:id/review',
  access: 'privacy/officer',
  deed: 'administration',
  summary: 'Note that an access was looked at, and what came of it',
  params,
  body: z.strictObject({ note: z.string().trim().max(1000).nullable() }),
  response: watchedAccess,
});

export const revokeGlass = endpoint({
  method: 'POST',
  path: '/api/web/privacy/accesses/:id/revoke',
  access: 'privacy/officer',
  deed: 'administration',
  summary: 'End an access that lasts, at once',
  params,
  response: watchedAccess,
});
