import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { letFiveSecondsPass } from '../../../test/later.ts';
import { actFor, type SignedIn, signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from '../../features/roles/default-roles.ts';
import { createLog } from '../log/log.ts';
import { createEventHub, publishWith } from './hub.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const { demo, vendor } = await seedDemoTenants(database);
await app.fastify.listen({ port: 0, host: '127.0.0.1' });
const address = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}/api/web/events`;
// A separate process, such as the importer's.
const elsewhere = await createEventHub({ database, log: createLog('fatal') });
const sql = (text: string, params: unknown[] = []) => asSuperuser(text, params, superuserUrl);
beforeEach(() => sql(`update sign_in_challenge set created_at = created_at - interval '1 day'`));

const epi = await signInAs(testing, 'epi@demo.caseway.test');

/** A reader of the stream: what it received, and whether the server has ended it. */
class Reader {
  text = '';
  ended = false;
  readonly #stop = new AbortController();

  async open(headers: Partial<SignedIn['headers']>): Promise<Response> {
    const response = await fetch(address, {
      headers: headers as Record<string, string>,
      signal: this.#stop.signal,
    });
    if (response.ok) void this.#read(response);
    return response;
  }

  async #read(response: Response): Promise<void> {
    try {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) this.text += chunk;
    } catch {
      // This side closed the stream.
    }
    this.ended = true;
  }

  /** Without the freshness events of this server's own numbers, which can come at any time. */
  get events(): string[] {
    return [...this.text.matchAll(/^event: (.*)\ndata: (.*)$/gm)]
      .map(([, type, data]) => `${type} ${data}`)
      .filter((event) => !event.startsWith('freshness') || event.includes(freshness.asOf));
  }

  close(): void {
    this.#stop.abort();
  }
}
const readers: Reader[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
async function listening(headers: Partial<SignedIn['headers']>): Promise<Reader> {
  const reader = new Reader();
  readers.push(reader);
  expect((await reader.open(headers)).status).toBe(200);
  await expect.poll(() => reader.text, { interval: 5 }).toContain(': here');
  return reader;
}
/** An import with a message that everyone at its place sees. */
async function anImport(
  tenantId: string,
  organizationId: string | null = null,
  facilityId: string | null = null,
) {
  const id = randomUUID();
  await sql(
    `insert into import (tenant_id, id, file_name, byte_size, sha256, state, organization_id, facility_id)
     values ($1, $2, 'f.hl7', 1, '\\x00', 'running', $3, $4)`,
    [tenantId, id, organizationId, facilityId],
  );
  await sql(
    `insert into import_tally (tenant_id, import_id, kind, key, families, n, organization_id, facility_id)
     values ($1, $2, 'state', 'taken', '{chlamydia}', 1, $3, $4)`,
    [tenantId, id, organizationId, facilityId],
  );
  return id;
}
const importId = await anImport(demo.id);
const progress = (state: string, id = importId) =>
  ({ type: 'import-progress', importId: id, state, progress: 0.5 }) as const;
const freshness = { type: 'freshness', asOf: '2026-03-01T12:00:00.000Z' } as const;
const settled = () => new Promise((resolve) => setTimeout(resolve, 150));

describe('the event stream', () => {
  test('is for people who are signed in and act for an organisation', async () => {
    expect((await new Reader().open({})).status).toBe(401);
    expect((await new Reader().open({ authorization: epi.headers.authorization })).status).toBe(403);
    const response = await new Reader().open(epi.headers);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store');
    await response.body?.cancel().catch(() => {});
  });

  test('sends what another process publishes', async () => {
    const reader = await listening(epi.headers);
    await elsewhere.publish({ tenantId: demo.id }, freshness);
    await expect
      .poll(() => reader.events, { interval: 5 })
      .toEqual(['freshness {"asOf":"2026-03-01T12:00:00.000Z"}']);
  });

  test('sends the events of a transaction when it commits, and none when it is rolled back', async () => {
    const reader = await listening(epi.headers);
    const scope = { kind: 'service', tenantId: demo.id } as const;
    await database.withScope(scope, async (tx) => {
      await publishWith(tx, { tenantId: demo.id }, progress('running'));
      await settled();
      expect(reader.events).toEqual([]);
    });
    await database
      .withScope(scope, async (tx) => {
        await publishWith(tx, { tenantId: demo.id }, progress('failed'));
        throw new Error('rolled back');
      })
      .catch(() => {});
    await expect
      .poll(() => reader.events)
      .toEqual([`import-progress {"importId":"${importId}","state":"running","progress":null}`]);
    await settled();
    expect(reader.events).toHaveLength(1);
  });

  test('[P1] sends nothing of another tenant', async () => {
    const [ours, theirs] = [
      await listening(epi.headers),
      await listening((await signInAs(testing, 'lab@vendor.caseway.test')).headers),
    ];
    await elsewhere.publish({ tenantId: vendor.id }, progress('running', await anImport(vendor.id)));
    await expect.poll(() => theirs.events.length).toBe(1);
    await settled();
    expect(ours.events).toEqual([]);
  });

  test('[S6.9] sends an organisation and a facility only their own imports, and a tenant all', async () => {
    const facility = await signInAs(testing, 'facility@demo.caseway.test');
    const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!;
    const inCollege = await actFor(testing, epi.tokens, `O:${college.id}`);
    const hearing = [
      await listening(epi.headers),
      await listening(facility.headers),
      await listening(inCollege.headers),
    ];
    const publish = async (organizationId: string | null, facilityId: string | null, state: string) =>
      elsewhere.publish(
        { tenantId: demo.id, within: { organizationId, facilityId } },
        progress(state, await anImport(demo.id, organizationId, facilityId)),
      );
    await publish(college.id, null, 'college');
    await publish(null, facility.init.selectedOrg!.id, 'clinic');
    await publish(null, demo.facilities[0]!.id, 'elsewhere');
    const states = () =>
      hearing.map(({ events }) => events.map((event) => /"state":"(\w+)"/.exec(event)![1]));
    const own = [['college', 'clinic', 'elsewhere'], ['clinic'], ['college']];
    await expect.poll(states).toEqual(own);
    await settled();
    expect(states()).toEqual(own);
  });

  test('sends only what the listener may read: no imports for an auditor', async () => {
    const auditor = await listening((await signInAs(testing, 'auditor@demo.caseway.test')).headers);
    await elsewhere.publish({ tenantId: demo.id }, progress('running'));
    await elsewhere.publish({ tenantId: demo.id }, freshness);
    await expect.poll(() => auditor.events).toEqual([expect.stringContaining('freshness')]);
  });

  test('[P18, P24] a listener who may not see everything gets no changes, and no progress of an import', async () => {
    const reader = await listening(epi.headers);
    const supervisor = await listening((await signInAs(testing, 'investigator@demo.caseway.test')).headers);
    await elsewhere.publish({ tenantId: demo.id, whole: true }, freshness);
    const id = await anImport(demo.id);
    for (const share of [0.1, 0.2, 0.3])
      await elsewhere.publish({ tenantId: demo.id }, { ...progress('running', id), progress: share });
    await expect.poll(() => reader.events.length).toBe(1);
    await settled();
    // The other steps produced nothing that they see.
    expect(reader.events).toEqual([`import-progress {"importId":"${id}","state":"running","progress":null}`]);
    // A reader who sees everything gets it immediately.
    await expect
      .poll(() => supervisor.events.filter((event) => event.startsWith('freshness')))
      .toHaveLength(1);
    await sql(`update import_tally set n = n + 1 where import_id = $1`, [id]);
    await elsewhere.publish({ tenantId: demo.id }, { ...progress('running', id), progress: 0.4 });
    await expect.poll(() => reader.events.length).toBe(2);
    // Then it says that the numbers have changed, with a moment that does not reveal when.
    await expect.poll(() => reader.text).toMatch(/event: freshness\ndata: {"asOf":"[^"]*0\.000Z"}/);
  });

  test('something that is not an event is refused before it is sent', async () => {
    const withCounts = { ...progress('running'), taken: 7 };
    await expect(elsewhere.publish({ tenantId: demo.id }, withCounts)).rejects.toThrow();
  });
});

describe('[P14] an open stream ends within five seconds', () => {
  async function endsWithin(reader: Reader, change: () => Promise<unknown>): Promise<void> {
    await change();
    const since = performance.now();
    await expect.poll(() => reader.ended, { interval: 20 }).toBe(true);
    // Sessions are checked every two seconds on an idle machine.
    expect(performance.now() - since).toBeLessThan(25_000);
  }

  test('when the membership ends, and others continue', async () => {
    const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
    const [theirs, ours] = [await listening(clinician.headers), await listening(epi.headers)];
    await endsWithin(theirs, () =>
      sql('update membership set ended_at = now() where account_id = $1', [clinician.init.user.id]),
    );
    expect(ours.ended).toBe(false);
  });

  test('when the session ends', async () => {
    const entry = await signInAs(testing, 'entry@demo.caseway.test');
    const reader = await listening(entry.headers);
    await endsWithin(reader, () =>
      app.fastify.inject({
        method: 'POST',
        url: '/auth/tenant/sign-out',
        payload: { refreshToken: entry.tokens.refreshToken },
      }),
    );
  });

  test('when the account is disabled', async () => {
    const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
    const reader = await listening(analyst.headers);
    await endsWithin(reader, () =>
      sql('update account set disabled_at = now() where id = $1', [analyst.init.user.id]),
    );
  });

  test('and when a role is removed, what it allowed is no longer sent', async () => {
    const lab = await signInAs(testing, 'lab@demo.caseway.test');
    const reader = await listening(lab.headers);
    await elsewhere.publish({ tenantId: demo.id }, progress('before'));
    await expect.poll(() => reader.events.length).toBe(1);
    await sql('delete from membership_role where role_id = $1', [defaultRoleId(demo.id, 'laboratorian')]);
    const count = (type: string) => reader.events.filter((event) => event.startsWith(type)).length;
    const isTold = async () => {
      const [told, marks] = [count('import-progress'), count('freshness')];
      await elsewhere.publish({ tenantId: demo.id }, progress('after'));
      // An event for everyone arrives after it.
      await elsewhere.publish({ tenantId: demo.id }, freshness);
      await expect.poll(() => count('freshness')).toBe(marks + 1);
      return count('import-progress') > told;
    };
    letFiveSecondsPass();
    expect(await isTold()).toBe(false);
  });

  test('and when a tenant no longer reports to a jurisdiction, its events are no longer sent there [S6.9]', async () => {
    const reader = await listening((await signInAs(testing, 'jurisdiction@demo.caseway.test')).headers);
    const reports = (condition: string) =>
      sql(`update tenant_reporting set ended_at = ${condition} where tenant_id = $1`, [vendor.id]);
    let turn = 0;
    const isTold = async () => {
      const before = reader.events.length;
      await elsewhere.publish({ tenantId: vendor.id }, freshness);
      // An event that it receives in any case arrives after it.
      turn += 1;
      const asOf = new Date(Date.UTC(2026, 2, 2, 0, 0, turn)).toISOString();
      await elsewhere.publish({ tenantId: demo.id }, { type: 'freshness', asOf });
      await expect.poll(() => reader.text).toContain(asOf);
      return reader.events.length === before + 1;
    };
    expect(await isTold()).toBe(true);
    await reports('now()');
    letFiveSecondsPass();
    expect(await isTold()).toBe(false);
    await reports('null');
    await expect.poll(isTold, { interval: 10 }).toBe(true);
  });
});

test('[P6] when events of other processes may have been lost, open streams end, so that clients reconnect and load again', async () => {
  const reader = await listening(epi.headers);
  await sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'caseway listen' and datname = current_database()`,
  );
  await expect.poll(() => reader.ended).toBe(true);
  const again = await listening(epi.headers);
  await elsewhere.publish({ tenantId: demo.id }, freshness);
  await expect.poll(() => again.events).toHaveLength(1);
});

test('when the server closes, streams end and do not delay it', async () => {
  const reader = await listening(epi.headers);
  // An open connection would keep the server from closing.
  await elsewhere.close();
  await app.fastify.close();
  await expect.poll(() => reader.ended).toBe(true);
});
