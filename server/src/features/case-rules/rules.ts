import { conditionByCode } from '../reference/catalog.ts';
import type { CaseDefinition } from './criteria.ts';
import { decide, opensCase } from './decide.ts';
import { enteric } from './definitions/enteric.ts';
import { fromTable } from './definitions/from-table.ts';
import { hepatitis } from './definitions/hepatitis.ts';
import { hiv } from './definitions/hiv.ts';
import { respiratory } from './definitions/respiratory.ts';
import { sexuallyTransmitted } from './definitions/sexually-transmitted.ts';
import { vectorAndEnvironment } from './definitions/vector-and-environment.ts';
import { isAskedFor, isEvidence } from './evaluate.ts';
import type { Finding } from './findings.ts';

export const caseDefinitions: readonly CaseDefinition[] = [
  ...sexuallyTransmitted,
  ...hiv,
  ...hepatitis,
  ...respiratory,
  ...enteric,
  ...vectorAndEnvironment,
  ...fromTable,
];

/** The versions of one definition, the newest first. */
type Versions = readonly [CaseDefinition, ...CaseDefinition[]];

const byFamily = new Map<string, readonly Versions[]>(
  [...Map.groupBy(caseDefinitions, ({ family }) => family)].map(([family, definitions]) => [
    family,
    [...Map.groupBy(definitions, ({ files }) => files).values()].map(
      (versions) => versions.toSorted((a, b) => b.validFrom - a.validFrom) as unknown as Versions,
    ),
  ]),
);

/** The newest definitions of a family; `versionFor` gives the one for an event. */
export const definitionsOf = (family: string | null): readonly CaseDefinition[] =>
  family === null ? [] : (byFamily.get(family) ?? []).map(([newest]) => newest);

/** The version of a definition for an event: the newest that was valid in its year, otherwise the oldest. */
export function versionFor(definition: CaseDefinition, day: string): CaseDefinition {
  const year = Number(day.slice(0, 4));
  const versions = byFamily.get(definition.family)!.find(([newest]) => newest.files === definition.files)!;
  return versions.find(({ validFrom }) => validFrom <= year) ?? versions.at(-1)!;
}

/** The definition that decides cases of a condition. */
export const definitionOf = (conditionCode: string): CaseDefinition | undefined =>
  definitionsOf(conditionByCode(conditionCode)?.family ?? null).find(({ conditions }) =>
    conditions.includes(conditionCode),
  );

/** Whether a definition can open a case because of a finding. */
export const speaksFor = (definition: CaseDefinition, finding: Finding): boolean =>
  definition.classes.some(({ when }) => isEvidence(when, finding));

/** Whether a finding can change a definition's result for a case. */
export const concerns = (definition: CaseDefinition, finding: Finding): boolean =>
  definition.classes.some(({ when }) => isAskedFor(when, finding)) ||
  (definition.contradicted !== undefined && isAskedFor(definition.contradicted, finding));

const readers = new Map<string, readonly string[]>(
  [
    ...Map.groupBy(
      caseDefinitions.flatMap(({ family, readsAlso = [] }) => readsAlso.map((read) => ({ read, family }))),
      ({ read }) => read,
    ),
  ].map(([read, found]) => [read, found.map(({ family }) => family)]),
);

/** The families whose cases a result of a family affects: its own, and those that also read it. */
export const familiesReading = (family: string): readonly string[] => [
  family,
  ...(readers.get(family) ?? []),
];

/** The families whose results affect a case of a family: its own first. */
export const familiesReadBy = (family: string): readonly string[] => [
  family,
  ...caseDefinitions.flatMap((definition) =>
    definition.family === family ? (definition.readsAlso ?? []) : [],
  ),
];

/** The condition for a finding that names none: that of the definition under which it opens a case on its own. */
export function filedUnder(finding: Finding): string | null {
  const day = finding.day ?? '2000-01-01';
  const event = { day, findings: [finding], earlierCases: [], onset: null, person: nobody, facts: {} };
  const found = definitionsOf(finding.family).find(
    (definition) => speaksFor(definition, finding) && opensCase(decide(versionFor(definition, day), event)),
  );
  return found?.files ?? null;
}

const nobody = { birthDate: null, birthDatePrecision: null, sexAtBirth: null, stateFips: null };
