import { z } from 'zod';

/**
 * Every refusal the server can give. The code is stable; its words are in the locales under `error.<code>`.
 * The HTTP status of each is here once.
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
  // Access to the tenant is suspended; only its members are told. [P14]
  'tenant-suspended': 403,
  // The organisation requires a second factor from people who act for it. [P21]
  'second-factor-needed': 403,
  // Settings that protect an account are changed only after a recent sign-in.
  'recent-sign-in-needed': 403,
  // Its reader sees less or more than when the file was made.
  'file-outdated': 403,
  'not-found': 404,
  conflict: 409,
  'last-second-factor': 409,
  'file-expired': 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  // One account has more analytics questions at once than allowed. [P27]
  'too-many-questions': 429,
  // No place for another export became free; each uses a connection to the database.
  'too-many-exports': 429,
  // As many files of one person are kept as there may be.
  'too-many-files': 429,
  // The disk of the server, or that of its database.
  'disk-full': 507,
  internal: 500,
  unavailable: 503,
} as const;
export type ErrorCode = keyof typeof errorStatus;

/**
 * A name from the request, made safe to repeat in an answer: letters, digits, `_`, `-` and `.` as they are, everything
 * else percent-encoded, so that it is plain text wherever it is shown, and cut to the length of a name. [P16]
 */
export const namedBack = (sent: string): string =>
  encodeURIComponent(sent.slice(0, 60).toWellFormed()).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** One fault in what was sent. `path` is where it is: a property path, or the name of a field or filter. */
export const fault = z.object({ path: z.string(), code: z.string(), message: z.string() });
export type Fault = z.infer<typeof fault>;

/**
 * The body of every answer that is not a success. Contains no value from the request, only its place; names that do not
 * exist here go through `namedBack`.
 */
export const errorBody = z.object({
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  faults: z.array(fault).optional(),
  /** The permission a refused action needs. */
  permission: z.string().optional(),
  /** Seconds after which it may be tried again. */
  retryAfter: z.number().optional(),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;
