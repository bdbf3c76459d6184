import { describe, expect, it } from 'vitest';
import type { QueueItem } from './hl7-queue.ts';
import { isHl7Queue, splitHl7Queue } from './hl7-queue.ts';

const message = (id: string) => `MSH|^~\\&|LIS|Lab|||2024||ORU^R01|${id}|P|2.5.1\rPID|1||X`;
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const text = [
  'recordId,payloadTextContent,payloadBinaryContent,status',
  `1,${quoted(message('A'))},,done`,
  '2,nothing here,xyz,done',
  `3,,${Buffer.from(message('B')).toString('base64')},done`,
  `4,${quoted(`FHS|^~\\&\rBHS|^~\\&\r${message('C')}\r${message('D')}\rBTS|3\rFTS|1`)},,done`,
  '5,short',
].join('\n');

async function split(from = 0): Promise<QueueItem[]> {
  const open = async function* () {
    yield Buffer.from(text);
  };
  const items: QueueItem[] = [];
  for await (const item of splitHl7Queue(open, { encoding: 'utf-8', delimiter: ',' }, from)) items.push(item);
  return items;
}
const outline = (items: QueueItem[]) =>
  items.map((item) =>
    item.kind === 'message'
      ? `message ${item.index} line ${item.line} ${item.raw.toString().split('|')[9]}`
      : `${item.kind} ${item.fault.code} line ${item.fault.line}`,
  );

describe('exports of message queues', () => {
  it('give the messages of their rows, plain or in base64, and refuse rows without one', async () => {
    expect(outline(await split())).toEqual([
      'message 0 line 2 A',
      'refused no-message-in-row line 4',
      'message 2 line 5 B',
      'message 3 line 6 C',
      'message 4 line 6 D',
      'note batch-count-wrong line 6',
      'refused row-too-short line 14',
    ]);
  });

  it('continue after any piece', async () => {
    const whole = await split();
    expect((await split(3)).filter((item) => item.kind !== 'note')).toEqual(
      whole.filter((item) => item.kind !== 'note').slice(3),
    );
  });

  it('are recognised by their header or by the contents of their rows', () => {
    expect(isHl7Queue(['messageId', 'payloadTextContent'], [])).toBe(true);
    expect(isHl7Queue(['a', 'b'], [['1', 'MSH|^~\\&|x']])).toBe(true);
    expect(isHl7Queue(['last_name', 'result'], [['Reed', 'MSH positive']])).toBe(false);
  });
});
