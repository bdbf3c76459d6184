import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { csvHeader } from '@caseway/contract/csv';
import type { Tx } from '../db/database.ts';
import type { Statement } from './grid-sql.ts';

/** Rows read at a time: enough to be fast, few enough to use little memory. */
const batchSize = 1000;

/** The rows of a statement in order, in batches, from one state of the database. */
export async function* inBatches<Row extends object>(
  tx: Tx,
  { select, params }: Statement,
): AsyncGenerator<Row[]> {
  await tx.run(`declare matching no scroll cursor for ${select}`, params);
  for (;;) {
    const rows = await tx.rows<Row>(`fetch ${batchSize} from matching`);
    if (rows.length === 0) break;
    yield rows;
  }
  await tx.run('close matching');
}

/**
 * A CSV file that is sent while it is written, so its size does not matter. `write` gets a function that sends lines
 * and waits for the reader. A file that fails is cut off in the middle, so that nobody takes it for complete.
 */
export function csvFile(
  titles: readonly string[],
  signal: AbortSignal,
  write: (send: (lines: readonly string[]) => Promise<void>) => Promise<void>,
): Readable {
  const out = new PassThrough();
  out.write(csvHeader(titles));
  write(async (lines) => {
    if (!out.write(lines.join(''))) await once(out, 'drain', { signal });
  }).then(
    () => out.end(),
    (error) => out.destroy(error as Error),
  );
  return out;
}
