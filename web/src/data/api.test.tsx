import { endpoint } from '@caseway/contract/endpoint';
import { focusManager, onlineManager, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  renewalUnreachable,
  sessionRenewed,
  signedOut,
  tokensReceived,
  userReady,
} from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { accessToken, initAnswer, refreshToken, serve } from '../test/server.ts';
import {
  becameOld,
  callApi,
  download,
  keepAnswered,
  queryClient,
  retryDelayMs,
  useApi,
  useCall,
} from './api.ts';
import { AppError } from './transport.ts';

const things = endpoint({
  method: 'GET',
  path: '/api/web/things/:id',
  access: 'signed-in',
  deed: 'read',
  summary: 'Things',
  params: z.strictObject({ id: z.string() }),
  query: z.strictObject({ kind: z.array(z.string()).optional() }),
  response: z.object({ name: z.string() }),
});
const address = 'GET /api/web/things/a%2Fb';
const input = { params: { id: 'a/b' }, query: { kind: ['x', 'y'] } };

beforeEach(() => {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
  vi.useRealTimers();
});

test('the answer to a change stays, even if an older request is answered after it', async () => {
  let answerLate = (_: { body: object }) => {};
  let asked = 0;
  serve({
    [address]: () => {
      asked += 1;
      return asked === 1
        ? { body: { name: 'before' } }
        : new Promise<{ body: object }>((done) => {
            answerLate = done;
          });
    },
  });
  const Shown = () => <p>{useApi(things, input).data?.name}</p>;
  render(
    <QueryClientProvider client={queryClient}>
      <Shown />
    </QueryClientProvider>,
  );
  expect(await screen.findByText('before')).toBeInTheDocument();
  act(() => becameOld(things));
  await waitFor(() => expect(asked).toBe(2));
  act(() => keepAnswered(things, input, { name: 'after' }));
  expect(await screen.findByText('after')).toBeInTheDocument();
  await act(async () => {
    answerLate({ body: { name: 'before' } });
    await new Promise((done) => setTimeout(done, 50));
  });
  expect(screen.getByText('after')).toBeInTheDocument();
});

describe('a call', () => {
  test('[S7.1, S10.5] sends language, access token and organization token, and its parts in their places', async () => {
    const requests = serve({ [address]: { body: { name: 'one' } } });
    expect(await callApi(things, input)).toEqual({ name: 'one' });
    expect(requests[0]).toMatchObject({
      path: '/api/web/things/a%2Fb',
      headers: {
        'accept-language': 'en',
        authorization: `Bearer ${store.getState().authentication.tokens.accessToken}`,
        'x-org-token': 'org token of t1',
      },
    });
  });

  test('an error body becomes an AppError with its faults', async () => {
    const faults = [{ path: 'birthDate', code: 'in-future', message: 'no' }];
    serve({
      [address]: { status: 422, body: { code: 'validation-failed', message: 'no', faults, requestId: 'r1' } },
    });
    const error = await callApi(things, input).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ status: 422, code: 'validation-failed', faults, requestId: 'r1' });
  });

  test('an answer that is not ours is judged by its status; no answer means unreachable', async () => {
    serve({ [address]: { status: 502, raw: '<html>bad gateway</html>' } });
    await expect(callApi(things, input)).rejects.toMatchObject({ status: 502, code: 'unavailable' });
    serve({ [address]: new TypeError('failed to fetch') });
    await expect(callApi(things, input)).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  });

  test('[P14] a file that ends early is not saved, and is reported', async () => {
    const saved = vi.spyOn(URL, 'createObjectURL');
    const half = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('Name\r\nA'));
        setTimeout(() => controller.error(new TypeError('network error')), 0);
      },
    });
    vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response(half));
    const file = endpoint({ ...things, response: undefined, produces: 'text/csv' });
    await expect(download(file, input, 'things.csv')).rejects.toMatchObject({
      status: 0,
      code: 'broken-off',
    });
    expect(saved).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  test('an answer of another shape is an error, not a value', async () => {
    serve({ [address]: { body: { nom: 'un' } } });
    await expect(callApi(things, input)).rejects.toMatchObject({ code: 'internal' });
  });

  test('[S8.1] 401 ends the session, keeps the user and their screen, and reaches the caller', async () => {
    serve({ [address]: { status: 401, body: { code: 'not-signed-in', message: '' } } });
    await expect(callApi(things, input)).rejects.toMatchObject({ status: 401 });
    expect(store.getState().authentication).toMatchObject({
      authenticated: false,
      ended: 'refused',
      user: { id: 'u1' },
    });
  });

  test('[S8.1] only a path under the api prefix ends the session', async () => {
    const outside = endpoint({
      method: 'GET',
      path: '/auth/x',
      access: 'public',
      deed: 'read',
      summary: '',
      response: z.object({}),
    });
    serve({ 'GET /auth/x': { status: 401, body: { code: 'code-wrong', message: '' } } });
    await expect(callApi(outside)).rejects.toMatchObject({ code: 'code-wrong' });
    expect(store.getState().authentication.authenticated).toBe(true);
  });

  test("[S8.2] 403 is shown once, in the locale's words, and reaches the caller", async () => {
    serve({ [address]: { status: 403, body: { code: 'forbidden', message: '' } } });
    await Promise.allSettled([callApi(things, input), callApi(things, input)]);
    await expect(callApi(things, input)).rejects.toMatchObject({ status: 403 });
    expect(store.getState().notifications.open).toMatchObject([
      { kind: 'error', message: 'notification.forbidden' },
    ]);
    expect(store.getState().authentication.authenticated).toBe(true);
  });
});

