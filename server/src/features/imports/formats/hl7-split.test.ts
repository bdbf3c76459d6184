import { describe, expect, it } from 'vitest';
import type { SplitItem, SplitOptions } from './hl7-split.ts';
import { splitHl7 } from './hl7-split.ts';

async function* chunks(text: string | Buffer, size: number) {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function split(
  text: string | Buffer,
  options: SplitOptions & { size?: number } = {},
): Promise<SplitItem[]> {
  const items: SplitItem[] = [];
  for await (const item of splitHl7(chunks(text, options.size ?? 65_536), options)) items.push(item);
  return items;
}

/** One line per item: its kind, position and contents. */
const outline = (items: SplitItem[]) =>
  items.map((item) => {
    if (item.kind === 'note') return `note ${item.fault.code} ${item.fault.place} line ${item.fault.line}`;
    const held = item.raw?.toString('latin1').replace(/\r\n|\r|\n/g, '/');
    return item.kind === 'message'
      ? `message ${item.index} line ${item.line}: ${held}`
      : `refused ${item.index} line ${item.line} ${item.fault.code}: ${held}`;
  });

describe('splitting a stream into HL7 messages', () => {
  it.each([
    ['carriage returns', '\r', 1, 4],
    ['line feeds', '\n', 1, 4],
    ['both', '\r\n', 1, 4],
    ['double ends', '\r\n\r\n', 1, 7],
  ])('accepts %s as line ends and counts lines', async (_name, end, first, second) => {
    const text = ['MSH|^~\\&|A', 'PID|1', 'OBX|1', 'MSH|^~\\&|B', 'PID|1', ''].join(end);
    const items = await split(text);
    expect(items.map((item) => item.kind === 'message' && [item.index, item.line])).toEqual([
      [0, first],
      [1, second],
    ]);
    expect(items[1]).toMatchObject({ raw: Buffer.from(`MSH|^~\\&|B${end}PID|1`) });
  });

  it('gives each message the bytes at its offset, unchanged', async () => {
    const text = '﻿MSH|^~\\&|Å\r\nPID|1\r\n\r\nMSH|^~\\&|B\nPID|2\n';
    const bytes = Buffer.from(text);
    for (const item of await split(bytes)) {
      if (item.kind !== 'message') throw new Error('only messages expected');
      expect(bytes.subarray(item.byteOffset, item.byteOffset + item.byteLength)).toEqual(item.raw);
      expect(item.raw.subarray(0, 3).toString()).toBe('MSH');
    }
  });

  it('gives the same pieces for any chunk size', async () => {
    const text =
      '\ufeffFHS|^~\\&\r\nBHS|^~\\&\r\nMSH|^~\\&|A\r\rPID|1\r\n\nMSH|^~\\&|B\nPID|1\n\nPID|2\rOBX|1\rMSHX\rBTS|2\r\nFTS|1\r\n';
    const whole = await split(text);
    expect(outline(whole)).toEqual([
      'message 0 line 3: MSH|^~\\&|A//PID|1',
      'message 1 line 7: MSH|^~\\&|B/PID|1',
      'refused 2 line 10 header-missing: PID|2/OBX|1/MSHX',
    ]);
    for (let size = 1; size < 24; size++) expect(await split(text, { size })).toEqual(whole);
  });

  it('understands MLLP framing', async () => {
    const items = await split('\x0bMSH|^~\\&|A\rPID|1\r\x1c\r\x0bMSH|^~\\&|B\rPID|1\x1c\r');
    expect(outline(items)).toEqual([
      'message 0 line 1: MSH|^~\\&|A/PID|1',
      'message 1 line 4: MSH|^~\\&|B/PID|1',
    ]);
  });

  it('refuses text before the first header, with its place', async () => {
    expect(outline(await split('exported 2024\nPID|1\n\nMSH|^~\\&|A\n'))).toEqual([
      'refused 0 line 1 header-missing: exported 2024/PID|1',
      'message 1 line 4: MSH|^~\\&|A',
    ]);
  });

  it('refuses a second patient after an empty line instead of adding it to the message before', async () => {
    expect(outline(await split('MSH|^~\\&|A\nPID|1||1\nOBX|1\n\nPID|1||2\nOBX|1\nMSH|\n'))).toEqual([
      'message 0 line 1: MSH|^~\\&|A/PID|1||1/OBX|1',
      'refused 1 line 5 header-missing: PID|1||2/OBX|1',
      'message 2 line 7: MSH|',
    ]);
  });

  it('keeps a continuation line with its message', async () => {
    expect(outline(await split('MSH|^~\\&|A\nNTE|1||first\nsecond line\nOBX|1'))).toEqual([
      'message 0 line 1: MSH|^~\\&|A/NTE|1||first/second line/OBX|1',
    ]);
  });

  describe('envelopes', () => {
    const body = 'MSH|^~\\&|A\nMSH|^~\\&|B\n';
    it.each([
      ['a sound one', `FHS|^~\\&\nBHS|^~\\&\n${body}BTS|2\nFTS|1\n`, []],
      ['two batches', `FHS|^~\\&\nBHS|^~\\&\n${body}BTS|2\nBHS|^~\\&\nMSH|^~\\&|C\nBTS|1\nFTS|2`, []],
      ['no BHS', `FHS|^~\\&\n\n${body}BTS|2\nFTS|1\n`, ['batch-header-missing BHS 3']],
      ['a wrong BTS count', `FHS|^~\\&\nBHS|^~\\&\n${body}BTS|25\nFTS|1`, ['batch-count-wrong BTS-1 5']],
      [
        'an FTS without a count',
        `FHS|^~\\&\nBHS|^~\\&\n${body}BTS|2\nFTS`,
        ['file-trailer-unreadable FTS-1 6'],
      ],
      ['a wrong FTS count', `FHS|^~\\&\nBHS|^~\\&\n${body}BTS|2\nFTS|3|x`, ['file-count-wrong FTS-1 6']],
      [
        'a file cut off',
        `FHS|^~\\&\nBHS|^~\\&\n${body}`,
        ['batch-trailer-missing BTS 5', 'file-trailer-missing FTS 5'],
      ],
      ['a trailer alone', `${body}FTS|0\n`, ['file-header-missing FHS 3']],
    ])('%s', async (_name, text, notes) => {
      const items = await split(text);
      expect(items.filter((item) => item.kind === 'message').length).toBeGreaterThanOrEqual(2);
      expect(
        items.flatMap((item) =>
          item.kind === 'note' ? [`${item.fault.code} ${item.fault.place} ${item.fault.line}`] : [],
        ),
      ).toEqual(notes);
    });

    it('reports the announced and the actual count', async () => {
      const [, , note] = await split(`BHS|^~\\&\n${body}BTS|25\n`);
      expect(note).toMatchObject({
        fault: { message: 'The batch trailer (BTS-1) announces 25 messages; 2 were found.' },
      });
    });
  });

  it('refuses and skips a message over the limit, and accepts the ones around it', async () => {
    const text = `MSH|^~\\&|A\rMSH|^~\\&|${'B'.repeat(300)}\rPID|1\rMSH|^~\\&|C\r`;
    for (const size of [7, 65_536]) {
      const items = await split(text, { limit: 100, size });
      expect(items).toMatchObject([
        { kind: 'message', index: 0 },
        {
          kind: 'refused',
          index: 1,
          line: 2,
          byteOffset: 11,
          fault: { code: 'message-too-large', place: 'MSH' },
        },
        { kind: 'message', index: 2, line: 4 },
      ]);
      expect(items[1]).not.toHaveProperty('raw');
    }
  });

  it.each([
    ['nothing', ''],
    ['only blanks', ' \r\n\r\n\t\n'],
    ['only a byte-order mark', '\ufeff'],
  ])('refuses a file with %s as empty', async (_name, text) => {
    expect(await split(text)).toMatchObject([
      { kind: 'refused', index: 0, fault: { code: 'file-empty', place: 'file' } },
    ]);
  });

  it('refuses binary data and UTF-16 by name', async () => {
    expect(await split(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 1]))).toMatchObject([
      { fault: { code: 'file-binary' } },
    ]);
    expect(await split(Buffer.from('\ufeffMSH|^~\\&|A', 'utf16le'))).toMatchObject([
      { fault: { code: 'file-encoding-unsupported', params: { encoding: 'UTF-16' } } },
    ]);
  });

  it('continues after any piece as if it had never stopped', async () => {
    const text =
      'FHS|^~\\&\r\nBHS|^~\\&\r\nMSH|^~\\&|A\r\nPID|1\r\nMSH|^~\\&|B\r\n\r\nMSH|^~\\&|C\r\nOBX|1\r\nBTS|4\r\nFTS|1\r\n';
    const whole = await split(text);
    for (const [at, item] of whole.entries()) {
      if (item.kind === 'note') continue;
      const rest = Buffer.from(text).subarray(item.next.byteOffset);
      expect(await split(rest, { from: item.next })).toEqual(whole.slice(at + 1));
    }
  });
});
