import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../test/app.ts';
import { asSuperuser, createTestDatabase } from '../test/database.ts';
import { makeMember, makePatient, makeResult, makeTelemedicineVisit, makeTenant } from '../test/factories.ts';
import { nobodysTenant, writeEvent } from './platform/audit/auditor.ts';
import { logHeads, readLoggedHeads } from './platform/audit/heads.ts';
import type { Database } from './platform/db/database.ts';
import { createLog } from './platform/log/log.ts';

// Two tenants on two database servers, one of which can be away: nobody can read or write its data.

const testing = await createTestDatabase({ poolSize: 8 });
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, testing.superuserUrl);

const gone = new Set<string>();
const database: Database = {
  ...testing.database,
  withScope: (scope, work, options) =>
    'tenantId' in scope && gone.has(scope.tenantId)
      ? Promise.reject(Object.assign(new Error('could not connect'), { code: '08006' }))
      : testing.database.withScope(scope, work, options),
};
// Tables that the scope `identity` writes there.
await sql('create table gone (tenant_id uuid)');
await sql(`create function stay_away() returns trigger security definer language plpgsql as $$
  begin
    if exists (select from public.gone g where g.tenant_id = coalesce(new.tenant_id, old.tenant_id)) then
      raise exception 'could not connect' using errcode = '08006';
    end if;
    return coalesce(new, old);
  end $$`);
for (const table of ['audit_chain', 'audit_decoy'])
  await sql(
    `create trigger stay_away before insert or update or delete on ${table} for each row execute function stay_away()`,
  );
async function leave(tenantId: string): Promise<void> {
  gone.add(tenantId);
  await sql('insert into gone values ($1)', [tenantId]);
}
async function comeBack(): Promise<void> {
  gone.clear();
  await sql('delete from gone');
}
beforeEach(comeBack);

// The tenant that is away is the first in turn.
const hit = (await makeTenant(database, { id: '11111111-1111-4111-8111-111111111111' })).id;
const spared = (await makeTenant(database, { id: '99999999-9999-4999-8999-999999999999' })).id;
await testApp({}, { background: true, on: { ...testing, database } });

interface Deletion {
  /** Which of its rows are on the missing server, and which are elsewhere. */
  hit: string;
  spared: string;
  /** Creates something to be deleted. */
  leave(tenantId: string): Promise<unknown>;
  /** How much of it is left. */
  left(tenantId: string): Promise<number>;
}
const count = async (text: string, params: unknown[]) =>
  Number((await sql<{ n: string }>(`select count(*) as n from ${text}`, params))[0]!.n);

/** Every scheduled job that works for all tenants. */
const jobs: Record<string, Deletion> = {
  'imports/delete-raw-messages': {
    hit,
    spared,
    async leave(tenantId) {
      const id = v7();
      await sql(
        `insert into import (tenant_id, id, file_name, state, created_at)
         values ($1, $2, 'a.hl7', 'done', now() - interval '30 months')`,
        [tenantId, id],
      );
      await sql(
        `insert into import_message (tenant_id, id, import_id, index, line, raw, content_hash, state, created_at)
         values ($1, gen_random_uuid(), $2, 0, 1, 'MSH', 'x', 'taken', now() - interval '30 months')`,
        [tenantId, id],
      );
    },
    left: (tenantId) => count('import_message where tenant_id = $1 and raw is not null', [tenantId]),
  },
  'imports/sweep': {
    hit,
    spared,
    leave: (tenantId) =>
      sql(
        `insert into import_upload (tenant_id, import_id, byte_offset, byte_length, bytes, created_at)
         values ($1, gen_random_uuid(), 0, 1, 'x', now() - interval '2 hours')`,
        [tenantId],
      ),
    left: (tenantId) => count('import_upload where tenant_id = $1', [tenantId]),
  },
  'exports/sweep': {
    hit,
    spared,
    leave: (tenantId) =>
      sql(
        `insert into exported_file (tenant_id, id, grid, format, language, account_id, session_id, org_type, org_id,
           request_id, address, total, state, request, expires_at)
         values ($1, gen_random_uuid(), 'patients', 'csv', 'en', gen_random_uuid(), gen_random_uuid(), 'T', $1,
           'x', 'x', 1, 'ready', '{}', now() - interval '1 hour')`,
        [tenantId],
      ),
    left: (tenantId) => count('exported_file where tenant_id = $1 and request is not null', [tenantId]),
  },
  'documents/sweep': {
    hit,
    spared,
    leave: (tenantId) =>
      sql(
        `insert into document_file (tenant_id, id, account_id, file_type, byte_size, sha256, created_at)
         values ($1, gen_random_uuid(), gen_random_uuid(), 'pdf', 1, 'x', now() - interval '25 hours')`,
        [tenantId],
      ),
    left: (tenantId) => count('document_file where tenant_id = $1', [tenantId]),
  },
  'recovery/forget': {
    hit,
    spared,
    async leave(tenantId) {
      const { account } = await makeMember(testing.database, { tenant_id: tenantId });
      await sql(
        `insert into account_recovery (id, name, email, reason, language_code, network, account_id, state, expires_at)
         values (gen_random_uuid(), 'a', 'a@example.test', 'lost', 'en', '', $1, 'open', now() - interval '1 hour')`,
        [account.id],
      );
    },
    left: (tenantId) =>
      count(
        `account_recovery r join membership m using (account_id) where m.tenant_id = $1 and r.state = 'open'`,
        [tenantId],
      ),
  },
  'inbox/daily': {
    hit,
    spared,
    leave: (tenantId) =>
      sql(
        `insert into notification (tenant_id, id, account_id, kind, record_kind, record_id, at)
         values ($1, gen_random_uuid(), gen_random_uuid(), 'assigned', 'case', gen_random_uuid(), now() - interval '91 days')`,
        [tenantId],
      ),
    left: (tenantId) => count('notification where tenant_id = $1', [tenantId]),
  },
  'portal/find-new-results': {
    hit,
    spared,
    async leave(tenantId) {
      const person = await makePatient(testing.database, { tenant_id: tenantId });
      await sql(
        `insert into account (id, username, last_name, first_name, email, patient_tenant_id, patient_id, created_at)
         values (gen_random_uuid(), cast($2::uuid as text), 'a', 'a', 'a@example.test', $1, $2::uuid, now() - interval '1 hour')`,
        [tenantId, person.id],
      );
      await makeResult(testing.database, { tenant_id: tenantId, patient_id: person.id });
    },
    left: (tenantId) =>
      count(
        `result r where r.tenant_id = $1 and not exists (select from told_result t
           where t.tenant_id = r.tenant_id and t.result_id = r.id)`,
        [tenantId],
      ),
  },
  'telemedicine/missing-reminders': {
    hit,
    spared,
    async leave(tenantId) {
      const person = await makePatient(testing.database, { tenant_id: tenantId });
      await makeTelemedicineVisit(testing.database, {
        tenant_id: tenantId,
        patient_id: person.id,
        status: 'booked',
        starts_at: new Date(Date.now() + 30 * 3_600_000).toISOString(),
        minutes: 20,
      });
    },
    // A visit without a reminder remains.
    left: (tenantId) =>
      count(
        `telemedicine_visit v where tenant_id = $1 and not exists (select from graphile_worker._private_jobs j
           where j.key like concat('visit ', v.tenant_id, ' ', v.id, ' %'))`,
        [tenantId],
      ),
  },
  'auth/forget-sign-ins': {
    // Rows for unknown names are on one of the servers, the rest on the first.
    hit: nobodysTenant,
    spared: '',
    leave: (tenantId) =>
      tenantId === nobodysTenant
        ? sql(
            `insert into audit_decoy (tenant_id, id, at, action, deed, record_kind, record_ids)
             values ($1, gen_random_uuid(), now() - interval '2 hours', 'sign-in/failed', 'sign-in', 'account', '{}')`,
            [tenantId],
          )
        : sql(
            `insert into sign_in_failure (subject, id, at) values ('x', gen_random_uuid(), now() - interval '9 days')`,
          ),
    left: (tenantId) =>
      tenantId === nobodysTenant
        ? count('audit_decoy where tenant_id = $1', [tenantId])
        : count('sign_in_failure', []),
  },
};

