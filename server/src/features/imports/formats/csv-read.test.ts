import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CsvItem, OpenSource } from './csv-read.ts';
import { columnLimit, detectCsv, normalizedHeader, readCsv } from './csv-read.ts';

/** A file of these bytes, in chunks of a given size. */
const file = (content: string | Buffer, size = 65_536): OpenSource =>
  async function* () {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };

async function read(content: string | Buffer, size?: number, rowLimit?: number): Promise<CsvItem[]> {
  const open = file(content, size);
  const dialect = await detectCsv(open);
  if ('code' in dialect) throw new Error(dialect.code);
  const items: CsvItem[] = [];
  for await (const item of readCsv(open, dialect, rowLimit)) items.push(item);
  return items;
}

/** A line per item. */
const outline = (items: CsvItem[]) =>
  items.map((item) => {
    if (item.kind === 'header') return `header ${item.line}: ${item.cells.join('|')}`;
    if (item.kind === 'row') return `row ${item.index} line ${item.line}: ${item.cells.join('|')}`;
    if (item.kind === 'refused') return `refused ${item.index} line ${item.line}: ${item.fault.code}`;
    return `note ${item.fault.code} line ${item.fault.line}`;
  });

describe('how a table is written', () => {
  it.each([
    ['commas', 'a,b,c\n1,2,3\n', 'utf-8', ','],
    ['semicolons', 'a;b;c\n1,5;2;3\n', 'utf-8', ';'],
    ['tabs', 'a\tb, c\n1\t2\n', 'utf-8', '\t'],
    ['bars', 'a|b\n1|2\n', 'utf-8', '|'],
    ['a byte-order mark', '\ufeffa,b\n1,2\n', 'utf-8', ','],
    ['commas inside quotation marks', 'a;b\n"x, y, z";1\n"p, q, r";2\n', 'utf-8', ';'],
    ['only a header', 'a;b;c', 'utf-8', ';'],
  ])('%s', async (_name, text, encoding, delimiter) => {
    expect(await detectCsv(file(text))).toEqual({ encoding, delimiter });
  });

  it('is windows-1252 if any byte is not UTF-8', async () => {
    const bytes = Buffer.from(`name,city\n${'Ana,Leon\n'.repeat(20_000)}Jos\xe9,Le\xf3n\n`, 'latin1');
    expect(await detectCsv(file(bytes))).toMatchObject({ encoding: 'windows-1252' });
    expect((await read(bytes)).at(-1)).toMatchObject({ cells: ['José', 'León'] });
  });

  it('is UTF-16 by its byte-order mark', async () => {
    const bytes = Buffer.from('\ufeffname\tcity\nJosé\tLeón\n', 'utf16le');
    for (const size of [1, 3, 65_536]) {
      expect(outline(await read(bytes, size))).toEqual(['header 1: name|city', 'row 0 line 2: José|León']);
    }
  });

  it.each([
    ['nothing', '', 'file-empty'],
    ['blanks', ' \n\n', 'file-empty'],
    ['prose', 'This is no table.\n\nNot at all!\n', 'file-not-delimited'],
    ['binary data', Buffer.from([0x50, 0x4b, 3, 4, 0, 1, 2, 0x2c]), 'file-binary'],
    ['control characters', Buffer.from('a,b\n\x01\x02\x03\x04\x05\x06'), 'file-binary'],
  ])('%s is refused by name', async (_name, content, code) => {
    expect(await detectCsv(file(content))).toMatchObject({ severity: 'error', code, place: 'file' });
  });
});

