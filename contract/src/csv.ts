/**
 * How a cell begins that a spreadsheet runs as a formula: `= + - @`, also in full width, tab, carriage return and line
 * feed. The list is that of OWASP (CSV injection).
 */
const active = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n]/;

/**
 * One cell of a CSV file. Text that a spreadsheet would run gets a leading apostrophe; numbers stay numbers, since the
 * text `-5` is data while the number -5 is one. Quoted if it has a delimiter, quotation mark, line end or outer blank.
 * [P20]
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = String(value);
  const inert = active.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) || inert !== inert.trim() ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** One line of a CSV file, ended with CRLF as RFC 4180 says. */
export const csvLine = (cells: readonly (string | number | boolean | null | undefined)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;

/** The first line of a CSV file, after the byte-order mark, without which spreadsheets assume another character set. */
export const csvHeader = (titles: readonly string[]): string => `\ufeff${csvLine(titles)}`;
