import { describe, expect, it } from 'vitest';
import {
  field,
  parseHl7,
  placeOf,
  repetitions,
  segmentLimit,
  simple,
  textOf,
  unescapeHl7,
} from './hl7-message.ts';

const separators = { field: '|', component: '^', repetition: '~', escape: '\\', subcomponent: '&' };

describe('HL7 segments and fields', () => {
  it('numbers fields as HL7 does, MSH included', () => {
    const { segments } = parseHl7('MSH|^~\\&|LAB|NORTH\rPID|1||X7', 1);
    expect([segments[0]!.fields[1], segments[0]!.fields[2], segments[0]!.fields[3]]).toEqual([
      '|',
      '^~\\&',
      'LAB',
    ]);
    expect(segments[1]!.fields[3]).toBe('X7');
  });

  it('reads the separators a message declares', () => {
    const parsed = parseHl7('MSH#*;!%#LAB\rPID#1##X7*a%b;Y8', 1);
    expect(parsed.separators).toEqual({
      field: '#',
      component: '*',
      repetition: ';',
      escape: '!',
      subcomponent: '%',
    });
    expect(repetitions(parsed.separators, parsed.segments[1]!, 3)).toEqual(['X7*a%b', 'Y8']);
    expect(simple(parsed.separators, parsed.segments[1]!, 3)).toBe('X7');
  });

  it('accepts a fifth encoding character (truncation) as sent', () => {
    expect(parseHl7('MSH|^~\\&#|LAB', 1).faults).toEqual([]);
  });

  it.each([
    ['MSH', 'field-missing', 'MSH-1'],
    ['MSH\rPID|1', 'field-missing', 'MSH-1'],
    ['MSH|', 'field-missing', 'MSH-2'],
    ['MSH||LAB', 'field-missing', 'MSH-2'],
    ['MSH|^^\\&|LAB', 'encoding-characters-invalid', 'MSH-2'],
    ['MSH|^~|LAB', 'encoding-characters-invalid', 'MSH-2'],
    ['MSH|abcd|LAB', 'encoding-characters-invalid', 'MSH-2'],
  ])('%j is refused: %s at %s', (text, code, place) => {
    expect(parseHl7(text, 7).faults).toMatchObject([{ severity: 'error', code, place, line: 7 }]);
  });

  it('counts segments of a name and the lines of the file', () => {
    const { segments } = parseHl7('MSH|^~\\&|A\r\n\r\nOBX|1\nOBX|2\rNTE|1', 10);
    expect(segments.map((segment) => [placeOf(segment), segment.line])).toEqual([
      ['MSH', 10],
      ['OBX[1]', 12],
      ['OBX[2]', 13],
      ['NTE[1]', 14],
    ]);
    expect(placeOf(segments[2]!, 5)).toBe('OBX[2]-5');
  });

  it('adds a line without a segment name to the field before it, and says so', () => {
    const { segments, faults } = parseHl7('MSH|^~\\&|A\rNTE|1||first\rsecond | third\rOBX|1', 1);
    expect(segments.map((segment) => segment.id)).toEqual(['MSH', 'NTE', 'OBX']);
    expect(segments[1]!.fields[3]).toBe('first\nsecond ');
    expect(faults).toMatchObject([{ severity: 'warning', code: 'line-continued', place: 'NTE[1]', line: 3 }]);
  });

  it('treats the explicit null as empty and leaves empty repetitions out', () => {
    const { segments } = parseHl7('MSH|^~\\&|A\rPID|""|x~~""~y', 1);
    expect(field(segments[1]!, 1)).toBe('');
    expect(repetitions(separators, segments[1]!, 2)).toEqual(['x', 'y']);
    expect(textOf(separators, '""')).toBeUndefined();
  });

  it('refuses more segments than a message can have', () => {
    const text = `MSH|^~\\&|A\r${'OBX|1\r'.repeat(segmentLimit)}`;
    expect(parseHl7(text, 1).faults).toMatchObject([{ severity: 'error', code: 'too-many-segments' }]);
  });
});

describe('HL7 escape sequences', () => {
  it.each([
    ['Smith \\T\\ Sons', 'Smith & Sons'],
    ['a\\F\\b\\S\\c\\R\\d\\E\\e', 'a|b^c~d\\e'],
    ['line 1\\.br\\line 2', 'line 1\nline 2'],
    ['one\\X0d0a\\two', 'one\ntwo'],
    ['\\XC3A9\\', 'é'],
    ['\\XE9\\', 'é'],
    ['\\X00\\x', 'x'],
    ['\\H\\high\\N\\ normal', 'high normal'],
    ['\\C2842\\a\\M241B42\\b', 'ab'],
    ['a\\.sp2\\b', 'a\n\nb'],
    ['a\\.sk3\\b', 'a   b'],
    ['a\\.in+4\\b', 'ab'],
    ['\\.fi\\a\\.nf\\', 'a'],
    ['C:\\temp\\new', 'C:\\temp\\new'],
    ['50 \\ 100', '50 \\ 100'],
    ['ends \\', 'ends \\'],
    ['\\X0\\', '\\X0\\'],
    ['\\Zlocal\\', '\\Zlocal\\'],
    ['\\x\\T\\', '\\x&'],
  ])('%j reads %j', (sent, text) => {
    expect(unescapeHl7(separators, sent)).toBe(text);
  });

  it('uses the separators of the message', () => {
    const own = { field: '#', component: '*', repetition: ';', escape: '!', subcomponent: '%' };
    expect(unescapeHl7(own, 'a!F!b!S!c!T!d!R!e!E!')).toBe('a#b*c%d;e!');
  });
});
