import { addDays, todayIn } from '@caseway/contract/date-range';
import { gridSearch } from '@caseway/contract/grid';
import { gridFromParams } from '@caseway/contract/search-params';
import {
  readWaiting,
  type WaitingKind,
  type WaitingListKind,
  type Waits,
  waitingKinds,
} from '@caseway/contract/waiting';
import { waitingItems, waitingLists, waitingPath, waitingQueues } from '@caseway/contract/waiting-lists';
import { describe, expect, it, test } from 'vitest';
import { fillDemo } from '../../../seeds/demo/fill.ts';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { demoWorld } from '../../../seeds/demo/tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { elr, importText } from '../imports/test-messages.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
await seedDemoTenants(database);
const { demo } = demoWorld();
// Whether a demo this small has whooping cough with contacts depends on the day.
for (const createdOn of [addDays(todayIn('America/New_York'), -6), addDays(todayIn('America/New_York'), -3)])
  await makeCaseReport(database, {
    ...{ tenant_id: demo.id, patient_id: (await makePatient(database, { tenant_id: demo.id })).id },
    ...{ condition_code: 'pertussis', disease_family: 'pertussis', classification: 'confirmed' },
    created_on: createdOn,
  });
await fillDemo(database, {
  demo: { patients: 900, results: 2400, cases: 500 },
  vendor: { patients: 20, results: 40, cases: 3 },
});
const sql = <Row extends object = object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

async function readerOf(name: string) {
  const { init, headers } = await signInAs(testing, `${name}@demo.caseway.test`);
  const { ask, ok } = askingAs(testing, { headers }, '');
  const accountId = init.user.id;
  const waiting = async () => {
    const { today, waits } = await ok<{ today: string; waits: Waits[] }>('GET', readWaiting.path);
    for (const { kind, to } of waits) expect(to).toBe(waitingPath(kind, { accountId, today }));
    const counts: Partial<Record<WaitingKind, number>> = Object.fromEntries(
      waits.map(({ kind, count }) => [kind, count]),
    );
    expect(Object.keys(counts)).toEqual(waitingKinds.filter((kind) => kind in counts));
    return { today, counts };
  };
  return { accountId, ask, ok, waiting };
}
type Reader = Awaited<ReturnType<typeof readerOf>>;
const investigator = await readerOf('investigator');
// Whether a task of a demo this small is overdue depends on the day.
await sql(
  `update work_task set due_on = current_date - 7 where id = (
     select id from work_task where account_id = $1 and state = 'open' order by id limit 1)`,
  [investigator.accountId],
);
const privacy = await readerOf('privacy');
const admin = await readerOf('admin');
const readers = [
  investigator,
  privacy,
  admin,
  ...(await Promise.all(['dis', 'epi', 'clinician', 'facility', 'jurisdiction', 'analyst'].map(readerOf))),
];

/** The number of rows in a list of a kind; undefined if it is refused. */
async function listed({ ask, accountId }: Reader, kind: WaitingListKind, today: string) {
  const { grid, ...list } = waitingLists[kind];
  const answer = await ask('POST', gridSearch(grid).path, {
    filterModel: { items: waitingItems(kind, { accountId, today }), logicOperator: 'and' },
    sortModel: [],
    paginationModel: { page: 0, pageSize: 10 },
    filters: 'filters' in list ? list.filters : {},
  });
  if (answer.statusCode === 403) return undefined;
  expect([kind, answer.statusCode, answer.body]).toEqual([kind, 200, expect.anything()]);
  return answer.json<{ rowCount: number }>().rowCount;
}

