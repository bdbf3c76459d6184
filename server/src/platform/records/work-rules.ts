import { daysAfter } from '@caseway/contract/calendar';
import { type Facts, holds } from '@caseway/contract/expression';
import type { WorkRule } from '@caseway/contract/work-rules';
import { v7 } from 'uuid';
import type { Tx } from '../db/database.ts';
import { calendarOf } from './effects.ts';
import { insertTasks } from './work-rows.ts';

/** A written record, and the rules that apply to it. */
interface Written {
  id: string;
  /** The account that works on it. */
  account: string | null;
  values: Facts['values'];
}

/**
 * Gives the tasks of the rules that apply to these records, in the transaction that writes them. A rule gives a
 * record only one task. If no rule applies, as is nearly always the case, nothing is queried.
 */
export async function giveByRules(
  tx: Tx,
  tenantId: string,
  of: Parameters<typeof insertTasks>[2],
  rules: readonly WorkRule[],
  written: readonly Written[],
): Promise<void> {
  const due = written.flatMap((record) =>
    rules.filter(({ when }) => holds(when, record)).map((rule) => ({ rule, record })),
  );
  if (due.length === 0) return;
  const { calendar, today } = await calendarOf(tx, tenantId);
  await insertTasks(
    tx,
    tenantId,
    of,
    due.map(({ rule: { id, task }, record }) => ({
      id: v7(),
      record_id: record.id,
      work: task.work,
      queue: task.to,
      account_id: task.to === 'assignee' ? record.account : null,
      due_on: daysAfter(today, task.dueDays, false, calendar),
      priority: task.priority,
      made_on: today,
      made_by: null,
      rule: id,
    })),
    'on conflict do nothing',
  );
}
