import type { Classification, ResultCategory } from '../reference/schema.ts';
import type { FactCode } from './facts.ts';
import type { TestKind } from './lab-tests.ts';

/*
 * The language of the case rules. A rule is plain data that could be written to a JSON file and read back.
 * `evaluate.ts` defines the meaning of each criterion.
 *
 * Tests count when they belong to the event: those of the person and the disease family within the definition's
 * `evidenceDays` of the event's day. A criterion that looks further back says so.
 */

/** Selects tests: one of these kinds and, if given, for one of these conditions, and from a normally sterile site. */
export interface TestMatch {
  tests: readonly TestKind[];
  conditions?: readonly string[];
  notConditions?: readonly string[];
  sterile?: true;
  /** Categories that count as positive here; positive and weakly positive by default. */
  answers?: readonly ResultCategory[];
}

export type Criterion =
  /** Every one of them. */
  | { all: readonly Criterion[] }
  /** At least one of them. */
  | { any: readonly Criterion[] }
  /** None of them. */
  | { none: readonly Criterion[] }
  /** A final positive result. If there is only a preliminary one, it is unknown. */
  | ({ is: 'positive' } & TestMatch)
  /** A presumptive or preliminary positive. */
  | ({ is: 'preliminary' } & TestMatch)
  /**
   * A final negative; with `after`, from this many days before the first positive of those tests to this many after
   * it. Seven days before by default: laboratories date a reflex test a little before or after its screen.
   */
  | ({
      is: 'negative';
      after?: readonly TestKind[];
      withinDays?: number;
      beforeDays?: number;
      orIndeterminate?: true;
    } & TestMatch)
  /** No result of these tests, positive or negative. */
  | ({ is: 'not-done' } & TestMatch)
  /** Two positives by different tests. */
  | ({ is: 'different' } & TestMatch)
  /**
   * Two positives on different days: at least `apartMonths`, at most `withinDays` apart. Uses all the person's results.
   * Months are those of the calendar, from 15 January to 15 July.
   */
  | ({ is: 'twice'; apartMonths?: number; withinDays?: number } & TestMatch)
  /**
   * A negative, then a positive of the event within this many days or months. Uses all the person's results.
   * `first`: only the very first positive, of a person without an earlier case.
   */
  | ({
      is: 'converted';
      to?: readonly TestKind[];
      orIndeterminate?: true;
      first?: true;
    } & ({ withinDays: number } | { withinMonths: number }) &
      TestMatch)
  /**
   * A positive at most this many months from the first positive of other tests: both belong to the beginning of the
   * infection. Uses all the person's results.
   */
  | ({ is: 'with-first'; of: readonly TestKind[]; withinMonths: number } & TestMatch)
  /** A titer of the event that is this many dilutions above an earlier one. Uses all the person's results. */
  | ({ is: 'rise'; dilutions: number; withinMonths?: number } & TestMatch)
  /**
   * A positive from a specimen taken at most this many days after the onset. Unknown if the onset is unknown;
   * `assumed`: met in that case, because only a specimen that is known to be later does not count.
   */
  | ({ is: 'near-onset'; days: number; assumed?: true } & TestMatch)
  /** Age at the event, in completed months. `assumed`: a person of unknown age counts as old enough. */
  | { is: 'age-from'; months: number; assumed?: true }
  | { is: 'age-below'; months: number }
  /** The person has no case of these conditions from before the event. */
  | { is: 'first-time' }
  | { is: 'earlier-case' }
  | { is: 'sex'; code: 'M' | 'F' }
  /** The person lives in one of these states (FIPS). */
  | { is: 'place'; states: readonly string[]; name: 'lyme-high-incidence' }
  /** A finding of an investigation. Unknown until someone records it. */
  | { is: 'fact'; fact: FactCode };

export interface CaseClass {
  classification: Classification;
  /** The resulting condition; by default the definition's `files`. */
  condition?: string;
  variant?: string;
  when: Criterion;
}

export interface CaseDefinition {
  /** The condition and the year, such as `syphilis-2018`. */
  id: string;
  family: string;
  /** The conditions that it decides. A case of one of these is a case of this definition. */
  conditions: readonly string[];
  /** The condition for a positive finding while nothing more is known. */
  files: string;
  /** Position statement of the Council of State and Territorial Epidemiologists. */
  statement: string | null;
  source: string;
  /** The first year of events that it applies to; the oldest version also applies to earlier years. */
  validFrom: number;
  /** The maximum distance in days of its tests from the event's day; null: any of the person's results. */
  evidenceDays: number | null;
  /**
   * When a later positive is a new case. Absent: after the re-report window of the condition. `calendar-year`: once
   * per calendar year. A criterion: after the window, and only if it is met.
   */
  newCase?: 'calendar-year' | Criterion;
  /** The strongest first; the first one that is met decides. */
  classes: readonly CaseClass[];
  /**
   * A later test contradicts the positive one: a person should review the case, whatever its class. Absent if no
   * negative test refutes a positive one.
   */
  contradicted?: Criterion;
  /**
   * Other disease families whose results support or contradict a case, such as another mycobacterium for
   * tuberculosis.
   */
  readsAlso?: readonly string[];
}

export const all = (...criteria: Criterion[]): Criterion => ({ all: criteria });
export const any = (...criteria: Criterion[]): Criterion => ({ any: criteria });
export const none = (...criteria: Criterion[]): Criterion => ({ none: criteria });
export const positive = (...tests: TestKind[]): Criterion => ({ is: 'positive', tests });
export const fact = (code: FactCode): Criterion => ({ is: 'fact', fact: code });
export const anyFact = (...codes: FactCode[]): Criterion =>
  codes.length === 1 ? fact(codes[0]!) : any(...codes.map(fact));

/**
 * A positive screen, a negative confirmatory test within this many days, and no positive one; the same for every
 * screen with a confirmatory test. `beforeDays`: how long before the screen it may be, as in `negative`.
 */
export const refuted = (
  screen: readonly TestKind[],
  confirmatory: readonly TestKind[],
  withinDays: number,
  { beforeDays }: { beforeDays?: number } = {},
): Criterion =>
  all(
    { is: 'positive', tests: screen },
    {
      is: 'negative',
      tests: confirmatory,
      after: screen,
      withinDays,
      ...(beforeDays === undefined ? {} : { beforeDays }),
    },
    none({ is: 'positive', tests: confirmatory }),
  );

/**
 * An antigen that a nucleic acid test of nearly the same day does not find. Only few days, because after treatment
 * it is not found either, and that refutes nothing.
 */
export const antigenRefuted = (withinDays: number): Criterion =>
  all(refuted(['antigen'], ['naat'], withinDays, { beforeDays: withinDays }), none(positive('culture')));
