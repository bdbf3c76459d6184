/**
 * How a cell begins that a spreadsheet runs as a formula: `= + - @`, also in full width. The list is that of OWASP (CSV
 * injection). Which character ends a cell is the reader's setting: where it is the semicolon, a comma and its quotation
 * marks are text, and a name such as `Lee;=1+1` becomes two cells. So it is looked for at the beginning of the text and
 * after every character that a spreadsheet may separate cells by.
 */
const formula = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20](?<=(?:(?:^|[;\t|\r\n])["\s]*|,"*).)/g;
/** The rest of OWASP's list: a cell that begins with these is read from the next character on. */
const skipped = /^[\t\r\n]/;

/**
 * One cell of a CSV file. Text that a spreadsheet would run gets an apostrophe in front of it; numbers stay numbers,
 * since the text `-5` is data while the number -5 is one. Quoted if it has a delimiter, quotation mark, line end or
 * outer blank. [P20]
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = String(value).replace(formula, "'$&");
  const inert = skipped.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) || inert !== inert.trim() ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** One line of a CSV file, ended with CRLF as RFC 4180 says. */
export const csvLine = (cells: readonly (string | number | boolean | null | undefined)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;

/** The first line of a CSV file, after the byte-order mark, without which spreadsheets assume another character set. */
export const csvHeader = (titles: readonly string[]): string => `\ufeff${csvLine(titles)}`;