/** They make tables on every server, so they cannot do a part. */
const whole = ['audit/partitions'];

describe('while one database server is away [P30]', () => {
  test('no scheduled job is missing here', async () => {
    const known = async () =>
      (await sql<{ identifier: string }>('select identifier from graphile_worker._private_known_crontabs'))
        .map(({ identifier }) => identifier)
        .sort();
    await expect.poll(known).toEqual([...Object.keys(jobs), ...whole].sort());
  });

  test.each(Object.entries(jobs))(
    '%s does its work for the other tenants, and for this one as soon as the server is back',
    async (name, job) => {
      for (const tenantId of [job.hit, job.spared]) await job.leave(tenantId);
      expect([await job.left(job.hit), await job.left(job.spared)]).toEqual([1, 1]);
      await leave(job.hit);
      await sql(`select graphile_worker.add_job($1, '{}', max_attempts := 1, job_key := $1)`, [name]);
      const waiting = async () =>
        (
          await sql(
            `select attempts, last_error from graphile_worker._private_jobs where key = $1 and locked_at is null`,
            [name],
          )
        )[0];
      await expect.poll(waiting).toEqual({ attempts: 0, last_error: 'DatabaseAway' });
      expect([await job.left(job.hit), await job.left(job.spared)]).toEqual([1, 0]);
      await comeBack();
      await sql('update graphile_worker._private_jobs set run_at = now() where key = $1', [name]);
      await expect.poll(() => job.left(job.hit)).toBe(0);
      await expect.poll(waiting).toBeUndefined();
    },
  );

  test('the ends of the audit log of the others are logged, and those of this tenant as soon as the server is back', async () => {
    for (const tenantId of [hit, spared])
      await testing.database.withScope({ kind: 'service', tenantId }, (tx) =>
        writeEvent(tx, {
          tenantId,
          accountId: null,
          orgType: null,
          orgId: null,
          action: 'audit/verified',
          deed: 'administration',
          recordKind: 'audit-event',
          recordIds: [],
          detail: {},
        }),
      );
    await leave(hit);
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => lines.push(line) });
    const stop = logHeads({ database, log }, { againMs: 20 });
    const noted = () => [...readLoggedHeads(lines.join('')).noted.keys()].sort();
    await expect.poll(noted).toEqual([spared]);
    await comeBack();
    await expect.poll(noted).toEqual([hit, spared]);
    await stop();
    expect(readLoggedHeads(lines.join('')).broken).toEqual([]);
  });
});

test('System health has words for every kind of background work, in every language', async () => {
  const tasks = await sql<{ identifier: string }>('select identifier from graphile_worker._private_tasks');
  expect(tasks.length).toBeGreaterThan(15);
  for (const language of ['en', 'es', 'ht']) {
    const words = JSON.parse(
      readFileSync(join(import.meta.dirname, `../../web/public/locales/${language}/system.json`), 'utf8'),
    );
    expect(Object.keys(words.task)).toEqual(
      expect.arrayContaining(tasks.map(({ identifier }) => identifier)),
    );
  }
});
