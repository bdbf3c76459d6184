import type { Endpoint } from '@caseway/contract/endpoint';
import { childHeader } from '@caseway/contract/guardian-rules';
import { orgKey } from '@caseway/contract/session';
import {
  focusManager,
  hashKey,
  keepPreviousData,
  QueryClient,
  queryOptions,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { answerAhead } from '../loading/rows-ahead.ts';
import { secondFactorWanted } from '../session/authentication.ts';
import { childOf } from '../session/child.ts';
import { notify } from '../session/notify.ts';
import { askWhy } from '../session/refused.ts';
import { accessToken, sessionRefused } from '../session/session.ts';
import { store } from '../session/store.ts';
import { language } from '../words/i18n.ts';
import { changes } from './changes.ts';
import { goesFirst, whenOthersAreDone } from './in-turn.ts';
import {
  type AnswerOf,
  type AnyEndpoint,
  AppError,
  addressOf,
  answerOf,
  exchange,
  type InputOf,
  isOutage,
  isRefused,
  refusalOf,
} from './transport.ts';

/** Paths under this prefix follow the session's rules: 401 ends it, 403 is shown. [S8.1, S8.2] */
const apiPrefix = '/api';
/** [S9.12] */
export const cacheMs = 300_000;
/** [S7.8] */
const retries = 3;
/** Between attempts after the retries, during an outage. */
const againMs = 15_000;
export const retryDelayMs = (attempt: number): number => Math.min(1000 * 2 ** attempt, 30_000);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: cacheMs,
      // Three retries, none after a refusal; the library pauses while unfocused or offline. [S7.8]
      retry: (failures, error) => failures < retries && !isRefused(error),
      retryDelay: retryDelayMs,
      // After an outage, screens load what they missed. [P6]
      refetchInterval: ({ state }) => (isOutage(state.error) ? againMs : false),
    },
    // Changes are not retried automatically.
    mutations: { retry: false },
  },
});

/** Resends requests that failed while the session could not be renewed, as soon as it is renewed. [S8.3] */
let wasUnreachable = false;
store.subscribe(() => {
  const { ended } = store.getState().authentication;
  if (wasUnreachable && ended === null)
    void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  wasUnreachable = ended === 'unreachable';
});

/** The headers every request carries. [S7.1, S10.5] */
async function headersFor(endpoint: AnyEndpoint): Promise<Record<string, string>> {
  const headers: Record<string, string> = { 'Accept-Language': language() };
  if (endpoint.access === 'public') return headers;
  const token = await accessToken();
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  const child = childOf(endpoint);
  if (child !== null) headers[childHeader] = child;
  const { selectedTenantOrg } = store.getState().authentication;
  if (selectedTenantOrg) headers['X-Org-Token'] = selectedTenantOrg.token;
  return headers;
}

/** Applies a refusal to the whole session; the caller still gets the error. [S8.1, S8.2] */
function noteRefusal(endpoint: AnyEndpoint, error: unknown): void {
  if (!(error instanceof AppError) || !endpoint.path.startsWith(apiPrefix)) return;
  if (error.status === 401) sessionRefused();
  // For both, the screen offers a way to continue instead.
  else if (error.code === 'second-factor-needed') store.dispatch(secondFactorWanted());
  else if (error.code === 'recent-sign-in-needed') return;
  else if (error.code === 'tenant-suspended') notify('error', 'error.tenant-suspended');
  else if (error.status === 403) {
    const { permission } = error;
    notify('error', 'notification.forbidden', {
      ...(permission === undefined ? {} : { action: { label: 'access.why', run: () => askWhy(permission) } }),
    });
  }
}

async function answered<T>(
  endpoint: AnyEndpoint,
  ask: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  try {
    return await ask(await headersFor(endpoint));
  } catch (error) {
    noteRefusal(endpoint, error);
    throw error;
  }
}

/**
 * Calls an endpoint once.
 * @throws AppError for every answer except a success, and without an answer
 */
export function callApi<E extends AnyEndpoint>(
  endpoint: E,
  input: InputOf<E> = {} as InputOf<E>,
  signal?: AbortSignal,
): Promise<AnswerOf<E>> {
  return answered(endpoint, async (headers) => {
    const ahead = await answerAhead(
      endpoint.method,
      addressOf(endpoint, input as object),
      (input as { body?: object }).body,
      headers,
    );
    const response = ahead ?? (await exchange(endpoint, input as object, headers, signal));
    if (endpoint.deed === 'change') changes.set(changes.get() + 1);
    return answerOf(endpoint, response);
  });
}

