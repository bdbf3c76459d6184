import { foldWords } from '../../platform/text/fold.ts';
import { familyByCode, laboratoryTests } from '../reference/catalog.ts';
import { testNameI18N } from '../reference/names-of-tests.ts';
import type { LaboratoryTest } from '../reference/schema.ts';

const found = laboratoryTests
  // Nobody maps a result to a question or to a control of the assay.
  .filter(({ method }) => method !== 'question' && method !== 'control' && method !== 'panel')
  .map((test) => {
    const { loinc, component, family, method } = test;
    const label = family ? familyByCode(family) : undefined;
    const words = [
      component,
      ...Object.values(testNameI18N(loinc) ?? {}),
      method,
      ...(label ? [label.label, ...Object.values(label.labelI18N)] : []),
    ];
    return { test, loinc, name: foldWords(component), words: foldWords(words.join(' ')).split(' ') };
  });

/**
 * The tests by their whole names. If several share a name, they differ only in the specimen, or the name means none
 * of them.
 */
const named = Map.groupBy(found, ({ name }) => name);

/**
 * The test with exactly this name: of several for different specimens, the one without a fixed specimen. Undefined
 * if tests with one name find different things, or find them in different ways.
 */
export function testNamed(text: string): LaboratoryTest | undefined {
  const tests = (named.get(foldWords(text)) ?? []).map(({ test }) => test);
  const kinds = new Set(
    tests.map(({ condition, family, method, scale }) => `${condition} ${family} ${method} ${scale}`),
  );
  return kinds.size === 1 ? (tests.find(({ site }) => site === undefined) ?? tests[0]) : undefined;
}

const most = 50;

/**
 * Laboratory tests whose names in any language, method or disease contain words that begin with each search word, or
 * whose LOINC code begins with it. Tests whose own name begins with the words come first.
 */
export function findTests(asked: string, hidden: readonly string[]): LaboratoryTest[] {
  const code = asked.trim();
  const words = foldWords(asked).split(' ').filter(Boolean);
  if (words.length === 0) return [];
  const matches = found.filter(
    ({ test, loinc, words: own }) =>
      !(test.family && hidden.includes(test.family)) &&
      (loinc.startsWith(code) || words.every((word) => own.some((candidate) => candidate.startsWith(word)))),
  );
  const beginning = words.join(' ');
  const rank = (entry: (typeof found)[number]) =>
    entry.loinc === code ? 0 : entry.name.startsWith(beginning) ? 1 : 2;
  return matches
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en') || (a.loinc < b.loinc ? -1 : 1))
    .slice(0, most)
    .map(({ test }) => test);
}
