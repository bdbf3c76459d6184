import { z } from 'zod';

/**
 * Every refusal the server can give. The code is stable; its words are in the locales under `error.<code>`.
 * The HTTP status of each stands here once.
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
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
} as const;
export type ErrorCode = keyof typeof errorStatus;

/** One fault in what was sent. `path` is where it is: a property path, or the name of a field or filter. */
export const fault = z.object({ path: z.string(), code: z.string(), message: z.string() });
export type Fault = z.infer<typeof fault>;

/** The body of every answer that is not a success. Holds no value that was sent, only where it stood. */
export const errorBody = z.object({
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  faults: z.array(fault).optional(),
  /** The permission a refused action needs. */
  permission: z.string().optional(),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;
