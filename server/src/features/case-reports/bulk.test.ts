import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AnswerColumn } from '@caseway/contract/answer-columns';
import type { BulkAction } from '@caseway/contract/bulk';
import type { CaseReport } from '@caseway/contract/case-reports';
import { caseAnswerColumns } from '@caseway/contract/investigation-form';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { bulkJobIn } from '../../../test/bulk.ts';
import { startChild } from '../../../test/child.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { recordChange } from '../../platform/analytics/outbox.ts';

const testing = await testApp();
const { database, superuserUrl, appUrl } = testing;
const world = await seedDemoTenants(database);
const tenantId = world.demo.id;
// A clinic that assigns cases does not see the answers to their forms.
await asSuperuser(
  `insert into role_grant (tenant_id, role_id, obj, act, eft)
   select tenant_id, id, 'F', act, 'allow' from role, unnest('{case-reports/write,case-reports/assign}'::text[]) act
   where code = 'facility-user'`,
  [],
  superuserUrl,
);
const facility = await signInAs(testing, 'facility@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const other = await signInAs(testing, 'investigator@demo.caseway.test');
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const { ask, ok } = askingAs(testing, epi, '/api/web/case-reports');
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

let beforeCommit: (transaction: number) => Promise<unknown> | undefined = () => undefined;
const job = bulkJobIn(database, (transaction) => beforeCommit(transaction));
const work = (action: string, tenant = tenantId) => job(tenant, action);
const stateOf = (action: string, headers?: Headers) =>
  ok<BulkAction>('GET', `/bulk/${action}`, undefined, headers);

interface Begun {
  counted: number;
  action: BulkAction | null;
}
const begin = (body: object, headers?: Headers) =>
  ok<Begun>('POST', '/bulk', { id: randomUUID(), ...body }, headers);
/** Runs the action to its end. */
async function perform(body: object, headers?: Headers): Promise<BulkAction> {
  const { action } = await begin(body, headers);
  await work(action!.id);
  return stateOf(action!.id, headers);
}
async function takeBack(action: string, headers?: Headers): Promise<BulkAction> {
  const { id } = await ok<BulkAction>('POST', `/bulk/${action}/undo`, { id: randomUUID() }, headers);
  await work(id);
  return stateOf(id, headers);
}
const refusedBy = async (action: string) =>
  (await ok<{ refused: object[] }>('GET', `/bulk/${action}/refused`)).refused;
const read = (id: string) => ok<CaseReport>('GET', `/${id}`);
const statusOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await read(id)).status));

const ending = { id: 'noFollowUp', reason: 'Moved abroad' };
let patientId: string;
const make = (given: { disease_family?: string; pregnant?: string } = {}) =>
  makeCaseReport(database, {
    tenant_id: tenantId,
    patient_id: patientId,
    disease_family: 'chlamydia',
    ...given,
  });
const makeSome = async (number: number, given?: Parameters<typeof make>[0]) => {
  const ids: string[] = [];
  for (let made = 0; made < number; made += 1) ids.push((await make(given)).id);
  return ids.sort();
};
beforeEach(async () => {
  beforeCommit = () => undefined;
  patientId = (await makePatient(database, { tenant_id: tenantId, last_name: 'Canary' })).id;
});

