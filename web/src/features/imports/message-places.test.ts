import { describe, expect, test } from 'vitest';
import {
  cellsOfRow,
  decidingFault,
  errorsFirst,
  stretchesOf,
  stretchInMessage,
  withLineEnds,
} from './message-places.ts';

const message =
  'MSH|^~\\&|LAB|X\nPID|1||123^^^A||Wren^Robin\nOBR|1\nOBX|1|CWE|94500-6^SARS|1|V\nOBX|2|NM||1|5';
const at = (place: string) => {
  const found = stretchInMessage(message, place);
  return found && message.slice(found.from, found.to);
};

describe('the place of a fault in a message', () => {
  test('a segment, a field and a component are found in the segment of that number', () => {
    expect(at('PID')).toBe('PID|1||123^^^A||Wren^Robin');
    expect(at('PID[1]-5')).toBe('Wren^Robin');
    expect(at('PID-5.2')).toBe('Robin');
    expect(at('OBX[2]-5')).toBe('5');
    expect(at('OBX[1]-3.1')).toBe('94500-6');
  });

  test("the header's first field is the separator, the second the encoding characters", () => {
    expect(at('MSH-1')).toBe('|');
    expect(at('MSH-2')).toBe('^~\\&');
    expect(at('MSH-3')).toBe('LAB');
  });

  test('an empty field is a place without width; a field beyond the end is shown by its segment', () => {
    expect(at('OBX[2]-3')).toBe('');
    expect(at('MSH-12')).toBe('MSH|^~\\&|LAB|X');
  });

  test('a missing segment, and the file as a whole, have no place', () => {
    expect(at('SPM')).toBeUndefined();
    expect(at('OBX[3]-5')).toBeUndefined();
    expect(at('file')).toBeUndefined();
  });

  test('overlapping places are marked once, by the more severe fault', () => {
    const marks = stretchesOf(
      message,
      [
        { place: 'PID-5.2', severity: 'error' },
        { place: 'PID-5', severity: 'warning' },
      ],
      null,
    );
    expect(marks).toEqual([
      {
        from: message.indexOf('Wren'),
        to: message.indexOf('Wren') + 'Wren^Robin'.length,
        severity: 'error',
      },
    ]);
  });
});

describe('the row of a table', () => {
  test("is split by the delimiter that gives the header's number of columns; quotes can contain a delimiter and a quote", () => {
    expect(cellsOfRow('a;"b,;c";"say ""x"""', 3).map(({ value }) => value)).toEqual(['a', 'b,;c', 'say "x"']);
  });

  test("a fault is marked at its column's cell", () => {
    expect(
      stretchesOf('7,2026-13-01,x', [{ place: 'date', severity: 'error' }], ['id', 'date', 'note']),
    ).toEqual([{ from: 2, to: 12, severity: 'error' }]);
  });
});

test('an edited text keeps its original line ends', () => {
  expect(withLineEnds('MSH|\nPID|', 'MSH|\rPID|')).toBe('MSH|\rPID|');
  expect(withLineEnds('MSH|\nPID|', 'MSH|\r\nPID|')).toBe('MSH|\r\nPID|');
});

describe('the fault that refuses a message', () => {
  const fault = (place: string, severity: 'error' | 'waits' | 'warning', code = 'invalid-date') =>
    ({ place, severity, code, message: '', value: null }) as never;

  test('is an error, even if a warning before it has the same code', () => {
    const faults = [fault('patient_dob', 'warning'), fault('collected', 'error')];
    expect(decidingFault({ faults, reason: 'invalid-date' })).toBe(faults[1]);
  });

  test('is the warning that is the reason, if there is no error', () => {
    const faults = [fault('sex', 'warning', 'unknown-code'), fault('patient_dob', 'warning')];
    expect(decidingFault({ faults, reason: 'invalid-date' })).toBe(faults[1]);
    expect(decidingFault({ faults, reason: null })).toBeUndefined();
  });

  test('comes before the others in the list', () => {
    const [a, b, c] = [fault('a', 'warning'), fault('b', 'waits'), fault('c', 'error')];
    expect(errorsFirst([a, b, c])).toEqual([c, b, a]);
  });
});
