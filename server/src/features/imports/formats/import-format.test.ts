import { describe, expect, it } from 'vitest';
import { detectFormat } from './import-format.ts';

const open = (content: string | Buffer) =>
  async function* () {
    yield Buffer.from(content);
  };

describe('the format of a file, by its content', () => {
  it.each([
    ['MSH|^~\\&|A', 'hl7'],
    ['\ufeffMSH|^~\\&|A', 'hl7'],
    ['\x0bMSH|^~\\&|A\r\x1c\r', 'hl7'],
    ['\r\nFHS|^~\\&|A', 'hl7'],
    ['exported today\nMSH|^~\\&|A\nPID|1', 'hl7'],
    ['last_name,result\nReed,neg\n', 'csv'],
    ['id,payloadTextContent\n1,x\n', 'hl7-queue'],
    ['id,body\n1,"MSH|^~\\&|A\nPID|1"\n', 'hl7-queue'],
  ])('%j: %s', async (content, format) => {
    expect(await detectFormat(open(content))).toMatchObject({ format });
  });

  it.each([
    ['PK\x03\x04\0\0', 'a workbook or a ZIP archive'],
    ['%PDF-1.7', 'a PDF document'],
    [Buffer.from([0x1f, 0x8b, 8, 0]), 'a gzip archive'],
    ['<?xml version="1.0"?><ClinicalDocument/>', 'XML'],
    ['<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>', 'XML'],
    ['{"resourceType":"Bundle"}', 'JSON'],
  ])('[P9] %j is named and refused, and nothing of it is unpacked', async (content, format) => {
    expect(await detectFormat(open(content))).toMatchObject({
      code: 'file-format-unsupported',
      params: { format },
    });
  });

  const wide = (text: string) => Buffer.from(text, 'utf16le');
  it.each([
    ['a message in UTF-16', wide('\ufeffMSH|^~\\&|A\rPID|1\r')],
    ['a message in UTF-16, the other way round', wide('\ufeffMSH|^~\\&|A\rPID|1\r').swap16()],
    ['a message in UTF-16 without its mark', wide('MSH|^~\\&|A\rPID|1\r')],
    ['a table in UTF-16 without its mark', wide('last_name,result\nReed,neg\n')],
  ])('%s is named and refused', async (_, content) => {
    expect(await detectFormat(open(content))).toMatchObject({
      code: 'file-encoding-unsupported',
      params: { encoding: 'UTF-16' },
    });
  });
  it('a table in UTF-16 with its mark is read', async () => {
    expect(await detectFormat(open(wide('\ufefflast_name,result\nReed,neg\n')))).toMatchObject({
      format: 'csv',
    });
  });

  it('a table that begins with many empty rows is recognized by its first rows', async () => {
    /** Megabytes of each pass. */
    const passes: number[] = [];
    const blank = async function* () {
      const pass = passes.push(0) - 1;
      yield Buffer.from('last_name,result\n');
      for (; passes[pass]! < 6; passes[pass]!++)
        yield Buffer.from(`,${' '.repeat(2 ** 14 - 2)}\n`.repeat(64));
    };
    // One pass detects the encoding and delimiter; the last pass does not read the whole file again.
    expect(await detectFormat(blank)).toMatchObject({ format: 'csv' });
    expect(passes.at(-1)).toBeLessThan(3);
  });

  it.each([
    ['', 'file-empty'],
    ['just words', 'file-not-delimited'],
  ])('%j is refused: %s', async (content, code) => {
    expect(await detectFormat(open(content))).toMatchObject({ code });
  });
});