function Thing({ id }: { id: string }) {
  const { data, error, isPlaceholderData } = useApi(things, { params: { id } });
  return (
    <p>
      {data?.name ?? 'nothing'} {error?.code} {isPlaceholderData ? 'old' : ''}
    </p>
  );
}
const shown = (id: string) => (
  <QueryClientProvider client={queryClient}>
    <Thing id={id} />
  </QueryClientProvider>
);

test('[S8.1] the end of the session is no longer reported after signing in again', async () => {
  let answer: { status?: number; body: unknown } = {
    status: 401,
    body: { code: 'session-expired', message: 'the session has ended' },
  };
  serve({ [address]: () => answer });
  function Form() {
    const call = useCall(things);
    return (
      <button type="button" onClick={() => call.mutate(input)}>
        {call.error ? call.error.code : 'Send'}
      </button>
    );
  }
  render(
    <QueryClientProvider client={queryClient}>
      <Form />
    </QueryClientProvider>,
  );
  act(() => screen.getByRole('button').click());
  expect(await screen.findByText('session-expired')).toBeInTheDocument();
  act(() => {
    store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
    store.dispatch(sessionRenewed());
  });
  expect(await screen.findByText('Send')).toBeInTheDocument();
  // Another error stays.
  answer = { status: 409, body: { code: 'conflict', message: 'changed' } };
  act(() => screen.getByRole('button').click());
  expect(await screen.findByText('conflict')).toBeInTheDocument();
  act(() => void store.dispatch(sessionRenewed()));
  expect(screen.getByText('conflict')).toBeInTheDocument();
});

