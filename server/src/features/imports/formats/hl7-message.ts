import { importFault } from '@caseway/contract/import-fault';
import { withoutFormless } from '@caseway/contract/name';
import type { ImportFault } from '../../reported/report.ts';

/**
 * HL7 v2 syntax only: segments, fields, repetitions, components, escapes. Fields are split only when they are read,
 * because a report reads a third of a message. Why this is not a library: docs/decisions/0006-hl7-parser.md.
 */

export interface Separators {
  field: string;
  component: string;
  repetition: string;
  /** Empty if the message declares none. */
  escape: string;
  subcomponent: string;
}

export interface Segment {
  /** `OBX` */
  id: string;
  /** The n-th segment of this name in the message, from 1. */
  occurrence: number;
  /** The line of the file, from 1. */
  line: number;
  /** As sent, numbered as HL7 does: `fields[3]` is PID-3. In MSH, `fields[1]` is the separator itself. */
  fields: string[];
}

export interface ParsedMessage {
  separators: Separators;
  segments: Segment[];
  faults: ImportFault[];
}

/** More segments than any real message has; a guard for memory. */
export const segmentLimit = 20_000;

const defaults: Separators = { field: '|', component: '^', repetition: '~', escape: '\\', subcomponent: '&' };

/**
 * Splits a message into segments. `line` is the line of the file that the message begins on. Never throws:
 * unreadable parts are in `faults`, as an `error` if the message is unusable.
 */
export function parseHl7(text: string, line: number): ParsedMessage {
  const faults: ImportFault[] = [];
  const separators = readSeparators(text, line, faults);
  const segments: Segment[] = [];
  const seen = new Map<string, number>();
  const field = separators.field.charCodeAt(0);
  const texts: string[] = [];
  const length = text.length;
  let at = 0;
  let current = line;
  while (at < length) {
    let end = at;
    let code = 0;
    while (end < length) {
      code = text.charCodeAt(end);
      if (code === 13 || code === 10) break;
      end++;
    }
    if (end > at) {
      if (isSegmentStart(text, at, end, field)) {
        const id = text.slice(at, at + 3);
        const occurrence = (seen.get(id) ?? 0) + 1;
        seen.set(id, occurrence);
        segments.push({ id, occurrence, line: current, fields: [] });
        texts.push(text.slice(at, end));
      } else if (texts.length > 0) {
        const rest = text.slice(at, end);
        if (rest.trim() !== '') {
          texts[texts.length - 1] += `\n${rest}`;
          const place = placeOf(segments.at(-1)!);
          const known = faults.at(-1);
          if (known?.code !== 'line-continued' || known.place !== place) {
            faults.push(importFault('warning', 'line-continued', place, current));
          }
        }
      }
      if (segments.length > segmentLimit) {
        faults.push(importFault('error', 'too-many-segments', 'MSH', line, { limit: String(segmentLimit) }));
        break;
      }
    }
    current++;
    at = end + 1;
    if (code === 13 && text.charCodeAt(at) === 10) at++;
  }
  for (const [index, segment] of segments.entries()) {
    const fields = texts[index]!.split(separators.field);
    if (segment.id === 'MSH') fields.splice(1, 0, separators.field);
    segment.fields = fields;
  }
  return { separators, segments, faults };
}

function isSegmentStart(text: string, at: number, end: number, field: number): boolean {
  if (end - at < 3 || (end - at > 3 && text.charCodeAt(at + 3) !== field)) return false;
  for (let index = at; index < at + 3; index++) {
    const code = text.charCodeAt(index);
    if (!((code >= 65 && code <= 90) || (index > at && code >= 48 && code <= 57))) return false;
  }
  return true;
}

function readSeparators(text: string, line: number, faults: ImportFault[]): Separators {
  const field = text[3];
  if (!text.startsWith('MSH') || field === undefined || field === '\r' || field === '\n') {
    faults.push(
      importFault('error', 'field-missing', 'MSH-1', line, { field: 'MSH-1', name: 'field separator' }),
    );
    return defaults;
  }
  const lineEnd = text.search(/[\r\n]/);
  const header = lineEnd === -1 ? text : text.slice(0, lineEnd);
  const declared = header.slice(4).split(field, 1)[0]!;
  if (declared === '') {
    faults.push(
      importFault('error', 'field-missing', 'MSH-2', line, { field: 'MSH-2', name: 'encoding characters' }),
    );
    return { ...defaults, field };
  }
  const characters = new Set(declared);
  const sound = declared.length >= 4 && declared.length <= 5 && characters.size === declared.length;
  if (!sound || /[A-Za-z0-9\s]/.test(declared)) {
    faults.push(importFault('error', 'encoding-characters-invalid', 'MSH-2', line));
    return { ...defaults, field };
  }
  return {
    field,
    component: declared[0]!,
    repetition: declared[1]!,
    escape: declared[2]!,
    subcomponent: declared[3]!,
  };
}

