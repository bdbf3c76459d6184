import type { SettingsAnswer, TenantSettings } from '@caseway/contract/settings';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { messagesTo } from '../../../test/outbox.ts';
import { signInAs } from '../../../test/sign-in.ts';

/* One administrator alone cannot delete what others would miss: a shorter time takes effect after a delay. [P15] */

const testing = await testApp({}, { background: true });
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
const { ok } = askingAs(testing, admin, '/api/web/settings');
const change = async (changes: Partial<TenantSettings>) => {
  const { version } = await ok<SettingsAnswer>('GET', '');
  return ok<SettingsAnswer>('PATCH', '', { version, changes });
};
/** The retention times in effect today. */
const kept = async () =>
  (
    await database.withScope({ kind: 'system' }, (tx) =>
      tx.rows<{ kept: (number | null)[] }>(
        `select array[app_kept(raw_message_months, id, 'rawMessageMonths'), app_kept(audit_months, id, 'auditMonths'),
           app_kept(upload_days, id, 'uploadDays')] as kept from tenant where id = $1`,
        [demo.id],
      ),
    )
  )[0]!.kept;
/** Lets days pass. */
async function later(days: number): Promise<void> {
  const rows = await sql<{ id: string; at: Date; held_until: Date }>(
    `select id, at - make_interval(days => $2) as at, held_until - make_interval(days => $2) as held_until
     from retention_change where tenant_id = $1`,
    [demo.id, days],
  );
  for (const { id, at, held_until } of rows)
    await sql('update retention_change set at = $3, held_until = $4 where tenant_id = $1 and id = $2', [
      demo.id,
      id,
      at,
      held_until,
    ]);
}

beforeEach(async () => {
  await sql('delete from retention_change');
  await sql('update tenant set raw_message_months = 24, audit_months = 72, upload_days = 3 where id = $1', [
    demo.id,
  ]);
});

describe('a shorter time of retention', () => {
  test('takes effect after 14 days, and a longer one immediately', async () => {
    const { settings, shortenings } = await change({ rawMessageMonths: 3, auditMonths: 12, uploadDays: 1 });
    expect(settings).toMatchObject({ rawMessageMonths: 3, auditMonths: 12, uploadDays: 1 });
    expect(
      shortenings.map(({ setting, before, after, pending }) => [setting, before, after, pending]).sort(),
    ).toEqual([
      ['auditMonths', 72, 12, true],
      ['rawMessageMonths', 24, 3, true],
      ['uploadDays', 3, 1, true],
    ]);
    const [{ at, heldUntil, by } = { at: '', heldUntil: '', by: '' }] = shortenings;
    expect(Date.parse(heldUntil) - Date.parse(at)).toBe(14 * 24 * 60 * 60 * 1000);
    expect(by).not.toBe('');
    expect(await kept()).toEqual([24, 72, 3]);
    await later(13);
    expect(await kept()).toEqual([24, 72, 3]);
    await later(1);
    expect(await kept()).toEqual([3, 12, 1]);
    await change({ rawMessageMonths: null, uploadDays: 30 });
    expect(await kept()).toEqual([null, 12, 30]);
  });

  test('what was kept forever also stays for that delay', async () => {
    await change({ rawMessageMonths: null });
    await change({ rawMessageMonths: 600 });
    expect(await kept()).toEqual([null, 72, 3]);
    await later(14);
    expect(await kept()).toEqual([600, 72, 3]);
  });

  test('is undone by restoring the previous time, and cannot be reached sooner in steps', async () => {
    await change({ auditMonths: 48 });
    await later(10);
    await change({ auditMonths: 12 });
    // The first has taken effect, the second has not.
    await later(4);
    expect(await kept()).toEqual([24, 48, 3]);
    const { shortenings } = await change({ auditMonths: 72 });
    expect(shortenings.map(({ pending }) => pending)).toEqual([false, false]);
    await later(14);
    expect(await kept()).toEqual([24, 72, 3]);
  });

  test('stays on record, whatever happens to the log: nobody changes or deletes the decision', async () => {
    await change({ auditMonths: 12 });
    for (const statement of [
      'update retention_change set held_until = now()',
      'delete from retention_change',
    ]) {
      for (const scope of [
        { kind: 'identity' },
        { kind: 'system' },
        { kind: 'service', tenantId: demo.id },
      ] as const)
        expect(await database.withScope(scope, (tx) => tx.run(statement))).toBe(0);
      expect(await kept()).toEqual([24, 72, 3]);
    }
    expect(await sql('select setting, before, after from retention_change')).toEqual([
      { setting: 'auditMonths', before: 72, after: 12 },
    ]);
  });

  test('is announced to administrators and privacy officers by email, in their language, with the day and no name', async () => {
    const others = await sql<{ email: string }>(
      `select distinct a.email from account a join membership m on m.account_id = a.id and m.ended_at is null and m.org_type = 'T'
         join membership_role mr on mr.membership_id = m.id join role_grant g on g.role_id = mr.role_id and g.tenant_id = m.tenant_id
       where m.tenant_id = $1 and g.eft = 'allow' and g.act in ('settings/write', 'privacy/officer')`,
      [demo.id],
    );
    await sql(`update account set language_code = 'es' where email = 'admin@demo.caseway.test'`);
    await change({ rawMessageMonths: 3, uploadDays: 1 });
    const found = async () =>
      (await messagesTo(testing, 'admin@demo.caseway.test')).find((text) => text.includes('Texto de los')) ??
      '';
    await expect.poll(found).toContain('Texto de los mensajes: 3 meses (antes: 24 meses)');
    const mail = await found();
    expect(mail).toContain('Archivos de simulaciones y de importaciones fallidas: 1');
    const [row] = await sql<{ day: string }>(
      `select to_char(held_until at time zone t.time_zone, 'YYYY-MM-DD') as day
       from retention_change c join tenant t on t.id = c.tenant_id limit 1`,
    );
    expect(mail).toContain(`Hasta el ${row!.day} todo se conserva`);
    expect(mail).toContain('/es/admin/settings/retention');
    expect(others.length).toBeGreaterThan(1);
    for (const { email } of others)
      await expect
        .poll(async () => (await messagesTo(testing, email)).join())
        .toContain('/admin/settings/retention');
    for (const name of ['epi', 'analyst', 'facility'])
      for (const one of await messagesTo(testing, `${name}@demo.caseway.test`))
        expect(one).not.toContain('/admin/settings/retention');
  });

  test('a longer period sends no email and is not recorded', async () => {
    expect((await change({ rawMessageMonths: 36, auditMonths: null })).shortenings).toEqual([]);
    await change({ smallCellThreshold: 12 });
    expect(await sql('select setting from retention_change')).toEqual([]);
    expect(
      await sql(`select 1 from graphile_worker.jobs where task_identifier = 'settings/tell-of-shortening'`),
    ).toEqual([]);
  });
});
