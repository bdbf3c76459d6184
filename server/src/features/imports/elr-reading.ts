import { type ImportFaultCode, importFault } from '@caseway/contract/import-fault';
import {
  field,
  first,
  type ParsedMessage,
  placeOf,
  repetitionLimit,
  type Segment,
  type Separators,
  textOf,
} from './hl7-message.ts';
import { type ClockOptions, parseHl7Time } from './hl7-time.ts';
import type { CodedValue, ImportFault, Time } from './report.ts';

/** Faults kept of one message. */
const faultLimit = 100;

/** A message while it is read: its segments, and what is found to be wrong with it. */
export class Reading {
  readonly separators: Separators;
  readonly segments: readonly Segment[];
  readonly hasOrders: boolean;
  readonly #clock: ClockOptions;
  readonly faults: ImportFault[];
  readonly line: number;

  constructor(parsed: ParsedMessage, clock: ClockOptions, faults: ImportFault[], line: number) {
    this.separators = parsed.separators;
    this.segments = parsed.segments;
    this.#clock = clock;
    this.faults = faults;
    this.line = line;
    this.hasOrders = parsed.segments.some((segment) => segment.id === 'OBR');
  }

  hasError(): boolean {
    return this.faults.some((fault) => fault.severity === 'error');
  }

  /** Errors before warnings, each in the order they were found; of very many, the first and how many more. */
  sorted(): ImportFault[] {
    const errors = this.faults.filter((fault) => fault.severity === 'error');
    const sorted =
      errors.length === 0
        ? this.faults
        : [...errors, ...this.faults.filter((fault) => fault.severity !== 'error')];
    if (sorted.length <= faultLimit) return sorted;
    const more = String(sorted.length - faultLimit);
    return [
      ...sorted.slice(0, faultLimit),
      importFault('warning', 'more-faults', 'MSH', this.line, { more }),
    ];
  }

  error(code: ImportFaultCode, place: string, line: number, params?: Record<string, string>): void {
    this.faults.push(importFault('error', code, place, line, params));
  }

  warn(code: ImportFaultCode, place: string, line: number, params?: Record<string, string>): void {
    this.faults.push(importFault('warning', code, place, line, params));
  }

  missing(place: string, name: string): void {
    this.error('field-missing', place, this.line, { field: place, name });
  }

  /** A time field, first component of its first repetition; a fault with its place when it is none. */
  time(segment: Segment, number: number, component = 0): Time | undefined {
    const value = first(this.separators, segment, number);
    if (value === '') return undefined;
    const text = textOf(
      this.separators,
      value.includes(this.separators.component)
        ? value.split(this.separators.component)[component]
        : component === 0
          ? value
          : undefined,
    );
    return this.timeOf(segment, component === 0 ? String(number) : `${number}.${component + 1}`, text);
  }

  timeOf(segment: Segment, place: string, text: string | undefined): Time | undefined {
    if (text === undefined) return undefined;
    const time = parseHl7Time(text, this.#clock);
    if (typeof time === 'object') return time;
    const code =
      time === 'unspecified'
        ? 'date-unspecified'
        : time === 'implausible'
          ? 'date-implausible'
          : 'date-invalid';
    this.warn(code, placeOf(segment, place), segment.line);
    return undefined;
  }

  repeatsTooOften(segment: Segment, number: number): boolean {
    const value = field(segment, number);
    if (value.length <= repetitionLimit) return false;
    let count = 0;
    for (const character of value)
      if (character === this.separators.repetition && ++count >= repetitionLimit) return true;
    return false;
  }

  checkDigits(value: CodedValue | undefined, place: string, line: number): void {
    if (value === undefined) return;
    for (const [index, code] of value.codes.entries()) {
      if (code.checkDigitWrong) {
        const system = code.system === 'LN' ? 'LOINC' : 'SNOMED CT';
        this.warn('check-digit-wrong', `${place}.${index * 3 + 1}`, line, { system });
      }
    }
  }
}