describe('what waits', () => {
  it.each(readers)(
    'equals, for each reader, the number of rows in the list behind its link [P1]',
    async (reader) => {
      const { today, counts } = await reader.waiting();
      for (const kind of Object.keys(waitingLists) as WaitingListKind[])
        expect([kind, counts[kind] ?? 0]).toEqual([kind, (await listed(reader, kind, today)) ?? 0]);
    },
  );

  it('exists for the people who work on it: the demo has each kind for someone', async () => {
    const { counts } = await investigator.waiting();
    expect(Object.keys(counts)).toEqual(
      expect.arrayContaining(['tasksOverdue', 'contactsDue', 'visitsToday', 'ownCases']),
    );
  });

  it('counts own tasks by the day in the tenant’s time zone: before today, and today', async () => {
    const { today } = await investigator.waiting();
    await sql(`update work_task set due_on = null, version = version + 1 where account_id = $1`, [
      investigator.accountId,
    ]);
    // How many tasks are theirs in the demo depends on the day.
    const some = await sql<{ id: string }>(
      `update work_task set account_id = $1 where id in (
         select id from work_task where tenant_id = $2 and state = 'open' order by id limit 5) returning id`,
      [investigator.accountId, demo.id],
    );
    expect(some).toHaveLength(5);
    const days = [addDays(today, -40), addDays(today, -1), today, today, addDays(today, 1)];
    for (const [at, { id }] of some.entries())
      await sql('update work_task set due_on = $2 where id = $1', [id, days[at]]);
    expect((await investigator.waiting()).counts).toMatchObject({ tasksOverdue: 2, tasksToday: 2 });
    await sql('update work_task set due_on = null where account_id = $1', [investigator.accountId]);
    const { counts } = await investigator.waiting();
    expect(counts).not.toHaveProperty('tasksOverdue');
    expect(counts).not.toHaveProperty('tasksToday');
  });

  it('has queues only for people who decide them: codes and pairs, but not for a privacy officer', async () => {
    const before = (await admin.waiting()).counts.codes ?? 0;
    await importText(
      database,
      demo.id,
      ['A9^Assay nine^L', 'A10^Assay ten^L'].map((test) => elr({ tests: [{ test }] })).join(''),
    );
    expect((await admin.waiting()).counts.codes).toBe(before + 2);
    const { counts } = await privacy.waiting();
    expect(Object.keys(counts).filter((kind) => kind !== 'accesses')).toEqual([]);
  });

  it('counts the files of the last month with refused messages, for people who import', async () => {
    const broken = elr({ control: '', order: 'W-1' });
    const given = { createdBy: admin.accountId };
    await importText(database, demo.id, broken, { ...given, dryRun: true });
    const { counts: before, today } = await admin.waiting();
    expect(before.refusedFiles).toBeUndefined();
    await importText(database, demo.id, broken, given);
    expect((await admin.waiting()).counts.refusedFiles).toBe(1);
    expect(await listed(admin, 'refusedFiles', today)).toBe(1);
    // They see the file, and do not put it right.
    expect(await listed(investigator, 'refusedFiles', today)).toBe(1);
    expect((await investigator.waiting()).counts.refusedFiles).toBeUndefined();
    await sql('update import set created_at = $1', [new Date(Date.now() - 31 * 86_400_000)]);
    expect((await admin.waiting()).counts.refusedFiles).toBeUndefined();
  });

  it('is empty for people who act for no organization', async () => {
    const answer = await testing.app.fastify.inject({ url: readWaiting.path });
    expect(answer.statusCode).toBe(401);
  });
});

test('has links that their lists understand, and that mean exactly what is counted', () => {
  const reader = { accountId: investigator.accountId, today: '2026-11-27' };
  for (const kind of waitingKinds) {
    const [path, params = ''] = waitingPath(kind, reader).split('?');
    if (kind in waitingQueues) continue;
    const { grid, ...list } = waitingLists[kind as WaitingListKind];
    expect(path).toBe(list.path);
    expect(gridFromParams(grid, [...new URLSearchParams(params)])).toMatchObject({
      filters: 'filters' in list ? list.filters : {},
      filterModel: {
        logicOperator: 'and',
        items: waitingItems(kind as WaitingListKind, reader).map(({ id: _, ...item }) =>
          expect.objectContaining(item),
        ),
      },
    });
  }
});
