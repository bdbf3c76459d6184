import { randomUUID } from 'node:crypto';
import type { ExportedFile } from '@caseway/contract/exported-files';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { asSuperuser } from '../test/database.ts';
import { makeCaseReport, makePatient } from '../test/factories.ts';
import { type SignedIn, signInAs } from '../test/sign-in.ts';
import { readXlsx } from '../test/xlsx.ts';
import { alwaysRestricted } from './features/reference/catalog.ts';
import { recordChange } from './platform/analytics/outbox.ts';
import { auditor } from './platform/audit/auditor.ts';
import { createAuthorizer } from './platform/auth/authorizer.ts';
import { Signing } from './platform/auth/signing.ts';
import { exportWorks, sweepFiles } from './platform/exports/export-job.ts';
import { createLog } from './platform/log/log.ts';

/* Files of lists made in the background: the same as direct downloads, only for their owner, for a day. */

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const tenantId = demo.id;
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const patient = await makePatient(database, { tenant_id: tenantId, last_name: 'Canary' });
const report = await makeCaseReport(database, {
  tenant_id: tenantId,
  patient_id: patient.id,
  case_id: '2026-0000001',
  condition_code: 'chlamydia',
  disease_family: 'sti',
});
// More than one batch of a file.
const many = 1300;
await database.withScope({ kind: 'service', tenantId }, async (tx) => {
  await tx.run(
    `insert into case_report select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
       'case_id', '2025-' || lpad(n::text, 7, '0')))).*
     from case_report c, generate_series(1, ${many - 1}) n where c.id = $1`,
    [report.id],
  );
  const ids = (await tx.rows<{ id: string }>('select id from case_report')).map(({ id }) => id);
  await recordChange(tx, tenantId, 'case_report', ids);
});

const people = Object.fromEntries(
  await Promise.all(
    ['epi', 'programs', 'investigator'].map(
      async (name) => [name, await signInAs(testing, `${name}@demo.caseway.test`)] as const,
    ),
  ),
) as Record<'epi' | 'programs' | 'investigator', SignedIn>;
type Name = keyof typeof people;

const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, by: Name = 'epi') =>
  app.fastify.inject({ method, url, headers: { ...people[by].headers }, ...(payload && { payload }) });
const list = '/api/web/grid/case-reports/export';
const query = { dateRangeValue: { start: '1900-01-01', end: '2099-12-31' } };
const everything = { query, columns: ['caseId', 'lastName'] };

