import { describe, expect, it } from 'vitest';
import { decodeHl7 } from './hl7-decode.ts';

const header = (charset: string) => `MSH|^~\\&|A|B|||20240101||ORU^R01|1|P|2.5.1||||||${charset}`;
const codes = (raw: Buffer) => {
  const { text, charset, faults } = decodeHl7(raw, 3);
  return {
    name: text.split('|').at(-1),
    charset,
    faults: faults.map((fault) => [fault.code, fault.place, fault.line]),
  };
};

describe('the character set of a message', () => {
  it('is UTF-8 without a declaration', () => {
    expect(codes(Buffer.from(`${header('')}\rPID|Müller`))).toEqual({
      name: 'Müller',
      charset: 'utf-8',
      faults: [],
    });
  });

  it.each([
    ['8859/1', 'iso-8859-1'],
    ['8859/15', 'iso-8859-15'],
  ])('is %s when MSH-18 says so', (declared, charset) => {
    expect(codes(Buffer.from(`${header(declared)}\rPID|Müller`, 'latin1'))).toEqual({
      name: 'Müller',
      charset,
      faults: [],
    });
  });

  it('is another ISO 8859 part when MSH-18 says so', () => {
    const raw = Buffer.concat([
      Buffer.from(`${header('8859/2')}\rPID|`),
      Buffer.from([0xa3, 0xf3, 0x64, 0xbc]),
    ]);
    expect(codes(raw)).toEqual({ name: 'Łódź', charset: 'iso-8859-2', faults: [] });
  });

  it('reads the first of several character sets', () => {
    expect(codes(Buffer.from(`${header('8859/1~UNICODE UTF-8')}\rPID|é`, 'latin1')).name).toBe('é');
  });

  it('falls back to windows-1252 if the bytes are not UTF-8, and says so', () => {
    expect(codes(Buffer.from(`${header('UNICODE UTF-8')}\rPID|Jos\xe9 \x93Pepe\x94`, 'latin1'))).toEqual({
      name: 'José “Pepe”',
      charset: 'windows-1252',
      faults: [['charset-fallback', 'MSH-18', 3]],
    });
  });

  it('reads valid UTF-8 as UTF-8 though Latin-1 is declared, and says so', () => {
    expect(codes(Buffer.from(`${header('8859/1')}\rPID|Ñúñez`))).toEqual({
      name: 'Ñúñez',
      charset: 'utf-8',
      faults: [['charset-contradicted', 'MSH-18', 3]],
    });
  });

  it('names an unknown character set', () => {
    expect(codes(Buffer.from(`${header('JIS X 0201')}\rPID|é`, 'latin1')).faults).toEqual([
      ['charset-unsupported', 'MSH-18', 3],
    ]);
  });

  it('reports characters that were lost before the text arrived, and keeps NUL out of the database', () => {
    expect(codes(Buffer.from(`${header('')}\rPID|M\ufffdller`)).faults).toEqual([
      ['characters-lost', 'MSH', 3],
    ]);
    expect(codes(Buffer.from(`${header('')}\rPID|a\0b`))).toMatchObject({
      name: 'a\ufffdb',
      faults: [['characters-lost', 'MSH', 3]],
    });
  });
});
