import { dashboards } from '@caseway/contract/dashboards/all';
import { todayIn } from '@caseway/contract/date-range';
import type { Fault } from '@caseway/contract/error';
import type { WrittenOf } from '@caseway/contract/record';
import { workByHand, workTaskFaults, workTaskRecord } from '@caseway/contract/work-tasks';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { recordsOf } from '../../platform/dashboards/behind.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { type Told, tell } from '../../platform/inbox/tell.ts';
import { caseSeen, seePerson } from '../../platform/records/about-person.ts';
import { type Changing, patientServer } from '../../platform/records/patient-record.ts';
import type { Changes } from '../../platform/records/record-history.ts';
import { type AnyRow, recordReading } from '../../platform/records/record-server.ts';
import { readRecords } from '../../platform/records/record-sql.ts';
import { historyShown } from '../../platform/records/record-versions.ts';
import { insertTasks, tellTeams } from '../../platform/records/work-rows.ts';
import { repeat } from './repeat.ts';
import { workTaskFact } from './work-task-fact.ts';

/** A task with its case, if it is about one, and its person. */
export const workTasks = recordReading<typeof workTaskRecord>({
  record: workTaskRecord,
  endedColumn: 'ended_at',
  history: historyShown(workTaskRecord),
  joined: `left join case_report of on of.tenant_id = r.tenant_id and of.id = r.record_id
    join patient stored on stored.tenant_id = r.tenant_id and stored.id = r.patient_id
    cross join lateral app_shown(stored, stored.told_openly, r.disease_family) p`,
  sql: {
    record: 'of.case_id',
    // As the reader sees the person.
    patient: "nullif(concat_ws(' ', p.first_name, p.last_name), '')",
    condition: 'of.condition_code',
  },
  filters: {
    whose: {
      kind: 'choice',
      sql: 'f.id',
      among: (codes, tenant) => `f.tenant_id = ${tenant} and ('all' = any (${codes}) or f.state = 'open'
        and ('mine' = any (${codes}) and f.account = app_account()
          or 'my-teams' = any (${codes}) and f.account is null and f.team in (select m.id from team m
            where m.tenant_id = ${tenant} and m.member_ids @> array[app_account()])
          or 'team' = any (${codes}) and f.account is null and f.team is null))`,
      order: [],
    },
  },
  // Found like the case: by its numbers and its person.
  searchBy: { case: '"recordId"', patient: '"patientId"' },
  behind: recordsOf(dashboards, [{ fact: workTaskFact, by: 'id' }]),
});

interface Context {
  /** Accounts and teams that the writer may choose. */
  offered: ReadonlyMap<string, string>;
  teams: ReadonlyMap<string, string>;
  today: string;
}

/** Whether a team takes tasks. One that was deactivated keeps those that it has. */
async function isActive(tx: Tx, team: string): Promise<boolean> {
  const found = await tx.rows(
    'select from team where tenant_id = $1 and id = $2 and deactivated_at is null',
    [tx.tenantId, team],
  );
  return found.length > 0;
}

const faultMessages: Readonly<Record<string, string>> = {
  'title-needed': 'a task of no usual kind says what to do',
  past: 'this day is over',
  'due-needed': 'a task that repeats has a day',
  'before-due': 'this is before the day of the task',
  'repeats-not': 'the task does not repeat',
};