/** The cache key of a call: the request, its organization, and the child that it is about. */
export function apiKey<E extends AnyEndpoint>(endpoint: E, input?: InputOf<E>): readonly unknown[] {
  const { selectedTenantOrg } = store.getState().authentication;
  const { body, ...address } = (input ?? {}) as { body?: unknown; params?: Record<string, string> };
  return [
    endpoint.path,
    endpoint.method,
    selectedTenantOrg ? orgKey(selectedTenantOrg) : null,
    childOf(endpoint),
    addressOf(endpoint, address),
    body ?? null,
  ];
}

/** A query of an endpoint. `later`: after the requests a screen waits for. */
export const apiQuery = <E extends AnyEndpoint>(endpoint: E, input?: InputOf<E>, later = false) =>
  queryOptions<AnswerOf<E>, AppError>({
    queryKey: apiKey(endpoint, input),
    queryFn: async ({ signal }) => {
      if (!later) return goesFirst(callApi(endpoint, input, signal));
      await whenOthersAreDone();
      return callApi(endpoint, input, signal);
    },
  });

export interface ApiOptions {
  /** False to send no request yet. */
  enabled?: boolean;
  /** How long an answer counts as fresh; 0 by default. Look-ups use `cacheMs`. */
  staleTime?: number;
  /** False to hide the previous answer while the next one loads. */
  keepPrevious?: boolean;
  /** True if no one waits for it, so it goes after the requests a screen waits for. */
  later?: boolean;
}

/**
 * An endpoint's answer, cached for five minutes and reloaded when the screen comes back. The previous answer
 * stays until the new one arrives (`isPlaceholderData`), or until its first attempt fails. A request no one
 * waits for any more is aborted.
 */
export function useApi<E extends AnyEndpoint>(
  endpoint: E,
  input?: InputOf<E>,
  { enabled = true, staleTime = 0, keepPrevious = true, later = false }: ApiOptions = {},
): UseQueryResult<AnswerOf<E>, AppError> {
  const options = apiQuery(endpoint, input, later);
  const query = useQuery({
    ...options,
    enabled,
    staleTime,
    ...(keepPrevious ? { placeholderData: keepPreviousData as never } : {}),
  });
  return useLastingOutage(query, hashKey(options.queryKey));
}

/**
 * The library forgets why there is no answer as soon as it retries. During an outage this keeps the reason
 * until there is an answer, so that the message does not flicker with each attempt.
 */
function useLastingOutage<T>(query: UseQueryResult<T, AppError>, key: string): UseQueryResult<T, AppError> {
  const [outage, setOutage] = useState<{ key: string; error: AppError } | null>(null);
  const { error, status } = query;
  const next = error && isOutage(error) ? error : null;
  const waits = status === 'pending' || query.isPlaceholderData;
  if (next ? outage?.error !== next || outage.key !== key : outage && (outage.key !== key || !waits))
    setOutage(next && { key, error: next });
  if (!waits) return query;
  // The answer to another question is shown only briefly, not for as long as this one is retried.
  const without = { data: undefined, isPlaceholderData: false, isSuccess: false };
  if (outage?.key === key)
    return {
      ...query,
      ...without,
      status: 'error',
      error: outage.error,
      isError: true,
      isPending: false,
    } as never;
  if (query.isPlaceholderData && query.failureCount > 0)
    return { ...query, ...without, status: 'pending', isPending: true } as never;
  return query;
}

/**
 * Marks an endpoint's answers as stale. A visible screen reloads them immediately, a hidden tab when someone
 * returns to it, because each answer adds a row to the audit log.
 */
export function becameOld({ path }: { path: string }): void {
  const refetchType = focusManager.isFocused() ? 'active' : 'none';
  void queryClient.invalidateQueries({ queryKey: [path], refetchType });
}

/**
 * Shows the answer to a change. Aborts a request sent before the change, which would show the old state
 * again.
 */
export function keepAnswered<E extends AnyEndpoint>(
  endpoint: E,
  input: InputOf<E> | undefined,
  answer: AnswerOf<E>,
): void {
  const queryKey = apiKey(endpoint, input);
  queryClient.setQueryData([...queryKey], answer);
  void queryClient.cancelQueries({ queryKey, exact: true });
}

/** A screen's callbacks for the answer to one call. */
interface Then<Answer> {
  onSuccess?: (answer: Answer) => unknown;
  onError?: (error: AppError) => unknown;
}

/** A call that changes something, and its state: pending until the stale answers are reloaded. */
export type Change<E extends AnyEndpoint> = Pick<
  UseMutationResult<AnswerOf<E>, AppError>,
  'data' | 'error' | 'isPending' | 'isSuccess' | 'reset'