test("a screen's own callback runs before everything is loaded again, even if that removes its row", async () => {
  const remove = endpoint({
    method: 'DELETE',
    path: '/api/web/things/:id',
    access: 'signed-in',
    deed: 'change',
    summary: 'Removes a thing',
    params: z.strictObject({ id: z.string() }),
    response: z.object({ name: z.string() }),
  });
  const list = endpoint({
    method: 'GET',
    path: '/api/web/things',
    access: 'signed-in',
    deed: 'read',
    summary: 'All things',
    response: z.object({ ids: z.array(z.string()) }),
  });
  const deeds: string[] = [];
  let ids = ['1'];
  let answer: { status?: number; body: unknown } = { status: 409, body: { code: 'conflict', message: '' } };
  serve({
    'GET /api/web/things': () => {
      deeds.push('asked');
      return { body: { ids } };
    },
    'DELETE /api/web/things/1': () => answer,
  });
  function Row({ id }: { id: string }) {
    const call = useCall(remove, { invalidates: [list] });
    useEffect(() => () => void deeds.push('gone'), []);
    const then = {
      onSuccess: ({ name }: { name: string }) => deeds.push(`${name} removed`),
      onError: ({ code }: AppError) => deeds.push(code),
    };
    return (
      <button type="button" disabled={call.isPending} onClick={() => call.mutate({ params: { id } }, then)}>
        Remove
      </button>
    );
  }
  function Rows() {
    const { data } = useApi(list);
    return <div>{data?.ids.length === 0 ? 'none' : data?.ids.map((id) => <Row key={id} id={id} />)}</div>;
  }
  render(
    <QueryClientProvider client={queryClient}>
      <Rows />
    </QueryClientProvider>,
  );
  const button = await screen.findByRole('button');
  act(() => button.click());
  await waitFor(() => expect(deeds).toEqual(['asked', 'conflict']));
  await waitFor(() => expect(button).toBeEnabled());
  answer = { body: { name: 'one' } };
  ids = [];
  act(() => button.click());
  expect(await screen.findByText('none')).toBeInTheDocument();
  expect(deeds).toEqual(['asked', 'conflict', 'one removed', 'asked', 'gone']);
});

