import {
  conditionByNndssCode,
  conditions,
  diseaseFamilies,
  laboratoryTests,
  organisms,
  testByLoinc,
} from '../reference/catalog.ts';
import { untold } from './batch-state.ts';
import { fold } from './fold.ts';

/**
 * What a code that nobody has mapped yet, or a message that could not be read, may be about. All of it is guessed: it
 * can hide something from those who may not see a family, and never shows anything to anybody. [P18]
 */

/** Words that stand in one family's names by chance, and mean nothing by themselves. */
const general = new Set(
  'cells subtype bands capillary children early east fast form gas late louis luis mouse region saliva set signal status surface unknown western whole without'.split(
    ' ',
  ),
);

/** Words that stand in the names of one disease family's tests, conditions and organisms and in no other family's. */
const families = new Map<string, Set<string>>();
const add = (family: string | undefined, names: readonly string[]) => {
  for (const name of names)
    for (const word of fold(name).split(' '))
      if (word.length > 2 && !/^\d+$/.test(word)) {
        const of = families.get(word) ?? new Set();
        families.set(word, of.add(family ?? ''));
      }
};
// A question about one disease is put in words of all.
for (const { family, component, method } of laboratoryTests)
  if (method !== 'question') add(family, [component]);
for (const { family, name, otherNames } of organisms) add(family, [name, ...(otherNames ?? [])]);
for (const { family, label, labelI18N } of conditions) add(family, [label, ...Object.values(labelI18N)]);
for (const { code, label, labelI18N } of diseaseFamilies) add(code, [label, ...Object.values(labelI18N)]);

const telling = new Map<string, string>();
for (const [word, of] of families) {
  const [only, other] = of;
  if (only && other === undefined && !general.has(word)) telling.set(word, only);
}

/** Whole names of families, which tell whatever else their words stand in: hepatitis B. */
const names = diseaseFamilies.flatMap(({ code, label, labelI18N }) =>
  [label, ...Object.values(labelI18N)].map((name) => [` ${fold(name)} `, code] as const),
);

/**
 * How the family that is hidden everywhere is written otherwise: in laboratories' codes, which begin or end with it,
 * by the whole name of the virus or the syndrome, and in other languages. Hives and names such as Shiv are none.
 */
const hiv =
  /\b(?:hiv(?!es?\b)\w*|\w*[a-rt-z\d]hiv\d*|vih\d*|aids|sida|htlv (?:iii|3))\b|\b(?:human|acquired) immun[eo] ?deficiency|\bimmun[eo] ?deficiency (?:virus|syndrome)|unodeficienc(?:e|ia) (?:humaine|humana|acquise|adquirida)|\biminodefisyans/;

const most = 10_000;
/** Words of tests and values come again and again. */
const found = new Map<string, readonly string[]>();

/** Disease families that the words of a code may be about. */
export function familiesInText(text: string): readonly string[] {
  const known = found.get(text);
  if (known) return known;
  const result = familiesNamed(text);
  if (found.size >= most) found.clear();
  found.set(text, result);
  return result;
}

function familiesNamed(text: string): string[] {
  const folded = ` ${fold(text)} `;
  const told = new Set<string>();
  if (hiv.test(folded)) told.add('hiv');
  for (const [name, family] of names) if (folded.includes(name)) told.add(family);
  for (const word of folded.split(' ')) {
    const family = telling.get(word);
    if (family) told.add(family);
  }
  return [...told];
}

const restricted = new Set(diseaseFamilies.flatMap(({ code, restricted: is }) => (is ? [code] : [])));

/** The family that is hidden everywhere among those a text may be about. */
export const restrictedFamilyIn = (text: string): string | null =>
  familiesInText(text).find((family) => restricted.has(family)) ?? null;

/** The families that are hidden everywhere among those a whole message names, in a note or wherever. */
export const restrictedFamiliesIn = (text: string): string[] =>
  familiesNamed(text).filter((family) => restricted.has(family));

const loinc = /(?<![\d-])\d{1,5}-\d(?![\d-])/g;
const nndss = /(?<=[|~^])\d{5}(?=\^)/g;

/**
 * Disease families of a message or row that was not taken apart: `untold`, since it may be about any, with those that
 * the LOINC and NNDSS codes and the words in it speak for.
 */
export function familiesOfRaw(text: string): string[] {
  // A character set that was not found out leaves two bytes for a letter.
  const readable = text.replaceAll('\0', '');
  const told = new Set([untold, ...familiesNamed(readable)]);
  for (const [code] of readable.matchAll(loinc)) {
    const family = testByLoinc(code)?.family;
    if (family) told.add(family);
  }
  for (const [code] of readable.matchAll(nndss)) {
    const family = conditionByNndssCode(code)?.family;
    if (family) told.add(family);
  }
  return [...told].sort();
}
