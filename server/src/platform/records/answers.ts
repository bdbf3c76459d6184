import type { Fault } from '@caseway/contract/error';
import {
  type AnswerFault,
  type Answers,
  answeredItems,
  type Form,
  faultsOf,
  keysOf,
  pruned,
  type RecordFacts,
  referencesIn,
  withoutFamilies,
  withoutRecords,
} from '@caseway/contract/form';
import type { AnswerHistoryEntry } from '@caseway/contract/form-sent';
import { historyPage } from '@caseway/contract/record-history';
import { z } from 'zod';
import { type Deciding, insertCarried } from '../carried/carried.ts';
import type { Tx } from '../db/database.ts';
import { AppError, faultAt, refuse } from '../http/app-error.ts';
import { type Changes, changesOf, same } from './record-history.ts';

/*
 * Answers to a form that belong to a record of some kind. They are stored with the form's version, changed field by
 * field under the record's version, found by the keys of reportable questions, and kept in a history with its own
 * readers.
 */

/** The tables with the answers about one kind of record. Each row carries who sees it. */
export interface AnswerTables {
  answers: string;
  keys: string;
  history: string;
  /** The column with the id of the record. */
  by: string;
  of: Deciding;
}

export interface StoredAnswers {
  answers: Answers;
  completed: { at: string; by: { id: string; name: string } | null } | null;
}

