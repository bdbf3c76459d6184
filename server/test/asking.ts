import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import type { SignedIn } from './sign-in.ts';

/** The headers that identify the sender; without them the request is signed out. */
export type Headers = Partial<SignedIn['headers']>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Functions that send requests to an address, as someone, or as someone else if headers are given. `ask` returns any
 * answer; `ok` returns its contents, and fails unless it succeeded; `faults` returns the faults as `path code`, and
 * fails unless it was refused for these.
 */
export function askingAs({ app }: Pick<TestApp, 'app'>, somebody: { headers: Headers }, under = '/api/web/') {
  const ask = (method: Method, path: string, payload?: unknown, headers: Headers = somebody.headers) =>
    app.fastify.inject({
      method,
      url: `${under}${path}`,
      headers,
      ...(payload === undefined ? {} : { payload: payload as object }),
    });
  async function ok<T>(method: Method, path: string, payload?: unknown, headers?: Headers): Promise<T> {
    const response = await ask(method, path, payload, headers);
    expect([path, response.statusCode, response.body.slice(0, 400)]).toEqual([path, 200, expect.anything()]);
    return response.json<T>();
  }
  async function faults(method: Method, path: string, payload: object, headers?: Headers): Promise<string[]> {
    const answer = await ask(method, path, payload, headers);
    expect([answer.statusCode, answer.body]).toEqual([422, expect.anything()]);
    return answer
      .json<{ faults: { path: string; code: string }[] }>()
      .faults.map(({ path: at, code }) => `${at} ${code}`);
  }
  return { ask, ok, faults };
}