> & {
  mutate(input: InputOf<E>, then?: Then<AnswerOf<E>>): void;
  mutateAsync(input: InputOf<E>): Promise<AnswerOf<E>>;
};

/**
 * A change with its state. The screen's callbacks run on the answer, before anything is reloaded: the row or
 * dialog that asked may disappear then, and the library would drop its callbacks.
 */
export function useChange<E extends AnyEndpoint>(
  send: (input: InputOf<E>) => Promise<AnswerOf<E>>,
  { onSuccess, onSettled }: { onSuccess?: () => Promise<unknown>; onSettled?: () => Promise<unknown> },
): Change<E> {
  const { mutate, mutateAsync, ...state } = useMutation<
    AnswerOf<E>,
    AppError,
    { input: InputOf<E>; then?: Then<AnswerOf<E>> }
  >({
    mutationFn: ({ input }) => send(input),
    onSuccess: async (answer, { then }) => {
      void then?.onSuccess?.(answer);
      await onSuccess?.();
    },
    onError: (error, { then }) => void then?.onError?.(error),
    onSettled: async () => {
      await onSettled?.();
    },
  });
  useForgottenEnd(state);
  return {
    ...state,
    mutate: useCallback((input, then) => mutate({ input, ...(then && { then }) }), [mutate]),
    mutateAsync: useCallback((input) => mutateAsync({ input }), [mutateAsync]),
  };
}

/** A call that changes something. `invalidates`: the endpoints whose answers become stale. */
export const useCall = <E extends AnyEndpoint>(
  endpoint: E,
  { invalidates = [] }: { invalidates?: readonly { path: string }[] } = {},
): Change<E> =>
  useChange<E>((input) => callApi(endpoint, input), {
    onSuccess: () =>
      Promise.all(invalidates.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] }))),
  });

/** Clears a form's session error once the user has signed in again over it. [S8.1] */
export function useForgottenEnd({ error, reset }: { error: unknown; reset: () => void }): void {
  const refused = error instanceof AppError && error.code === 'session-expired';
  useEffect(() => {
    if (!refused) return;
    return store.subscribe(() => {
      if (store.getState().authentication.ended === null) reset();
    });
  }, [refused, reset]);
}

/**
 * Saves an endpoint's answer as a file, once it is complete.
 * @returns the file's name
 * @throws AppError `broken-off` if it ends early: the connection was lost, or the server aborted it [P14]
 */
export async function download<E extends AnyEndpoint>(
  endpoint: E,
  input: InputOf<E>,
  fallbackName: string,
  signal?: AbortSignal,
): Promise<string> {
  return answered(endpoint, async (headers) => {
    const response = await exchange(endpoint, input as object, headers, signal);
    const disposition = response.headers.get('Content-Disposition') ?? '';
    const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
    const name = encoded
      ? decodeURIComponent(encoded)
      : (/filename="([^"]+)"/i.exec(disposition)?.[1] ?? fallbackName);
    let content: Blob;
    try {
      content = await response.blob();
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new AppError(0, 'broken-off', `${endpoint.path} ended before it was complete`);
    }
    saveFile(content, name);
    return name;
  });
}

/** Hands a file to the user's browser. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has the content by the next turn of the event loop at the latest.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

/**
 * Sends a file unchanged, with progress, which fetch cannot report.
 * @param onProgress share of the bytes sent, 0 to 1
 */
export function upload<E extends Endpoint>(
  endpoint: E,
  input: { params?: Record<string, string>; query?: Record<string, unknown> },
  file: Blob,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<AnswerOf<E>> {
  return answered(
    endpoint,
    (headers) =>
      new Promise<AnswerOf<E>>((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open(endpoint.method, addressOf(endpoint, input));
        for (const [name, value] of Object.entries({ Accept: 'application/json', ...headers }))
          request.setRequestHeader(name, value);
        request.setRequestHeader('Content-Type', file.type || 'application/octet-stream');
        request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
        request.onload = () => {
          if (request.status < 200 || request.status > 299)
            reject(refusalOf(request.status, request.responseText));
          else answerOf(endpoint, new Response(request.responseText, { status: 200 })).then(resolve, reject);
        };
        request.onerror = () => reject(new AppError(0, 'unreachable', `${endpoint.path} was not answered`));
        request.onabort = () => reject(signal?.reason ?? new DOMException('aborted', 'AbortError'));
        signal?.addEventListener('abort', () => request.abort());
        request.send(file);
      }),
  );
}

/** The headers of a long-lived stream; see event-stream.ts. */
export const streamHeaders = headersFor;
