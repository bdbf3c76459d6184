import { workTaskRecord } from '@caseway/contract/work-tasks';
import { recordChange } from '../analytics/outbox.ts';
import type { Tx } from '../db/database.ts';
import { insertRows } from '../db/rows.ts';
import { type Told, tell } from '../inbox/tell.ts';

/** A new task: given by a transition of its record or by a person, or because a repeating task was done. */
export interface NewTask {
  id: string;
  /** The case that it is about; null if it is about the person alone. */
  record_id: string | null;
  /** Needed for a task without a case. */
  patient_id?: string | null;
  work: string;
  queue: string;
  account_id: string | null;
  team_id?: string | null;
  due_on: string | null;
  priority: string;
  /** The day in the tenant. */
  made_on: string;
  made_by: string | null;
  title?: string | null;
  note?: string | null;
  repeat_days?: number | null;
  repeat_until?: string | null;
  /** The task that it repeats. */
  repeats?: string | null;
  /** The rule that gives it, at most once for each record. */
  rule?: string;
  transition?: string;
  /** The record whose transition gave it, if it is about another one. */
  caused_by?: string;
  flow_version?: number;
  made_version?: number;
}

const columns = {
  id: 'uuid', record_id: 'uuid', work: 'text', queue: 'text', account_id: 'uuid', team_id: 'uuid', due_on: 'date',
  priority: 'text', made_on: 'date', made_by: 'uuid', title: 'text', note: 'text', repeat_days: 'integer', repeat_until: 'date',
  repeats: 'uuid', rule: 'text', caused_by: 'uuid', transition: 'text', flow_version: 'integer', made_version: 'integer',
} satisfies Record<Exclude<keyof NewTask, 'patient_id'>, string>; // biome-ignore format: a table
const absent = Object.fromEntries(Object.keys(columns).map((name) => [name, null]));

/**
 * Gives tasks about cases or about persons, each with what decides who sees it, and notifies the people they are
 * given to.
 */
export async function insertTasks(
  tx: Tx,
  tenantId: string,
  of: 'case_report' | 'patient',
  tasks: readonly NewTask[],
  conflict = '',
): Promise<void> {
  await insertRows(
    tx,
    tenantId,
    'work_task',
    of === 'patient' ? { ...columns, patient_id: 'uuid' } : columns,
    tasks.map((task) => ({ ...absent, ...task })),
    { conflict, carriedOf: of },
  );
  await recordChange(
    tx,
    tenantId,
    'work_task',
    tasks.map(({ id }) => id),
  );
  // A transition sends its own notifications for its tasks.
  const byHand = tasks.filter(({ transition }) => transition === undefined);
  for (const [actorId, given] of Map.groupBy(byHand, ({ made_by }) => made_by))
    await tell(
      tx,
      { tenantId, recordKind: workTaskRecord.kind, actorId },
      given.flatMap(({ id, account_id }): Told[] =>
        account_id === null ? [] : [{ kind: 'task-given', recordId: id, to: account_id }],
      ),
    );
  await tellTeams(
    tx,
    tasks.flatMap(({ id, account_id, team_id, made_by }) =>
      team_id && account_id === null ? [{ id, teamId: team_id, actorId: made_by }] : [],
    ),
  );
}

/** A task that waits for a team since this version. */
interface OfTeam {
  id: string;
  teamId: string;
  actorId: string | null;
  version?: number;
}

/**
 * Notifies the members of teams. Of many tasks that one person gives a team together, there is one notification, of
 * the first: the list of the team shows the rest.
 */
export async function tellTeams(tx: Tx, tasks: readonly OfTeam[]): Promise<void> {
  if (tasks.length === 0) return;
  const { tenantId } = tx;
  const teams = await tx.rows<{ id: string; members: string[] }>(
    'select id, member_ids as members from team where tenant_id = $1 and id = any ($2::uuid[])',
    [tenantId, [...new Set(tasks.map(({ teamId }) => teamId))]],
  );
  const members = new Map(teams.map((team) => [team.id, team.members]));
  const first = Map.groupBy(tasks, ({ teamId, actorId }) => `${teamId} ${actorId}`);
  for (const [{ id, teamId, actorId, version }] of first.values() as Iterable<[OfTeam]>)
    await tell(
      tx,
      { tenantId, recordKind: workTaskRecord.kind, actorId },
      (members.get(teamId) ?? []).map((to) => ({
        kind: 'team-task',
        recordId: id,
        to,
        ...(version !== undefined && { version }),
      })),
    );
}
