import { z } from 'zod';

/**
 * Every refusal the server can give, each with its HTTP status. Codes are stable, and worded under
 * `error.<code>`.
 */
export const errorStatus = {
  'validation-failed': 422,
  'malformed-request': 400,
  'unknown-field': 400,
  'unknown-operator': 400,
  'unknown-filter': 400,
  'invalid-range': 400,
  'page-too-far': 400,
  'query-too-slow': 400,
  'not-signed-in': 401,
  'session-expired': 401,
  'code-wrong': 401,
  'code-expired': 401,
  forbidden: 403,
  'feature-off': 403,
  // Access to the tenant is suspended. Only its members get this code. [P14]
  'tenant-suspended': 403,
  // The organization requires a second factor from its users. [P21]
  'second-factor-needed': 403,
  // Settings that protect an account need a recent sign-in.
  'recent-sign-in-needed': 403,
  // The reader now sees less or more than when the file was made.
  'file-outdated': 403,
  'not-found': 404,
  conflict: 409,
  // A saved view that somebody has locked.
  'view-locked': 409,
  'last-second-factor': 409,
  'file-expired': 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  // One account has more analytics questions running than allowed. [P27]
  'too-many-questions': 429,
  // All export slots are taken; each uses a database connection.
  'too-many-exports': 429,
  // The user already has as many files as allowed.
  'too-many-files': 429,
  // The disk of the server or its database is full.
  'disk-full': 507,
  internal: 500,
  unavailable: 503,
} as const;
export type ErrorCode = keyof typeof errorStatus;

/**
 * A name from the request, made safe to repeat in an answer. Letters, digits, `_`, `-` and `.` stay;
 * everything else is percent-encoded, so that it is plain text anywhere, and cut to the length of a name.
 * [P16]
 */
export const namedBack = (sent: string): string =>
  encodeURIComponent(sent.slice(0, 60).toWellFormed()).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** One fault in a request. `path` says where: a property path, or the name of a field or filter. */
export const fault = z.object({ path: z.string(), code: z.string(), message: z.string() });
export type Fault = z.infer<typeof fault>;

/**
 * The body of every error answer. It gives the place of a fault, never a value from the request; unknown
 * names go through `namedBack`.
 */
export const errorBody = z.object({
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  faults: z.array(fault).optional(),
  /** The permission a refused action needs. */
  permission: z.string().optional(),
  /** Seconds to wait before trying again. */
  retryAfter: z.number().optional(),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;
