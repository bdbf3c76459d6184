import type { Calendar } from '@caseway/contract/calendar';
import { type Moved, timesOf } from '@caseway/contract/milestones';
import type { AnyRecord } from '@caseway/contract/record';
import { v7 } from 'uuid';
import type { Deciding } from '../carried/carried.ts';
import type { Tx } from '../db/database.ts';
import { few } from '../db/few.ts';
import { type Columns, insertRows } from '../db/rows.ts';

/** A record that has moved, and the version that moved it; `undoes`: the version that it undoes. */
interface Move {
  id: string;
  version: number;
  from: string;
  to: string;
  undoes: number | undefined;
}

type MovedRecord = Pick<AnyRecord, 'table' | 'workflow'>;

/** The columns of a record's transition table, besides the carried ones. */
const columnsOf = (milestones: readonly { id: string }[]): Columns => ({
  id: 'uuid', record_id: 'uuid', version: 'integer', last_version: 'integer', from_state: 'text', to_state: 'text',
  on_day: 'date', days: 'integer', workdays: 'integer',
  ...Object.fromEntries(
    milestones.flatMap(({ id }) => [[`days_to_${id}`, 'integer'], [`workdays_to_${id}`, 'integer']]),
  ),
}); // biome-ignore format: a table

/** How long a transition took, in the stored form. */
export function timesStored(
  flow: NonNullable<MovedRecord['workflow']>['flow'],
  ...given: Parameters<typeof timesOf> extends [unknown, ...infer Rest] ? Rest : never
): Record<string, number | null> {
  const { former, milestones } = timesOf(flow, ...given);
  return {
    days: former?.days ?? null,
    workdays: former?.workdays ?? null,
    ...Object.fromEntries(
      (flow.milestones ?? []).flatMap(({ id }, index) => [
        [`days_to_${id}`, milestones[index]?.days ?? null],
        [`workdays_to_${id}`, milestones[index]?.workdays ?? null],
      ]),
    ),
  };
}

/** The table with the transitions of a record that has a workflow. */
export const transitionTable = ({ table }: Pick<AnyRecord, 'table'>): string => `${table}_transition`;

/**
 * Stores the transitions of records with their durations. Who did it, when and why is in the history under the same
 * version. An undone transition does not count unless the undo is undone too. Uses a fixed number of statements.
 */
export async function keepTransitions(
  tx: Tx,
  { record, tenantId }: { record: MovedRecord; tenantId: string },
  moves: readonly Move[],
  { calendar, today }: { calendar: Calendar; today: string },
): Promise<void> {
  const table = transitionTable(record);
  const { flow } = record.workflow!;
  const back = moves.filter(({ undoes }) => undoes !== undefined);
  if (back.length > 0)
    await tx.run(
      `update ${table} t set counts = not t.counts, last_version = v.version
       from ${few('unnest($2::uuid[], $3::integer[], $4::integer[]) as given (id, undoes, version)')} as v
       where t.tenant_id = $1 and t.record_id = v.id and t.last_version = v.undoes`,
      [
        tenantId,
        back.map(({ id }) => id),
        back.map(({ undoes }) => undoes),
        back.map(({ version }) => version),
      ],
    );
  const done = moves.filter(({ undoes }) => undoes === undefined);
  if (done.length === 0) return;
  const ids = done.map(({ id }) => id);
  const made = await tx.rows<{ id: string; on: string }>(
    `select id, created_on as "on" from ${record.table} where tenant_id = $1 and id = any ($2::uuid[])`,
    [tenantId, ids],
  );
  const kept = await tx.rows<Moved & { id: string }>(
    `select record_id as id, to_state as "to", on_day as "on" from ${table}
     where tenant_id = $1 and record_id = any ($2::uuid[]) and counts
     order by version, on_day, id`,
    [tenantId, ids],
  );
  const madeOn = new Map(made.map(({ id, on }) => [id, on]));
  const earlier = Map.groupBy(kept, ({ id }) => id);
  await insertRows(
    tx,
    tenantId,
    table,
    columnsOf(flow.milestones ?? []),
    done.map(({ id, version, from, to }) => ({
      id: v7(),
      record_id: id,
      version,
      last_version: version,
      from_state: from,
      to_state: to,
      on_day: today,
      ...timesStored(
        flow,
        { made: madeOn.get(id)!, earlier: earlier.get(id) ?? [] },
        { from, to, on: today },
        calendar,
      ),
    })),
    { carriedOf: record.table as Deciding },
  );
}
