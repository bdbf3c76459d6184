import {
  conditionByNndssCode,
  conditions,
  diseaseFamilies,
  laboratoryTests,
  organisms,
  testByLoinc,
} from '../reference/catalog.ts';
import { fold } from './matching.ts';

/**
 * Words that stand in the names of one disease family's tests, conditions and organisms and in no other family's:
 * from them it can be told what a code that nobody has mapped yet, or a message that could not be read, is about.
 */
const families = new Map<string, Set<string>>();
const add = (family: string | undefined, names: readonly string[]) => {
  for (const name of names)
    for (const word of fold(name).split(' '))
      if (word.length > 2 && !/^\d+$/.test(word)) {
        const of = families.get(word) ?? new Set();
        families.set(word, of.add(family ?? ''));
      }
};
for (const { family, component } of laboratoryTests) add(family, [component]);
for (const { family, name, otherNames } of organisms) add(family, [name, ...(otherNames ?? [])]);
for (const { family, label, labelI18N } of conditions) add(family, [label, ...Object.values(labelI18N)]);
for (const { code, label, labelI18N } of diseaseFamilies) add(code, [label, ...Object.values(labelI18N)]);

const telling = new Map<string, string>();
for (const [word, of] of families) {
  const [only, other] = of;
  if (only && other === undefined) telling.set(word, only);
}

/** Disease families that a text names. */
export function familiesInText(text: string): string[] {
  const found = new Set<string>();
  for (const word of fold(text).split(' ')) {
    const family = telling.get(word);
    if (family) found.add(family);
  }
  return [...found];
}

const loinc = /(?<![\d-])\d{1,5}-\d(?![\d-])/g;
const nndss = /(?<=[|~^])\d{5}(?=\^)/g;

/**
 * Disease families of a message or row that was not taken apart: by the LOINC and NNDSS codes and the words in it.
 * Null when nothing in it tells: it may be about any.
 */
export function familiesOfRaw(text: string): string[] | null {
  const found = new Set(familiesInText(text));
  for (const [code] of text.matchAll(loinc)) {
    const family = testByLoinc(code)?.family;
    if (family) found.add(family);
  }
  for (const [code] of text.matchAll(nndss)) {
    const family = conditionByNndssCode(code)?.family;
    if (family) found.add(family);
  }
  return found.size > 0 ? [...found].sort() : null;
}
