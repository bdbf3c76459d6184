import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { expectSameDurations, timeOf } from '../../../test/durations.ts';
import { load } from '../../../test/load.ts';
import { recordStatements } from '../../../test/statements.ts';
import { networkOf } from '../../platform/http/network.ts';
import { reason, recoveryTools } from './test-recovery.ts';

// No background jobs run, so that only the effect of the request is seen.
const testing = await testApp();
await seedDemoTenants(testing.database);
const { sql, request } = recoveryTools(testing);
const statementsOf = recordStatements();

const names = {
  known: 'facility@demo.caseway.test',
  administrator: 'admin@demo.caseway.test',
  unknown: 'nobody@elsewhere.example',
  bare: 'somename',
  disabled: 'orgadmin@demo.caseway.test',
  patient: 'patient@demo.caseway.test',
};
await sql('update account set disabled_at = now() where username = $1', [names.disabled]);
beforeEach(() => sql('delete from account_recovery'));

describe('[P12] asking for recovery does not reveal who has an account', () => {
  test('the same answer for each, and nothing in it', async () => {
    for (const name of Object.values(names)) {
      await sql('delete from account_recovery');
      // Also the second time, when a request is already open.
      for (let time = 0; time < 2; time += 1) {
        const response = await request(name, 'new@elsewhere.example');
        expect([response.statusCode, response.body]).toEqual([200, '{}']);
        await sql(
          `update account_recovery r set state = 'open', account_id = a.id from account a
           where a.username = lower(r.name) and r.state = 'asked'
             and not exists (select from account_recovery o where o.account_id = a.id)`,
        );
      }
    }
  });

  test('the same work: one and the same list of statements', async () => {
    const work = new Set<string>();
    for (const name of Object.values(names)) {
      await sql('delete from account_recovery');
      const sent = await statementsOf(() => request(name, 'new@elsewhere.example'));
      expect(sent.length).toBeGreaterThan(4);
      work.add(sent.join('\n'));
    }
    expect(work.size).toBe(1);
  });

  test('the same time: interleaved samples', async () => {
    const kinds = [names.known, names.unknown, names.disabled, names.patient];
    await expectSameDurations({
      kinds: kinds.length,
      rounds: load(30, 150),
      before: () => sql('delete from account_recovery'),
      once: async (kind) => ({
        ask: await timeOf(() => request(kinds[kind]!, 'new@elsewhere.example')),
      }),
    });
  });

  test('missing and over-long values are refused before anything is looked up', async () => {
    const sent = await statementsOf(async () => {
      expect((await request(names.known, 'no address')).statusCode).toBe(422);
      expect((await request(names.known, 'new@elsewhere.example', { reason: 'short' })).statusCode).toBe(422);
      expect(
        (await request(names.known, 'new@elsewhere.example', { reason: 'x'.repeat(501) })).statusCode,
      ).toBe(422);
    });
    expect(sent).toEqual([]);
  });
});

describe('how often one can ask', () => {
  test('five times in an hour from one network, for any names, known or unknown; then no more', async () => {
    for (let time = 0; time < 5; time += 1)
      expect((await request(`name${time}@elsewhere.example`, 'new@elsewhere.example')).statusCode).toBe(200);
    for (const name of Object.values(names)) {
      const response = await request(name, 'new@elsewhere.example');
      expect([response.statusCode, response.json().code]).toEqual([429, 'too-many-requests']);
    }
    expect((await request(names.known, 'new@elsewhere.example', { from: '192.0.2.7' })).statusCode).toBe(200);
    await sql(`update account_recovery set created_at = created_at - interval '61 minutes'`);
    expect((await request(names.known, 'new@elsewhere.example')).statusCode).toBe(200);
  });

  test('five times also when they come at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, time) =>
        request(`name${time}@elsewhere.example`, 'new@elsewhere.example'),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5);
  });

  test('a hundred times in an hour in all', async () => {
    await sql(
      `insert into account_recovery (id, name, email, reason, language_code, network, expires_at)
       select gen_random_uuid(), 'x', 'x', $1, 'en', '198.51.100.' || n, now() from generate_series(1, 99) n`,
      [reason],
    );
    expect((await request(names.known, 'new@elsewhere.example', { from: '192.0.2.8' })).statusCode).toBe(200);
    expect((await request(names.known, 'new@elsewhere.example', { from: '192.0.2.9' })).statusCode).toBe(429);
  });

  test('a network is an address, or the first half of an IPv6 address', () => {
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
    expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(networkOf('2001:db8:0:1:2:3:4:5')).toBe('2001:db8:0:1::/64');
    expect(networkOf('2001:DB8::5')).toBe('2001:db8:0:0::/64');
    expect(networkOf('2001:db8:0:1:ffff::')).toBe('2001:db8:0:1::/64');
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  });
});
