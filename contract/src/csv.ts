/**
 * One cell of a CSV file. A spreadsheet runs a cell that begins with `= + - @`, a tab or a carriage return as a
 * formula, so such a cell gets an apostrophe before it; numbers stay numbers. [P20]
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** A line of a CSV file, ended as RFC 4180 says. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;
