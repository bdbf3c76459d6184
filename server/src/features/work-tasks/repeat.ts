import { nextDue, workTaskRecord } from '@caseway/contract/work-tasks';
import { v7 } from 'uuid';
import { recordChange } from '../../platform/analytics/outbox.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Changing } from '../../platform/records/patient-record.ts';
import { keepFirstVersions, keepingVersions } from '../../platform/records/record-versions.ts';
import { insertTasks, type NewTask } from '../../platform/records/work-rows.ts';

/** A done task, with the one that repeats it if there already is one. */
interface Done extends NewTask {
  repeat_days: number;
  repeat_until: string | null;
  next: string | null;
  nextState: string | null;
}

/**
 * Gives the next task after a repeating one is done. If a task is reopened, its next one is withdrawn, and comes
 * back when the task is done again.
 */
export async function repeat(
  tx: Tx,
  {
    tenantId,
    accountId,
    context: { today },
  }: { tenantId: string; accountId: string; context: { today: string } },
  changed: readonly Changing[],
): Promise<void> {
  const moved = changed.filter(({ changes }) => changes.state !== undefined);
  if (moved.length === 0) return;
  const tasks = await tx.rows<Done>(
    `select t.id, t.record_id, t.patient_id, t.work, t.queue, t.account_id, t.team_id, t.due_on, t.priority, t.made_on, t.made_by, t.title, t.note,
       t.repeat_days, t.repeat_until, n.id as next, n.state as "nextState"
     from work_task t left join work_task n on n.tenant_id = t.tenant_id and n.repeats = t.id
     where t.tenant_id = $1 and t.id = any ($2::uuid[]) and t.repeat_days is not null order by t.id`,
    [tenantId, moved.map(({ stored }) => stored.id)],
  );
  const states = new Map(moved.map(({ stored, changes }) => [stored.id, changes.state!.to]));
  const isDone = ({ id }: Done) => states.get(id) === 'done';
  const set = async (of: readonly Done[], state: string, ended: string) => {
    const ids = of.map(({ next }) => next!);
    await keepingVersions(tx, workTaskRecord, tenantId, ids, { accountId }, async () => {
      if (ids.length > 0)
        await tx.run(
          `update work_task set version = version + 1, state = $3, ended_at = ${ended} where tenant_id = $1 and id = any ($2::uuid[])`,
          [tenantId, ids, state],
        );
    });
    await recordChange(tx, tenantId, 'work_task', ids);
  };
  await set(
    tasks.filter((task) => !isDone(task) && task.nextState === 'open'),
    'withdrawn',
    'now()',
  );
  await set(
    tasks.filter((task) => isDone(task) && task.nextState === 'withdrawn'),
    'open',
    'null',
  );
  const given = tasks.flatMap(({ next, nextState: _, ...task }): NewTask[] => {
    if (next !== null || states.get(task.id) !== 'done') return [];
    const { due_on: dueOn, repeat_days: repeatDays, repeat_until: repeatUntil } = task;
    const due = nextDue({ dueOn, repeatDays, repeatUntil }, today);
    // It waits for the team again, whoever did the last one.
    const account_id = task.team_id ? null : task.account_id;
    return due === null
      ? []
      : [
          {
            ...task,
            account_id,
            id: v7(),
            due_on: due,
            repeats: task.id,
            made_on: today,
            made_by: accountId,
          },
        ];
  });
  const [ofPersons, ofCases] = [true, false].map((isPerson) =>
    given.filter(({ record_id }) => (record_id === null) === isPerson),
  ) as [NewTask[], NewTask[]];
  await insertTasks(tx, tenantId, 'case_report', ofCases);
  await insertTasks(tx, tenantId, 'patient', ofPersons);
  if (given.length > 0)
    await keepFirstVersions(
      tx,
      workTaskRecord,
      tenantId,
      given.map(({ id }) => id),
      accountId,
    );
}
