import { expect } from 'vitest';
import type { TestApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeMember } from '../../../test/factories.ts';
import { messagesIn } from '../../../test/outbox.ts';
import { type SignedIn, signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from '../roles/default-roles.ts';

export type Headers = Partial<SignedIn['headers']>;
export const reason = 'My telephone was stolen and the mailbox is closed.';
export const verified = { verifiedBy: 'call', verification: 'Called the extension in our directory.' };

/** Steps for tests of recoveries: request, decide, and read the messages. */
export function recoveryTools(testing: TestApp) {
  const { app, database, superuserUrl } = testing;
  const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
    asSuperuser<Row>(text, params, superuserUrl);
  const post = (url: string, payload: object, remoteAddress = '127.0.0.1') =>
    app.fastify.inject({ method: 'POST', url, payload, remoteAddress });

  const messages = () => messagesIn(testing);
  const messagesTo = async (address: string) =>
    (await messages()).filter((one) => one.toLowerCase().includes(`to: ${address.toLowerCase()}\n`));
  /** The code in the last message to an address, alone on its line. Waits until there are this many messages. */
  async function codeTo(address: string, count = 1): Promise<string> {
    await expect.poll(async () => (await messagesTo(address)).length).toBe(count);
    const codes = (await messagesTo(address)).at(-1)!.match(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/gm);
    expect(codes).toHaveLength(1);
    return codes![0]!;
  }

  const request = (name: string, email: string, more: { reason?: string; from?: string } = {}) =>
    post('/auth/recovery/request', { name, email, reason: more.reason ?? reason }, more.from);
  const stateOf = async (email: string) =>
    (
      await sql<{ id: string; state: string }>(
        'select id, state from account_recovery where email = $1 order by created_at desc limit 1',
        [email],
      )
    )[0];
  /** Requests a recovery, and waits until its account has been looked up. */
  async function asked(name: string, email: string): Promise<string> {
    expect((await request(name, email)).statusCode).toBe(200);
    await expect.poll(async () => (await stateOf(email))?.state).toBe('open');
    return (await stateOf(email))!.id;
  }

  /** A member of staff with a default role. */
  async function staff(
    place: { tenant_id: string; org_type?: 'T' | 'O' | 'F'; org_id?: string },
    role: string,
    given: object = {},
  ) {
    const made = await makeMember(database, { ...place, ...given });
    await sql('insert into membership_role (tenant_id, membership_id, role_id) values ($1, $2, $3)', [
      place.tenant_id,
      made.membership.id,
      defaultRoleId(place.tenant_id, role),
    ]);
    return made.account as typeof made.account & { id: string; username: string };
  }
  const signedIn = (username: string) => signInAs(testing, username);

  const ask = (method: 'GET' | 'POST', path: string, payload: unknown, headers: Headers) =>
    app.fastify.inject({
      method,
      url: `/api/web/recoveries${path}`,
      headers,
      ...(payload === undefined ? {} : { payload: payload as object }),
    });
  const approve = (id: string, headers: Headers) => ask('POST', `/${id}/approve`, verified, headers);
  const decline = (id: string, headers: Headers, note: string | null = null) =>
    ask('POST', `/${id}/decline`, { note }, headers);
  const complete = (code: string, from?: string) => post('/auth/recovery/complete', { code }, from);
  const stop = (code: string, from?: string) => post('/auth/recovery/stop', { code }, from);
  /** Ends the waiting time. */
  const waited = () =>
    sql(`update account_recovery set usable_at = now() - interval '1 second' where state = 'approved'`);
  /** As if a day had passed since the request. */
  const nextDay = () =>
    sql(`update account_recovery set created_at = created_at - interval '25 hours'`).then(() =>
      sql('delete from sign_in_failure'),
    );
  const actions = async (accountId: string) =>
    (
      await sql<{ action: string }>(
        `select action from audit_event where record_ids = array[$1::uuid] and action like 'recovery/%' order by at, id`,
        [accountId],
      )
    ).map(({ action }) => action);
  return {
    sql,
    messages,
    messagesTo,
    codeTo,
    request,
    stateOf,
    asked,
    staff,
    signedIn,
    ask,
    approve,
    decline,
    complete,
    stop,
    waited,
    nextDay,
    actions,
  };
}
export const faultOf = (response: {
  statusCode: number;
  json(): { faults?: { code: string }[]; code: string };
}) => [response.statusCode, response.json().faults?.[0]?.code ?? response.json().code];
