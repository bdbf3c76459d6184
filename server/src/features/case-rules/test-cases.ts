import { expect, test } from 'vitest';
import { testByLoinc } from '../reference/catalog.ts';
import type { Classification, ResultCategory, TestMethod } from '../reference/schema.ts';
import { decide, opensCase } from './decide.ts';
import type { EventFacts, PersonFacts } from './evaluate.ts';
import type { FactCode } from './facts.ts';
import { type Finding, findingOf } from './findings.ts';
import { explainedOf, outcomeOf } from './outcome.ts';
import { definitionOf, definitionsOf, speaksFor, versionFor } from './rules.ts';
import { sameCase } from './same-case.ts';

/** A result for a test: LOINC, answer or titer, day, and its other properties. */
export type Told = [
  loinc: string,
  answer: '+' | '-' | '?' | 'equivocal' | 'weak' | 'presumptive' | 'preliminary' | `1:${number}`,
  day?: string,
  more?: { specimen?: string; condition?: string; family?: string; method?: TestMethod },
];

const answers: Record<string, ResultCategory> = {
  '+': 'positive', '-': 'negative', '?': 'indeterminate', equivocal: 'equivocal', weak: 'weak-positive', presumptive: 'presumptive-positive', preliminary: 'positive',
}; // biome-ignore format: a table

export const today = '2026-03-02';

export function findingsOf(told: readonly Told[]): Finding[] {
  return told.map(([loinc, answer, day = today, more = {}], at) => {
    const test = testByLoinc(loinc);
    return findingOf({
      id: `r${at + 1}`,
      family: more.family ?? test!.family!,
      testLoinc: loinc,
      testName: test?.component ?? '',
      method: more.method ?? test!.method,
      conditionCode: more.condition ?? test?.condition ?? null,
      category: answers[answer] ?? 'positive',
      status: answer === 'preliminary' ? 'preliminary' : 'final',
      valueText: answer.startsWith('1:') ? answer : null,
      valueNumber: null,
      collectedOn: day,
      reportedOn: day,
      specimenType: more.specimen ?? null,
    });
  });
}

export interface Situation {
  born?: string;
  sex?: 'M' | 'F';
  state?: string;
  facts?: Partial<Record<FactCode, boolean>>;
  /** The first day of the illness. */
  onset?: string;
  /** Days of earlier cases. */
  earlier?: string[];
  /** The day of the event; the day of the last result by default. */
  day?: string;
  /** A known case of the person: does the last result belong to it? */
  known?: [condition: string, day: string, classification?: Classification];
  /** A person's decision about the case before the last result came. */
  decided?: Classification;
}

export const personOf = ({ born = '1990-05-01', sex = 'F', state = '12' }: Situation): PersonFacts => ({
  birthDate: born === '' ? null : born,
  birthDatePrecision: born === '' ? null : 'day',
  sexAtBirth: sex,
  stateFips: state === '' ? null : state,
});

/** The result of the rules: condition, class, variant and flag, or `none` if no case opens. */
export function classify(told: readonly Told[], situation: Situation = {}): string {
  const findings = findingsOf(told);
  const event = eventOf(told, findings, situation);
  const definitions = definitionsOf(findings[0]!.family).filter((definition) =>
    findings.some((finding) => speaksFor(definition, finding)),
  );
  for (const definition of definitions) {
    const { condition, classification, variant, flag, ...rest } = decide(
      versionFor(definition, event.day),
      event,
    );
    if (opensCase({ condition, classification, ...rest }) || flag)
      return [condition, classification, variant, flag].filter(Boolean).join(' ');
  }
  return 'none';
}

function eventOf(told: readonly Told[], findings: Finding[], situation: Situation): EventFacts {
  const last = told.map(([, , on = today]) => on).sort();
  return {
    day: situation.day ?? last.at(-1)!,
    findings,
    earlierCases: (situation.earlier ?? []).map((on) => ({ condition: '', day: on })),
    onset: situation.onset ?? null,
    person: personOf(situation),
    facts: situation.facts ?? {},
  };
}

/** Whether the last result belongs to the known case. */
function joins(
  told: readonly Told[],
  [conditionCode, day, classification = 'confirmed']: Situation['known'] & {},
) {
  const findings = findingsOf(told);
  const definition = definitionOf(conditionCode)!;
  const known = { id: 'known', conditionCode, family: definition.family, classification, day };
  return sameCase([known], definition, findings.at(-1)!.day!, findings) ? 'the same case' : 'another case';
}

/** What happens to a person's decision, and the rule's current result. */
function overridden(told: readonly Told[], decided: Classification, situation: Situation): string {
  const findings = findingsOf(told);
  const last = findings.at(-1)!;
  const definition = definitionsOf(last.family).find((each) =>
    findings.some((finding) => speaksFor(each, finding)),
  )!;
  const event = eventOf(told, findings, situation);
  const version = versionFor(definition, event.day);
  const before = decide(version, { ...event, findings: findings.slice(0, -1) });
  const now = decide(version, event);
  const record = {
    conditionCode: before.condition,
    classification: decided,
    classifiedBy: 'person' as const,
    explained: explainedOf(before),
  };
  const outcome = outcomeOf(record, now, { isPositive: speaksFor(definition, last) });
  const stays = outcome.classification === undefined && outcome.conditionCode === undefined;
  return [`${stays ? 'stays' : 'changes'} ${decided}`, `rule ${now.classification}`, ...outcome.reviews].join(
    ', ',
  );
}

/** The aspects that each condition is tested for. */
const aspects = ['positive', 'negative', 'missing', 'window', 'age', 'override'] as const;

/** One case worked out by hand: its aspect, title, results as `test answer [day]`, and expected outcome. */
export type Row = [
  aspect: (typeof aspects)[number],
  name: string,
  told: string,
  expected: string,
  situation?: Situation,
];
/** The tests of a table, by short name. */
export type Tests = Record<string, string | [loinc: string, more: Told[3]]>;

/** The results that a row describes. */
export function toldBy(tests: Tests, text: string): Told[] {
  return text.split(', ').map((each) => {
    const [name, answer, day] = each.split(' ') as [string, Told[1], string | undefined];
    const test = tests[name]!;
    const [loinc, more] = typeof test === 'string' ? [test] : test;
    return [loinc, answer, day, more];
  });
}

/** The tests of one condition: every aspect at least once. */
export function holds(tests: Tests, rows: readonly Row[]): void {
  test.each(rows)('%s: %s', (_, __, text, expected, situation = {}) => {
    const told = toldBy(tests, text);
    const { known, decided } = situation;
    expect(
      known ? joins(told, known) : decided ? overridden(told, decided, situation) : classify(told, situation),
    ).toBe(expected);
  });
  test('each aspect is covered', () => {
    expect([...new Set(rows.map(([aspect]) => aspect))].sort()).toEqual([...aspects].sort());
  });
}
