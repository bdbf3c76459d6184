import {
  type CodeMapping,
  type ImportDetail,
  type ImportEffect,
  type ImportMessage,
  type ImportRow,
  importEffects,
  listPageSize,
  type MappingState,
  type MessageFault,
  type MessageState,
} from '@caseway/contract/imports';
import type { ScopeOptions, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { fold } from '../../platform/text/fold.ts';
import { labelOfTarget, type MappedCode, mappedBefore, proposalFor } from '../results/code-proposals.ts';
import { untold } from '../results/families-in-text.ts';
import { effectFor } from './batch/tallies.ts';
import { tableFromJson } from './formats/file-reader.ts';
import { isWholeFor, readImportRows } from './import-grid.ts';
import { importList } from './import-list.ts';
import type { PreviewCode, PreviewMessage, StoredPreview } from './running/dry-run.ts';

/*
 * The queries behind the screens of imports. Each runs in the reader's own scope, so that row-level security decides
 * which messages are counted and shown.
 */

/** Opens a transaction for the reader. */
type Opening = (work: (tx: Tx) => Promise<ImportDetail>, options: ScopeOptions) => Promise<ImportDetail>;

/**
 * One import at one moment, even if a batch is stored in between: inconsistent counts would report existing messages
 * as hidden. Throws `not-found` if the reader does not see it.
 */
export const readDetailAtOnce = (open: Opening, id: string): Promise<ImportDetail> =>
  open((tx) => readDetail(tx, id), { snapshot: true });

/** One import as in the list; throws `not-found` if the reader does not see it. */
export async function readImportRow(tx: Tx, id: string): Promise<ImportRow> {
  const [row] = await readImportRows(tx, [id]);
  if (!row) throw new AppError('not-found');
  return row;
}

/** One import; throws `not-found` if the reader does not see it. */
export async function readDetail(tx: Tx, id: string): Promise<ImportDetail> {
  const row = await readImportRow(tx, id);
  const [more] = await tx.rows<{
    started_at: Date | null;
    error: ImportDetail['error'];
    notes: MessageFault[];
    options: { table?: unknown };
    preview: StoredPreview | PreviewMessage[] | null;
    corrected: number;
    repeats: { id: string; createdAt: string } | null;
    hidden: string[];
    orgType: string;
    mine: boolean;
    read: number;
  }>(
    `select i.started_at, i.error, i.notes, i.options, i.preview,
       (select count(*) from import_message m where m.tenant_id = $1 and m.import_id = i.id
         and m.corrected_by is not null) as corrected,
       (select jsonb_build_object('id', o.id, 'createdAt', to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        from ${importList('$1')} o where o.sha256 = i.sha256 and o.id <> i.id and not o.dry_run
          and o.created_at <= i.created_at order by o.created_at desc limit 1) as repeats,
       app_hidden_families() as hidden,
       coalesce(current_setting('app.org_type', true), '') as "orgType", coalesce(i.created_by = app_account(), false) as mine,
       i.next_index as read
     from import i where i.tenant_id = $1 and i.id = $2`,
    [tx.tenantId, id],
  );
  const tallies = await tx.rows<{ kind: string; key: string; n: number }>(
    `select kind, key, sum(n)::integer as n from import_tally
     where tenant_id = $1 and import_id = $2 and kind <> 'state'
     group by kind, key having sum(n) > 0 order by sum(n) desc, key`,
    [tx.tenantId, id],
  );
  const { started_at, error, notes, options, preview, corrected, repeats, hidden, orgType, mine, read } =
    more!;
  const effects = new Map<string, number>();
  for (const { kind, key, n } of tallies) {
    if (kind !== 'effect') continue;
    const effect = effectFor(key, { orgType, hiddenFamilies: hidden });
    if (effect) effects.set(effect, (effects.get(effect) ?? 0) + n);
  }
  const table = tableFromJson(options.table);
  const isWhole = mine || hidden.length === 0;
  const isShown = ({ families }: { families: string[] }) =>
    !families.some((family) => hidden.includes(family)) && (!families.includes(untold) || isWhole);
  // Earlier versions stored only the messages.
  const tried = Array.isArray(preview) ? { messages: preview, codes: [] } : preview;
  return {
    ...row,
    startedAt: started_at?.toISOString() ?? null,
    error,
    reasons: tallies.flatMap(({ kind, key, n }) => {
      const [state, reason] = key.split(':') as [MessageState, string];
      return kind === 'reason' ? [{ state, reason, n }] : [];
    }),
    effects: Object.fromEntries(
      importEffects.flatMap((effect) => (effects.has(effect) ? [[effect, effects.get(effect)!]] : [])),
    ) as Partial<Record<ImportEffect, number>>,
    // Notes name lines, and what the sender says is in the file.
    notes: isWhole ? notes : [],
    corrected,
    repeats,
    // The sender of a file knows how much is in it; for everyone else nothing reveals what they may not see. [P18]
    withheld: mine && hidden.length > 0 ? Math.max(0, read - row.messages) : 0,
    mappingNeeded: row.state === 'needs-mapping' && table !== undefined,
    codes: mostFrequent(tried?.codes.filter(isShown) ?? []),
    preview:
      tried?.messages
        .filter(isShown)
        .map(({ families: _, ...message }) => (isWhole ? message : withoutPlace(message))) ?? null,
  };
}

/** The codes of the most messages. */
function mostFrequent(found: readonly PreviewCode[]): ImportDetail['codes'] {
  const codes = [
    ...Map.groupBy(found, ({ kind, sender, system, code }) =>
      JSON.stringify([kind, sender, system, code]),
    ).values(),
  ].map((of) => {
    const { kind, sender, system, code, text } = of[0]!;
    return { kind, sender, system, code, text, n: of.reduce((sum, { n }) => sum + n, 0) };
  });
  codes.sort((a, b) => b.n - a.n || (a.code < b.code ? -1 : 1));
  return { rows: codes.slice(0, namedCodes), more: Math.max(0, codes.length - namedCodes) };
}
const namedCodes = 10;

/** Without its place in the file. */
const withoutPlace = <M extends { faults: MessageFault[] }>(message: M): M & { index: null; line: null } => ({
  ...message,
  index: null,
  line: null,
  faults: message.faults.map(({ line: _, ...fault }) => fault),
});

interface ListedMessage extends Omit<ImportMessage, 'waitingFor'> {
  waitingFor: ImportMessage['waitingFor'] | null;
  isWhole: boolean;
}

const messageColumns = `m.id, m.index, m.line, m.revision, m.state, m.reason, m.message_type as "messageType",
  m.control_id as "controlId", m.sender, m.faults, m.patient_id as "patientId", m.duplicate_of as "duplicateOf",
  m.corrected_by as "correctedBy",
  (select ${isWholeFor('i')} from import i where i.tenant_id = $1 and i.id = m.import_id) as "isWhole",
  (select o.id from import_message o where o.tenant_id = $1 and o.import_id = m.import_id
    and o.index = m.index and o.revision = m.revision - 1) as corrects,
  (select jsonb_agg(jsonb_build_object('id', c.id, 'kind', c.kind, 'system', c.system,
      'code', c.code, 'text', c.text) order by c.kind, c.code)
   from code_mapping c where c.tenant_id = $1 and c.id = any (m.waiting_for)) as "waitingFor"`;

const shown = ({ isWhole, waitingFor, ...message }: ListedMessage): ImportMessage => ({
  ...(isWhole ? message : withoutPlace(message)),
  waitingFor: waitingFor ?? [],
});

/** A page of an import's messages in the order of the file. A corrected message appears only as its replacement. */
export async function listMessages(
  tx: Tx,
  importId: string,
  { state, reason, page }: { state?: MessageState; reason?: string; page: number },
): Promise<{ rows: ImportMessage[]; rowCount: number }> {
  const where = `m.tenant_id = $1 and m.import_id = $2 and m.corrected_by is null
    and ($3::text is null or m.state = $3) and ($4::text is null or m.reason = $4)`;
  const params = [tx.tenantId, importId, state ?? null, reason ?? null];
  const rows = await tx.rows<ListedMessage>(
    `select ${messageColumns} from import_message m where ${where}
     order by m.index, m.revision limit ${listPageSize} offset $5`,
    [...params, page * listPageSize],
  );
  const [counted] = await tx.rows<{ n: number }>(
    `select count(*) as n from import_message m where ${where}`,
    params,
  );
  return { rows: rows.map(shown), rowCount: counted!.n };
}

export interface MessageRow {
  message: ImportMessage;
  /** The received bytes; for a duplicate, those of the first one. */
  raw: Buffer | null;
  /** When the retention rule deleted it. */
  deletedAt: Date | null;
  charset: string;
  tableOptions: { table?: unknown };
}

/** One message; throws `not-found` if the reader does not see it. */
export async function readMessageRow(tx: Tx, importId: string, messageId: string): Promise<MessageRow> {
  const [row] = await tx.rows<
    ListedMessage & {
      raw: Buffer | null;
      deleted_at: Date | null;
      charset: string;
      options: { table?: unknown };
    }
  >(
    `select ${messageColumns}, coalesce(m.raw, d.raw) as raw,
       case when coalesce(m.raw, d.raw) is null then coalesce(d.raw_deleted_at, m.raw_deleted_at) end as deleted_at, coalesce(d.charset, m.charset) as charset, i.options
     from import_message m join import i on i.tenant_id = m.tenant_id and i.id = m.import_id
     left join import_message d on d.tenant_id = m.tenant_id and d.id = m.duplicate_of
     where m.tenant_id = $1 and m.import_id = $2 and m.id = $3`,
    [tx.tenantId, importId, messageId],
  );
  if (!row) throw new AppError('not-found');
  const { raw, deleted_at: deletedAt, charset, options, ...message } = row;
  return { message: shown(message), raw, deletedAt, charset, tableOptions: options };
}

interface ListedMapping extends Omit<CodeMapping, 'targetLabel' | 'targetLabelI18N' | 'proposal'> {
  /** What the same words were mapped to for another sender. */
  elsewhere: string | null;
}

/** Codes with the messages waiting for them that the reader sees; the tenant is `$1`. */
const mappings = `code_mapping c cross join lateral (
  select count(*) as waiting from import_message m where m.tenant_id = $1 and m.state = 'waiting'
    and m.waiting_for @> array[c.id]) w`;
/** The count of a code includes everyone's messages, so only readers who see all of them get it. [P1, P24] */
const timesSeen = `case when (select app_whole_tenant()) and (select app_hidden_families()) = '{}'
  then c.occurrences end`;
const mappingColumns = `case when c.state = 'open' then (select o.target from code_mapping o
    where o.tenant_id = $1 and o.kind = c.kind and o.state = 'mapped' and o.sender <> c.sender and c.text <> ''
      and lower(o.text) = lower(c.text) order by o.decided_at desc, o.id limit 1) end as elsewhere,
  c.id, c.kind, c.sender, c.system, c.code, c.text, c.state, c.target, ${timesSeen} as occurrences, w.waiting`;

const shownMapping = (
  { elsewhere, ...mapping }: ListedMapping,
  mapped: readonly MappedCode[],
): CodeMapping => ({
  ...mapping,
  proposal:
    mapping.state === 'open'
      ? proposalFor(mapping, { before: mappedBefore(mapping, mapped), elsewhere })
      : null,
  ...(mapping.target ? labelOfTarget(mapping.kind, mapping.target) : { targetLabel: null }),
});

/** Earlier mappings for the senders of open codes, newest first. */
async function readMapped(tx: Tx, mappings: readonly ListedMapping[]): Promise<MappedCode[]> {
  const senders = [...new Set(mappings.flatMap(({ state, sender }) => (state === 'open' ? [sender] : [])))];
  if (senders.length === 0) return [];
  return tx.rows<MappedCode>(
    `select c.kind, c.sender, c.code, c.text, c.target,
       nullif(concat_ws(' ', a.first_name, a.last_name), '') as "mappedBy"
     from code_mapping c left join account a on a.id = c.decided_by
     where c.tenant_id = $1 and c.state = 'mapped' and c.sender = any ($2) order by c.decided_at desc, c.id`,
    [tx.tenantId, senders],
  );
}

/** Codes that contain every word in a visible text; the words are `$3`, folded. */
const withWords = `not exists (select from unnest($3::text[]) as word
  where strpos(app_fold(concat_ws(' ', c.code, c.text, c.sender)), word) = 0)`;
const ofSender = '($4::text is null or c.sender = $4)';

/** A page of the codes in one state, by sender; first those with the most waiting messages. */
export async function listMappings(
  tx: Tx,
  { state, words, sender, page }: { state: MappingState; words: string; sender?: string; page: number },
): Promise<{
  rows: CodeMapping[];
  rowCount: number;
  senders: { sender: string; codes: number; waiting: number }[];
}> {
  const asked = fold(words).split(/\s+/).filter(Boolean);
  const rows = await tx.rows<ListedMapping>(
    `select ${mappingColumns} from ${mappings} where c.tenant_id = $1 and c.state = $2 and ${withWords} and ${ofSender}
     order by sum(w.waiting) over (partition by c.sender) desc, c.sender, w.waiting desc, occurrences desc, c.id
     limit ${listPageSize} offset $5`,
    [tx.tenantId, state, asked, sender ?? null, page * listPageSize],
  );
  const [counted] = await tx.rows<{ n: number }>(
    `select count(*) as n from code_mapping c where c.tenant_id = $1 and c.state = $2 and ${withWords} and ${ofSender}`,
    [tx.tenantId, state, asked, sender ?? null],
  );
  const senders = await tx.rows<{ sender: string; codes: number; waiting: number }>(
    `select c.sender, count(*) as codes, sum(w.waiting)::int as waiting from ${mappings}
     where c.tenant_id = $1 and c.state = $2 group by c.sender order by waiting desc, c.sender limit ${mostSenders}`,
    [tx.tenantId, state],
  );
  const mapped = await readMapped(tx, rows);
  return { rows: rows.map((row) => shownMapping(row, mapped)), rowCount: counted!.n, senders };
}
/** Nobody chooses from a longer list. Senders with the fewest waiting messages are found by words. */
const mostSenders = 200;

/** The number of codes in a state. */
export async function countMappings(tx: Tx, state: MappingState): Promise<number> {
  const [counted] = await tx.rows<{ n: number }>(
    'select count(*) as n from code_mapping where tenant_id = $1 and state = $2',
    [tx.tenantId, state],
  );
  return counted!.n;
}

/** One code; throws `not-found` if the reader does not see it. */
export async function readMapping(tx: Tx, id: string): Promise<CodeMapping> {
  const [row] = await tx.rows<ListedMapping>(
    `select ${mappingColumns} from ${mappings} where c.tenant_id = $1 and c.id = $2`,
    [tx.tenantId, id],
  );
  if (!row) throw new AppError('not-found');
  return shownMapping(row, await readMapped(tx, [row]));
}

/** The kind of each code; throws `not-found` if the reader does not see one of them. */
export async function kindsOfMappings(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CodeMapping['kind']>> {
  const rows = await tx.rows<Pick<CodeMapping, 'id' | 'kind'>>(
    'select id, kind from code_mapping where tenant_id = $1 and id = any ($2)',
    [tx.tenantId, ids],
  );
  const kinds = new Map(rows.map(({ id, kind }) => [id, kind]));
  if (ids.some((id) => !kinds.has(id))) throw new AppError('not-found');
  return kinds;
}
