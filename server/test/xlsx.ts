import { crc32, inflateRawSync } from 'node:zlib';

/*
 * Reads an XLSX file by the standards of its parts, and shares nothing with the writer: the ZIP file by its list of
 * parts, and the parts as XML. It refuses XML that is not well-formed.
 */

/** The parts of a ZIP file by name; throws if sizes or checksums differ. */
export function filesIn(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new Error('this is no whole ZIP file');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [name, extra, comment] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const local = zip.readUInt32LE(at + 42);
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = inflateRawSync(zip.subarray(begin, begin + zip.readUInt32LE(at + 20)));
    const file = zip.toString('utf8', at + 46, at + 46 + name);
    if (content.length !== zip.readUInt32LE(at + 24) || crc32(content) !== zip.readUInt32LE(at + 16))
      throw new Error(`${file} is not what the list says`);
    files.set(file, content);
    at += 46 + name + extra + comment;
  }
  return files;
}

interface Cell {
  text?: string;
  number?: number;
  /** The number format. */
  format?: string;
  bold?: true;
}

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
}

const marks: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
/** A text or attribute value; throws for characters that XML 1.0 does not allow. */
function saidBy(xml: string): string {
  if (/(?![\t\n\r\x7f-\x9f])[\p{Cc}\p{Surrogate}\ufffe\uffff]/u.test(xml))
    throw new Error('no character of XML');
  return xml.replace(/\r\n?/g, '\n').replace(/&(\w*;?)/g, (_, name: string) => {
    const mark = name.endsWith(';') ? marks[name.slice(0, -1)] : undefined;
    if (mark === undefined) throw new Error(`&${name} is no mark`);
    return mark;
  });
}

/** The elements of a part, each when it ends; throws if it is not well-formed. */
function elementsOf(part: Buffer): Element[] {
  const xml = new TextDecoder('utf-8', { fatal: true }).decode(part);
  const token = /<\?xml [^<>]*\?>|<(\/?)([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>|[^<]+/gy;
  const open: Element[] = [];
  const all: Element[] = [];
  const close = (name: string) => {
    const element = open.pop();
    if (element?.name !== name) throw new Error(`${name} was not open`);
    all.push(element);
  };
  let read = 0;
  for (const [text, closes, name, given, isEmpty] of xml.matchAll(token)) {
    read += text.length;
    if (name === undefined) {
      if (!text.startsWith('<?')) for (const element of open) element.text += saidBy(text);
    } else if (closes) close(name);
    else {
      const attributes = [...given!.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key, value]) => [
        key!,
        saidBy(value!),
      ]);
      open.push({ name, attributes: Object.fromEntries(attributes), text: '' });
      if (isEmpty) close(name);
    }
  }
  if (read !== xml.length || open.length > 0) throw new Error(`ends early, at ${xml.slice(read, read + 40)}`);
  return all;
}

const columnOf = (reference: string): number =>
  [...reference.replace(/\d+$/, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** The sheets as a spreadsheet shows them: rows of cells, with their number formats. */
export function readXlsx(file: Buffer): { name: string; rows: (Cell | undefined)[][] }[] {
  const files = filesIn(file);
  const part = (name: string) => {
    const found = files.get(name);
    if (!found) throw new Error(`there is no ${name}`);
    return elementsOf(found);
  };
  const targets = new Map(
    part('xl/_rels/workbook.xml.rels').map(({ attributes }) => [attributes.Id, attributes.Target]),
  );
  const types = new Set(part('[Content_Types].xml').map(({ attributes }) => attributes.PartName));
  const styles = part('xl/styles.xml');
  const formats = new Map([
    ['0', 'General'],
    ['49', '@'],
    ...styles
      .filter(({ name }) => name === 'numFmt')
      .map(({ attributes }) => [attributes.numFmtId!, attributes.formatCode!] as const),
  ]);
  // Cell formats follow the format of their style, and a font ends after its parts.
  const bold = styles.filter(({ name }) => name === 'b' || name === 'font').map(({ name }) => name);
  const isBold: boolean[] = [];
  for (const [index, name] of bold.entries()) if (name === 'font') isBold.push(bold[index - 1] === 'b');
  const looks = styles.filter(({ name }) => name === 'xf').slice(1);

  return part('xl/workbook.xml')
    .filter(({ name }) => name === 'sheet')
    .map(({ attributes }) => {
      const path = `xl/${targets.get(attributes['r:id'])}`;
      if (!types.has(`/${path}`)) throw new Error(`${path} has no type`);
      const rows: Cell[][] = [];
      let row: Cell[] = [];
      let value = '';
      for (const element of part(path)) {
        if (element.name === 'v' || element.name === 't') value = element.text;
        else if (element.name === 'row') {
          rows.push(row);
          row = [];
        } else if (element.name === 'c') {
          const look = looks[Number(element.attributes.s)]!.attributes;
          row[columnOf(element.attributes.r!)] = {
            ...(element.attributes.t === 'inlineStr'
              ? {
                  text: value.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
                    String.fromCharCode(Number.parseInt(code, 16)),
                  ),
                }
              : { number: Number(value) }),
            ...(formats.get(look.numFmtId!) !== 'General' && { format: formats.get(look.numFmtId!)! }),
            ...(isBold[Number(look.fontId)] && { bold: true as const }),
          };
        }
      }
      return { name: attributes.name!, rows };
    });
}
