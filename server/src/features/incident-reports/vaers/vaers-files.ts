import { PassThrough } from 'node:stream';
import type { Incident } from '@caseway/contract/incident-reports';
import type { Tx } from '../../../platform/db/database.ts';
import type { OwnFile } from '../../../platform/grid/export-rows.ts';
import { ZipFile } from '../../../platform/grid/zip-file.ts';
import type { Received } from './read-vaers.ts';
import type { VaersForm } from './vaers-columns.ts';
import { type Reported, vaersHeaders, vaersLines } from './write-vaers.ts';

/** Adverse events with their received cells, as the reader sees them. */
export type ReadReported = (tx: Tx, ids: readonly string[]) => Promise<(Reported & { id: string })[]>;

export const reportedBy =
  (read: (tx: Tx, ids: readonly string[]) => Promise<Incident[]>): ReadReported =>
  async (tx, ids) => {
    const reports = (await read(tx, ids)).filter(({ kind }) => kind === 'vaccine-adverse-event');
    const cells = new Map(
      (
        await tx.rows<{ id: string; received: Received }>(
          `select id, as_received as received from incident
         where tenant_id = $1 and id = any ($2::uuid[]) and as_received is not null`,
          [tx.tenantId, reports.map(({ id }) => id)],
        )
      ).map(({ id, received }) => [id, received]),
    );
    return reports.map((one) => ({ ...one, cells: cells.get(one.id) ?? null }));
  };

/**
 * The three tables of a VAERS data set in a ZIP file: the data by day of receipt and number, the vaccines and
 * symptoms by number, like the public files. The two smaller tables are kept in memory until the first is sent.
 */
export const vaersFile = (form: VaersForm, read: ReadReported): OwnFile => ({
  sortedBy: [
    { field: 'receivedOn', sort: 'asc' },
    { field: 'vaersId', sort: 'asc' },
  ],
  write(signal, rows) {
    const out = new PassThrough();
    const write = async () => {
      const zip = new ZipFile(out, signal);
      const headers = vaersHeaders(form);
      const others: { id: string; vaccines: string; symptoms: string }[] = [];
      zip.begin('VAERSDATA.csv');
      await zip.write(headers.data);
      await rows(read, async (some) => {
        const lines = some.map((one) => vaersLines(one, form));
        others.push(...lines.map(({ data: _, ...rest }) => rest));
        await zip.write(lines.map(({ data }) => data).join(''));
      });
      await zip.close();
      others.sort((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0));
      for (const [name, table] of [
        ['VAERSVAX.csv', 'vaccines'],
        ['VAERSSYMPTOMS.csv', 'symptoms'],
      ] as const) {
        zip.begin(name);
        await zip.write(headers[table]);
        for (const one of others) if (one[table] !== '') await zip.write(one[table]);
        await zip.close();
      }
      zip.end();
    };
    write().catch((error) => out.destroy(error as Error));
    return out;
  },
});
