import { endpoint } from '@caseway/contract/endpoint';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { accessToken, initAnswer, refreshToken } from '../test/server.ts';
import { eventsOf, listen, reopened, type StreamEvent } from './event-stream.ts';

const stream = endpoint({
  method: 'GET',
  path: '/api/web/stream',
  access: 'general/other',
  deed: 'read',
  summary: '',
  produces: 'text/event-stream',
});

/** An answer that arrives in these pieces. */
const pieces = (...texts: string[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    }),
  );
const collect = async (response: Response) => {
  const events = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
};

describe('an event stream', () => {
  test('is read across chunk boundaries, with every kind of line end', async () => {
    const events = await collect(
      pieces(
        'event: fresh',
        'ness\nid: 7\nda',
        'ta: {"asOf":1}\n\n',
        ': still here\r\n\r\n',
        'data: [1,\r\ndata: 2]\r\n\r\n',
      ),
    );
    expect(events).toEqual([
      { event: 'freshness', data: { asOf: 1 }, id: '7' },
      { event: 'message', data: [1, 2], id: '7' },
    ]);
  });

  test('an incomplete event is ignored', async () => {
    expect(await collect(pieces('data: 1\n\ndata: 2\n'))).toMatchObject([{ data: 1 }]);
  });
});

describe('listening', () => {
  beforeEach(() => {
    store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
    store.dispatch(userReady(initAnswer()));
  });
  afterEach(() => {
    vi.useRealTimers();
    store.dispatch(signedOut());
  });

  test('[S10.5] sends the tokens, resumes from the last event after a lost connection, and stops with its last listener', async () => {
    vi.useFakeTimers();
    const asked: Headers[] = [];
    let answers = [
      () => pieces('id: 1\nevent: a\ndata: 1\n\n'),
      () => {
        throw new TypeError('failed to fetch');
      },
      () => pieces('id: 2\nevent: b\ndata: 2\n\n'),
    ];
    vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
      asked.push(new Headers(init.headers));
      const [next, ...rest] = answers;
      answers = rest;
      if (next) return next();
      return new Promise<Response>((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal!.reason));
      });
    });
    const heard: StreamEvent[] = [];
    const first = listen(stream, (event) => heard.push(event));
    const second = listen(stream, () => {});
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(1);
    expect(asked[0]!.get('Authorization')).toMatch(/^Bearer /);
    expect(asked[0]!.get('X-Org-Token')).toBe('org token of t1');
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked[1]!.get('Last-Event-ID')).toBe('1');
    await vi.advanceTimersByTimeAsync(2000);
    expect(heard).toEqual([
      { event: 'a', data: 1 },
      // Events in between are lost, so the listener reloads.
      { event: reopened, data: null },
      { event: 'b', data: 2 },
    ]);
    second();
    first();
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(before);
  });

  test('[S8.1] a refusal ends the session and is not retried', async () => {
    vi.useFakeTimers();
    let asked = 0;
    vi.stubGlobal('fetch', async () => {
      asked += 1;
      return new Response(JSON.stringify({ code: 'not-signed-in', message: '' }), { status: 401 });
    });
    const stop = listen(stream, () => {});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(1);
    expect(store.getState().authentication.ended).toBe('refused');
    stop();
  });
});
