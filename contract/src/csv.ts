/**
 * How a cell begins that a spreadsheet would run as a formula: `= + - @`, also full-width. The list is
 * OWASP's (CSV injection). The reader's settings decide what separates cells: with a semicolon, `Lee;=1+1`
 * becomes two cells. So this checks the beginning of the text and every position after a possible separator.
 */
const formula = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20](?<=(?:(?:^|[;\t|\r\n])["\s]*|,"*).)/g;
/** The rest of OWASP's list: leading characters to skip before the check. */
const skipped = /^[\t\r\n]/;

/**
 * One CSV cell. Text that a spreadsheet would run gets a leading apostrophe; numbers stay numbers, because
 * the number -5 is data. Quoted if it contains a delimiter, quotation mark, line break or outer blank. [P20]
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = String(value).replace(formula, "'$&");
  const inert = skipped.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) || inert !== inert.trim() ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** One CSV line, ended with CRLF (RFC 4180). */
export const csvLine = (cells: readonly (string | number | boolean | null | undefined)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;

/**
 * The first line of a CSV file, after the byte-order mark. Without the mark, spreadsheets assume another
 * encoding.
 */
export const csvHeader = (titles: readonly string[]): string => `\ufeff${csvLine(titles)}`;
