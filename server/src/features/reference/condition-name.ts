import { foldWords } from '../../platform/text/fold.ts';
import { conditionByCode, conditionByNndssCode, conditionBySnomedCode, conditions } from './catalog.ts';
import type { Condition } from './schema.ts';

const byName = new Map<string, Condition>();
const add = (name: string, condition: Condition) => {
  const key = foldWords(name);
  if (key !== '' && !byName.has(key)) byName.set(key, condition);
};
for (const condition of conditions)
  for (const name of [condition.label, ...Object.values(condition.labelI18N), condition.code])
    add(name, condition);
// "Ebola virus disease" is also written Ebola; the first word of a name is used only if it names a single condition.
for (const [word, named] of Map.groupBy(
  conditions,
  ({ label }) => foldWords(label).split(/ (?:virus|disease|infection|acute)\b/)[0]!,
))
  if (named.length === 1) add(word, named[0]!);

/** The condition meant by a code (ours, NNDSS, SNOMED CT) or a name in any language; undefined for any other text. */
export function conditionNamed(written: string): Condition | undefined {
  const text = written.trim();
  return (
    conditionByCode(text) ??
    conditionByNndssCode(text) ??
    conditionBySnomedCode(text) ??
    byName.get(foldWords(text))
  );
}
