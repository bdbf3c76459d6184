import { csvHeader, csvLine } from '@caseway/contract/csv';
import { faultInWords, type ImportFault, placeOfFault } from '@caseway/contract/import-fault';
import { listPageSize, type MessageState } from '@caseway/contract/imports';
import type { Call } from '../../platform/http/serve.ts';
import type { Scope } from '../../platform/scope.ts';
import { textWithout } from '../results/families-in-text.ts';
import { columnOfReasons } from './formats/csv-read.ts';
import { tableFromJson, textOf } from './formats/file-reader.ts';
import { listMessages } from './queries.ts';

/* Files of the messages in one state, for people who put them right outside of the product. */

type Words = (key: string) => string | undefined;
/** The words of a namespace in the reader's language. */
type WordsIn = (namespace: string) => Words;

const downloadedAtOnce = 200;
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Why a message waits or was refused: each fault after the field that it is about. */
function whyOf(faults: readonly ImportFault[], reason: string | null, words: Words): string {
  const text = (key: string, params: Record<string, string> = {}) =>
    words(key)?.replace(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? '');
  const told = faults.filter(({ severity, code }) => severity !== 'warning' || code === reason);
  if (told.length === 0 && reason !== null)
    return text(`reason.${reason}`) ?? text(`importFault.${reason}`) ?? reason;
  return told
    .map((fault) => {
      const place = placeOfFault(fault);
      // The words of such a fault say that they are about the row.
      return `${place === undefined || place === 'row' ? '' : `${place}: `}${faultInWords(fault, text)}`;
    })
    .join(' ');
}

/**
 * The messages in one state as they were received, page by page, each with its row in the audit log; without
 * messages whose text the reader may not see in full. A table begins with a column of reasons.
 */
export async function* messagesFile(
  call: Call,
  importId: string,
  state: MessageState,
  isTable: boolean,
  wordsIn: WordsIn,
): AsyncGenerator<Buffer | string> {
  const words = wordsIn('imports');
  let after = [-1, -1];
  let isFirst = true;
  for (;;) {
    const { rows, table, last } = await call.withScope(async (tx) => {
      const found = await tx.rows<{
        id: string;
        index: number;
        revision: number;
        raw: Buffer;
        charset: string;
        faults: ImportFault[];
        reason: string | null;
      }>(
        `select id, index, revision, raw, charset, faults, reason from import_message
         where tenant_id = $1 and import_id = $2 and state = $3 and corrected_by is null and raw is not null
           and (index, revision) > ($4, $5) order by index, revision limit ${downloadedAtOnce}`,
        [tx.tenantId, importId, state, ...after],
      );
      const [about] = await tx.rows<{ options: { table?: unknown } }>(
        'select options from import where tenant_id = $1 and id = $2',
        [tx.tenantId, importId],
      );
      const table = isTable ? tableFromJson(about?.options.table) : undefined;
      const { hiddenFamilies } = call.scope as Extract<Scope, { kind: 'org' }>;
      const shown = found.filter(({ raw, charset }) => {
        const text = textOf(raw, charset);
        return textWithout(hiddenFamilies, text, table?.dialect.delimiter) === text;
      });
      call.audit({
        recordKind: 'import-message',
        recordIds: shown.map(({ id }) => id),
        detail: { text: true },
      });
      return { rows: shown, table, last: found.length < downloadedAtOnce ? undefined : found.at(-1) };
    });
    if (isFirst && table) {
      const heading = `${columnOfReasons} ${words('reasonsFile.why') ?? ''}`;
      yield `\ufeff${[heading, ...table.header].map(quoted).join(table.dialect.delimiter)}\r\n`;
    }
    isFirst = false;
    call.gaveOut((call.scope as Extract<Scope, { kind: 'org' }>).tenantId, rows.length);
    for (const { raw, charset, faults, reason } of rows) {
      // A table is put together from its rows, so it has one encoding; a message is sent byte by byte.
      if (table)
        yield `${quoted(whyOf(faults, reason, words))}${table.dialect.delimiter}${textOf(raw, charset)}\r\n`;
      else {
        yield isTable ? textOf(raw, charset) : raw;
        yield '\r\n';
      }
    }
    if (!last) return;
    after = [last.index, last.revision];
  }
}

/** What is wrong with each message in one state, as a table; the texts of the messages are not in it. */
export async function* reasonsFile(
  call: Call,
  importId: string,
  state: MessageState,
  wordsIn: WordsIn,
): AsyncGenerator<string> {
  const words = wordsIn('imports');
  yield csvHeader(
    ['index', 'line', 'controlId', 'reason'].map((column) => words(`reasonsFile.${column}`) ?? column),
  );
  for (let page = 0; ; page += 1) {
    const { rows } = await call.withScope(async (tx) => {
      const listed = await listMessages(tx, importId, { state, page });
      call.audit({ recordKind: 'import-message', recordIds: listed.rows.map(({ id }) => id) });
      return listed;
    });
    call.gaveOut((call.scope as Extract<Scope, { kind: 'org' }>).tenantId, rows.length);
    for (const { index, line, controlId, faults, reason } of rows)
      yield csvLine([
        index === null ? null : index + 1,
        line,
        controlId,
        whyOf(faults as ImportFault[], reason, words),
      ]);
    if (rows.length < listPageSize) return;
  }
}
