import { type ImportFaultCode, importFault } from '@caseway/contract/import-fault';
import type { CodedValue, ImportFault, Time } from '../../reported/report.ts';
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
import {
  type ClockOptions,
  latestPast,
  liesAhead,
  liesBeforeBirth,
  offsetIn,
  parseHl7Time,
} from './hl7-time.ts';

const severities = ['error', 'waits', 'warning'] as const;

/** The largest number of faults kept for one message. */
const faultLimit = 100;

/** HL7 2.5.1, MSH-7: the offset of the message's time applies to every time in the message without one. */
function sentOffset({ segments, separators }: ParsedMessage): number | undefined {
  const header = segments[0];
  if (header?.id !== 'MSH') return undefined;
  return offsetIn(first(separators, header, 7).split(separators.component, 1)[0] ?? '');
}

/** A message while it is read: its segments, and its faults so far. */
export class Reading {
  readonly separators: Separators;
  readonly segments: readonly Segment[];
  readonly hasOrders: boolean;
  readonly #clock: ClockOptions;
  readonly #latest = latestPast();
  /** Cached times, because the parts of a report were mostly done at the same times. */
  readonly #times = new Map<string, ReturnType<typeof parseHl7Time>>();
  readonly faults: ImportFault[];
  readonly line: number;
  /** The patient's birth, once it is read: nothing can have happened to them before. */
  birth: Time | undefined;

  constructor(parsed: ParsedMessage, clock: ClockOptions, faults: ImportFault[], line: number) {
    this.separators = parsed.separators;
    this.segments = parsed.segments;
    this.#clock = { ...clock, offset: sentOffset(parsed) };
    this.faults = faults;
    this.line = line;
    this.hasOrders = parsed.segments.some((segment) => segment.id === 'OBR');
  }

  hasError(): boolean {
    return this.faults.some((fault) => fault.severity === 'error');
  }

  /** What a person has to correct before the message can be accepted. */
  waitsFor(): ImportFault | undefined {
    return this.faults.find((fault) => fault.severity === 'waits');
  }

  /**
   * Errors first, then what it waits for, then warnings, each in the order found. If there are very many, the first
   * ones and the number of the others.
   */
  sorted(): ImportFault[] {
    const sorted = this.faults.every((fault) => fault.severity === 'warning')
      ? this.faults
      : severities.flatMap((severity) => this.faults.filter((fault) => fault.severity === severity));
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

  /** A time field, first component of its first repetition; adds a fault with its place if it is not a time. */
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

  /** The time of a past event. A time in the future, or before the patient's birth, waits to be corrected. */
  happened(segment: Segment, number: number, component = 0): Time | undefined {
    const time = this.time(segment, number, component);
    const code = time && this.#wrong(time);
    if (code === undefined) return time;
    const place = component === 0 ? String(number) : `${number}.${component + 1}`;
    this.faults.push(importFault('waits', code, placeOf(segment, place), segment.line));
    return undefined;
  }

  /** Whether an answer is possible. An impossible one is left out and does not hold up a result. */
  canHaveHappened(time: Time, segment: Segment, place: string): boolean {
    if (!this.#wrong(time)) return true;
    this.warn('date-implausible', placeOf(segment, place), segment.line);
    return false;
  }

  #wrong(time: Time): 'date-in-future' | 'date-before-birth' | undefined {
    if (liesAhead(time, this.#latest)) return 'date-in-future';
    return this.birth && liesBeforeBirth(time, this.birth) ? 'date-before-birth' : undefined;
  }

  timeOf(segment: Segment, place: string, text: string | undefined): Time | undefined {
    if (text === undefined) return undefined;
    const time = this.#times.get(text) ?? parseHl7Time(text, this.#clock);
    this.#times.set(text, time);
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
