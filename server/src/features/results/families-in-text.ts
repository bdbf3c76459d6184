import { foldWords } from '../../platform/text/fold.ts';
import {
  conditionByNndssCode,
  conditions,
  diseaseFamilies,
  laboratoryTests,
  organisms,
  testByLoinc,
} from '../reference/catalog.ts';

/** Marks an unknown family; families listed with it are guesses. */
export const untold = '?';

/**
 * The families that an unmapped code, or an unreadable message, may be about. All of this is a guess: it can hide
 * something from readers who may not see a family, and never reveals anything. [P18]
 */

/** Words that are in one family's names by chance, and mean nothing alone. */
const general = new Set(
  'cells subtype bands capillary children early east fast form gas late louis luis mouse region saliva set signal status surface unknown west western whole without'.split(
    ' ',
  ),
);

/** Words in the names of one disease family's tests, conditions and organisms and in no other family's. */
const families = new Map<string, Set<string>>();
const add = (family: string | undefined, names: readonly string[]) => {
  for (const name of names)
    for (const word of foldWords(name).split(' '))
      if (word.length > 2 && !/^\d+$/.test(word)) {
        const of = families.get(word) ?? new Set();
        families.set(word, of.add(family ?? ''));
      }
};
// Questions about one disease use words of all diseases.
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

/** Whole names of families and organisms, which count whatever other words surround them: hepatitis B. */
const names = [
  ...diseaseFamilies.flatMap(({ code, label, labelI18N }) =>
    [label, ...Object.values(labelI18N)].map((name) => [` ${foldWords(name)} `, code] as const),
  ),
  ...organisms.flatMap(({ family, name }) => (family ? [[` ${foldWords(name)} `, family] as const] : [])),
];

/**
 * Other spellings of the family that is hidden everywhere: in laboratories' codes, which begin or end with it, the
 * full name of the virus or the syndrome, and names in other languages. Hives and names such as Shiv do not match.
 */
const hiv =
  /\b(?:hiv(?!es?\b)\w*|\w*[a-rt-z\d]hiv\d*|vih\d*|aids|sida|htlv (?:iii|3))\b|\b(?:human|acquired) immun[eo] ?deficiency|\bimmun[eo] ?deficiency (?:virus|syndrome)|unodeficienc(?:e|ia) (?:humaine|humana|acquise|adquirida)|\biminodefisyans/;

const most = 10_000;
/** Cached, because the words of tests and values recur. */
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
  const folded = ` ${foldWords(text)} `;
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

/** The family that is hidden everywhere, if a text may be about it. */
export const restrictedFamilyIn = (text: string): string | null =>
  familiesInText(text).find((family) => restricted.has(family)) ?? null;

const loinc = /(?<![\d-])\d{1,5}-\d(?![\d-])/g;
const nndss = /(?<=[|~^])\d{5}(?=\^)/g;
/** ICD-10 codes of HIV in a diagnosis or a reason for a test: alone in a component or a cell. */
const icdOfHiv = /(?<![^|~^&,;\t\r\n"])(?:B20|B97\.?35|O98\.?7\d?\d?|Z21)(?![^|~^&,;\t\r\n"])/;

/**
 * Disease families of a message or row that was not parsed: `untold`, because it may be about any, and those that
 * its LOINC and NNDSS codes and its words suggest.
 */
export function familiesOfRaw(text: string): string[] {
  // An undetected character set leaves two bytes for each letter.
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
  if (icdOfHiv.test(readable)) told.add('hiv');
  return [...told].sort();
}

/** The families that a whole message names, in a note, a diagnosis or anywhere else. */
export const familiesNamedIn = (text: string, among: readonly string[]): string[] =>
  familiesOfRaw(text).filter((family) => among.includes(family));

/**
 * The text of a message or row for readers who may not see these families: without the fields or cells that name
 * one, such as a note on another result, a diagnosis or a reason for the test. [P18]
 */
export function textWithout(hidden: readonly string[], text: string, delimiter?: string): string {
  if (hidden.length === 0) return text;
  // A message's own separator is the character after MSH.
  const separator = (delimiter ?? text.trimStart()[3] ?? '|').replace(/[\\\]^-]/g, '\\$&');
  const fields = delimiter
    ? new RegExp(`"(?:[^"]|"")*"|[^${separator}"\r\n]+`, 'g')
    : new RegExp(`[^${separator}\r\n]+`, 'g');
  return text.replace(fields, (field) => (familiesNamedIn(field, hidden).length > 0 ? '' : field));
}
