import { importFaults } from '@caseway/contract/import-fault';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resultKeys } from '../../results/result-key.ts';
import { readHl7Report } from './elr.ts';
import { splitHl7 } from './hl7-split.ts';

/** Two messages about fictional people, with every kind of segment that is read. */
const seed = [
  'FHS|^~\\&|LIS\rBHS|^~\\&|LIS\r',
  'MSH|^~\\&|LIS^1.2.3^ISO|Mill Lab^06D1111111^CLIA|A|B|20240305101500-0700||ORU^R01^ORU_R01|M1|P|2.5.1|||||USA|UNICODE UTF-8|||PROF^X^1.2^ISO\r',
  'SFT|Soft|1|LIS\rPID|1||P-1^^^MILL&1.2&ISO^MR~2^^^SSN^SS||Reed^Nell^A^Jr^^^L~Ríos^Nell^^^^^M|Tarn^Beda|19870214|F||2106-3^White^CDCREC|1 Elm^^Greeley^CO^80631^USA^H^^08123||^PRN^PH^^1^970^5550144~^NET^Internet^n@example.test|||||||||N^Not Hispanic^HL70189||||||||N\r',
  'NTE|1||note \\.br\\ \\X0d0a\\ \\T\\\rNK1|1|Reed^Anselm|SPO\rPV1|1|O|A^B|||||||||||||||||V-1\r',
  'ORC|RE|P-1^EHR|F-1^LIS|||||||||1234567893^Voss^Idris^^^^^^NPI||^WPN^PH^^1^970^5550150|||||||Clinic^L^^^^CLIA^XX^^^06D8888888|2 Main^^Greeley^CO\r',
  'OBR|1|P-1^EHR|F-1^LIS|64017-7^Panel^LN|||20240304091500-0700|||||||202403041000|BLD&Blood&HL70070|||||||20240305093000||LAB|F|5-1&x&LN^1^y|||P-0&EHR^F-0&LIS||Z11.3^S^I10\r',
  'OBX|1|CWE|43304-5^CT^LN^X^y^L|1|10828004^Positive^SCT~POS||<1|A~B|||F|||20240304||||NAAT|DEV^n||20240305||||Mill^L^^^^CLIA^XX^^^06D1111111|5 Hill|99^Head\r',
  'OBX|2|SN|20570-8^HCT^LN||>=^1^:^64|%^^UCUM|||||C\rOBX|3|NM|2093-3^N^LN||4.5|mg||||||P\rOBX|4|ED|11502-2^R^LN||^text^html^Base64^AAAA||||||F\rOBX|5|DTM|65222-2^Onset^LN||202403||||||F\rNTE|1||a~b\r',
  'SPM|1|S-1&EHR^S-2&LIS||122575003^Urine^SCT|||||||P||||||20240304^20240305|20240305\rOBX|6|SN|35659-2^Age^LN||^37|a\r',
  'MSH|^~\\&|LIS|Mill|||20240305||ORU^R01|M2|P|2.3\rPID|1|X|||Ash^Hugo||1955|M\rOBX|1|ST|^local test||8\r\nBTS|2\rFTS|1\r',
].join('');

/** Parts that may be inserted anywhere: separators, breaks, names of segments, odd bytes. */
const scrap = fc.oneof(
  fc.constantFrom(
    '|',
    '^',
    '~',
    '\\',
    '&',
    '\r',
    '\n',
    '\r\n',
    '\r\r',
    'MSH|',
    'MSH|^~\\&|',
    'PID|',
    'OBX|1|',
    'OBR|',
    'SPM|',
    'NTE|',
    'BTS|',
    'FHS|',
    '""',
    '\0',
    '\x0b',
    '\x1c',
    '\ufeff',
    '99999999',
    '\\X',
    '\\X00\\',
    'é',
  ),
  fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.string({ maxLength: 8 }),
);
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  drop: fc.nat({ max: 60 }),
  put: scrap,
});

/** The seed with a few pieces replaced by scraps. */
function mutated(mutations: { at: number; drop: number; put: string }[]): Buffer {
  let text = Buffer.from(seed).toString('latin1');
  for (const { at, drop, put } of mutations) {
    const position = Math.floor(at * text.length);
    text = text.slice(0, position) + put + text.slice(position + drop);
  }
  return Buffer.from(text, 'latin1');
}

/** Reads everything, and returns the number of pieces. */
async function readAll(bytes: Buffer, size: number): Promise<number> {
  let index = 0;
  for await (const item of splitHl7(chunks(bytes, size), { limit: 100_000 })) {
    if (item.kind === 'note') {
      sound(item.fault);
      continue;
    }
    expect(item.index).toBe(index++);
    if (item.kind === 'refused') {
      sound(item.fault);
      continue;
    }
    const read = readHl7Report(item.raw, item.line, { timeZone: 'America/Denver' });
    for (const fault of read.faults) sound(fault);
    const errors = read.faults.filter((fault) => fault.severity === 'error').length;
    expect(read.outcome === 'refused').toBe(errors > 0);
    if (read.outcome !== 'usable') continue;
    const stored = JSON.stringify(read.report);
    // Characters that a PostgreSQL text or JSON value cannot contain.
    expect(stored.isWellFormed() && !stored.includes('\\u0000')).toBe(true);
    const keys = resultKeys(read.report).flat();
    expect(new Set(keys.map((key) => key.key)).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(0);
  }
  return index;
}

/** A fault has a known code, a place that names a segment, field or the file, a line, and a whole sentence. */
function sound(fault: { code: string; place: string; line?: number; message: string }): void {
  expect(Object.hasOwn(importFaults, fault.code)).toBe(true);
  expect(fault.place).toMatch(/^(file|[A-Z][A-Z0-9]{2}(\[\d+\])?(-\d+(\.\d+)?)?)$/);
  expect(fault.line).toBeGreaterThan(0);
  expect(fault.message).not.toMatch(/[{}]|undefined/);
}

async function* chunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

it('accepts or refuses any input, every fault with its place, and never throws [P8]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(mutation, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 4000 }),
      async (mutations, size) => {
        expect(await readAll(mutated(mutations), size)).toBeGreaterThan(0);
      },
    ),
    { numRuns: 5000 },
  );
});

it('also bytes that are not a message at all [P8]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(scrap, { maxLength: 40 }), async (scraps) => {
      const text = scraps.join('');
      const pieces = await readAll(Buffer.from(text, 'latin1'), 64);
      // Only an envelope may be empty.
      if (!/[FB](HS|TS)/.test(text)) expect(pieces).toBeGreaterThan(0);
    }),
    { numRuns: 5000 },
  );
});
