import type { Endpoint } from '@caseway/contract/endpoint';
import { pathOf } from '@caseway/contract/endpoint';
import { type ErrorCode, errorBody, type Fault } from '@caseway/contract/error';
import type { z } from 'zod';
import { reached } from './reached.ts';

// biome-ignore lint/suspicious/noExplicitAny: an endpoint of any shape; `unknown` would not accept one.
export type AnyEndpoint = Endpoint<any, any, any, any>;
type Sent<S> = S extends z.ZodUndefined ? undefined : S extends z.ZodType ? z.input<S> : undefined;
type Part<Name extends string, S> =
  Sent<S> extends undefined ? { [N in Name]?: undefined } : { [N in Name]: Sent<S> };
type QueryPart<S> =
  Sent<S> extends undefined
    ? { query?: undefined }
    : Record<string, never> extends Sent<S>
      ? { query?: Sent<S> }
      : { query: Sent<S> };

/** The request of an endpoint. */
export type InputOf<E> =
  E extends Endpoint<infer P, infer Q, infer B, z.ZodType>
    ? Part<'params', P> & QueryPart<Q> & Part<'body', B> & { headers?: Record<string, string> }
    : never;
/** The answer of an endpoint. */
export type AnswerOf<E> =
  E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R>
    ? R extends z.ZodType
      ? z.output<R>
      : undefined
    : never;

/** Why a call failed: the server's error, no answer, or a file that ended early. */
export type CallCode = ErrorCode | 'unreachable' | 'broken-off';

/** A failed call, worded under `error.<code>`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly code: CallCode;
  readonly faults: readonly Fault[];
  /** The permission a refused action needs. */
  readonly permission: string | undefined;
  readonly requestId: string | undefined;
  /** Seconds to wait before trying again. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: CallCode,
    message: string,
    more: { faults?: readonly Fault[]; permission?: string; requestId?: string; retryAfter?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.faults = more.faults ?? [];
    this.permission = more.permission;
    this.requestId = more.requestId;
    this.retryAfter = more.retryAfter;
  }
}

/** Whether the server refused, so that the same call would be refused again. */
export const isRefused = (error: unknown): boolean =>
  error instanceof AppError && error.status >= 400 && error.status < 500;

/**
 * Whether there was an outage: the server was not reached, or its database is down. The same call works
 * later.
 */
export const isOutage = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'unreachable' || error.code === 'unavailable');

/** An error's faults that have their own texts, each once. */
export const refusalsIn = <Code extends string>(
  error: AppError | null | undefined,
  known: readonly Code[],
): Code[] => known.filter((code) => error?.faults.some((fault) => fault.code === code));

/** Path and query of a call. An array in the query repeats its name. */
export function addressOf(
  endpoint: { path: string },
  input: { params?: Record<string, string>; query?: Record<string, unknown> },
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) query.append(name, String(one));
  const path = pathOf(endpoint, input.params);
  return query.size > 0 ? `${path}?${query}` : path;
}

/** An answer as a refusal. One that is not ours (a proxy's page) counts by its status. */
export function refusalOf(status: number, text: string): AppError {
  try {
    const { code, message, ...more } = errorBody.parse(JSON.parse(text));
    return new AppError(status, code, message, more);
  } catch {
    const code: ErrorCode =
      status === 401
        ? 'not-signed-in'
        : status === 403
          ? 'forbidden'
          : status === 404
            ? 'not-found'
            : status === 413
              ? 'too-large'
              : status === 429
                ? 'too-many-requests'
                : status === 502 || status === 503 || status === 504
                  ? 'unavailable'
                  : status < 500
                    ? 'malformed-request'
                    : 'internal';
    return new AppError(status, code, `the server answered ${status}`);
  }
}

/**
 * One exchange with the server, without the session rules of api.ts.
 * @throws AppError, or the signal's reason if aborted
 */
export async function exchange(
  endpoint: AnyEndpoint,
  input: {
    params?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: unknown;
    /** Headers of this call only, such as `If-Match`. */
    headers?: Record<string, string>;
  },
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(addressOf(endpoint, input), {
      method: endpoint.method,
      headers: {
        Accept: [endpoint.produces ?? 'application/json', endpoint.alsoProduces ?? []].flat().join(', '),
        ...(input.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
        ...input.headers,
      },
      body: input.body === undefined ? null : JSON.stringify(input.body),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    reached.set(false);
    throw new AppError(0, 'unreachable', `${endpoint.method} ${endpoint.path} was not answered`);
  }
  reached.set(true);
  if (!response.ok) throw refusalOf(response.status, await response.text());
  return response;
}

/** The answer's body, checked by the endpoint's schema. @throws AppError `internal` if it has another shape */
export async function answerOf<E extends AnyEndpoint>(endpoint: E, response: Response): Promise<AnswerOf<E>> {
  if (!endpoint.response) return undefined as AnswerOf<E>;
  return parsedAnswer(endpoint, await response.json(), response.status);
}

/** The same for a body already read. */
export function parsedAnswer<E extends AnyEndpoint>(endpoint: E, body: unknown, status = 200): AnswerOf<E> {
  const parsed = endpoint.response!.safeParse(body);
  if (!parsed.success)
    throw new AppError(
      status,
      'internal',
      `${endpoint.path} answered in another shape: ${parsed.error.issues.map((issue: z.core.$ZodIssue) => issue.path.join('.')).join(', ')}`,
    );
  return parsed.data as AnswerOf<E>;
}
