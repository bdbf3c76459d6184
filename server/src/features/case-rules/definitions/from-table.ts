import { caseRules, conditionByCode, conditions } from '../../reference/catalog.ts';
import type { CaseRule } from '../../reference/schema.ts';
import { all, any, type CaseClass, type CaseDefinition, type Criterion, none } from '../criteria.ts';
import type { TestKind } from '../lab-tests.ts';

/*
 * The conditions without their own definition: one line of seeds/reference/case-rules.json gives the class for each
 * finding. Each line becomes a criterion, so that they are decided and explained like all others.
 */

const strength = ['confirmed', 'probable', 'suspect', 'unknown', 'not_a_case'] as const;

/** For a family's line: the conditions that have their own line for the same finding. */
function ownLines(rule: CaseRule, method: string): string[] {
  if (rule.family === undefined) return [];
  return caseRules.flatMap((other) =>
    other.condition !== undefined &&
    conditionByCode(other.condition)?.family === rule.family &&
    other.methods.some((each) => each === method) &&
    other.categories.some((each) => rule.categories.includes(each))
      ? [other.condition]
      : [],
  );
}

function criterionOf(rule: CaseRule): Criterion {
  const shared = {
    is: 'positive' as const,
    answers: rule.categories,
    ...(rule.condition ? { conditions: [rule.condition] } : {}),
    ...(rule.sterileSiteOnly ? { sterile: true as const } : {}),
  };
  const groups = Map.groupBy(rule.methods, (method) => ownLines(rule, method).sort().join());
  const parts = [...groups].map(
    ([own, methods]): Criterion => ({
      ...shared,
      tests: methods as TestKind[],
      ...(own === '' ? {} : { notConditions: own.split(',') }),
    }),
  );
  return parts.length === 1 ? parts[0]! : any(...parts);
}

/** The refutation of a line's finding: a negative result by one of its methods, and no positive one. */
function refutationOf({ methods, refutedBy, categories, condition }: CaseRule): Criterion[] {
  if (refutedBy === undefined) return [];
  const about = condition === undefined ? {} : { conditions: [condition] };
  const screen = methods as TestKind[];
  const by = { tests: refutedBy as TestKind[], ...about };
  return [
    all(
      { is: 'positive', tests: screen, answers: categories, ...about },
      { is: 'negative', ...by, after: screen, beforeDays: 0, withinDays: 7 },
      none({ is: 'positive', ...by }),
    ),
  ];
}

/** A family's line that names no condition applies to each condition of the family. */
const lines: readonly CaseRule[] = caseRules.flatMap((rule) =>
  rule.opens !== undefined || rule.condition !== undefined
    ? [rule]
    : conditions
        .filter(({ family }) => family === rule.family)
        .map(({ code }) => ({ ...rule, family: undefined, condition: code, opens: code })),
);

export const fromTable: readonly CaseDefinition[] = [
  ...Map.groupBy(lines, (rule) => (rule.opens ?? rule.condition)!),
].map(([code, rules]): CaseDefinition => {
  const condition = conditionByCode(code)!;
  const classes = rules
    .map((rule): CaseClass => ({ classification: rule.classification, when: criterionOf(rule) }))
    .sort((a, b) => strength.indexOf(a.classification) - strength.indexOf(b.classification));
  const refutations = rules.flatMap(refutationOf);
  const statement = /^CSTE (\S+)$/.exec(rules[0]!.basis)?.[1] ?? null;
  return {
    id: `${code}-table`,
    family: condition.family,
    conditions: [code],
    files: code,
    statement,
    source: rules.some(({ basis }) => basis.startsWith('CSTE'))
      ? `Laboratory criteria of the CSTE case definition, ${condition.label}`
      : `Caseway, ${condition.label}`,
    validFrom: 2000,
    evidenceDays: condition.reReportDays,
    classes,
    ...(refutations.length > 0 ? { contradicted: any(...refutations) } : {}),
  };
});
