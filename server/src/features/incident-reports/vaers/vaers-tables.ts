import { Readable } from 'node:stream';
import { setImmediate as others } from 'node:timers/promises';
import {
  longestVaersCell,
  longestVaersHeading,
  mostVaersReports,
  type RowProblem,
  type VaersFault,
  type VaersFiles,
  vaersNumber,
} from '@caseway/contract/vaers';
import { CsvError, type Info, parse } from 'csv-parse';
import type { Received } from './read-vaers.ts';

/** A report of the files, with the lines of its rows and its faults. */
export interface FileReport {
  vaersId: string;
  line: number;
  received: Received;
  vaccineLines: readonly number[];
  faults: VaersFault[];
}
interface Row {
  cells: Readonly<Record<string, string>>;
  line: number;
}
interface Table {
  name: string;
  rows: Row[];
  /** Rows with more or fewer cells than the heading. */
  cut: { id: string; line: number }[];
}

/** The column that only this table has. */
const marks = { data: 'RECVDATE', vaccines: 'VAX_TYPE', symptoms: 'SYMPTOM1' } as const;
type TableName = keyof typeof marks;

/**
 * Joins the three tables by report number. Rows without a report in the data become refused reports, so that none is
 * silently lost.
 */
export async function readTables(files: VaersFiles): Promise<{
  reports: FileReport[];
  faults: VaersFault[];
  names: Record<TableName, string>;
}> {
  const faults: VaersFault[] = [];
  const tables: Partial<Record<TableName, Table>> = {};
  for (const { name, text } of files) {
    const said = (code: VaersFault['code'], line: number | null = null) =>
      faults.push({ file: name, line, column: null, code });
    const read = await tableOf(name, text);
    if ('unreadable' in read) said('unreadable', read.unreadable);
    else if (read.kind === undefined) said('no-table', 1);
    else if (tables[read.kind]) said('table-twice', 1);
    else tables[read.kind] = read.table;
  }
  if (faults.length === 0)
    for (const [kind, code] of [
      ['data', 'no-data'],
      ['vaccines', 'no-vaccines'],
      ['symptoms', 'no-symptoms'],
    ] as const)
      if (!tables[kind]) faults.push({ file: '', line: null, column: null, code });
  const names = Object.fromEntries(Object.entries(tables).map(([kind, { name }]) => [kind, name])) as Record<
    TableName,
    string
  >;
  const { data, vaccines, symptoms } = tables;
  if (data && data.rows.length > mostVaersReports)
    faults.push({ file: data.name, line: null, column: null, code: 'too-many' });
  if (faults.length > 0 || !data || !vaccines || !symptoms) return { reports: [], faults, names };
  return { reports: joined(data, vaccines, symptoms), faults, names };
}

/** Bytes read before other requests have their turn. */
const readAtOnce = 2 ** 16;

/** The bytes of a file in small parts; the reader joins multi-byte characters. */
async function* inParts(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += readAtOnce) {
    yield bytes.subarray(at, at + readAtOnce);
    await others();
  }
}

async function tableOf(
  name: string,
  text: string,
): Promise<{ kind: TableName | undefined; table: Table } | { unreadable: number | null }> {
  if (text.includes('\0')) return { unreadable: text.slice(0, text.indexOf('\0')).split('\n').length };
  const rows: { record: string[]; info: Info }[] = [];
  try {
    const parser = parse({
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
    });
    for await (const row of Readable.from(inParts(text)).pipe(parser)) rows.push(row);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { unreadable: typeof error.lines === 'number' ? error.lines : null };
  }
  const heading = (rows[0]?.record ?? []).map((title) => title.trim().toUpperCase());
  if (heading.some((title) => title.length > longestVaersHeading)) return { unreadable: 1 };
  const kind = (Object.keys(marks) as TableName[]).find((one) => heading.includes(marks[one]));
  const isTold = heading[0] === 'VAERS_ID';
  const table: Table = { name, rows: [], cut: [] };
  for (const { record, info } of rows.slice(1))
    if (record.length === heading.length)
      table.rows.push({
        cells: Object.fromEntries(heading.map((title, index) => [title, record[index]!])),
        line: info.lines,
      });
    else table.cut.push({ id: record[0]?.trim() ?? '', line: info.lines });
  return { kind: isTold ? kind : undefined, table };
}

const withoutNumber = ({ VAERS_ID: _, ...cells }: Readonly<Record<string, string>>) => cells;
const idOf = ({ cells }: Row): string => cells.VAERS_ID!.trim();

function joined(data: Table, vaccines: Table, symptoms: Table): FileReport[] {
  const vaccinesOf = Map.groupBy(vaccines.rows, idOf);
  const symptomsOf = Map.groupBy(symptoms.rows, idOf);
  const seen = new Set<string>();
  const fault = (file: string, line: number, code: RowProblem, column: string | null = null): VaersFault => ({
    file,
    line,
    column,
    code,
  });
  const tooLong = ({ name }: Table, rows: readonly Row[]) =>
    rows.flatMap(({ cells, line }) =>
      Object.entries(cells).flatMap(([column, text]) =>
        text.length > longestVaersCell ? [fault(name, line, 'too-long', column)] : [],
      ),
    );
  const refused = (vaersId: string, line: number, one: VaersFault): FileReport => ({
    vaersId,
    line,
    received: { form: '1', data: {}, vaccines: [], symptoms: [] },
    vaccineLines: [],
    faults: [one],
  });
  const reports = data.rows.map((row): FileReport => {
    const id = idOf(row);
    const faults: VaersFault[] = [];
    if (id === '') faults.push(fault(data.name, row.line, 'no-number', 'VAERS_ID'));
    else if (!vaersNumber.test(id)) faults.push(fault(data.name, row.line, 'number', 'VAERS_ID'));
    else if (seen.has(id)) faults.push(fault(data.name, row.line, 'repeated', 'VAERS_ID'));
    seen.add(id);
    const given = vaccinesOf.get(id) ?? [];
    const terms = symptomsOf.get(id) ?? [];
    faults.push(...tooLong(data, [row]), ...tooLong(vaccines, given), ...tooLong(symptoms, terms));
    return {
      vaersId: id,
      line: row.line,
      received: {
        // Files of form 1 have no column for it.
        form: row.cells.FORM_VERS?.trim() === '2' ? '2' : '1',
        data: row.cells,
        vaccines: given.map(({ cells }) => withoutNumber(cells)),
        symptoms: terms.map(({ cells }) => withoutNumber(cells)),
      },
      vaccineLines: given.map(({ line }) => line),
      faults,
    };
  });
  // A report with an unreadable row is refused as a whole.
  const byId = new Map(reports.map((one) => [one.vaersId, one]));
  const others: FileReport[] = [];
  for (const { name, cut } of [data, vaccines, symptoms])
    for (const { id, line } of cut) {
      const of = byId.get(id);
      if (of) of.faults.push(fault(name, line, 'cells'));
      else others.push(refused(id, line, fault(name, line, 'cells')));
    }
  for (const { name, rows } of [vaccines, symptoms])
    for (const row of rows)
      if (!seen.has(idOf(row)))
        others.push(refused(idOf(row), row.line, fault(name, row.line, 'no-report', 'VAERS_ID')));
  return [...reports, ...others];
}
