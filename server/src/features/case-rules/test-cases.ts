import { testByLoinc } from '../reference/catalog.ts';
import type { ResultCategory } from '../reference/schema.ts';
import { decide, opensCase } from './decide.ts';
import type { EventFacts, PersonFacts } from './evaluate.ts';
import type { FactCode } from './facts.ts';
import { type Finding, findingOf } from './findings.ts';
import { definitionsOf, speaksFor, versionFor } from './rules.ts';

/** A result for a test: LOINC, answer or titer, day, and what else is told of it. */
export type Told = [
  loinc: string,
  answer: '+' | '-' | '?' | 'weak' | 'presumptive' | 'preliminary' | `1:${number}`,
  day?: string,
  more?: { specimen?: string; condition?: string },
];

const answers: Record<string, ResultCategory> = {
  '+': 'positive', '-': 'negative', '?': 'indeterminate', weak: 'weak-positive', presumptive: 'presumptive-positive', preliminary: 'positive',
}; // biome-ignore format: a table

export const today = '2026-03-02';

export function findingsOf(told: readonly Told[]): Finding[] {
  return told.map(([loinc, answer, day = today, more = {}], at) => {
    const test = testByLoinc(loinc)!;
    return findingOf({
      id: `r${at + 1}`,
      family: test.family!,
      testLoinc: loinc,
      testName: test.component,
      method: test.method,
      conditionCode: more.condition ?? test.condition ?? null,
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
  /** Days of earlier cases. */
  earlier?: string[];
  /** The day of the event; that of the last result when left out. */
  day?: string;
}

export const personOf = ({ born = '1990-05-01', sex = 'F', state = '12' }: Situation): PersonFacts => ({
  birthDate: born === '' ? null : born,
  birthDatePrecision: born === '' ? null : 'day',
  sexAtBirth: sex,
  stateFips: state === '' ? null : state,
});

/** What the rules say of these results: condition, class, variant and flag, or `none` where no case opens. */
export function classify(told: readonly Told[], situation: Situation = {}): string {
  const findings = findingsOf(told);
  const day =
    situation.day ??
    told
      .map(([, , on = today]) => on)
      .sort()
      .at(-1)!;
  const event: EventFacts = {
    day,
    findings,
    earlierCases: (situation.earlier ?? []).map((on) => ({ condition: '', day: on })),
    person: personOf(situation),
    facts: situation.facts ?? {},
  };
  const definitions = definitionsOf(findings[0]!.family).filter((definition) =>
    findings.some((finding) => speaksFor(definition, finding)),
  );
  for (const definition of definitions) {
    const { condition, classification, variant, flag, ...rest } = decide(versionFor(definition, day), event);
    if (opensCase({ condition, classification, ...rest }) || flag)
      return [condition, classification, variant, flag].filter(Boolean).join(' ');
  }
  return 'none';
}
