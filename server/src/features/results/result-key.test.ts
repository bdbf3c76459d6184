import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHl7Report } from '../imports/formats/elr.ts';
import type { LabReport, ResultStatus } from '../reported/report.ts';
import { replaces, resultKeys } from './result-key.ts';
import { statusEffect } from './result-status.ts';

interface Said {
  facility?: string;
  controlId?: string;
  filler?: string;
  placer?: string;
  specimen?: string;
  specimenType?: string;
  observations?: string[];
}

/** A report about a fictional person, with the parts that identify a result. */
function reportOf(said: Said): LabReport {
  const {
    facility = 'Mill Lab^06D1111111^CLIA',
    controlId = 'M1',
    filler = 'F-1^LIS',
    placer = '',
    specimen = 'S-1',
  } = said;
  const lines = [
    `MSH|^~\\&|LIS|${facility}|A|B|20240305||ORU^R01|${controlId}|P|2.5.1`,
    'PID|1||P-1^^^MILL^MR||Reed^Nell',
    `OBR|1|${placer}|${filler}|64017-7^Panel^LN|||20240304||||||||||||||||||F`,
    ...(said.observations ?? ['OBX|1|ST|43304-5^CT^LN||Positive||||||F']),
    `SPM|1|^${specimen}||${said.specimenType ?? '122575003^Urine^SCT'}`,
  ];
  const read = readHl7Report(Buffer.from(lines.join('\r')), 1, { timeZone: 'UTC' });
  if (read.outcome !== 'usable') throw new Error(JSON.stringify(read.faults));
  return read.report;
}
const keyOf = (said: Said = {}) => resultKeys(reportOf(said))[0]![0]!;

describe('the identity of a result', () => {
  it('is the same when only the control id, the value, the status or the names of the codes differ', () => {
    const same = [
      keyOf(),
      keyOf({ controlId: 'M2' }),
      keyOf({
        observations: ['OBX|7|CWE|43304-5^Other words^LN^CT^Chlamydia^L||260385009^Negative^SCT||||||C'],
      }),
      keyOf({ facility: 'MILL LAB (renamed)^06D1111111^CLIA' }),
    ];
    expect(new Set(same.map((key) => key.key)).size).toBe(1);
    expect(same[0]).toMatchObject({ key: expect.stringMatching(/^[0-9a-f]{40}$/), strength: 'order' });
  });

  it.each<[string, Said]>([
    ['the sender', { facility: 'Other^06D2222222^CLIA' }],
    ['the order number', { filler: 'F-2^LIS' }],
    ['who assigned the order number', { filler: 'F-1^OTHERLIS' }],
    ['the specimen', { specimen: 'S-2' }],
    ['the test', { observations: ['OBX|1|ST|43305-2^NG^LN||Positive||||||F'] }],
    ['the sub-id', { observations: ['OBX|1|ST|43304-5^CT^LN|2|Positive||||||F'] }],
  ])('is another when %s differs', (_what, said) => {
    expect(keyOf(said).key).not.toBe(keyOf().key);
  });

  it('tells specimens without a number apart by type and site', () => {
    const throat = keyOf({ specimen: '', specimenType: '258529004^Throat swab^SCT' });
    const urine = keyOf({ specimen: '' });
    expect(throat.key).not.toBe(urine.key);
  });

  it('uses the position among equals only if nothing else tells them apart', () => {
    const twice = reportOf({
      observations: ['OBX|1|ST|43304-5^CT^LN||Positive||||||F', 'OBX|2|ST|43304-5^CT^LN||Negative||||||F'],
    });
    const [first, second] = resultKeys(twice)[0]!;
    expect(first!.key).not.toBe(second!.key);
    expect(first!.key).toBe(keyOf().key);
  });

  it('falls back on the placer number, the specimen, and finally the message', () => {
    expect(keyOf({ filler: '', placer: 'P-9^EHR' }).strength).toBe('order');
    expect(keyOf({ filler: '' }).strength).toBe('specimen');
    expect(keyOf({ filler: '', specimen: '' }).strength).toBe('message');
    expect(keyOf({ filler: '', specimen: '', controlId: 'M2' }).key).not.toBe(
      keyOf({ filler: '', specimen: '' }).key,
    );
  });

  it.each(['system generated^LIS', 'N/A', '0000', 'unknown', 'TEST'])(
    'does not accept %j as an order number',
    (filler) => {
      expect(keyOf({ filler }).strength).toBe('specimen');
    },
  );
});

describe('which version of a result counts', () => {
  const at = (day: number) => `2024-03-${String(day).padStart(2, '0')}T12:00:00.000Z`;
  it.each<[string, [ResultStatus, number?], [ResultStatus, number?], boolean]>([
    ['a final replaces a preliminary', ['F', 2], ['P', 1], true],
    ['a final replaces a preliminary that was reported later', ['F', 1], ['P', 2], true],
    ['a preliminary does not replace a final', ['P', 3], ['F', 1], false],
    ['a correction replaces a final', ['C', 2], ['F', 1], true],
    ['a correction replaces a final without times', ['C'], ['F'], true],
    ['an old correction does not replace a later final', ['C', 1], ['F', 2], false],
    ['a final sent again does not undo a correction', ['F', 1], ['C', 2], false],
    ['a final without time does not undo a correction', ['F'], ['C', 2], false],
    ['a later final replaces a correction', ['F', 3], ['C', 2], true],
    ['the later of two corrections counts', ['C', 3], ['C', 2], true],
    ['the earlier of two corrections does not', ['C', 1], ['C', 2], false],
    ['a withdrawal replaces a final', ['W', 2], ['F', 1], true],
    ['a deletion replaces a correction', ['D', 3], ['C', 2], true],
    ['a preliminary does not undo a withdrawal', ['P', 9], ['W', 2], false],
    ['a cancellation replaces a pending order', ['X', 2], ['I', 1], true],
    ['a result replaces a cancellation', ['F', 2], ['X', 1], true],
    ['the same again may replace itself', ['F', 1], ['F', 1], true],
  ])('%s', (_what, [status, day], [stored, storedDay], expected) => {
    const arriving = { status, reportedAt: day === undefined ? undefined : at(day) };
    expect(
      replaces(arriving, { status: stored, reportedAt: storedDay === undefined ? undefined : at(storedDay) }),
    ).toBe(expected);
  });

  it('ends the same in whatever order two reports of different times arrive, unless the later one is preliminary', () => {
    const status = fc.constantFrom<ResultStatus>('F', 'C', 'W', 'D', 'X');
    fc.assert(
      fc.property(status, status, (left, right) => {
        const first = { status: left, reportedAt: at(1) };
        const second = { status: right, reportedAt: at(2) };
        const forwards = replaces(second, first) ? second : first;
        const backwards = replaces(first, second) ? first : second;
        expect(forwards).toBe(backwards);
      }),
    );
  });

  it('knows what each status means', () => {
    expect(
      ['F', 'P', 'C', 'W', 'D', 'X', 'I', 'N'].map((status) => statusEffect(status as ResultStatus)),
    ).toEqual([
      'result',
      'preliminary',
      'correction',
      'withdrawal',
      'withdrawal',
      'cancelled',
      'pending',
      'cancelled',
    ]);
  });
});
