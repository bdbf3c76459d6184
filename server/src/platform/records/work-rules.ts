import { daysAfter } from '@caseway/contract/calendar';
import { type Facts, holds } from '@caseway/contract/expression';
import type { WorkRule } from '@caseway/contract/work-rules';
import { v7 } from 'uuid';
import type { Deciding } from '../carried/carried.ts';
import type { Tx } from '../db/database.ts';
import { calendarOf } from './effects.ts';
import { insertTasks } from './work-rows.ts';

/** A record that was written, with what the rules ask of it. */
interface Written {
  id: string;
  /** Who works on it. */
  account: string | null;
  values: Facts['values'];
}

/**
 * Gives the tasks of the rules that hold for these records, in the transaction that writes them. A rule that has given one
 * for a record gives none again. Where none holds, as nearly always, nothing is asked.
 */
export async function giveByRules(
  tx: Tx,
  tenantId: string,
  { kind, of }: { kind: string; of: Deciding },
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
      record_kind: kind,
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