async function prepare(body: object = {}, by: Name = 'epi'): Promise<ExportedFile> {
  const answer = await ask('POST', `${list}/prepare`, { ...everything, id: randomUUID(), ...body }, by);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
const files = async (by: Name = 'epi') =>
  (await ask('GET', '/api/web/exported-files', undefined, by)).json<{ files: ExportedFile[] }>().files;
const download = (id: string, by: Name = 'epi') => ask('GET', `${list}/${id}`, undefined, by);
const stateOf = async (id: string) => (await files()).find((file) => file.id === id)?.state;

const [make] = exportWorks(app, {
  database,
  auditor,
  authorizer: createAuthorizer({
    database,
    signing: new Signing('signs nothing here'),
    restrictedFamilies: alwaysRestricted,
    guardianship: { database, sensitiveFamilies: [], now: () => new Date() },
  }),
});
/** Runs the job, as the last attempt unless another number is given. */
const run = (file: string, { attempt = 5, signal = new AbortController().signal } = {}) =>
  make!.run({ tenantId, file }, { log: createLog('silent'), attempt, signal });

const pieces = async (id: string) =>
  Number(
    (await sql<{ n: string }>('select count(*) as n from exported_piece where file_id = $1', [id]))[0]!.n,
  );
const logged = (action: string) =>
  sql<{ detail: Record<string, unknown>; named: number }>(
    `select detail, cardinality(record_ids) as named from audit_event where action = $1 order by at, id`,
    [action],
  );

beforeEach(async () => {
  await sql('delete from exported_file');
  await sql(`delete from audit_event where action like 'export%'`);
});

describe('a file that is made in the background', () => {
  test('has the rows of a direct download, as CSV and as XLSX', async () => {
    const direct = parse((await ask('POST', list, everything)).body, { bom: true }) as string[][];
    expect(direct).toHaveLength(1 + many);
    const csv = await prepare();
    expect(csv).toMatchObject({ grid: 'case-reports', state: 'preparing', total: many, done: 0, size: null });
    await run(csv.id);
    const answer = await download(csv.id);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toContain('text/csv');
    expect(answer.headers['content-disposition']).toMatch(/filename="case-reports-\d{4}-\d\d-\d\d\.csv"/);
    expect(parse(answer.body, { bom: true })).toEqual(direct);

    const xlsx = await prepare({ format: 'xlsx' });
    await run(xlsx.id);
    const [sheet] = readXlsx((await download(xlsx.id)).rawPayload);
    expect(sheet!.rows.map((cells) => cells.map((cell) => cell?.text ?? ''))).toEqual(direct);
  });

  test('has only the chosen rows', async () => {
    const file = await prepare({ ids: [report.id] });
    expect(file.total).toBe(1);
    await run(file.id);
    expect(parse((await download(file.id)).body, { bom: true }).slice(1)).toEqual([
      ['2026-0000001', 'Canary'],
    ]);
    const rest = await prepare({ except: [report.id] });
    expect(rest.total).toBe(many - 1);
  });

  test('can be downloaded for 24 hours, and its owner is notified', async () => {
    const { id } = await prepare();
    await run(id);
    const [file] = await files();
    expect(file).toMatchObject({ id, state: 'ready', done: many });
    const [times] = await sql<{ hours: number }>(
      `select extract(epoch from expires_at - now())::float8 / 3600 as hours from exported_file`,
    );
    expect(Math.round(times!.hours)).toBe(24);
    const told = await sql<{ payload: { told: object[] } }>(
      `select payload from graphile_worker._private_jobs where payload::text like $1`,
      [`%export-ended%${id}%`],
    );
    expect(told).toHaveLength(1);

    await sql(`update exported_file set expires_at = now() - interval '1 second'`);
    const late = await download(id);
    expect([late.statusCode, late.json().code]).toEqual([410, 'file-expired']);
    expect(await stateOf(id)).toBe('expired');
  });

  test('and each download is logged, with the number of rows', async () => {
    const { id } = await prepare();
    await run(id);
    await download(id);
    await download(id);
    const exports = await logged('export');
    expect(exports[0]!.detail).toEqual({
      columns: ['caseId', 'lastName'],
      format: 'csv',
      filteredBy: [],
      rowsTaken: 'all',
      file: id,
    });
    // Every record is named, by the rows of its batch.
    expect(exports.reduce((sum, { named }) => sum + named, 0)).toBe(many);
    expect((await logged('export/prepared')).map(({ detail }) => detail)).toEqual([{ rows: many, file: id }]);
    expect((await logged('export/downloaded')).map(({ detail }) => detail)).toEqual(
      [1, 2].map(() => ({ file: id, format: 'csv', rows: many })),
    );
  });

  test('is only for its owner', async () => {
    const { id } = await prepare();
    await run(id);
    expect(await files('programs')).toEqual([]);
    expect((await download(id, 'programs')).statusCode).toBe(404);
    expect((await ask('DELETE', `/api/web/exported-files/${id}`, undefined, 'programs')).statusCode).toBe(
      404,
    );
    expect((await download(id)).statusCode).toBe(200);
    const asked = { ...everything, id: randomUUID() };
    expect((await ask('POST', `${list}/prepare`, asked, 'investigator')).statusCode).toBe(403);
    // A repeated request makes no second file, and nobody gets another person's file by its id.
    expect((await ask('POST', `${list}/prepare`, { ...everything, id })).json()).toMatchObject({
      state: 'ready',
    });
    expect((await ask('POST', `${list}/prepare`, { ...everything, id }, 'programs')).statusCode).toBe(409);
  });

  test('is stored so that no one can read it in the database', async () => {
    const { id } = await prepare();
    await run(id);
    const stored = await sql<{ bytes: Buffer }>('select bytes from exported_piece where file_id = $1', [id]);
    expect(Buffer.concat(stored.map(({ bytes }) => bytes)).includes('Canary')).toBe(false);
    // A piece of another file is refused.
    await sql(`update exported_piece set bytes = substring(bytes from 1 for 30) || '\\x00'::bytea`);
    const broken = await download(id).catch(() => undefined);
    expect(broken?.statusCode).not.toBe(200);
  });

  test('is refused once its owner may no longer see a column of it', async () => {
    const [ofPatients, id] = ['/api/web/grid/patients/export', randomUUID()];
    const body = { query: {}, columns: ['lastName', 'cases'], id };
    expect((await ask('POST', `${ofPatients}/prepare`, body)).statusCode).toBe(200);
    await run(id);
    const given = () => ask('GET', `${ofPatients}/${id}`);
    expect((await given()).body).toContain('Canary,1300');
    const [grant] = await sql<{ role_id: string }>(
      `delete from role_grant g using role r where r.tenant_id = $1 and r.id = g.role_id and r.code = 'epidemiologist'
         and g.act = 'case-reports/read' returning g.role_id`,
      [tenantId],
    );
    await sql('update policy_version set version = version + 1');
    await expect.poll(async () => (await given()).body).toContain('file-outdated');
    await sql(
      `insert into role_grant (tenant_id, role_id, obj, act, eft) values ($1, $2, 'T', 'case-reports/read', 'allow')`,
      [tenantId, grant!.role_id],
    );
    await sql('update policy_version set version = version + 1');
    await expect.poll(async () => (await given()).statusCode).toBe(200);
  });

  test('is refused once its owner sees less or more, or may not export', async () => {
    const { id } = await prepare();
    await run(id);
    const [grant] = await sql<{ role_id: string }>(
      `delete from role_grant g using role r where r.tenant_id = $1 and r.id = g.role_id and r.code = 'epidemiologist'
         and g.act = 'case-reports/export' returning g.role_id`,
      [tenantId],
    );
    await sql('update policy_version set version = version + 1');
    await expect.poll(async () => (await download(id)).statusCode).toBe(403);
    // Nor is one made that was begun before.
    await sql(
      `insert into role_grant (tenant_id, role_id, obj, act, eft) values ($1, $2, 'T', 'case-reports/export', 'allow')`,
      [tenantId, grant!.role_id],
    );
    await sql('update policy_version set version = version + 1');
    await expect.poll(async () => (await download(id)).statusCode).toBe(200);
    await sql(`update exported_file set seen = 'more'`);
    const refused = await download(id);
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'file-outdated']);
  });
});

