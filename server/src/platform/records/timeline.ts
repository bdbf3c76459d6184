import type { TimelineRecord } from '@caseway/contract/patient-record';
import { columnFor } from '@caseway/contract/record';
import { readTimeline, type TimelineEntry, timelinePage, timelineRecords } from '@caseway/contract/timeline';
import type { Tx } from '../db/database.ts';
import type { App } from '../http/app.ts';
import { AppError } from '../http/app-error.ts';
import { type Call, serve } from '../http/serve.ts';
import { accessesOf } from '../policy/break-glass.ts';
import { inItsTenant } from './serve-patient-records.ts';

/** What the declaration of a kind in timelines does not say about its row `r`; the default is the row as stored. */
export interface TimelineShown {
  /** The row as the reader sees it, as SQL over `stored`. */
  shown?: string;
  /** The condition for rows that are records at all, as SQL over `r`. */
  only?: string;
  /** A column whose value has names in other languages. */
  named?: { by: string; languages(value: string | null): TimelineEntry['name']['labelI18N'] };
}

interface TimelineSource extends TimelineShown {
  record: TimelineRecord;
}

interface Row extends Omit<TimelineEntry, 'name'> {
  name: string;
  namedBy: string | null;
}

/** The records of one kind, under the policy of their own table; at most as many as a page needs. */
function branch({ record, shown, only, named }: TimelineSource): string {
  const { id, table, name, fields, timeline } = record;
  const column = (field: string) => `r.${columnFor(field, fields[field]!)}`;
  const at = `coalesce(${timeline.at.map(column).join(', ')})`;
  const shows = timeline.shows.map((field) => `'${field}', ${column(field)}`);
  const row = shown ? 'stored' : 'r';
  return `(select '${id}' as record, r.id, ${at} as at, ${column(name)} as name,
      ${named ? `r.${named.by}` : 'null'} as "namedBy", json_build_object(${shows.join(', ')}) as shows
    from ${table} ${row} ${shown ? `cross join lateral ${shown} r` : ''}
    where ${row}.tenant_id = $1 and ${row}.patient_id = $2 and ${only ?? 'true'}
      and ($3::date is null or (${at}, '${id}' collate "C", r.id) < ($3::date, $4::text, $5::uuid))
    order by 3 desc, 2 desc limit $6)`;
}

/** The newest records of a person (`$2`) before the place `$3`, `$4`, `$5`, of all kinds. */
export const timelineSql = (sources: readonly TimelineSource[]): string =>
  `select e.* from (${sources.map(branch).join('\n    union all ')}) e
    order by e.at desc, e.record collate "C" desc, e.id desc limit $6`;

/** The position of a record's entry; null if the reader does not see the record. */
const placeSql = (sources: readonly TimelineSource[]): string =>
  `select e.at, e.record from (${sources.map(branch).join('\n    union all ')}) e where e.id = $7`;

async function readPage(
  tx: Tx,
  sources: readonly TimelineSource[],
  patientId: string,
  before: string | undefined,
) {
  const seen = await tx.rows('select from patient where tenant_id = $1 and id = $2', [
    tx.tenantId,
    patientId,
  ]);
  if (seen.length === 0) throw new AppError('not-found');
  if (sources.length === 0) return { entries: [], more: false };
  let last: [string | null, string | null, string | null] = [null, null, null];
  if (before !== undefined) {
    const params = [tx.tenantId, patientId, ...last, null, before];
    const [place] = await tx.rows<{ at: string; record: string }>(placeSql(sources), params);
    if (!place) throw new AppError('not-found');
    last = [place.at, place.record, before];
  }
  const rows = await tx.rows<Row>(timelineSql(sources), [tx.tenantId, patientId, ...last, timelinePage + 1]);
  const languages = new Map(sources.map(({ record, named }) => [record.id, named?.languages]));
  return {
    entries: rows.slice(0, timelinePage).map(({ name, namedBy, ...entry }) => {
      const labelI18N = languages.get(entry.record)?.(namedBy);
      return { ...entry, name: { label: name, ...(labelI18N && { labelI18N }) } };
    }),
    more: rows.length > timelinePage,
  };
}

/** The emergency access by which the reader has opened a record of this person. */
export async function openedOf(
  { database }: Pick<App, 'database'>,
  call: Call,
  patientId: string,
): Promise<{ id: string } | undefined> {
  const { scope } = call;
  if (!call.may('break-glass/write') || scope.kind !== 'org') return undefined;
  // Not in the request's own transaction, because that reads no record.
  const accesses = await database.withScope(scope, (tx) => accessesOf(tx, scope), { readOnly: true });
  for (const access of accesses) {
    const [opened] = await database.withScope(
      { ...scope, glass: access.id },
      (tx) => tx.rows<{ its: boolean | null }>('select app_glass_patient() = $1 as its', [patientId]),
      { readOnly: true },
    );
    if (opened?.its) return access;
  }
  return undefined;
}

/**
 * Serves the timeline of a person: the kinds of records that the reader may read, and the records they see. `shown`:
 * by the id of the kind.
 */
export function serveTimeline(app: App, shown: Readonly<Record<string, TimelineShown>>): void {
  const sources = timelineRecords.map((record) => ({ record, ...shown[record.id] }));
  serve(app, readTimeline, async (call) => {
    const { id } = call.params;
    const readable = sources.filter(({ record }) => call.may(record.access.read));
    const work = (tx: Tx) => readPage(tx, readable, id, call.query.before);
    const access = await openedOf(app, call, id);
    if (!access) return inItsTenant(call, 'patient', id, work);
    call.audit({ recordKind: 'patient', recordIds: [id], detail: { breakGlass: access.id } });
    return call.withScope(work, { glass: access.id });
  });
}