describe('rows with the line they begin on', () => {
  const text = '\ufeffname,note\r\nAda,"first\r\nsecond"\r\n\r\nBea,x\n,\nCem,"a ""b"" c"\rDot,é€😀';
  it('with any line endings and chunk sizes', async () => {
    const expected = [
      'header 1: name|note',
      'row 0 line 2: Ada|first\r\nsecond',
      'row 1 line 5: Bea|x',
      'row 2 line 7: Cem|a "b" c',
      'row 3 line 8: Dot|é€😀',
    ];
    for (const size of [1, 2, 3, 5, 7, 65_536]) expect(outline(await read(text, size))).toEqual(expected);
  });

  it('refuses rows with too many or too few values, and continues', async () => {
    expect(outline(await read('a,b,c\n1,2,3\n1,2\n1,2,3,4\n1,2,3,,\n1,2,\n'))).toEqual([
      'header 1: a|b|c',
      'row 0 line 2: 1|2|3',
      'refused 1 line 3: row-too-short',
      'refused 2 line 4: row-too-long',
      'row 3 line 5: 1|2|3',
      'row 4 line 6: 1|2|',
    ]);
  });

  it('drops the empty columns a spreadsheet leaves at the end', async () => {
    expect(outline(await read('a,b,,\n1,2,,\n'))).toEqual(['header 1: a|b', 'row 0 line 2: 1|2']);
  });

  it('accepts stray quotation marks inside a value', async () => {
    expect(outline(await read('a,b\n5" tube,x"y"z\n'))).toEqual([
      'header 1: a|b',
      'row 0 line 2: 5" tube|x"y"z',
    ]);
  });

  it('refuses the line whose quotation mark is never closed, and continues after it', async () => {
    expect(outline(await read('a,b\n1,2\n3,"open\n4,5\n6,7\n'))).toEqual([
      'header 1: a|b',
      'row 0 line 2: 1|2',
      'refused 1 line 3: row-unreadable',
      'row 2 line 4: 4|5',
      'row 3 line 5: 6|7',
    ]);
  });

  it('refuses a row that is too large, and continues after it', async () => {
    const text = `a,b\n1,${'x'.repeat(200)}\n3,4\n5,"${'y\n'.repeat(100)}`;
    for (const size of [10, 65_536]) {
      const items = outline(await read(text, size, 100));
      expect(items.slice(0, 4)).toEqual([
        'header 1: a|b',
        'refused 0 line 2: row-too-large',
        'row 1 line 3: 3|4',
        'refused 2 line 4: row-unreadable',
      ]);
      expect(items.slice(4).every((item) => item.endsWith('row-too-short'))).toBe(true);
    }
  });

  it('gives up in one piece after too many rows that cannot be read', async () => {
    const items = await read(`a,b\n${`1,"${'x'.repeat(60)}\n`.repeat(30)}`, 65_536, 50);
    expect(items.at(-1)).toMatchObject({ kind: 'refused', fault: { code: 'rest-unreadable' } });
    expect(items.length).toBe(22);
  });

  it('notes a repeated header', async () => {
    expect(outline(await read('a,b\n1,2\na,b\n3,4\n'))).toEqual([
      'header 1: a|b',
      'row 0 line 2: 1|2',
      'note header-row-repeated line 3',
      'row 1 line 4: 3|4',
    ]);
  });

  it('refuses more columns than a table can have', async () => {
    const header = Array.from({ length: columnLimit + 1 }, (_, at) => `c${at}`).join(',');
    expect(outline(await read(`${header}\n1,2\n`))).toEqual(['note too-many-columns line 1']);
  });

  it('never throws, and gives every fault a line, whatever the bytes [P8]', async () => {
    const piece = fc.constantFrom(
      'a',
      '1',
      ',',
      ';',
      '"',
      '""',
      '\n',
      '\r',
      '\r\n',
      '\t',
      ' ',
      'é',
      '\0',
      '\ufeff',
      'MSH|',
      "'",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const open = file(Buffer.from(pieces.join('')), 7);
        const dialect = await detectCsv(open);
        if ('code' in dialect) {
          expect(dialect.place).toBe('file');
          return;
        }
        let rows = 0;
        for await (const item of readCsv(open, dialect)) {
          if (item.kind === 'row' || item.kind === 'refused') expect(item.index).toBe(rows++);
          if (item.kind === 'refused' || item.kind === 'note') expect(item.fault.line).toBeGreaterThan(0);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

it.each([
  ['Patient_Last_Name', 'patient last name'],
  ['patientNameLast_pii', 'patient name last pii'],
  ['Fecha de Nacimiento', 'fecha de nacimiento'],
  ['date.of.admission', 'date of admission'],
  ['reportingFacilityCLIA', 'reporting facility clia'],
  ['Género', 'genero'],
])('the header %j is compared as %j', (header, normalized) => {
  expect(normalizedHeader(header)).toBe(normalized);
});

describe('a first line that names the delimiter for Excel', () => {
  it.each(['sep=;', 'SEP=;', '"sep=;"', '\ufeffsep=;'])('%j is not part of the table', async (told) => {
    expect(outline(await read(`${told}\r\na;b\r\n1;2,5\r\n`))).toEqual([
      'header 2: a|b',
      'row 0 line 3: 1|2,5',
    ]);
  });
  it('a column with that name is', async () => {
    expect(outline(await read('sep=x,b\n1,2\n'))).toEqual(['header 1: sep=x|b', 'row 0 line 2: 1|2']);
  });
});