describe('many cases changed by one action', () => {
  test('are each decided on their own; the action is undone as one, where nothing has changed since', async () => {
    const [one, two, hidden] = [await make(), await make(), await make({ disease_family: 'hiv' })];
    await ok('POST', `/${two.id}/transitions/noFollowUp`, { version: 1, reason: 'Moved abroad' });
    const selection = { ids: [one.id, two.id, hidden.id] };
    const refused = await perform({ selection, transition: { id: 'assign' } });
    expect(refused).toMatchObject({ state: 'done', total: 3, changed: 0, same: 0, refused: 3 });
    expect(await refusedBy(refused.id)).toEqual(
      [
        { id: one.id, name: one.case_id, state: 'new', code: 'required', field: 'investigator' },
        { id: two.id, name: two.case_id, state: 'no_follow_up', code: 'not-in-this-state', field: 'status' },
        { id: hidden.id, name: null, state: null, code: 'not-found', field: null },
      ].sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    const done = await perform({ selection, change: { outcome: 'recovered' } });
    expect(done).toMatchObject({ state: 'done', total: 3, changed: 2, same: 0, refused: 1 });
    const again = await perform({ selection: { ids: [one.id] }, change: { outcome: 'recovered' } });
    expect(again).toMatchObject({ changed: 0, same: 1 });
    await ok('PATCH', `/${two.id}`, { version: 3, outcome: 'ill' });
    // People cannot undo what someone else did.
    expect((await ask('POST', `/bulk/${done.id}/undo`, { id: randomUUID() }, other.headers)).statusCode).toBe(
      404,
    );
    const undone = await takeBack(done.id);
    expect(undone).toMatchObject({ undoes: done.id, change: null, total: 2, changed: 1, refused: 1 });
    expect(await refusedBy(undone.id)).toEqual([
      { id: two.id, name: two.case_id, state: 'no_follow_up', code: 'changed-meanwhile', field: null },
    ]);
    expect(await read(one.id)).toMatchObject({ outcome: null, version: 3 });
    expect(await read(two.id)).toMatchObject({ status: 'no_follow_up', outcome: 'ill' });
    expect(await takeBack(done.id)).toMatchObject({ changed: 0, refused: 2 });
  });

  test('have an entry in their timeline, a version with the action, and an event in the log that names them [P15]', async () => {
    const [id] = await makeSome(1);
    const { id: action } = await perform({ selection: { ids: [id] }, transition: ending });
    const { timeline } = await read(id!);
    expect(timeline).toMatchObject([
      { kind: 'status-changed', by: { id: epi.init.user.id }, detail: { from: 'new', to: 'no_follow_up' } },
    ]);
    expect(
      await sql('select version, action_id, account_id from case_report_history where record_id = $1', [id]),
    ).toEqual([{ version: 2, action_id: action, account_id: epi.init.user.id }]);
    expect(
      await sql(
        `select e.action, e.detail from audit_record r join audit_event e on e.tenant_id = r.tenant_id and e.id = r.event_id
         where r.record_id = $1 and e.action = 'change'`,
        [id],
      ),
    ).toEqual([{ action: 'change', detail: { bulk: action, fields: [], transition: 'noFollowUp' } }]);
  });

  test('when undone, are up for review again if they were before', async () => {
    const [id] = await makeSome(1);
    await sql("update case_report set review_reason = 'result-corrected' where id = $1", [id]);
    const { id: action } = await perform({ selection: { ids: [id] }, transition: ending });
    expect((await read(id!)).reviewReason).toBe(null);
    await takeBack(action);
    expect(await read(id!)).toMatchObject({ status: 'new', reviewReason: 'result-corrected' });
  });

  test('are checked in a dry run first, which changes nothing and is not the last action', async () => {
    const [id] = await makeSome(1);
    const before = await ok<{ action: BulkAction | null }>('GET', '/bulk/last');
    const looked = await perform({ selection: { ids: [id] }, transition: ending, dryRun: true });
    expect(looked).toMatchObject({ state: 'done', dryRun: true, changed: 1, same: 0, refused: 0 });
    expect(await read(id!)).toMatchObject({ version: 1, status: 'new', timeline: [] });
    expect(await ok('GET', '/bulk/last')).toEqual(before);
    const done = await perform({ selection: { ids: [id] }, transition: ending });
    expect(await ok('GET', '/bulk/last')).toEqual({ action: done });
    expect(await ok('GET', '/bulk/last', undefined, other.headers)).toEqual({ action: null });
  });

  test('need the permission; another tenant finds nothing, and no other field is set', async () => {
    const [id] = await makeSome(1);
    const body = { id: randomUUID(), selection: { ids: [id] }, transition: ending };
    const status = async (given: object, headers?: Headers) =>
      (await ask('POST', '/bulk', { ...body, ...given }, headers)).statusCode;
    expect(await status({}, analyst.headers)).toBe(403);
    expect(await status({}, {})).toBe(401);
    expect(await status({ selection: { ids: [] } })).toBe(422);
    expect(await status({ selection: {} })).toBe(422);
    expect(await status({ selection: { query: {} } })).toBe(422);
    expect(await status({ transition: undefined, change: { pregnant: 'no' } })).toBe(400);
    expect(await status({ change: { outcome: 'ill' } })).toBe(422);
    const { action } = await begin({ ...body, id: randomUUID() }, vendor.headers);
    await work(action!.id, world.vendor.id);
    expect(await stateOf(action!.id, vendor.headers)).toMatchObject({ changed: 0, refused: 1 });
    // One person's action cannot be read by others.
    const own = await perform({ ...body, id: randomUUID(), dryRun: true });
    for (const path of ['', '/refused'])
      expect((await ask('GET', `/bulk/${own.id}${path}`, undefined, other.headers)).statusCode).toBe(404);
  });
});

describe('an action on all cases that a list shows', () => {
  test('takes what matches at the start, without exceptions, and starts only if the number is as expected', async () => {
    const ids = await makeSome(5, { pregnant: 'unknown' });
    await database.withScope({ kind: 'service', tenantId }, (tx) =>
      recordChange(tx, tenantId, 'case_report', ids),
    );
    const [out, ...rest] = ids;
    const query = {
      filterModel: { items: [{ field: 'pregnant', operator: 'is', value: 'unknown' }] },
      paginationModel: { page: 0, pageSize: 1 },
    };
    const selection = { query, except: [out] };
    const asked = { selection, transition: ending };
    const told = await begin({ ...asked, expected: 3 });
    expect(told).toEqual({ counted: 4, action: null });
    expect(await statusOf(ids)).toEqual(['new', 'new', 'new', 'new', 'new']);
    const { action } = await begin({ ...asked, expected: 4 });
    // A later match is not changed.
    const [late] = await makeSome(1, { pregnant: 'unknown' });
    await work(action!.id);
    expect(await stateOf(action!.id)).toMatchObject({ state: 'done', total: 4, changed: 4 });
    expect(new Set(await statusOf(rest))).toEqual(new Set(['no_follow_up']));
    expect(await statusOf([out!, late!])).toEqual(['new', 'new']);
    // A repeated request begins no second action.
    const repeated = await begin({ ...asked, id: action!.id, expected: 4 });
    expect(repeated.action).toMatchObject({ id: action!.id, total: 4, changed: 4 });
  });

  test('is not narrowed by a column that the reader does not have [P1]', async () => {
    const [{ name, options }] = caseAnswerColumns as [AnswerColumn];
    const told = async (headers: Headers) => {
      const query = {
        filterModel: { items: [{ field: name, operator: 'is', value: Object.keys(options)[0] }] },
        paginationModel: { page: 0, pageSize: 1 },
      };
      const body = { id: randomUUID(), selection: { query }, transition: ending, dryRun: true };
      const answer = await ask('POST', '/bulk', body, headers);
      return [answer.statusCode, answer.json().faults?.[0].path];
    };
    expect(await told(epi.headers)).toEqual([200, undefined]);
    const at = 'body.selection.query.filterModel.items.0.field';
    expect(await told(facility.headers)).toEqual([422, at]);
  });
});

describe('an action that is interrupted [P5]', () => {
  test('by a killed process continues after what was committed, and does nothing twice', async () => {
    const ids = await makeSome(7);
    const { action } = await begin({ selection: { ids }, transition: ending });
    const script = fileURLToPath(new URL('../../../test/hold-bulk.ts', import.meta.url));
    const child = startChild(process.execPath, [script, appUrl, tenantId, action!.id], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await stateOf(action!.id)).toMatchObject({ state: 'running', total: 7, changed: 4 });
    let transactions = 0;
    beforeCommit = async () => {
      transactions += 1;
    };
    await work(action!.id);
    expect(transactions).toBe(2);
    expect(await stateOf(action!.id)).toMatchObject({ state: 'done', changed: 7, same: 0, refused: 0 });
    for (const id of ids) {
      const { version, timeline } = await read(id);
      expect([version, timeline.length]).toEqual([2, 1]);
    }
    await work(action!.id);
    expect((await stateOf(action!.id)).changed).toBe(7);
  });

  const roles =
    'delete from membership_role where membership_id in (select id from membership where account_id = $1)';
  test.each([
    [
      'who has signed out',
      'dis',
      'session-expired',
      'update session set revoked_at = now() where account_id = $1',
    ],
    [
      'whose account was disabled',
      'dis',
      'session-expired',
      'update account set disabled_at = now() where id = $1',
    ],
    ['whose role was taken away', 'entry', 'forbidden', roles],
    [
      'who has left',
      'investigator',
      'forbidden',
      'update membership set ended_at = now() where account_id = $1',
    ],
  ])('[P14] by a person %s stops and says so; completed changes stay', async (_, name, code, end) => {
    const ids = await makeSome(5);
    const { init, headers } = await signInAs(testing, `${name}@demo.caseway.test`);
    const { action } = await begin({ selection: { ids }, change: { outcome: 'ill' } }, headers);
    beforeCommit = (transaction) => (transaction === 1 ? sql(end, [init.user.id]) : undefined);
    await work(action!.id);
    const [stored] = await sql('select state, stopped_by, changed from bulk_action where id = $1', [
      action!.id,
    ]);
    expect(stored).toEqual({ state: 'stopped', stopped_by: code, changed: 2 });
    const outcomes = await Promise.all(ids.map(async (id) => (await read(id)).outcome));
    expect(outcomes).toEqual(['ill', 'ill', null, null, null]);
  });
});
