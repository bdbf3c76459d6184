import { importFault } from '@caseway/contract/import-fault';
import type { ImportFault } from '../../reported/report.ts';
import type { CsvDialect, OpenSource } from './csv-read.ts';
import { normalizedHeader, readCsv } from './csv-read.ts';
import { defaultMessageLimit, splitHl7 } from './hl7-split.ts';

/** Exports of message queues (such as PHINMS): a table with HL7 in one cell of each row, plain or in base64. */

export type QueueItem =
  | { kind: 'message'; index: number; line: number; raw: Buffer }
  | { kind: 'refused'; index: number; line: number; raw: Buffer; fault: ImportFault }
  | { kind: 'note'; fault: ImportFault };

const begins = /^\s*(?:MSH|FHS|BHS)[^A-Za-z0-9\s]/;
const inBase64 = /^(?:TVNI|RkhT|QkhT)[A-Za-z0-9+/\r\n]*={0,2}$/;

/** Whether a cell begins as HL7 does, plain or in base64. */
const holdsHl7 = (cell: string): boolean => begins.test(cell) || inBase64.test(cell.trim());

/** Whether a table is a queue of messages, by its header and its first rows. */
export const isHl7Queue = (header: readonly string[], rows: readonly (readonly string[])[]): boolean =>
  header.some((name) => /^payload (text|binary) content$/.test(normalizedHeader(name))) ||
  rows.some((row) => row.some(holdsHl7));

/** The size limit of a row: the largest message in base64, and the queue's other cells. */
const queueRowLimit = 2 * defaultMessageLimit;

/**
 * The messages of a queue export, in the order of its rows; a row without one is refused. `line` is the line of the
 * file that the row begins on. `from` skips the pieces before that index, to continue after a crash.
 */
export async function* splitHl7Queue(
  open: OpenSource,
  dialect: CsvDialect,
  from = 0,
): AsyncGenerator<QueueItem, void, undefined> {
  let index = 0;
  for await (const item of readCsv(open, dialect, queueRowLimit)) {
    if (item.kind === 'note') yield item;
    if (item.kind === 'refused') {
      if (index >= from)
        yield { kind: 'refused', index, line: item.line, raw: Buffer.from(item.raw), fault: item.fault };
      index++;
    }
    if (item.kind !== 'row') continue;
    const { line } = item;
    const cell = item.cells.find(holdsHl7);
    if (cell === undefined) {
      if (index >= from) {
        const fault = importFault('error', 'no-message-in-row', 'row', line);
        yield { kind: 'refused', index, line, raw: Buffer.from(item.raw), fault };
      }
      index++;
      continue;
    }
    const bytes = begins.test(cell) ? Buffer.from(cell) : Buffer.from(cell, 'base64');
    for await (const piece of splitHl7(once(bytes))) {
      if (piece.kind === 'note') {
        yield { kind: 'note', fault: { ...piece.fault, line } };
        continue;
      }
      if (index >= from) {
        if (piece.kind === 'message') yield { kind: 'message', index, line, raw: piece.raw };
        else
          yield {
            kind: 'refused',
            index,
            line,
            raw: piece.raw ?? Buffer.alloc(0),
            fault: { ...piece.fault, line },
          };
      }
      index++;
    }
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