/** `PID[1]` or, with a field, `OBX[3]-5`. There is one MSH, so it has no number. */
export function placeOf(segment: Segment, field?: number | string): string {
  const base = segment.id === 'MSH' ? 'MSH' : `${segment.id}[${segment.occurrence}]`;
  return field === undefined ? base : `${base}-${field}`;
}

/** A field as sent; empty if it is absent or the explicit null `""`. */
export function field(segment: Segment, number: number): string {
  const value = segment.fields[number];
  return value === undefined || value === '""' ? '' : value;
}

/** More repetitions of one field than any real message has; a guard for memory. */
export const repetitionLimit = 1000;

/** The non-empty repetitions of a field. */
export function repetitions(separators: Separators, segment: Segment, number: number): string[] {
  const value = field(segment, number);
  if (value === '') return [];
  if (!value.includes(separators.repetition)) return [value];
  return value.split(separators.repetition, repetitionLimit).filter((part) => part !== '' && part !== '""');
}

/** The first non-empty repetition of a field; empty if there is none. */
export function first(separators: Separators, segment: Segment, number: number): string {
  const value = field(segment, number);
  return value === '' || !value.includes(separators.repetition)
    ? value
    : (repetitions(separators, segment, number)[0] ?? '');
}

/** The components of one repetition, as sent. */
export const components = (separators: Separators, repetition: string): string[] =>
  repetition.split(separators.component);

/**
 * The text of a component or field: unescaped, without invisible characters and outer blanks; undefined if nothing
 * is left.
 */
export function textOf(separators: Separators, part: string | undefined): string | undefined {
  if (part === undefined || part === '' || part === '""') return undefined;
  const text =
    separators.escape !== '' && part.includes(separators.escape) ? unescapeHl7(separators, part) : part;
  const trimmed = withoutFormless(text).trim();
  return trimmed === '' ? undefined : trimmed;
}

/** The first subcomponent of a component, as text. */
export function firstOf(separators: Separators, part: string | undefined): string | undefined {
  if (part === undefined || !part.includes(separators.subcomponent)) return textOf(separators, part);
  return textOf(separators, part.split(separators.subcomponent, 1)[0]);
}

/** A simple text field: the first component of its first repetition. */
export function simple(separators: Separators, segment: Segment, number: number): string | undefined {
  const value = first(separators, segment, number);
  return value === '' ? undefined : textOf(separators, value.split(separators.component, 1)[0]);
}

const sequence = /^[A-Za-z.][A-Za-z0-9.+-]*$/;

/**
 * Undoes HL7 escape sequences (chapter 2.7): separators, hexadecimal bytes, and the formatting commands of FT text (a
 * line break for `\.br\`, blanks for `\.sk`). Highlighting and character-set switches are removed; an unknown sequence
 * stays as it is.
 */
export function unescapeHl7(separators: Separators, text: string): string {
  const mark = separators.escape;
  let result = '';
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf(mark, at);
    if (start === -1) return result + text.slice(at);
    const end = text.indexOf(mark, start + 1);
    if (end === -1) return result + text.slice(at);
    result += text.slice(at, start);
    const replaced = meaningOf(separators, text.slice(start + 1, end));
    if (replaced === undefined) {
      // Not a sequence: this escape character is literal, and the next may open one.
      result += mark;
      at = start + 1;
    } else {
      result += replaced;
      at = end + 1;
    }
  }
  return result;
}

function meaningOf(separators: Separators, name: string): string | undefined {
  switch (name) {
    case 'F':
      return separators.field;
    case 'S':
      return separators.component;
    case 'T':
      return separators.subcomponent;
    case 'R':
      return separators.repetition;
    case 'E':
      return separators.escape;
    case 'P':
      return '#';
    case 'H':
    case 'N':
      return '';
  }
  if (!sequence.test(name)) return undefined;
  if (name[0] === 'X') return bytes(name.slice(1));
  if (/^C[0-9A-Fa-f]{4}$/.test(name) || /^M[0-9A-Fa-f]{4}([0-9A-Fa-f]{2})?$/.test(name)) return '';
  if (name === '.br' || name === '.ce') return '\n';
  const blanks = /^\.(sp|sk|in|ti)\s*[+-]?(\d{0,3})$/.exec(name);
  if (blanks) {
    const count = Math.min(Number(blanks[2] || 1), 100);
    if (blanks[1] === 'sp') return '\n'.repeat(Math.max(count, 1));
    return blanks[1] === 'sk' ? ' '.repeat(count) : '';
  }
  if (name === '.fi' || name === '.nf') return '';
  return undefined;
}

function bytes(hex: string): string | undefined {
  if (hex.length === 0 || hex.length % 2 !== 0 || !/^[0-9A-Fa-f]+$/.test(hex)) return undefined;
  const raw = Buffer.from(hex, 'hex');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    // Not UTF-8, so these are bytes of a single-byte character set.
    text = new TextDecoder('windows-1252').decode(raw);
  }
  return text.replaceAll('\0', '').replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}