describe('making a file', () => {
  test('that was stopped halfway begins again, and leaves no part of the first', async () => {
    const { id } = await prepare();
    const ending = new AbortController();
    ending.abort(new Error('the server ends'));
    await expect(run(id, { signal: ending.signal })).rejects.toThrow();
    expect([await stateOf(id), await pieces(id)]).toEqual(['preparing', 0]);
    await sql(`insert into exported_piece (tenant_id, file_id, number, bytes) values ($1, $2, 7, 'x')`, [
      tenantId,
      id,
    ]);
    await run(id);
    expect([await stateOf(id), await pieces(id)]).toEqual(['ready', 1]);
    // A finished file is not made twice.
    await run(id);
    expect(await logged('export/prepared')).toHaveLength(1);
  });

  test('is done by one run, although another one that was thought dead continues', async () => {
    const { id } = await prepare();
    await Promise.all([run(id), run(id), run(id)]);
    const [{ runs }] = (await sql<{ runs: string }>(
      `select count(*) as runs from exported_piece p join exported_file f on (f.tenant_id, f.id, f.run) = (p.tenant_id, p.file_id, p.run)
       where f.id = $1 and f.state = 'ready'`,
      [id],
    )) as [{ runs: string }];
    expect([Number(runs), await pieces(id)]).toEqual([1, 1]);
    const direct = await ask('POST', list, everything);
    expect((await download(id)).body).toBe(direct.body);
    expect(await logged('export/prepared')).toHaveLength(1);
  });

  test('ends when its owner cancels it', async () => {
    const { id } = await prepare();
    expect((await ask('DELETE', `/api/web/exported-files/${id}`)).statusCode).toBe(204);
    await run(id);
    expect([await files(), await pieces(id)]).toEqual([[], 0]);
    expect((await logged('export/removed')).map(({ detail }) => detail)).toEqual([{ file: id }]);
  });

  test('that fails says why, and can be tried again', async () => {
    const { id } = await prepare();
    await sql('update exported_file set session_id = $1', [randomUUID()]);
    await run(id);
    expect((await files())[0]).toMatchObject({ state: 'failed', failedBy: 'session-expired' });
    expect((await download(id)).statusCode).toBe(404);
    const again = await ask('POST', `/api/web/exported-files/${id}/again`, {});
    expect(again.json()).toMatchObject({ id, state: 'preparing', failedBy: null });
    await run(id);
    expect(await stateOf(id)).toBe('ready');
  });

  test('is refused to a person with five under way, also if the requests come together', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask('POST', `${list}/prepare`, { ...everything, id: randomUUID() })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5);
    const sixth = await ask('POST', `${list}/prepare`, { ...everything, id: randomUUID() });
    expect([sixth.statusCode, sixth.json().code]).toEqual([429, 'too-many-exports']);
  });

  test('is refused to a person with twenty stored files', async () => {
    const { id } = await prepare();
    await sql(`update exported_file set state = 'ready' where id = $1`, [id]);
    await sql(
      `insert into exported_file select (jsonb_populate_record(f, jsonb_build_object('id', gen_random_uuid()))).*
       from exported_file f, generate_series(1, 19) where f.id = $1`,
      [id],
    );
    const next = await ask('POST', `${list}/prepare`, { ...everything, id: randomUUID() });
    expect([next.statusCode, next.json().code]).toEqual([429, 'too-many-files']);
  });

  test('after an old failure starts its time again', async () => {
    const { id } = await prepare();
    await sql(`update exported_file set state = 'failed', at = now() - interval '49 hours' where id = $1`, [
      id,
    ]);
    await ask('POST', `/api/web/exported-files/${id}/again`, {});
    await sweepFiles(database);
    expect(await stateOf(id)).toBe('preparing');
  });

  test('accepts nothing that its list could not show', async () => {
    const wrong = await ask('POST', `${list}/prepare`, {
      ...everything,
      columns: ['nothing'],
      id: randomUUID(),
    });
    expect(wrong.statusCode).toBe(422);
  });
});

test('an expired file is deleted with its request, and its row a week later', async () => {
  const old = await prepare();
  const ready = await prepare();
  for (const { id } of [old, ready]) await run(id);
  await sql(`update exported_file set expires_at = now() - interval '1 minute' where id = $1`, [old.id]);
  await sweepFiles(database);
  expect([await pieces(old.id), await pieces(ready.id)]).toEqual([0, 1]);
  const kept = await sql('select state, request is null as forgotten from exported_file order by at');
  expect(kept).toEqual([
    { state: 'expired', forgotten: true },
    { state: 'ready', forgotten: false },
  ]);
  await sql(`update exported_file set at = now() - interval '8 days' where id = $1`, [old.id]);
  await sweepFiles(database);
  expect((await files()).map(({ id }) => id)).toEqual([ready.id]);
});