export interface Answering {
  tenantId: string;
  accountId: string;
  hiddenFamilies: readonly string[];
  /** Which of these records the writer sees, by name. */
  named(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

const none: StoredAnswers = { answers: {}, completed: null };

/** The answers about a record; empty if there are none yet. */
export async function readAnswers(tx: Tx, { answers, by }: AnswerTables, id: string): Promise<StoredAnswers> {
  const [row] = await tx.rows<{
    answers: Answers;
    completedAt: Date | null;
    byId: string | null;
    byName: string | null;
  }>(
    `select f.answers, f.completed_at as "completedAt", f.completed_by as "byId",
       nullif(concat_ws(' ', a.first_name, a.last_name), '') as "byName"
     from ${answers} f left join account a on a.id = f.completed_by where f.tenant_id = $1 and f.${by} = $2`,
    [tx.tenantId, id],
  );
  if (!row) return none;
  const { completedAt, byId, byName } = row;
  return {
    answers: row.answers,
    completed: completedAt && {
      at: completedAt.toISOString(),
      by: byId === null ? null : { id: byId, name: byName ?? '' },
    },
  };
}

/** The answers that a reader sees: none to questions about families hidden from them. [P18] */
export function shownAnswers(form: Form, answers: Answers, hiddenFamilies: readonly string[]): Answers {
  const seen = new Set(answeredItems(withoutFamilies(form, hiddenFamilies)).map(({ linkId }) => linkId));
  return Object.fromEntries(Object.entries(answers).filter(([linkId]) => seen.has(linkId)));
}

/** A save of answers: the changed ones, with null for none. */
interface Sent {
  /** The version of the record that its author saw. */
  version: number;
  answers: Answers;
  /** Whether it is complete from now on; absent: unchanged. */
  complete?: boolean | undefined;
}

const asFault = ({ path, code, values }: AnswerFault): Fault => ({
  ...faultAt(path === '' ? 'answers' : `answers.${path}`, code, messages[code]),
  ...values,
});
/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<AnswerFault['code'], string>> = {
  'unknown-question': 'the form has no such question',
  'not-asked': 'the question is not asked with these answers',
  required: 'a complete form has an answer to it',
  invalid: 'it is not of the kind of the question',
  'unknown-choice': 'it is not one of the answers',
  'unknown-record': 'there is no such record',
  date: 'it is not a day',
  'out-of-range': 'it is too small or too large',
  'too-many': 'there are too many',
};

/**
 * Everything that is wrong with a save. A stored answer to a question that is no longer asked is pruned; if it is
 * sent, it is a fault.
 */
export function faultsOfSave(
  form: Form,
  stored: Answers,
  sent: Answers,
  facts: RecordFacts,
  { complete, hiddenFamilies }: { complete: boolean; hiddenFamilies: readonly string[] },
): AnswerFault[] {
  const seen = withoutFamilies(form, hiddenFamilies);
  const known = new Set(answeredItems(seen).map(({ linkId }) => linkId));
  const given = Object.fromEntries(Object.entries(sent).filter(([, answer]) => answer !== null));
  const retired = answeredItems(form).flatMap(({ linkId, retired }) => (retired ? [linkId] : []));
  const kept = pruned(form, { ...stored, ...sent }, facts);
  return [
    ...Object.keys(sent)
      .filter((path) => !known.has(path))
      .map((path): AnswerFault => ({ path, code: 'unknown-question' })),
    ...Object.keys(sent)
      .filter((path) => retired.includes(path) && !same(sent[path], stored[path]))
      .map((path): AnswerFault => ({ path, code: 'not-asked' })),
    ...faultsOf(form, { ...kept, ...given }, facts, { complete }).filter(
      ({ path, code }) => code !== 'unknown-question' && (path === '' || known.has(path.split('.')[0]!)),
    ),
  ];
}

/** New answers may refer only to records that the writer sees; stored ones stay. */
async function unknownRecords(
  tx: Tx,
  form: Form,
  stored: Answers,
  sent: Answers,
  named: Answering['named'],
): Promise<AnswerFault[]> {
  const isId = (id: string) => z.uuid().safeParse(id).success;
  const before = new Set(referencesIn(form, stored).map(({ id }) => id));
  const asked = referencesIn(form, sent).filter(({ id }) => isId(id) && !before.has(id));
  if (asked.length === 0) return [];
  const seen = await named(
    tx,
    asked.map(({ id }) => id),
  );
  return asked.filter(({ id }) => !seen.has(id)).map(({ path }) => ({ path, code: 'unknown-record' }));
}

/** The answers that others have changed since a version; undefined if that is not known. */
async function changedSince(
  tx: Tx,
  { history, by }: AnswerTables,
  id: string,
  version: number,
): Promise<Set<string>> {
  const rows = await tx.rows<{ changes: Changes }>(
    `select changes from ${history} where tenant_id = $1 and ${by} = $2 and version > $3`,
    [tx.tenantId, id, version],
  );
  return new Set(rows.flatMap(({ changes }) => Object.keys(changes)));
}

/**
 * Saves the answers, in the transaction that has locked the record and now raises its version to `version`. Throws
 * `conflict` if someone else has changed one of the same answers since; its faults name them. Returns false if
 * nothing changes.
 */
export async function saveAnswers(
  tx: Tx,
  tables: AnswerTables,
  { tenantId, accountId, hiddenFamilies, named }: Answering,
  { id, version, facts }: { id: string; version: number; facts: RecordFacts },
  { form, extension }: { form: Form; extension: number | null },
  sent: Sent,
): Promise<boolean> {
  const stored = await readAnswers(tx, tables, id);
  const since = await changedSince(tx, tables, id, sent.version);
  const both = Object.keys(sent.answers).filter(
    (linkId) => since.has(linkId) && !same(sent.answers[linkId], stored.answers[linkId]),
  );
  if (both.length > 0)
    throw new AppError('conflict', {
      faults: both.map((linkId) => faultAt(linkId, 'changed-since', 'someone else has changed it since')),
    });
  const complete = sent.complete ?? stored.completed !== null;
  refuse(
    [
      ...faultsOfSave(form, stored.answers, sent.answers, facts, { complete, hiddenFamilies }),
      ...(await unknownRecords(tx, form, stored.answers, sent.answers, named)),
    ].map(asFault),
  );
  const next = pruned(form, { ...stored.answers, ...sent.answers }, facts);
  const ids = new Set([...Object.keys(stored.answers), ...Object.keys(next)]);
  const all = (answers: Answers) =>
    Object.fromEntries([...ids].map((linkId) => [linkId, answers[linkId] ?? null]));
  const changes = changesOf(all(stored.answers), all(next));
  const completes = complete !== (stored.completed !== null);
  if (Object.keys(changes).length === 0 && !completes) return false;

  const key = [tenantId, id];
  const carried = (table: string, columns: Readonly<Record<string, unknown>>) =>
    insertCarried(tx, table, tables.of, tenantId, id, columns);
  const now = { at: new Date().toISOString(), by: { id: accountId } };
  const completed = complete ? (stored.completed ?? now) : null;
  const row = {
    form: form.id,
    form_version: form.version,
    extension_version: extension,
    answers: JSON.stringify(next),
    completed_at: completed?.at ?? null,
    completed_by: completed?.by?.id ?? null,
  };
  const updated = await tx.run(
    `update ${tables.answers} set form = $3, form_version = $4, extension_version = $5, answers = $6,
       completed_at = $7, completed_by = $8
     where tenant_id = $1 and ${tables.by} = $2`,
    [...key, ...Object.values(row)],
  );
  if (updated === 0) await carried(tables.answers, row);
  await writeKeys(tx, tables, key, keysOf(form, stored.answers), keysOf(form, next), carried);
  await carried(tables.history, {
    version,
    account_id: accountId,
    form_version: form.version,
    extension_version: extension,
    changes: JSON.stringify(changes),
    completes: completes ? complete : null,
  });
  return true;
}

/** Updates the keys of a record to its current answers. */
async function writeKeys(
  tx: Tx,
  { keys, by }: AnswerTables,
  key: readonly string[],
  before: [string, string][],
  after: [string, string][],
  carried: (table: string, columns: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<void> {
  const has = (list: [string, string][], [linkId, value]: [string, string]) =>
    list.some((one) => one[0] === linkId && one[1] === value);
  for (const one of before.filter((one) => !has(after, one)))
    await tx.run(`delete from ${keys} where tenant_id = $1 and ${by} = $2 and link_id = $3 and value = $4`, [
      ...key,
      ...one,
    ]);
  for (const one of after.filter((one) => !has(before, one)))
    await carried(keys, { link_id: one[0], value: one[1] });
}

/** The newest changes of the answers about a record, or those before a version, without what the reader may not see. */
export async function readAnswerHistory(
  tx: Tx,
  { history, by }: AnswerTables,
  id: string,
  form: Form,
  {
    before,
    hiddenFamilies,
    named,
  }: { before?: number | undefined } & Pick<Answering, 'hiddenFamilies' | 'named'>,
): Promise<{ entries: AnswerHistoryEntry[]; more: boolean; records: Record<string, string> }> {
  const rows = await tx.rows<{
    version: number;
    at: Date;
    byId: string | null;
    byName: string | null;
    changes: Changes;
    completes: boolean | null;
  }>(
    `select h.version, h.at, h.account_id as "byId", nullif(concat_ws(' ', a.first_name, a.last_name), '') as "byName",
       h.changes, h.completes
     from ${history} h left join account a on a.id = h.account_id
     where h.tenant_id = $1 and h.${by} = $2 and ($3::int is null or h.version < $3)
     order by h.version desc limit ${historyPage + 1}`,
    [tx.tenantId, id, before ?? null],
  );
  const side = (changes: Changes, of: 'from' | 'to') =>
    Object.fromEntries(
      Object.entries(changes).map(([linkId, change]) => [linkId, change[of] ?? null]),
    ) as Answers;
  const referred = rows.flatMap(({ changes }) =>
    (['from', 'to'] as const).flatMap((of) => referencesIn(form, side(changes, of)).map(({ id }) => id)),
  );
  const names = referred.length > 0 ? await named(tx, [...new Set(referred)]) : new Map<string, string>();
  const entries = rows
    .slice(0, historyPage)
    .flatMap(({ version, at, byId, byName, changes: all, completes }) => {
      // References to records that the reader may not see are left out.
      const told = (of: 'from' | 'to') => withoutRecords(form, side(all, of), (id) => names.has(id));
      const [from, to] = [told('from'), told('to')];
      const changes = Object.fromEntries(
        Object.keys(all).flatMap((linkId) =>
          linkId in from || linkId in to
            ? [[linkId, { from: from[linkId] ?? null, to: to[linkId] ?? null }]]
            : [],
        ),
      ) as Changes;
      const seen = shownAnswers(form, changes as unknown as Answers, hiddenFamilies) as unknown as Changes;
      if (Object.keys(seen).length === 0 && completes === null) return [];
      return [
        {
          version,
          at: at.toISOString(),
          by: byId === null ? null : { id: byId, name: byName ?? '' },
          changes: seen,
          completes,
        } as AnswerHistoryEntry,
      ];
    });
  return { entries, more: rows.length > historyPage, records: Object.fromEntries(names) };
}
