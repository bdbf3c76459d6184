import { csvCell } from '@caseway/contract/csv';
import { asTold, type Received, sameVaccine } from './read-vaers.ts';
import {
  type ColumnOf,
  symptomColumns,
  symptomsInRow,
  type Told,
  tablesOf,
  termsOf,
  type VaersForm,
  vaersId,
} from './vaers-columns.ts';

/** A report with its received cells, if it is from a file. */
export type Reported = Told & { cells: Received | null };

/** As received, even if a spreadsheet would run it: programs read the file, and nothing in it may change. */
const receivedCell = (text: string): string =>
  /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
const lineOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** The first line of each table. */
export function vaersHeaders(form: VaersForm): { data: string; vaccines: string; symptoms: string } {
  const { data, vaccines } = tablesOf(form);
  const names = (columns: readonly { name: string }[]) => columns.map(({ name }) => name);
  return {
    data: lineOf(names(data)),
    vaccines: lineOf(['VAERS_ID', ...names(vaccines)]),
    symptoms: lineOf(['VAERS_ID', ...symptomColumns]),
  };
}

/**
 * The lines of a report in each table. A received cell is written unchanged while our field still says the same as
 * when it was read; a changed value is written from our field.
 */
export function vaersLines(
  report: Reported,
  asked: VaersForm,
): {
  id: string;
  data: string;
  vaccines: string;
  symptoms: string;
} {
  const received = report.cells;
  // A report keeps the form that it came on: its visits are in the columns of that form.
  const form = received?.form ?? asked;
  const before = received && { ...report, ...asTold(received, report.createdOn) };
  const columns = tablesOf(asked);
  const cellOf = <From>(
    { name, write, follows = write && ((from: From) => write(from, form)) }: ColumnOf<From>,
    now: From,
    then: From | null | undefined,
    cells: Readonly<Record<string, string>> | undefined,
  ): string => {
    const kept = cells?.[name];
    const same = then && follows?.(then) === follows?.(now);
    return kept !== undefined && same ? receivedCell(kept) : csvCell(write?.(now, form));
  };
  const id = received?.data.VAERS_ID ?? vaersId(report);
  const idCell = receivedCell(id);
  const data = columns.data.map((column) => cellOf(column, report, before, received?.data));

  // A row belongs to the vaccine at its position, unless one was added or removed.
  const sameLength = before?.vaccines.length === report.vaccines.length;
  const inPlace = (sameLength && received?.vaccines) || [];
  const isSame =
    sameLength && report.vaccines.every((one, index) => sameVaccine(one, before!.vaccines[index]!));
  const rows = isSame ? inPlace.length : Math.max(inPlace.length, report.vaccines.length);
  const vaccines = Array.from({ length: rows }, (_, index) => {
    const cells = inPlace[index];
    const now = report.vaccines[index];
    return lineOf([
      idCell,
      ...columns.vaccines.map((column) =>
        now
          ? cellOf(column, now, cells && before?.vaccines[index], cells)
          : receivedCell(cells?.[column.name] ?? ''),
      ),
    ]);
  });

  const terms = termsOf(report);
  const sameTerms = before && termsOf(before).join('\n') === terms.join('\n');
  const symptoms = sameTerms
    ? received!.symptoms.map((cells) => symptomColumns.map((name) => receivedCell(cells[name] ?? '')))
    : Array.from({ length: Math.ceil(terms.length / symptomsInRow) }, (_, row) =>
        Array.from({ length: symptomsInRow }, (_, index) => [
          csvCell(terms[row * symptomsInRow + index] ?? ''),
          '',
        ]).flat(),
      );
  return {
    id,
    data: lineOf(data),
    vaccines: vaccines.join(''),
    symptoms: symptoms.map((cells) => lineOf([idCell, ...cells])).join(''),
  };
}