describe('useApi', () => {
  test('[S7.8] retries three times, after 1, 2 and 4 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const requests = serve({
      'GET /api/web/things/1': { status: 503, body: { code: 'unavailable', message: '' } },
    });
    render(shown('1'));
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1010);
    expect(requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2010);
    expect(requests).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(4010);
    expect(requests).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(4);
    expect(screen.getByText(/unavailable/)).toBeInTheDocument();
  });

  test.each([
    ['unavailable', { status: 503, body: { code: 'unavailable', message: '' } }],
    ['unreachable', new TypeError('failed to fetch')],
  ])(
    '[P6] a screen that is %s asks again every 15 seconds, says so all the time, and goes on by itself',
    async (code, answer) => {
      vi.useFakeTimers({ shouldAdvanceTime: true });
      const requests = serve({ 'GET /api/web/things/1': answer });
      render(shown('1'));
      await vi.advanceTimersByTimeAsync(7100);
      expect(requests).toHaveLength(4);
      await vi.advanceTimersByTimeAsync(15_010);
      expect(requests).toHaveLength(5);
      // It stays during the retry.
      expect(screen.getByText(new RegExp(code))).toBeInTheDocument();
      serve({ 'GET /api/web/things/1': { body: { name: 'one' } } });
      await vi.advanceTimersByTimeAsync(15_010);
      expect(screen.getByText(/^one/)).toBeInTheDocument();
      expect(screen.queryByText(new RegExp(code))).toBeNull();
    },
  );

  test('[S7.8] a server error is not tried a fifth time', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const requests = serve({
      'GET /api/web/things/1': { status: 500, body: { code: 'internal', message: '' } },
    });
    render(shown('1'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toHaveLength(4);
  });

  test('[S8.3] requests that failed while the session could not be renewed are sent again once it is', async () => {
    serve({ 'GET /api/web/things/1': { status: 404, body: { code: 'not-found', message: '' } } });
    act(() => void store.dispatch(renewalUnreachable()));
    render(shown('1'));
    await screen.findByText(/not-found/);
    serve({ 'GET /api/web/things/1': { body: { name: 'one' } } });
    act(() => void store.dispatch(sessionRenewed()));
    expect(await screen.findByText(/one/)).toBeInTheDocument();
  });

  test('[S7.8] the delay is capped at 30 s', () => {
    expect([0, 1, 4, 5, 9].map(retryDelayMs)).toEqual([1000, 2000, 16_000, 30_000, 30_000]);
  });

  test.each([400, 403, 404, 422, 429])('[S7.8] never retries after %d', async (status) => {
    const requests = serve({ 'GET /api/web/things/1': { status, body: { code: 'not-found', message: '' } } });
    render(shown('1'));
    await screen.findByText(/not-found/);
    expect(requests).toHaveLength(1);
  });

  test('[S7.8] waits while the page is offline', async () => {
    const requests = serve({ 'GET /api/web/things/1': { body: { name: 'one' } } });
    onlineManager.setOnline(false);
    render(shown('1'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(requests).toHaveLength(0);
    onlineManager.setOnline(true);
    await screen.findByText(/one/);
  });

  test('keeps the previous page until the next one is loaded', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    serve({
      'GET /api/web/things/1': { body: { name: 'one' } },
      'GET /api/web/things/2': async () => {
        await held;
        return { body: { name: 'two' } };
      },
    });
    const { rerender } = render(shown('1'));
    await screen.findByText(/one/);
    rerender(shown('2'));
    expect(screen.getByText(/one old/)).toBeInTheDocument();
    release();
    await screen.findByText(/two/);
    expect(screen.queryByText(/old/)).toBeNull();
  });

  test.each([
    ['unavailable', { status: 503, body: { code: 'unavailable', message: '' } }],
    ['unreachable', new TypeError('failed to fetch')],
  ])(
    '[P6] what was asked for before is not shown for a question that is %s: not while it is tried again either',
    async (code, answer) => {
      vi.useFakeTimers({ shouldAdvanceTime: true });
      const answers: Parameters<typeof serve>[0] = {
        'GET /api/web/things/1': { body: { name: 'one' } },
        'GET /api/web/things/2': answer,
      };
      const requests = serve(answers);
      const { rerender } = render(shown('1'));
      await screen.findByText(/one/);
      rerender(shown('2'));
      await vi.advanceTimersByTimeAsync(10);
      expect(requests).toHaveLength(2);
      expect(screen.getByText(/^nothing/)).toBeInTheDocument();
      await vi.advanceTimersByTimeAsync(7100);
      expect(screen.getByText(new RegExp(`nothing ${code}`))).toBeInTheDocument();
      await vi.advanceTimersByTimeAsync(15_010);
      expect(requests).toHaveLength(6);
      expect(screen.getByText(new RegExp(`nothing ${code}`))).toBeInTheDocument();
      answers['GET /api/web/things/2'] = { body: { name: 'two' } };
      await vi.advanceTimersByTimeAsync(15_010);
      expect(screen.getByText(/^two/)).toBeInTheDocument();
      expect(screen.queryByText(new RegExp(code))).toBeNull();
    },
  );

  test('aborts the requests of a screen that is left', async () => {
    const requests = serve({ 'GET /api/web/things/1': () => new Promise(() => {}) });
    const { unmount } = render(shown('1'));
    await waitFor(() => expect(requests).toHaveLength(1));
    unmount();
    expect(requests[0]!.signal?.aborted).toBe(true);
  });

  test('reloads stale data immediately, or in a hidden tab when it is shown again', async () => {
    const requests = serve({ 'GET /api/web/things/1': { body: { name: 'one' } } });
    render(shown('1'));
    await screen.findByText('one');
    becameOld(things);
    await waitFor(() => expect(requests).toHaveLength(2));
    focusManager.setFocused(false);
    becameOld(things);
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(requests).toHaveLength(2);
    focusManager.setFocused(true);
    await waitFor(() => expect(requests).toHaveLength(3));
    focusManager.setFocused(undefined);
  });

  test('[S9.12] keeps an answer for five minutes', async () => {
    expect(queryClient.getDefaultOptions().queries?.gcTime).toBe(300_000);
  });
});
