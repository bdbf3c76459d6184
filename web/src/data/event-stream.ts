import type { Endpoint } from '@caseway/contract/endpoint';
import { useEffect, useRef } from 'react';
import { sessionRefused } from '../session/session.ts';
import { store } from '../session/store.ts';
import { retryDelayMs, streamHeaders } from './api.ts';
import { whenOthersAreDone } from './in-turn.ts';
import { AppError, exchange } from './transport.ts';

/** One event of a stream: its name (`message` by default) and its parsed data. */
export interface StreamEvent {
  event: string;
  data: unknown;
}
type Listener = (event: StreamEvent) => void;

/** A client-side event: the connection was lost and is back; messages sent in between are lost. */
export const reopened = 'reopened';

interface Connection {
  listeners: Set<Listener>;
  stop: AbortController;
}

/** One connection per path, however many listeners. */
const connections = new Map<string, Connection>();

/**
 * Listens to a stream of server-sent events. The browser's EventSource cannot send the access token, so fetch
 * reads the stream. A lost connection is reopened after 1 s, doubling up to 30 s, from the last event
 * received.
 */
export function listen(endpoint: Endpoint, listener: Listener): () => void {
  let connection = connections.get(endpoint.path);
  if (!connection) {
    connection = { listeners: new Set(), stop: new AbortController() };
    connections.set(endpoint.path, connection);
    void keepReading(endpoint, connection);
  }
  const { listeners, stop } = connection;
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stop.abort();
    connections.delete(endpoint.path);
  };
}

/** Calls the latest `onEvent` for every event while the component is mounted. */
export function useEventStream(endpoint: Endpoint, onEvent: Listener): void {
  const latest = useRef(onEvent);
  useEffect(() => {
    latest.current = onEvent;
  });
  useEffect(() => listen(endpoint, (event) => latest.current(event)), [endpoint]);
}

async function keepReading(endpoint: Endpoint, { listeners, stop }: Connection): Promise<void> {
  let failures = 0;
  let lastId = '';
  let wasOpen = false;
  await whenOthersAreDone();
  while (!stop.signal.aborted) {
    try {
      const headers = await streamHeaders(endpoint);
      if (lastId !== '') headers['Last-Event-ID'] = lastId;
      const response = await exchange(endpoint, {}, headers, stop.signal);
      failures = 0;
      if (wasOpen) for (const listener of listeners) listener({ event: reopened, data: null });
      wasOpen = true;
      for await (const { id, ...event } of eventsOf(response)) {
        lastId = id || lastId;
        for (const listener of listeners) listener(event);
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      if (error instanceof AppError && error.status === 401) {
        sessionRefused();
        await signedInAgain(stop.signal);
        failures = 0;
        continue;
      }
      // Asking again does not change a refusal.
      if (error instanceof AppError && error.status >= 400 && error.status < 500) return;
    }
    await wait(retryDelayMs(failures), stop.signal);
    failures += 1;
  }
}

/** Until someone has signed in again over the screen. */
const signedInAgain = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      unsubscribe();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const unsubscribe = store.subscribe(() => {
      if (store.getState().authentication.authenticated) done();
    });
    signal.addEventListener('abort', done);
  });

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * The events of a `text/event-stream` answer, as they arrive. Skips comments, which only keep the connection
 * open.
 */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent & { id: string }> {
  if (!response.body) return;
  let rest = '';
  let event = 'message';
  let data: string[] = [];
  let id = '';
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { event, data: JSON.parse(data.join('\n')) as unknown, id };
        event = 'message';
        data = [];
        continue;
      }
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const text = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') event = text;
      else if (field === 'data') data.push(text);
      else if (field === 'id') id = text;
    }
  }
}