/** What the declaration of a task does not say. */
export const workTaskServer = (lookups: Lookups) =>
  patientServer<AnyRow, Context>({
    ...workTasks,
    record: workTaskRecord,
    read: (tx, ids) => readRecords<AnyRow>(tx, workTasks as never, ids),
    lock: (tx, tenantId, ids) =>
      tx.rows('select from work_task where tenant_id = $1 and id = any ($2::uuid[]) order by id for update', [
        tenantId,
        ids,
      ]),
    async answer(tx, id) {
      const [answer] = await readRecords(tx, workTasks, [id]);
      return answer ?? null;
    },
    context: async (person) => ({
      offered: await lookups.labels('investigators', person),
      teams: await lookups.labels('teams', person),
      today: todayIn(person.org.timeZone),
    }),
    async faults(tx, writer, { stored, changes, undoes }) {
      const account = changes.account?.to;
      const team = changes.team?.to;
      const next: Parameters<typeof workTaskFaults>[0] & AnyRow = { ...stored, ...valuesAfter(changes) };
      const isNew = stored.version === 0;
      // Writers who cannot see the case or person learn nothing about it.
      const aboutFaults = isNew ? await faultsOfSubject(tx, stored) : [];
      const asked = workTaskFaults(next, {
        today: writer.context.today,
        changed: (...names) => names.some((name) => changes[name] !== undefined),
      });
      return [
        ...aboutFaults,
        ...(account && !writer.context.offered.has(account as string)
          ? [faultAt('account', 'not-an-investigator', 'nobody who can be given cases of this tenant')]
          : []),
        ...(team &&
        !(
          writer.context.teams.has(team as string) &&
          (undoes !== undefined || (await isActive(tx, team as string)))
        )
          ? [faultAt('team', 'unknown-choice', 'there is no such team, or no longer')]
          : []),
        // Undone together with its transition.
        ...(changes.state?.to === 'withdrawn' && undoes === undefined
          ? [faultAt('state', 'not-by-hand', 'a task is withdrawn with the transition that gave it')]
          : []),
        ...(isNew && changes.state?.to !== 'open'
          ? [faultAt('state', 'not-by-hand', 'a new task is open')]
          : []),
        ...(isNew && !workByHand.some((kind) => kind === changes.work?.to)
          ? [faultAt('work', 'not-by-hand', 'this is given by a transition of the case')]
          : []),
        // An undone value was right when it was entered.
        ...(undoes === undefined
          ? asked.map(({ field, code }) => faultAt(field, code, faultMessages[code] ?? code))
          : []),
      ];
    },
    // A task that goes to another team waits for it, unless a person is named too.
    follows: ({ team, account }) => (team?.to && account === undefined ? { account: null } : {}),
    // What a person does to the task is not undone together with the transition.
    derived: ({ accountId }, { changes: { state } }) =>
      state ? { ended_by: state.to === 'open' ? null : accountId, ended_version: null } : {},
    sets: ({ state }) => (state ? [`ended_at = ${state.to === 'open' ? 'null' : 'now()'}`] : []),
    async insert(tx, { tenantId, accountId, context: { today } }, id, given) {
      const task = given as unknown as WrittenOf<typeof workTaskRecord>;
      await insertTasks(tx, tenantId, task.recordId ? 'case_report' : 'patient', [
        {
          id,
          record_id: task.recordId,
          patient_id: task.patientId,
          work: task.work,
          title: task.title,
          note: task.note,
          queue: task.queue,
          account_id: task.account,
          team_id: task.team,
          due_on: task.dueOn,
          priority: task.priority,
          repeat_days: task.repeatDays,
          repeat_until: task.repeatUntil,
          made_on: today,
          made_by: accountId,
        },
      ]);
    },
    async write(tx, writer, changed) {
      await recordChange(
        tx,
        writer.tenantId,
        'work_task',
        changed.map(({ stored }) => stored.id),
      );
      await repeat(tx, writer, changed);
      await tellGiven(tx, writer, changed);
      await tellTeams(tx, forTeams(writer.accountId, changed));
    },
  });

/** The assignee gets a notification; undo withdraws it. */
const tellGiven = (
  tx: Tx,
  { tenantId, accountId }: { tenantId: string; accountId: string },
  changed: readonly Changing[],
): Promise<void> =>
  tell(
    tx,
    { tenantId, recordKind: workTaskRecord.kind, actorId: accountId },
    changed.flatMap(({ stored, changes, undoes }): Told[] => {
      const to = changes.account?.to;
      return typeof to === 'string' && undoes === undefined
        ? [{ kind: 'task-given', recordId: stored.id, to, version: stored.version + 1 }]
        : [];
    }),
    changed.flatMap(({ stored, undoes }) =>
      undoes === undefined ? [] : [{ recordId: stored.id, undone: undoes, by: stored.version + 1 }],
    ),
  );

/** The tasks that now wait for a team: given to it, or given back by who had taken it. */
const forTeams = (actorId: string, changed: readonly Changing[]) =>
  changed.flatMap(({ stored, changes, undoes }) => {
    const next = { ...stored, ...valuesAfter(changes) } as Partial<Record<'account' | 'team', string | null>>;
    const isGiven = (changes.team ?? changes.account) !== undefined && undoes === undefined;
    return isGiven && next.team && !next.account
      ? [{ id: stored.id, teamId: next.team, actorId, version: stored.version + 1 }]
      : [];
  });

/** Checks the case or person that a new task is about; `not-found` if the writer does not see it. */
async function faultsOfSubject(tx: Tx, { recordId, patientId }: AnyRow): Promise<Fault[]> {
  if (!recordId) {
    if (!patientId) return [faultAt('recordId', 'required', 'a task is about a case or a person')];
    await seePerson(tx, patientId);
    return [];
  }
  const found = await caseSeen(tx, recordId);
  if (!found) throw new AppError('not-found');
  return patientId && patientId !== found.patient
    ? [faultAt('patientId', 'other-person', 'this case is of another person')]
    : [];
}

const valuesAfter = (changes: Changes) =>
  Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]));
