import { foldWords } from '../../platform/text/fold.ts';
import type { PersonName } from '../reported/report.ts';
import { isGivenName } from './nicknames.ts';

/**
 * Splits a name in one cell or field: which words are the family name, and which come before or after it. Only
 * titles, degrees and nicknames in quotation marks are left out.
 */

/** The order of the words in a name without a comma. */
export type NameOrder = 'given-first' | 'family-first';

const generation = /^(?:jr|jnr|junior|sr|snr|senior|ii|iii|iv|2nd|3rd|4th)\.?$/i;
const title =
  /^(?:mr|mrs|ms|miss|mx|dr|dra|prof|rev|sr|sra|srta|don|doña|lic|ing|monsieur|madame|mme|m)\.?$/i;
const degree = /^(?:m\.?d|d\.?o|ph\.?d|r\.?n|n\.?p|p\.?a|d\.?d\.?s|dvm|mph|esq|lpn|aprn)\.?$/i;
/** Words that begin a family name and are part of it. */
const particles = new Set(
  'de del de’ la las los da das do dos di della du des le van von der den ter ten zu zum al el bin ibn bint abu st saint san santa mac'.split(
    ' ',
  ),
);
/** Words that link two family names. */
const links = new Set(['y', 'e', 'i']);
/** Particles of given names: María del Carmen, Juan de Dios. */
const linksOfGiven = new Set('de del la las los'.split(' '));
/** Family names with which Van is a middle name. */
const vietnamese = new Set(
  'nguyen tran le pham huynh hoang phan vu vo dang bui do ho ngo duong ly truong dinh'.split(' '),
);
/** The first of two family names in Spanish is nearly always one of these, or ends in ez. */
const spanish = new Set(
  'garcia rodriguez martinez hernandez lopez gonzalez perez sanchez ramirez torres flores rivera gomez diaz reyes morales cruz ortiz gutierrez chavez ramos ruiz alvarez mendoza vasquez vazquez castillo jimenez moreno romero herrera medina aguilar garza castro vargas fernandez guzman munoz mendez salazar soto delgado pena rios alvarado sandoval contreras valdez guerrero ortega estrada nunez maldonado vega vasquez dominguez santiago espinoza rojas silva padilla marquez cortez rosario figueroa luna juarez navarro campos molina avila ayala mejia carrillo duran santos salinas robles solis lara cervantes aguirre ochoa cabrera pacheco fuentes trujillo cardenas colon rosales rubio montoya acosta serrano velez camacho orozco miranda zamora velasquez velazquez calderon marin leon zuniga montes ibarra bautista escobar rocha trevino quintero villarreal arellano cisneros bonilla barrera saenz palacios quiroz villegas galvan macias beltran nieves rangel lozano tapia andrade franco mora galindo arias zavala meza zepeda salas villa parra gallegos valencia correa suarez cuevas caballero bravo benitez burgos mercado pineda lugo mata cordova osorio armijo cantu esparza baca'.split(
    ' ',
  ),
);
/** Names used as middle names that are in no list of everyday forms of given names. */
const middleNames = new Set(
  'ann anne annette beth claire dawn dean diane earl elaine eve faith fay faye gail gene glen grace hope irene jane jean jo joan joy june kay lee leigh lou louis louise lynn lynne mae marie may nicole noel paige paul pearl rae ray rene renee rose roy ruth sue wayne yvonne maria jose juan luis'.split(
    ' ',
  ),
);
const isSpanishSurname = (word: string): boolean => {
  const plain = foldWords(word);
  return spanish.has(plain) || (plain.length > 4 && plain.endsWith('ez'));
};

const isParticle = (words: readonly string[], at: number): boolean => {
  const word = foldWords(words[at]!);
  if (!particles.has(word)) return false;
  const beside = [words[at - 1], words[at + 1]].some((other) => other && vietnamese.has(foldWords(other)));
  return !(word === 'van' && beside) && !(vietnamese.has(word) && beside);
};

/** Words grouped together: particles with the word they lead, and two words linked by "y". */
function bound(words: readonly string[]): string[][] {
  const units: string[][] = [];
  let open: string[] | undefined;
  for (const [at, word] of words.entries()) {
    const last = at === words.length - 1;
    const before = units.at(-1);
    if (open) open.push(word);
    else if (before && !last && links.has(word)) {
      before.push(word);
      open = before;
      continue;
    } else {
      open = [word];
      units.push(open);
    }
    if (last || !isParticle(words, at)) open = undefined;
  }
  return units;
}

