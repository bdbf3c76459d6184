import type { CaseReport } from '@caseway/contract/case-reports';
import { v5 } from 'uuid';
import type { Tx } from '../../platform/db/database.ts';
import type { Changes } from '../../platform/records/record-history.ts';

type TaskEvent = Pick<CaseReport['timeline'][number], 'id' | 'kind' | 'detail'> & {
  at: Date;
  byId: string | null;
  byName: string | null;
};

interface Task {
  id: string;
  at: Date;
  byId: string | null;
  byName: string | null;
  work: string;
  title: string | null;
  account: string | null;
  team: string | null;
}

interface Version {
  taskId: string;
  version: number;
  at: Date;
  byId: string | null;
  byName: string | null;
  changes: Changes;
}

/**
 * What happened to the tasks of a case, from their history, as far as the reader sees it: added, given to someone,
 * taken, given back, and their new states (`what`).
 */
export async function readTaskEvents(tx: Tx, caseId: string): Promise<TaskEvent[]> {
  const params = [tx.tenantId, caseId];
  const name = `nullif(concat_ws(' ', a.first_name, a.last_name), '')`;
  const tasks = await tx.rows<Task>(
    `select t.id, t.made_at as at, t.made_by as "byId", ${name} as "byName", t.work, t.title, t.account_id as account, t.team_id as team
     from work_task t left join account a on a.id = t.made_by where t.tenant_id = $1 and t.record_id = $2`,
    params,
  );
  if (tasks.length === 0) return [];
  const versions = await tx.rows<Version>(
    `select h.record_id as "taskId", h.version, h.at, h.account_id as "byId",
       ${name} as "byName", h.changes
     from work_task_history h left join account a on a.id = h.account_id
     where h.tenant_id = $1 and h.subject_id = $2 order by h.version`,
    params,
  );
  const versionsOf = Map.groupBy(versions, ({ taskId }) => taskId);
  return tasks.flatMap((task) => {
    const { id: taskId, work, title } = task;
    const since = versionsOf.get(taskId) ?? [];
    const about = { taskId, work, title };
    const { at, byId, byName } = task;
    return [
      {
        ...{ id: taskId, at, byId, byName, kind: 'task' },
        detail: { ...about, what: 'made', ...holderAtFirst(task, since) },
      },
      ...since.flatMap(({ at, byId, byName, version, changes }) => {
        const id = v5(String(version), taskId);
        const what = version === 1 ? null : whatHappened(changes, byId);
        return what ? [{ id, at, byId, byName, kind: 'task', detail: { ...about, ...what } }] : [];
      }),
    ];
  });
}

/** Who got the task when it was made: what the first change says, or who has it if nothing was changed. */
function holderAtFirst(
  { account, team }: Task,
  since: readonly Version[],
): { account: unknown; team: unknown } {
  const first = (field: 'account' | 'team', now: string | null) => {
    const found = since.find(({ changes }) => changes[field] !== undefined);
    if (!found) return now;
    const { from, to } = found.changes[field]!;
    return (found.version === 1 ? to : from) ?? null;
  };
  return { account: first('account', account), team: first('team', team) };
}

function whatHappened(
  { state, account, team }: Changes,
  byId: string | null,
): { what: unknown; account?: unknown; team?: unknown } | null {
  if (state) return { what: state.to };
  if (account?.to) return account.to === byId ? { what: 'taken' } : { what: 'given', account: account.to };
  if (team?.to) return { what: 'given', team: team.to };
  return account || team ? { what: 'given-back' } : null;
}
