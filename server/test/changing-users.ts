import type { UserDetail } from '@caseway/contract/users';
import { expect } from 'vitest';
import type { askingAs, Headers } from './asking.ts';

/** Functions that change users, each based on the version that its author sees. `tryChange` returns any answer. */
export function changingUsers(ask: ReturnType<typeof askingAs>['ask']) {
  async function tryChange(id: string, values: object, headers?: Headers) {
    const seen = await ask('GET', `users/${id}`, undefined, headers);
    const version = seen.statusCode === 200 ? seen.json<UserDetail>().version : 1;
    return ask('PATCH', `users/${id}`, { version, ...values }, headers);
  }
  async function change(id: string, values: object, headers?: Headers): Promise<UserDetail> {
    const answer = await tryChange(id, values, headers);
    expect([id, answer.statusCode, answer.body.slice(0, 400)]).toEqual([id, 200, expect.anything()]);
    return answer.json();
  }
  return { tryChange, change };
}
