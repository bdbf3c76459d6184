import type { Permission } from '@caseway/contract/endpoint';
import { importRunKinds, type Notification } from '@caseway/contract/inbox';
import type { AnyRecord } from '@caseway/contract/record';
import { accessOf, columnFor } from '@caseway/contract/record';
import type { Tx } from '../../platform/db/database.ts';

/** The subject of a notification: a row of a table that the reader sees, with its current name. */
export interface NotifiedSource {
  kind: string;
  permission: Permission;
  table: string;
  /** SQL over its row `r`, by what is shown about it. */
  shows: Readonly<Partial<Record<'name' | 'work' | 'about' | 'state', string>>>;
  joined?: string;
}

/** Assignable records, from their declarations. */
export const sourceOf = ({ kind, access, table, name, fields }: AnyRecord): NotifiedSource => ({
  kind,
  permission: accessOf({ access }).read,
  table,
  shows: { name: `r.${columnFor(name, fields[name]!)}` },
});

const everybody = 'general/other';

/** Subjects that are not records assigned by a flow. */
export const otherSources: readonly NotifiedSource[] = [
  {
    kind: 'work-task',
    permission: 'case-reports/read',
    table: 'work_task',
    joined: `left join case_report of on of.tenant_id = r.tenant_id and of.id = r.record_id`,
    shows: { name: 'of.case_id', work: 'r.work', about: 'r.record_id' },
  },
  ...(['import', ...importRunKinds] as const).map(
    (kind): NotifiedSource => ({
      kind,
      permission: 'imports/read',
      table: 'import',
      shows: {
        name: 'r.file_name',
        // A dry run that was stored afterwards has the state of what is stored.
        state: kind === 'import-dry-run' ? 'case when r.dry_run then r.state end' : 'r.state',
      },
    }),
  ),
  {
    kind: 'bulk-action',
    permission: everybody,
    table: 'bulk_action',
    shows: { work: 'r.record', state: 'r.state' },
  },
  {
    kind: 'exported-file',
    permission: everybody,
    table: 'exported_file',
    shows: { work: 'r.grid', state: 'r.state' },
  },
  { kind: 'break-glass', permission: 'privacy/officer', table: 'break_glass', shows: {} },
];

/**
 * Whether the reader sees the subject of notification `n` of the tenant `$1`. A notification about a hidden record
 * is neither shown nor counted. [P18]
 */
export function seenSql(
  sources: readonly NotifiedSource[],
  may: (permission: Permission) => boolean,
): string {
  const seen = sources
    .filter(({ permission }) => may(permission))
    .map(
      ({
        kind,
        table,
        joined = '',
      }) => `n.record_kind = '${kind}' and exists (select from ${table} r ${joined}
        where r.tenant_id = $1 and r.id = n.record_id)`,
    );
  return seen.length === 0 ? 'false' : `(${seen.join('\n or ')})`;
}

export type Shown = Pick<Notification, 'name' | 'work' | 'about' | 'state'>;

/** What the reader sees of the records of some notifications, by kind and id, with one statement for each kind. */
export async function readShown(
  tx: Tx,
  sources: readonly NotifiedSource[],
  notifications: readonly Pick<Notification, 'recordKind' | 'recordId'>[],
): Promise<(one: Pick<Notification, 'recordKind' | 'recordId'>) => Shown> {
  const shown = new Map<string, Shown>();
  for (const [kind, of] of Map.groupBy(notifications, ({ recordKind }) => recordKind)) {
    const source = sources.find((one) => one.kind === kind);
    if (!source) continue;
    const { name = 'null', work = 'null', about = 'null', state = 'null' } = source.shows;
    const rows = await tx.rows<Shown & { id: string }>(
      `select r.id, ${name} as name, ${work} as work, ${about} as about, ${state} as state
       from ${source.table} r ${source.joined ?? ''} where r.tenant_id = $1 and r.id = any ($2::uuid[])`,
      [tx.tenantId, of.map(({ recordId }) => recordId)],
    );
    for (const { id, ...one } of rows) shown.set(`${kind} ${id}`, one);
  }
  return ({ recordKind, recordId }) =>
    shown.get(`${recordKind} ${recordId}`) ?? { name: null, work: null, about: null, state: null };
}
