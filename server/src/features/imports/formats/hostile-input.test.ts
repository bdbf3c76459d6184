import { expect, it } from 'vitest';
import { load } from '../../../../test/load.ts';
import { inspectCsv } from './csv-map.ts';
import { readCsv } from './csv-read.ts';
import { RowReader } from './csv-rows.ts';
import { readHl7Report } from './elr.ts';
import { detectFormat } from './import-format.ts';

/**
 * Input built to keep the server busy: reading must cost time in proportion to its size. The limits are generous
 * because the machine may be busy; the faults that they catch would take minutes.
 */
const bounded = { timeout: 120_000 };
const clock = { timeZone: 'UTC' };
const header = 'MSH|^~\\&|A|B|||20240305||ORU^R01|1|P|2.5.1\rPID|1||X\rOBR|1||F|43304-5^T^LN\r';
// With quadratic time, even the small sizes take many minutes.
const size = load(1_000_000, 4_000_000);
const cellSize = load(300_000, 900_000);

it.each([
  ['fields', `OBX|1|ST|43304-5^T^LN||${'|'.repeat(size)}`],
  ['repetitions', `PID|1||${'~x'.repeat(size / 2)}`],
  ['components', `OBX|1|CWE|43304-5^T^LN||${'^x'.repeat(size / 2)}||||||F`],
  ['escape characters', `OBX|1|ST|43304-5^T^LN||${'\\'.repeat(size)}||||||F`],
  ['half escapes', `OBX|1|ST|43304-5^T^LN||${'\\X'.repeat(size / 2)}||||||F`],
  ['blanks', `OBX|1|NM|43304-5^T^LN||1${' '.repeat(size)}x||||||F`],
  ['digits', `OBX|1|NM|43304-5^T^LN||${'1'.repeat(size)}||||||F`],
  ['digits in a date', `OBX|1|DT|43304-5^T^LN||${'2'.repeat(size)}||||||F`],
  ['blanks in a phone number', `PID|1||X||||||||||1${' '.repeat(size)}x1`],
  ['continued lines', `NTE|1||a${'\rcontinued'.repeat(size / 10)}`],
  ['segments', 'OBX|1|ST|43304-5^T^LN||x||||||F\r'.repeat(19_990)],
  ['orders', 'OBR|1||F|43304-5^T^LN\rOBX|1|ST|43304-5^T^LN||x||||||F\r'.repeat(9_990)],
  ['empty lines', '\r'.repeat(size)],
])('a message of many %s [P8]', bounded, (_name, text) => {
  const read = readHl7Report(Buffer.from(header + text), 1, clock);
  expect(read.faults.length).toBeLessThanOrEqual(101);
});

it.each([
  ['blanks in a date', `2024-01-05${' '.repeat(cellSize)}x`],
  ['blanks between figures', `1${' '.repeat(cellSize)}2`],
  ['digits', '1'.repeat(cellSize)],
  ['letters', 'a'.repeat(cellSize)],
  ['commas', `"${','.repeat(cellSize)}"`],
])('a table with a cell of many %s [P8]', bounded, async (_name, cell) => {
  const text = `case id,date onset,age,sex,phone,notes\n${`1,${cell},${cell.slice(0, 3)},F,x,y\n`.repeat(3)}`;
  const open = async function* () {
    yield Buffer.from(text);
  };
  const inspection = await inspectCsv(open);
  if ('code' in inspection) throw new Error(inspection.code);
  const reader = new RowReader({
    mapping: {
      kind: 'line-list',
      columns: [
        { column: 0, field: 'caseId' },
        { column: 1, field: 'onsetDate' },
      ],
      constants: {},
    },
    options: { dateOrders: {}, condition: 'x' },
    inspection,
    sender: 'x',
    ...clock,
  });
  for await (const item of readCsv(open, inspection.dialect)) {
    if (item.kind === 'row') expect(reader.read(item.cells, item.line).faults.length).toBeGreaterThan(0);
  }
});

it.each([
  ['empty lines', `a,b${'\n'.repeat(60_000)}`],
  ['blanks', ' '.repeat(60_000)],
  ['columns with long names', `${`${'long name '.repeat(50)},`.repeat(load(600, 1_900))}x\n1\n`],
])('a file that begins with many %s [P8]', bounded, async (_name, text) => {
  const open = async function* () {
    yield Buffer.from(text);
  };
  expect(await detectFormat(open)).toBeDefined();
  expect(await inspectCsv(open)).toBeDefined();
});
