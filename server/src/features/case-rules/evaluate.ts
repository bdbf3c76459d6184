import type { CriterionLine, CriterionState } from '@caseway/contract/case-rules';
import { addMonths, daysBetween } from '@caseway/contract/date-range';
import type { ResultCategory } from '../reference/schema.ts';
import type { Criterion, TestMatch } from './criteria.ts';
import type { FactCode } from './facts.ts';
import type { Finding } from './findings.ts';

/** The facts about the person that a rule uses. */
export interface PersonFacts {
  birthDate: string | null;
  birthDatePrecision: 'day' | 'month' | 'year' | null;
  sexAtBirth: string | null;
  stateFips: string | null;
}

/** An earlier case of the same definition. */
export interface EarlierCase {
  condition: string;
  day: string;
}

/** The facts that a rule is applied to. */
export interface EventFacts {
  /** The day of the event, YYYY-MM-DD. */
  day: string;
  /** The person's current results of the disease family, including those outside the event. */
  findings: readonly Finding[];
  /** Cases of the person from before the event, except those that were ruled out. */
  earlierCases: readonly EarlierCase[];
  /** The first day of the illness; null if nobody recorded it. */
  onset: string | null;
  person: PersonFacts;
  /** The findings of an investigation. Missing ones are unknown. */
  facts: Readonly<Partial<Record<FactCode, boolean>>>;
}

/** A criterion with its state. */
export interface Evaluated {
  kind: CriterionLine['kind'];
  state: CriterionState;
  what?: readonly string[];
  number?: number;
  results?: readonly string[];
  of?: readonly Evaluated[];
  /** More facts cannot make it met: it is decided. */
  isFixed?: true;
}

const usually: readonly ResultCategory[] = ['positive', 'weak-positive'];
const unsure: readonly ResultCategory[] = ['indeterminate', 'equivocal', 'inconclusive'];

const meets = (match: TestMatch, finding: Finding): boolean =>
  match.tests.some((test) => finding.kinds.has(test)) &&
  (!match.conditions || (finding.condition !== null && match.conditions.includes(finding.condition))) &&
  (!match.notConditions || finding.condition === null || !match.notConditions.includes(finding.condition)) &&
  (!match.sterile || finding.sterile);

export const isPositive = (match: TestMatch, finding: Finding): boolean =>
  !finding.isPreliminary && (match.answers ?? usually).includes(finding.category) && meets(match, finding);

const isNegative = (match: TestMatch & { orIndeterminate?: true }, finding: Finding): boolean =>
  (finding.category === 'negative' ||
    (match.orIndeterminate === true && unsure.includes(finding.category))) &&
  meets(match, finding);

const isPresumptive = (match: TestMatch, finding: Finding): boolean =>
  meets(match, finding) &&
  (finding.category === 'presumptive-positive' ||
    (finding.isPreliminary && (match.answers ?? usually).includes(finding.category)));

/** Whether the positive findings of this criterion support a case. */
const isSpeaking = (
  criterion: Criterion & { is: string },
): criterion is Extract<
  Criterion,
  { is: 'positive' | 'different' | 'twice' | 'with-first' | 'near-onset' }
> => ['positive', 'different', 'twice', 'with-first', 'near-onset'].includes(criterion.is);

/** Whether this criterion, or one inside it, would count a finding as positive, even a preliminary one. */
export function isEvidence(criterion: Criterion, finding: Finding): boolean {
  if ('all' in criterion) return criterion.all.some((each) => isEvidence(each, finding));
  if ('any' in criterion) return criterion.any.some((each) => isEvidence(each, finding));
  if ('none' in criterion) return false;
  if (!isSpeaking(criterion)) return false;
  return isPositive(criterion, finding) || isPresumptive(criterion, finding);
}

/** Whether a finding is from a test in this criterion, or in one inside it. */
export function isAskedFor(criterion: Criterion, finding: Finding): boolean {
  if ('all' in criterion) return criterion.all.some((each) => isAskedFor(each, finding));
  if ('any' in criterion) return criterion.any.some((each) => isAskedFor(each, finding));
  if ('none' in criterion) return criterion.none.some((each) => isAskedFor(each, finding));
  return 'tests' in criterion && meets(criterion, finding);
}

