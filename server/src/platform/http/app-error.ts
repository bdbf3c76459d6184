import { type ErrorBody, type ErrorCode, errorStatus, type Fault } from '@caseway/contract/error';

/** What an error says in addition to its code. No part may contain a value that was sent or stored. */
export interface ErrorDetails {
  message?: string;
  faults?: Fault[];
  permission?: string;
  /** Seconds after which the caller may try again. */
  retryAfter?: number;
  cause?: unknown;
}

/** A refusal that is reported to the caller. Every other error is answered as `internal`, without details. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? messages[code], { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorStatus[this.code];
  }

  /** Whether the fault is temporary, so that a retry makes sense. */
  get passes(): boolean {
    return this.code === 'unavailable' || this.code === 'disk-full';
  }

  body(requestId: string): ErrorBody {
    const { faults, permission, retryAfter } = this.details;
    const wait = this.status === 429 ? { retryAfter } : {};
    return { code: this.code, message: this.message, faults, permission, ...wait, requestId };
  }
}

/** A fault with its place, its stable code, and a text for API users. */
export const faultAt = (path: string, code: string, message: string): Fault => ({ path, code, message });

/** Refuses a request with all its faults; does nothing if there are none. [S5.1] */
export function refuse(faults: Fault[]): void {
  if (faults.length > 0) throw new AppError('validation-failed', { faults });
}

/** A refusal for one fault. */
export const refused = (path: string, code: string, message: string): AppError =>
  new AppError('validation-failed', { faults: [faultAt(path, code, message)] });

/** The message of each code for API users; the screens have their own words for each code. */
const messages: Record<ErrorCode, string> = {
  'validation-failed': 'Some of what was sent is not valid.',
  'malformed-request': 'The request could not be read.',
  'unknown-field': 'The request names a property or field that does not exist here.',
  'unknown-operator': 'The request names an operator that the field does not have.',
  'unknown-filter': 'The request names a filter that does not exist here.',
  'invalid-range': 'A range ends before it begins.',
  'page-too-far': 'The page lies too far from the beginning; narrow the search.',
  'query-too-slow': 'The search takes too long; narrow it.',
  'not-signed-in': 'Nobody is signed in.',
  'session-expired': 'The session has ended; sign in again.',
  'code-wrong': 'The code is wrong.',
  'code-expired': 'The code is no longer valid; ask for another.',
  forbidden: 'You do not have the level of access needed to perform this action.',
  'tenant-suspended': 'Access to this organization is suspended.',
  'second-factor-needed': 'The organization requires a second factor: set one up, or sign in with it.',
  'recent-sign-in-needed': 'Sign in again before you change this.',
  'feature-off': 'This feature is switched off for the organization.',
  'file-outdated': 'What its reader may see has changed since the file was made.',
  'not-found': 'There is nothing here.',
  conflict: 'Someone else has changed it in the meantime.',
  'view-locked': 'The view is locked; somebody who may share views has to unlock it first.',
  'last-second-factor': 'An organization requires a second factor, and this is the only one.',
  'file-expired': 'The file has expired and was deleted.',
  'too-large': 'The request is too large.',
  'unsupported-media-type': 'This kind of content is not accepted here.',
  'too-many-requests': 'Too many requests; wait a little.',
  'too-many-questions': 'Too many questions at once; wait until the earlier ones are answered.',
  'too-many-files': 'As many of your files are kept as there may be; delete one of them.',
  'too-many-exports': 'Too many exports at once; wait until the earlier ones are sent.',
  'disk-full': 'The disk of the server is full; nothing can be stored until there is room again.',
  internal: 'Something went wrong on the server.',
  unavailable: 'The service is not available at the moment; try again shortly.',
};

/**
 * Codes of the network and of PostgreSQL (SQLSTATE) for a database that is temporarily unavailable. One that accepts
 * no logins (28) counts as away.
 */
const passing =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|08...|28...|57P0.|53...|40001|40P01|55P03|25006)$/;
/** The disk or the account's quota is full, on the server (ENOSPC, EDQUOT) or in the database. */
const noRoom = /^(ENOSPC|EDQUOT|53100)$/;
/** Messages of the driver about its connection, and of Citus, without a code, about a server that ends. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|could not commit transaction for shard|failure on connection marked as essential|postmaster was shut down)/;

/** Among these: conflicts with another transaction, and a read-only database. It still answers. */
const conflicts = /^(40001|40P01|55P03|25006)$/;

/**
 * Whether the database could not work at all: it or the tenant's server does not answer, or its disk is full.
 * Retries fail until that is over. A conflict of two transactions is no outage.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isOutage);
  const origin = error instanceof AppError ? (error.details.cause ?? error) : error;
  const { code } = origin as { code?: string };
  return asAppError(error).passes && !conflicts.test(code ?? '');
}

/** Faults that the HTTP layer finds, by Fastify's code. */
const ofFastify: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed-request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed-request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-request',
  FST_ERR_BAD_URL: 'malformed-request',
};

/** The refusal for an error of any origin. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, message, statusCode } = error as { code?: string; message?: string; statusCode?: number };
  if (code && ofFastify[code]) return new AppError(ofFastify[code], { cause: error });
  // An error of JSON.parse, as Fastify passes it on.
  if (error instanceof SyntaxError && statusCode === 400)
    return new AppError('malformed-request', { cause: error });
  if (code === '57014') return new AppError('query-too-slow', { cause: error });
  if (noRoom.test(code ?? '')) return new AppError('disk-full', { cause: error, retryAfter: 60 });
  if (passing.test(code ?? '') || lostConnection.test(message ?? ''))
    return new AppError('unavailable', { cause: error, retryAfter: 2 });
  return new AppError('internal', { cause: error });
}
