import { PassThrough, type Readable } from 'node:stream';
import { ZipFile } from './zip-file.ts';

/** The kind of a column: a day is `YYYY-MM-DD`, a time `YYYY-MM-DD HH:MM`. */
export type CellKind = 'text' | 'number' | 'day' | 'time';
export type CellValue = string | number | null;

export interface SheetColumn {
  title: string;
  kind: CellKind;
  /** In px. */
  width: number;
}

interface Workbook {
  columns: readonly SheetColumn[];
  /** The name of the sheet; further sheets add a number. */
  sheet: string;
  /** The ending of a text that was cut because it is too long for a cell. */
  cut: string;
  /** Rows per sheet, including the title row. */
  rows?: number;
}

/** The limits of the format: rows of a sheet, and UTF-16 units of a cell. */
const mostRows = 1_048_576;
const mostText = 32_767;
/** Another sheet begins at this size even if rows are left: an entry of a ZIP file is limited to four gigabytes. */
const mostBytes = 4_000_000_000;
/** How many rows are converted to text at a time. */
const together = 250;

/** Indexes of the cell formats below. */
const styles = { text: 1, number: 2, day: 3, time: 4, title: 5 } as const;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Cells with the format "text" (49) stay text when people edit them: zeros stay, and a formula does not run. */
const stylesXml = `${head}<styleSheet xmlns="${spreadsheet}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** Characters that XML 1.0 cannot contain. */
const unsaid = /(?![\t\n\r\x7f-\x9f])[\p{Cc}\p{Surrogate}\ufffe\uffff]/gu;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) =>
  // A spreadsheet reads `_x0041_` as the character with that number, unless its first underscore is escaped itself.
  text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_').replace(/[&<>"]/g, (mark) => escapes[mark]!);

function textOf(value: string, cut: string): string {
  const text = value.replace(/\r\n?/g, '\n').replace(unsaid, '');
  if (text.length <= mostText) return escaped(text);
  // Half a character at the cut is left out.
  return escaped(text.slice(0, mostText - cut.length).replace(/[\ud800-\udbff]$/, '') + cut);
}

/** The first day with the same number in all spreadsheets, which treat 1900 as a leap year. */
const firstDay = 61;
/** The number of a day or time; undefined if the text is neither, or has no number. */
function dayNumber(text: string): number | undefined {
  const [, year, month, day, hour, minute] =
    /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d))?$/.exec(text)?.map((part) => Number(part ?? 0)) ?? [];
  if (day === undefined) return undefined;
  const days = Date.UTC(year!, month! - 1, day) / 86_400_000 + 25_569;
  const isKnown = days >= firstDay && new Date((days - 25_569) * 86_400_000).getUTCDate() === day;
  return isKnown ? days + (hour! * 60 + minute!) / 1440 : undefined;
}

/** A number as written, unless a spreadsheet would round it. */
function numberOf(value: string | number): number | string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return /^-?\d+(\.\d+)?$/.test(value) && value.replace(/\D/g, '').length <= 15 ? value : undefined;
}

/** `A`, `B` … `Z`, `AA` … */
function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last;
}

const textCell = (at: string, style: number, text: string) =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;

function cellXml(at: string, kind: CellKind, value: CellValue, cut: string): string {
  if (value === null || value === '' || Number.isNaN(value)) return '';
  const number = kind === 'number' ? numberOf(value) : kind === 'text' ? undefined : dayNumber(String(value));
  if (number !== undefined) return `<c r="${at}" s="${styles[kind]}"><v>${number}</v></c>`;
  // Never a formula, which needs its own element.
  return textCell(at, styles.text, textOf(String(value), cut));
}

/** The width in characters of the format's own font, with room for the filter button in the title. */
const widthOf = ({ title, kind, width }: SheetColumn) => {
  const least = kind === 'time' ? 17 : kind === 'day' ? 12 : 6;
  return Math.min(100, Math.max(least, Math.round(width / 7), Math.min(40, title.length + 4)));
};

/**
 * An XLSX file that is sent while it is written, so its size does not matter. `write` gets a function that sends
 * rows and waits for the reader. The titles stay in view and have a filter; when a sheet is full, another one
 * begins. A file that fails is cut off in the middle, without its table of contents, so that no program opens it.
 */
export function xlsxFile(
  { columns, sheet, cut, rows: most = mostRows }: Workbook,
  signal: AbortSignal,
  write: (send: (rows: readonly (readonly CellValue[])[]) => Promise<void>) => Promise<void>,
): Readable {
  const out = new PassThrough();
  const zip = new ZipFile(out, signal);
  const names = columns.map((_, index) => columnName(index));
  let sheets = 0;
  let rows = 0;

  const begin = async () => {
    sheets += 1;
    rows = 1;
    zip.begin(`xl/worksheets/sheet${sheets}.xml`);
    const widths = columns.map(
      (column, index) =>
        `<col min="${index + 1}" max="${index + 1}" width="${widthOf(column)}" customWidth="1"/>`,
    );
    const titles = columns.map(({ title }, index) =>
      textCell(`${names[index]}1`, styles.title, textOf(title, cut)),
    );
    await zip.write(
      `${head}<worksheet xmlns="${spreadsheet}"><sheetViews><sheetView${sheets === 1 ? ' tabSelected="1"' : ''} workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${widths.join('')}</cols><sheetData><row r="1">${titles.join('')}</row>`,
    );
  };
  const finish = async () => {
    await zip.write(`</sheetData><autoFilter ref="A1:${names.at(-1)}${rows}"/></worksheet>`);
    await zip.close();
  };
  const send = async (all: readonly (readonly CellValue[])[]) => {
    let text: string[] = [];
    const flush = async () => {
      if (text.length > 0) await zip.write(text.join(''));
      text = [];
    };
    for (const row of all) {
      if (rows >= most || zip.size > mostBytes) {
        await flush();
        await finish();
        await begin();
      }
      rows += 1;
      const cells = row.map((value, index) =>
        cellXml(`${names[index]}${rows}`, columns[index]!.kind, value, cut),
      );
      text.push(`<row r="${rows}">${cells.join('')}</row>`);
      if (text.length >= together) await flush();
    }
    await flush();
  };
  const whole = async () => {
    await begin();
    await write(send);
    await finish();
    const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
    const entries = numbers.map(
      (number) =>
        `<sheet name="${escaped(number === 1 ? sheet : `${sheet} ${number}`)}" sheetId="${number}" r:id="rId${number}"/>`,
    );
    await zip.add('xl/styles.xml', stylesXml);
    await zip.add(
      'xl/workbook.xml',
      `${head}<workbook xmlns="${spreadsheet}" xmlns:r="${relationships}"><sheets>${entries.join('')}</sheets></workbook>`,
    );
    const related = (id: string, type: string, target: string) =>
      `<Relationship Id="${id}" Type="${relationships}/${type}" Target="${target}"/>`;
    const relations = (all: readonly string[]) =>
      `${head}<Relationships xmlns="${packaged}/relationships">${all.join('')}</Relationships>`;
    await zip.add(
      'xl/_rels/workbook.xml.rels',
      relations([
        ...numbers.map((number) => related(`rId${number}`, 'worksheet', `worksheets/sheet${number}.xml`)),
        related(`rId${sheets + 1}`, 'styles', 'styles.xml'),
      ]),
    );
    await zip.add('_rels/.rels', relations([related('rId1', 'officeDocument', 'xl/workbook.xml')]));
    const typed = (part: string, type: string) =>
      `<Override PartName="/${part}" ContentType="${contentType}.${type}+xml"/>`;
    await zip.add(
      '[Content_Types].xml',
      `${head}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${typed('xl/workbook.xml', 'sheet.main')}${typed('xl/styles.xml', 'styles')}${numbers.map((number) => typed(`xl/worksheets/sheet${number}.xml`, 'worksheet')).join('')}</Types>`,
    );
    zip.end();
  };
  whole().catch((error) => out.destroy(error as Error));
  return out;
}