/**
 * Applies a criterion to an event.
 *
 * `all` is not met as soon as one part is not; `any` is met as soon as one is; `none` is not met as soon as one is
 * met. Otherwise an unknown part leaves them unknown. A test that was not done, or without a result in Caseway, is
 * not met rather than unknown: laboratories report what they find. A fact of the investigation that nobody recorded
 * is unknown.
 */
export function evaluate(criterion: Criterion, event: EventFacts, evidenceDays: number | null): Evaluated {
  const part = (each: Criterion) => evaluate(each, event, evidenceDays);
  if ('all' in criterion) {
    const of = criterion.all.map(part);
    return { kind: 'all', state: every(of), of };
  }
  if ('any' in criterion) {
    const of = criterion.any.map(part);
    const state = of.some(({ state }) => state === 'met')
      ? 'met'
      : of.some(({ state }) => state === 'unknown')
        ? 'unknown'
        : 'not-met';
    return { kind: 'any', state, of };
  }
  if ('none' in criterion) {
    const of = criterion.none.map(part);
    const isBroken = of.some(({ state }) => state === 'met');
    const state = isBroken ? 'not-met' : of.some(({ state }) => state === 'unknown') ? 'unknown' : 'met';
    return { kind: 'none', state, of, ...(isBroken ? { isFixed: true as const } : {}) };
  }
  switch (criterion.is) {
    case 'fact': {
      const known = event.facts[criterion.fact];
      return {
        kind: 'fact',
        what: [criterion.fact],
        state: known === undefined ? 'unknown' : known ? 'met' : 'not-met',
        ...(known === false ? { isFixed: true as const } : {}),
      };
    }
    case 'age-from':
    case 'age-below':
      return ofAge(criterion, event);
    case 'first-time':
      return fixed('first-time', event.earlierCases.length === 0);
    case 'earlier-case':
      return fixed('earlier-case', event.earlierCases.length > 0);
    case 'sex': {
      const { sexAtBirth } = event.person;
      const isKnown = sexAtBirth === 'M' || sexAtBirth === 'F';
      const node = fixed('sex', sexAtBirth === criterion.code, [criterion.code]);
      return isKnown ? node : { kind: 'sex', what: [criterion.code], state: 'unknown' };
    }
    case 'place': {
      const { stateFips } = event.person;
      if (stateFips === null) return { kind: 'place', what: [criterion.name], state: 'unknown' };
      return fixed('place', criterion.states.includes(stateFips), [criterion.name]);
    }
    default:
      return ofTests(criterion, event, evidenceDays);
  }
}

const every = (of: readonly Evaluated[]): CriterionState =>
  of.some(({ state }) => state === 'not-met')
    ? 'not-met'
    : of.some(({ state }) => state === 'unknown')
      ? 'unknown'
      : 'met';

const fixed = (kind: Evaluated['kind'], holds: boolean, what?: readonly string[]): Evaluated => ({
  kind,
  state: holds ? 'met' : 'not-met',
  ...(what ? { what } : {}),
  ...(holds ? {} : { isFixed: true as const }),
});

const apart = (a: string, b: string) => Math.abs(daysBetween(a, b));

/** Whether a later day is within this many days or months of an earlier one. */
const isWithin = (earlier: string, later: string, span: { days?: number; months?: number }): boolean =>
  (span.days === undefined || daysBetween(earlier, later) <= span.days) &&
  (span.months === undefined || later <= addMonths(earlier, span.months));

/**
 * The findings of the event, within the definition's number of days. A result without a day belongs to every event.
 */
const ofEvent = (event: EventFacts, days: number | null): readonly Finding[] =>
  days === null
    ? event.findings
    : event.findings.filter(({ day }) => day === null || apart(day, event.day) <= days);

type OfTests = Extract<Criterion, { tests: unknown; is: unknown }>;

