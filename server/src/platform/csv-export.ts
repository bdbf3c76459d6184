/** Characters with which a cell becomes a formula in a spreadsheet, or hides one. */
const active = /^[=+\-@\t\r]/;

/**
 * One cell of an exported table. Text that a spreadsheet would run gets a leading apostrophe; numbers stay numbers,
 * since the text `-5` is data while the number -5 is one. Quoted where delimiter, quotation mark or line end asks for
 * it. [P20]
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = String(value);
  const inert = active.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) || inert !== inert.trim() ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** One line of an exported table, ended with CRLF as RFC 4180 asks. */
export const csvLine = (cells: readonly (string | number | boolean | null | undefined)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;
