import type { Endpoint } from '@caseway/contract/endpoint';
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
import { notify } from '../session/notify.ts';
import { askWhy } from '../session/refused.ts';
import { accessToken, sessionRefused } from '../session/session.ts';
import { store } from '../session/store.ts';
import { language } from '../words/i18n.ts';
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

/** Paths under this prefix are under the session's rules: 401 ends it, 403 is shown. [S8.1, S8.2] */
const apiPrefix = '/api';
/** [S9.12] */
export const cacheMs = 300_000;
/** [S7.8] */
const retries = 3;
/** Between two attempts after the retries, while nobody could answer. */
const againMs = 15_000;
export const retryDelayMs = (attempt: number): number => Math.min(1000 * 2 ** attempt, 30_000);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: cacheMs,
      // Three retries, and none if the server has refused; paused by the library while unfocused or offline. [S7.8]
      retry: (failures, error) => failures < retries && !isRefused(error),
      retryDelay: retryDelayMs,
      // What an outage has kept from a screen comes by itself when it is over. [P6]
      refetchInterval: ({ state }) => (isOutage(state.error) ? againMs : false),
    },
    // Changes are not retried automatically.
    mutations: { retry: false },
  },
});

/** Requests that failed while the session could not be renewed are sent again as soon as it is renewed. [S8.3] */
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
  const { selectedTenantOrg } = store.getState().authentication;
  if (selectedTenantOrg) headers['X-Org-Token'] = selectedTenantOrg.token;
  return headers;
}

/** Applies a refusal to the whole session; the error still goes to the caller. [S8.1, S8.2] */
function noteRefusal(endpoint: AnyEndpoint, error: unknown): void {
  if (!(error instanceof AppError) || !endpoint.path.startsWith(apiPrefix)) return;
  if (error.status === 401) sessionRefused();
  // Both have a way on that is offered in their place.
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
 * @throws AppError for every answer except a success, and if there is none
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
    return answerOf(endpoint, ahead ?? (await exchange(endpoint, input as object, headers, signal)));
  });
}

/** The cache's key of a call: the request and its organisation. */
export function apiKey<E extends AnyEndpoint>(endpoint: E, input?: InputOf<E>): readonly unknown[] {
  const { selectedTenantOrg } = store.getState().authentication;
  const { body, ...address } = (input ?? {}) as { body?: unknown; params?: Record<string, string> };
  return [
    endpoint.path,
    endpoint.method,
    selectedTenantOrg ? orgKey(selectedTenantOrg) : null,
    addressOf(endpoint, address),
    body ?? null,
  ];
}

/** A query of an endpoint. `later`: after what a screen is waiting for. */
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
  /** False: no request is sent yet. */
  enabled?: boolean;
  /** How long an answer counts as fresh; 0 by default. Look-ups take `cacheMs`. */
  staleTime?: number;
  /** False: the answer before is not shown while the next is on its way. */
  keepPrevious?: boolean;
  /** True: nobody waits for it, so it goes after what the screen is waiting for. */
  later?: boolean;
}

/**
 * The answer of an endpoint, cached for five minutes and loaded again when the screen comes back; the previous answer
 * stays until the new one is there (`isPlaceholderData`), or until the first attempt at it has failed. A request that nobody
 * waits for any longer is aborted.
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
 * The library forgets why there is no answer as soon as it tries again. During an outage the reason stays until there
 * is one, so that the words do not come and go with each attempt.
 */
function useLastingOutage<T>(query: UseQueryResult<T, AppError>, key: string): UseQueryResult<T, AppError> {
  const [outage, setOutage] = useState<{ key: string; error: AppError } | null>(null);
  const { error, status } = query;
  const next = error && isOutage(error) ? error : null;
  const waits = status === 'pending' || query.isPlaceholderData;
  if (next ? outage?.error !== next || outage.key !== key : outage && (outage.key !== key || !waits))
    setOutage(next && { key, error: next });
  if (!waits) return query;
  // The answer to another question is shown for a moment, and not for as long as this one is tried again.
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
 * Marks the answers of an endpoint as stale. A visible screen loads them again immediately; one in a hidden tab when
 * someone comes back to it, because each answer leaves a row in the audit log.
 */
export function becameOld({ path }: { path: string }): void {
  const refetchType = focusManager.isFocused() ? 'active' : 'none';
  void queryClient.invalidateQueries({ queryKey: [path], refetchType });
}

/**
 * Shows what a change has answered. A request that was sent before the change and is still on its way would show the old
 * state again, so it is given up.
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

/** What a screen does with the answer to one call. */
interface Then<Answer> {
  onSuccess?: (answer: Answer) => unknown;
  onError?: (error: AppError) => unknown;
}

/** A call that changes something, and how far it is: under way until what it made old is loaded again. */
export type Change<E extends AnyEndpoint> = Pick<
  UseMutationResult<AnswerOf<E>, AppError>,
  'data' | 'error' | 'isPending' | 'isSuccess' | 'reset'
> & {
  mutate(input: InputOf<E>, then?: Then<AnswerOf<E>>): void;
  mutateAsync(input: InputOf<E>): Promise<AnswerOf<E>>;
};

/**
 * A change with its state. What the screen does then is done with the answer, before anything is loaded again: the row or
 * the dialog that has asked may be gone afterwards, and with it the library would forget what it was to do.
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

/** The end of a session is no longer a fault of a form once the person has signed in again over it. [S8.1] */
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
 * Saves the answer of an endpoint as a file, once it is complete.
 * @returns its name
 * @throws AppError `broken-off` if it ends early: the connection was lost, or the server broke it off [P14]
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

/** Hands a file to the person's browser. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has the content by the next turn of its loop at the latest.
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