function ofTests(criterion: OfTests, event: EventFacts, evidenceDays: number | null): Evaluated {
  const near = ofEvent(event, evidenceDays);
  const positives = near.filter((finding) => isPositive(criterion, finding));
  const presumptive = near.filter((finding) => isPresumptive(criterion, finding));
  const told = (
    state: CriterionState,
    results: readonly Finding[],
    number?: number,
    isFixed?: boolean,
  ): Evaluated => ({
    kind: criterion.is === 'with-first' ? 'with-first-months' : criterion.is,
    what: criterion.tests,
    state,
    ...(results.length > 0 ? { results: [...new Set(results.map(({ id }) => id))] } : {}),
    ...(number === undefined ? {} : { number }),
    ...(isFixed ? { isFixed: true as const } : {}),
  });
  /** Met, or unknown if there is only a preliminary positive. */
  const orPreliminary = (found: readonly Finding[] | undefined, number?: number) =>
    found
      ? told('met', found, number)
      : told(presumptive.length > 0 ? 'unknown' : 'not-met', presumptive, number);

  switch (criterion.is) {
    case 'positive':
      return orPreliminary(positives.length > 0 ? positives : undefined);
    case 'preliminary':
      return told(presumptive.length > 0 ? 'met' : 'not-met', presumptive);
    case 'not-done': {
      const done = near.filter(
        (finding) =>
          meets(criterion, finding) &&
          (finding.category === 'negative' || usually.includes(finding.category)),
      );
      return told(done.length === 0 ? 'met' : 'not-met', done, undefined, done.length > 0);
    }
    case 'negative': {
      const screens = near.flatMap((finding) =>
        criterion.after && finding.day !== null && isPositive({ tests: criterion.after }, finding)
          ? [finding.day]
          : [],
      );
      const first = screens.sort()[0];
      const negatives = near.filter(
        (finding) =>
          !finding.isPreliminary &&
          isNegative(criterion, finding) &&
          (first === undefined ||
            finding.day === null ||
            criterion.withinDays === undefined ||
            (daysBetween(first, finding.day) >= -(criterion.beforeDays ?? 7) &&
              daysBetween(first, finding.day) <= criterion.withinDays)),
      );
      return told(negatives.length > 0 ? 'met' : 'not-met', negatives);
    }
    case 'different': {
      const pair = positives.flatMap((one, at) =>
        positives.slice(at + 1).flatMap((other) => (isAnotherTest(one, other) ? [[one, other]] : [])),
      )[0];
      return orPreliminary(pair);
    }
    case 'twice': {
      const { apartMonths, withinDays } = criterion;
      const kind =
        apartMonths !== undefined
          ? 'twice-apart-months'
          : withinDays !== undefined
            ? 'twice-within'
            : 'twice';
      const dated = event.findings
        .filter((finding) => finding.day !== null && isPositive(criterion, finding))
        .sort((a, b) => (a.day! < b.day! ? -1 : 1));
      const pair = dated.flatMap((one, at) =>
        dated.slice(at + 1).flatMap((other) => {
          const isApart = other.day! >= addMonths(one.day!, apartMonths ?? 0) && one.day! < other.day!;
          return isApart && isWithin(one.day!, other.day!, { days: withinDays }) ? [[one, other]] : [];
        }),
      )[0];
      return { ...orPreliminary(pair, apartMonths ?? withinDays), kind };
    }
    case 'converted': {
      const then = criterion.to ? { tests: criterion.to } : criterion;
      const span: { days?: number; months?: number } =
        'withinMonths' in criterion ? { months: criterion.withinMonths } : { days: criterion.withinDays };
      const [first] = event.findings
        .flatMap((finding) => (finding.day !== null && isPositive(then, finding) ? [finding.day] : []))
        .sort();
      const pair = event.findings
        .filter((finding) => finding.day !== null && !finding.isPreliminary && isNegative(criterion, finding))
        .flatMap((before) =>
          near.flatMap((after) => {
            if (after.day === null || !isPositive(then, after)) return [];
            if (criterion.first && (after.day !== first || event.earlierCases.length > 0)) return [];
            return before.day! < after.day && isWithin(before.day!, after.day, span) ? [[before, after]] : [];
          }),
        )[0];
      return {
        ...told(pair ? 'met' : 'not-met', pair ?? [], span.months ?? span.days),
        kind: span.months === undefined ? 'converted' : 'converted-months',
      };
    }
    case 'with-first': {
      const [first] = event.findings
        .filter((finding) => isPositive({ tests: criterion.of }, finding))
        .sort((a, b) => ((a.day ?? '9999') < (b.day ?? '9999') ? -1 : 1));
      const pair = positives.flatMap((one) => {
        if (!first) return [];
        // A result without a day belongs to every event.
        if (one.day === null || first.day === null) return [[one, first]];
        const [earlier, later] = one.day < first.day ? [one.day, first.day] : [first.day, one.day];
        return isWithin(earlier, later, { months: criterion.withinMonths }) ? [[one, first]] : [];
      })[0];
      return {
        ...orPreliminary(pair, criterion.withinMonths),
        what: [...criterion.tests, ...criterion.of],
      };
    }
    case 'near-onset': {
      const { onset } = event;
      const isLate = (finding: Finding) =>
        onset !== null && finding.day !== null && daysBetween(onset, finding.day) > criterion.days;
      const soon = positives.filter(
        (finding) => !isLate(finding) && (criterion.assumed || (onset !== null && finding.day !== null)),
      );
      const kind = criterion.assumed ? 'not-long-after-onset' : 'near-onset';
      const open = positives.filter((finding) => !isLate(finding));
      const node = orPreliminary(soon.length > 0 ? soon : undefined, criterion.days);
      return node.state === 'not-met' && open.length > 0
        ? { ...told('unknown', open, criterion.days), kind }
        : { ...node, kind };
    }
    case 'rise': {
      const titers = event.findings.filter(
        (finding) => finding.dilution !== null && finding.day !== null && isPositive(criterion, finding),
      );
      const pair = titers
        .filter((finding) => near.includes(finding))
        .flatMap((after) => {
          // Compared with the last titer before it, so that a rise shows in a treated infection whose titer had
          // fallen.
          const before = titers
            .filter(({ day }) => day! < after.day!)
            .sort((a, b) => (a.day! < b.day! ? 1 : -1))[0];
          if (!before || after.dilution! - before.dilution! < criterion.dilutions) return [];
          return isWithin(before.day!, after.day!, { months: criterion.withinMonths })
            ? [[before, after]]
            : [];
        })[0];
      return told(pair ? 'met' : 'not-met', pair ?? [], criterion.dilutions);
    }
  }
}

