import type { CaseExplanation, CriterionLine } from '@caseway/contract/case-rules';
import { conditionByCode } from '../reference/catalog.ts';
import type { Classification } from '../reference/schema.ts';
import type { CaseClass, CaseDefinition, Criterion } from './criteria.ts';
import { type Evaluated, type EventFacts, evaluate, isEvidence } from './evaluate.ts';
import type { Finding } from './findings.ts';
import type { TestKind } from './lab-tests.ts';

const rank: Record<Classification, number> = {
  not_a_case: 0,
  unknown: 1,
  suspect: 2,
  probable: 3,
  confirmed: 4,
};
/** How many further classes the answer names. */
const nextKept = 3;

/**
 * Applies a case definition to an event: the classification, and why.
 *
 * The classes of the definition are tried in order, the strongest first; the first whose criteria are all met
 * decides. If none is met, the event is not a case. It is unknown while an unknown criterion could still make it
 * one, or if there is no result at all. With `only`, the classes for other conditions are left out, because a person
 * has decided on the condition.
 *
 * Source: the definition's position statement. Excluded: superseded and withdrawn results, preliminary ones for
 * every criterion that needs a final one, and results further from the event than the definition's `evidenceDays`.
 * Pure: the same facts give the same explanation.
 */
export function decide(definition: CaseDefinition, event: EventFacts, only?: string): CaseExplanation {
  const tried: { rule: CaseClass; result: Evaluated }[] = [];
  let held: CaseClass | undefined;
  for (const rule of definition.classes) {
    if (only !== undefined && rule.classification !== 'not_a_case' && conditionOf(definition, rule) !== only)
      continue;
    const result = evaluate(rule.when, event, definition.evidenceDays);
    tried.push({ rule, result });
    if (result.state !== 'met') continue;
    held = rule;
    break;
  }
  const presumed = held ? undefined : presumedClass(definition, event, only);
  if (presumed) {
    held = presumed.rule;
    tried.push(presumed);
  }
  // A person who was reported without any result may well be a case.
  const isOpen = event.findings.length === 0 || tried.some(({ result }) => result.state === 'unknown');
  const classification = held?.classification ?? (isOpen ? 'unknown' : 'not_a_case');
  const against =
    definition.contradicted && evaluate(definition.contradicted, event, definition.evidenceDays);
  return {
    rule: definition.id,
    statement: definition.statement,
    source: definition.source,
    validFrom: definition.validFrom,
    eventDay: event.day,
    classification,
    condition: held ? conditionOf(definition, held) : (only ?? definition.files),
    ...(held?.variant ? { variant: held.variant } : {}),
    ...(against?.state === 'met'
      ? { flag: 'confirmatory-negative' as const, against: linesOf(against) }
      : {}),
    classes: tried.map(({ rule, result }) => ({
      classification: rule.classification,
      condition: conditionOf(definition, rule),
      ...(rule.variant ? { variant: rule.variant } : {}),
      state: result.state,
      criteria: linesOf(result),
    })),
    next: tried
      .filter(
        ({ rule, result }) => result.state !== 'met' && rank[rule.classification] > rank[classification],
      )
      .flatMap(({ rule, result }) => {
        const needs = missing(result);
        return needs
          ? [
              {
                classification: rule.classification,
                condition: conditionOf(definition, rule),
                needs: linesOf(needs),
              },
            ]
          : [];
      })
      .slice(0, nextKept),
  };
}

/**
 * The class of a case supported only by presumptive or preliminary results: as if they were final, but at most
 * suspect, and unknown if the condition has no suspect cases.
 */
function presumedClass(definition: CaseDefinition, event: EventFacts, only?: string) {
  const presumptive = event.findings.filter(
    ({ isPreliminary, category }) => isPreliminary || category === 'presumptive-positive',
  );
  if (presumptive.length === 0) return undefined;
  const findings = event.findings.map((finding) =>
    presumptive.includes(finding)
      ? {
          ...finding,
          isPreliminary: false,
          category: finding.category === 'presumptive-positive' ? ('positive' as const) : finding.category,
        }
      : finding,
  );
  const final = decide(definition, { ...event, findings }, only);
  if (!opensCase(final)) return undefined;
  const isLawful = conditionByCode(final.condition)?.classifications.includes('suspect');
  const told = presumptive.filter((finding) =>
    definition.classes.some(({ when }) => isEvidence(when, finding)),
  );
  const tests = [...new Set(told.flatMap((finding) => askedKinds(definition, finding)))];
  return {
    rule: {
      classification: isLawful ? ('suspect' as const) : ('unknown' as const),
      condition: final.condition,
      when: { is: 'preliminary' as const, tests },
    },
    result: {
      kind: 'preliminary' as const,
      state: 'met' as const,
      what: tests,
      results: told.map(({ id }) => id),
    },
  };
}

const conditionOf = (definition: CaseDefinition, { condition }: CaseClass) => condition ?? definition.files;

/** Whether an event with this result opens a case. */
export const opensCase = ({ classification, classes }: CaseExplanation): boolean =>
  classification === 'confirmed' ||
  classification === 'probable' ||
  classification === 'suspect' ||
  // A definition may require an investigation without having a class for the case until then.
  (classification === 'unknown' &&
    classes.some((each) => each.state === 'met' && each.classification === 'unknown'));

function linesOf(root: Evaluated): CriterionLine[] {
  const lines: CriterionLine[] = [];
  const walk = ({ kind, state, what, number, results, of }: Evaluated, depth: number) => {
    lines.push({
      depth,
      kind,
      state,
      ...(what ? { what: [...what] } : {}),
      ...(number === undefined ? {} : { number }),
      ...(results ? { results: [...results] } : {}),
    });
    for (const part of of ?? []) walk(part, depth + 1);
  };
  walk(root, 0);
  return lines;
}

/** The missing parts of a criterion: those that are not met and still can be; undefined if none can. */
function missing(node: Evaluated): Evaluated | undefined {
  if (node.state === 'met' || node.isFixed) return undefined;
  if (!node.of) return node;
  if (node.kind === 'all') {
    const open = node.of.filter(({ state }) => state !== 'met');
    const parts = open.map(missing);
    if (parts.some((part) => part === undefined)) return undefined;
    return parts.length === 1 ? parts[0] : { ...node, of: parts as Evaluated[] };
  }
  if (node.kind === 'any') {
    const parts = node.of.flatMap((part) => missing(part) ?? []);
    return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : { ...node, of: parts };
  }
  return { ...node, of: node.of.filter(({ state }) => state === 'unknown') };
}

/** The kinds of test of a finding that a definition counts. */
function askedKinds(definition: CaseDefinition, finding: Finding): TestKind[] {
  const kinds = (criterion: Criterion): readonly TestKind[] => {
    if ('all' in criterion) return criterion.all.flatMap(kinds);
    if ('any' in criterion) return criterion.any.flatMap(kinds);
    return 'tests' in criterion && isEvidence(criterion, finding) ? criterion.tests : [];
  };
  return definition.classes.flatMap(({ when }) => kinds(when)).filter((kind) => finding.kinds.has(kind));
}