/** Words that belong to a given name: María del Carmen. */
const isOfGiven = (unit: readonly string[]): boolean =>
  unit.length > 1 && linksOfGiven.has(foldWords(unit[0]!));

const joined = (units: readonly string[][]): string | undefined => units.flat().join(' ') || undefined;

/** A given name with the words that belong to it, and the middle names. */
function givenAndMiddle(units: readonly string[][]): Pick<PersonName, 'given' | 'middle'> {
  const [first, ...rest] = units;
  if (!first) return {};
  let taken = 0;
  while (rest[taken] && isOfGiven(rest[taken]!)) taken += 1;
  return { given: joined([first, ...rest.slice(0, taken)]), middle: joined(rest.slice(taken)) };
}

/** The words of a name, without titles and nicknames, and the suffix and degree after it. */
function trimmed(text: string): { words: string[]; suffix?: string; degree?: string } {
  let words = text
    .replace(/["“”«»][^"“”«»]*["“”«»]|\([^)]*\)/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
  while (words.length > 1 && title.test(words[0]!)) words = words.slice(1);
  const end: { suffix?: string; degree?: string } = {};
  while (words.length > 1) {
    const last = words.at(-1)!;
    if (!end.suffix && generation.test(last)) end.suffix = last;
    else if (!end.degree && degree.test(last) && last === last.toUpperCase()) end.degree = last;
    else break;
    words = words.slice(0, -1);
  }
  return { words, ...end };
}

/** A name in one cell: `Family, Given Middle`, or else split by its words. */
export function nameFromWhole(whole: string, order: NameOrder = 'given-first'): PersonName {
  const parts = whole
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const ends: { suffix?: string; degree?: string } = {};
  const telling = parts.filter((part, at) => {
    if (at === 0) return true;
    const isSuffix = generation.test(part);
    const isDegree = degree.test(part);
    if (isSuffix) ends.suffix ??= part;
    if (isDegree) ends.degree ??= part;
    return !isSuffix && !isDegree;
  });
  const [first, ...rest] = telling;
  if (first === undefined) return {};
  if (rest.length > 0) {
    const family = trimmed(first);
    const given = trimmed(rest.join(' '));
    return defined({
      family: family.words.join(' '),
      ...givenAndMiddle(bound(given.words)),
      suffix: ends.suffix ?? family.suffix ?? given.suffix,
      degree: ends.degree ?? given.degree ?? family.degree,
    });
  }
  const { words, suffix, degree: of } = trimmed(first);
  const units = bound(words);
  const families = familyUnits(units, order);
  const [family, others] =
    order === 'family-first'
      ? [units.slice(0, families), units.slice(families)]
      : [units.slice(-families), units.slice(0, -families)];
  return defined({
    family: joined(family),
    ...givenAndMiddle(others),
    suffix: ends.suffix ?? suffix,
    degree: ends.degree ?? of,
  });
}

/** How many of the grouped words are family names: one, or two if the words suggest two. */
function familyUnits(units: readonly string[][], order: NameOrder): number {
  if (units.length < 3) return 1;
  const second = order === 'family-first' ? units[1]! : units.at(-2)!;
  const word = second.at(-1)!;
  if (/^\p{L}\.?$/u.test(word)) return 1;
  if (isSpanishSurname(word)) return 2;
  const isMiddle = middleNames.has(foldWords(word)) || isGivenName(foldWords(word)) || isOfGiven(second);
  return units.length > 3 && !isMiddle ? 2 : 1;
}

/** A name given in parts, with a suffix removed from the end of one of them. */
export function withSuffixApart(name: PersonName): PersonName {
  const apart = (text: string | undefined): { text?: string; suffix?: string } => {
    if (text === undefined) return {};
    const words = text.split(/[\s,]+/);
    const last = words.at(-1)!;
    if (words.length < 2 || !generation.test(last)) return { text };
    return { text: text.slice(0, text.lastIndexOf(last)).replace(/[\s,]+$/, ''), suffix: last };
  };
  const family = apart(name.family);
  const given = apart(name.given);
  const found = family.suffix ?? given.suffix;
  // If two suffixes differ, a person decides.
  if (found === undefined || (name.suffix !== undefined && foldWords(name.suffix) !== foldWords(found)))
    return name;
  return defined({ ...name, family: family.text, given: given.text, suffix: name.suffix ?? found });
}

const defined = (name: PersonName): PersonName =>
  Object.fromEntries(Object.entries(name).filter(([, part]) => part !== undefined));