/**
 * Another kind, or another method or substance under another LOINC code. Repeating a test does not make it another
 * one.
 */
function isAnotherTest(one: Finding, other: Finding): boolean {
  if (one.loinc === other.loinc) return false;
  return one.method !== other.method || [...one.kinds].join() !== [...other.kinds].join();
}

function ofAge(criterion: Extract<Criterion, { months: number }>, { day, person }: EventFacts): Evaluated {
  const { months } = criterion;
  const range = ageInMonths(person, day);
  const node = { kind: criterion.is, number: months };
  if (!range) {
    const isAssumed = criterion.is === 'age-from' && criterion.assumed === true;
    return { ...node, state: isAssumed ? 'met' : 'unknown' };
  }
  const [youngest, oldest] = range;
  const [surely, hardly] =
    criterion.is === 'age-from'
      ? [youngest >= months, oldest < months]
      : [oldest < months, youngest >= months];
  return surely
    ? { ...node, state: 'met' }
    : hardly
      ? { ...node, state: 'not-met', isFixed: true }
      : { ...node, state: 'unknown' };
}

/**
 * The lowest and highest age in completed months that the birth date allows on a day; undefined without a birth
 * date.
 */
export function ageInMonths(
  { birthDate, birthDatePrecision }: Pick<PersonFacts, 'birthDate' | 'birthDatePrecision'>,
  day: string,
): [number, number] | undefined {
  if (birthDate === null) return undefined;
  const completed = (born: string) => {
    const [y, m, d] = born.split('-').map(Number) as [number, number, number];
    const [year, month, date] = day.split('-').map(Number) as [number, number, number];
    return (year - y) * 12 + (month - m) - (date < d ? 1 : 0);
  };
  const year = birthDate.slice(0, 4);
  const [first, last] =
    birthDatePrecision === 'year'
      ? [`${year}-01-01`, `${year}-12-31`]
      : birthDatePrecision === 'month'
        ? [`${birthDate.slice(0, 7)}-01`, `${birthDate.slice(0, 7)}-31`]
        : [birthDate, birthDate];
  return [completed(last), completed(first)];
}
