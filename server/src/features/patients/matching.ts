import { daysBetween, endOfMonth, startOfMonth } from '@caseway/contract/date-range';
import { jaroWinkler } from '@skyra/jaro-winkler';
import { doubleMetaphone } from 'double-metaphone';
import { foldGermanWords, foldWords } from '../../platform/text/fold.ts';
import { nicknames } from './nicknames.ts';

/**
 * Decides whether two records describe one person. Pure: it reads and writes nothing.
 *
 * A shared identifier (type, assigner and value) decides at once, unless birth date, age, sex or the name contradict
 * it. Otherwise each part that both have is compared and earns points. The sum is compared with two limits: from
 * `upper` on it is the same person, below `lower` another one, and in between a person has to decide. Certain
 * contradictions mean that only a person can join a pair, whatever the sum.
 *
 * The points are rounded weights of evidence in the manner of Fellegi and Sunter (log2 of how much more often a part
 * agrees for one person than for two), chosen for common surnames, households, twins, and fathers and sons of one
 * name. They prefer two records of one person to one record of two people, because two records can be joined later.
 */

export interface Name {
  last?: string | null;
  first?: string | null;
  middle?: string | null;
  suffix?: string | null;
}

export interface PersonIdentifier {
  /** HL7 table 0203: MR, SS, PI … */
  kind: string;
  assigner: string;
  value: string;
  /** The organizations and facilities that reported it; null or absent: everyone who sees the person. */
  toldBy?: readonly string[] | null;
  /** The restricted families whose reports are its only source; null or absent: there are others. [P18] */
  toldIn?: readonly string[] | null;
}

/** Whether two are the same number, no matter who reported them. */
export const sameIdentifier = (a: PersonIdentifier, b: PersonIdentifier): boolean =>
  a.kind === b.kind && a.assigner === b.assigner && a.value === b.value;

export interface Person {
  /** The main name first, then every other one. */
  names: readonly Name[];
  /** `YYYY-MM-DD`; parts finer than the precision are ignored. */
  birthDate?: string | null;
  birthDatePrecision?: 'day' | 'month' | 'year' | null;
  /** The first and the last possible day of birth for a stated age, if no birth date is known. */
  bornFrom?: string | null;
  bornTo?: string | null;
  /** M or F; other values are not compared. */
  sex?: string | null;
  /** E.164, or digits. */
  phones?: readonly string[];
  street?: string | null;
  city?: string | null;
  postalCode?: string | null;
  identifiers?: readonly PersonIdentifier[];
}

export type Part =
  | 'identifier'
  | 'lastName'
  | 'firstName'
  | 'middleName'
  | 'suffix'
  | 'birthDate'
  | 'age'
  | 'sex'
  | 'phone'
  | 'address';

/** How far each compared part agrees: 1 fully, 0 not at all. A part that one of the two lacks is absent. */
export type Parts = Partial<Record<Part, number>>;

export interface Comparison {
  decision: 'same' | 'review' | 'different';
  /** From 0 to 1: the points of the parts, relative to the points that leave no doubt. */
  score: number;
  parts: Parts;
  /** Both have valid but different national numbers: only a person can join them, whatever else agrees. */
  differsNational: boolean;
}

/** Points by part and kind of agreement. */
const points = {
  identifier: { equal: 7, differs: -2, nationalDiffers: -5 },
  lastName: { equal: 5, swapped: 4, part: 3.5, similar: 3, differs: -4 },
  firstName: {
    equal: 4,
    swapped: 3.5,
    nickname: 3,
    part: 3,
    similar: 2,
    initial: 1,
    middle: 1,
    differs: -12,
  },
  middleName: { equal: 1, initial: 0.5, differs: -1 },
  suffix: { equal: 0.5, differs: -6 },
  birthDate: { equal: 6.5, swapped: 4, month: 3, typing: 2.5, year: 1, differs: -10 },
  // Thousands share an age, and it is often inexact: it can show that two people differ, but hardly that they are
  // one.
  age: { agrees: 0.5, differs: -6 },
  sex: { equal: 1, differs: -3 },
  phone: { equal: 4, differs: 0 },
  address: { equal: 3, postalCode: 1.5, city: 0.5, differs: -0.5 },
} as const satisfies Record<Part, Record<string, number>>;

/** This many points leave no doubt: score 1. */
const certain = 20;
const upper = 14;
const lower = 8.5;

// — Names —

/** Words of surnames that name no family. */
const particles = new Set(
  'de del la las los da das do dos di du des le van von der den ter el al bin ibn st y e'.split(' '),
);
const generations: Record<string, string> = {
  jr: 'jr', junior: 'jr', jnr: 'jr', sr: 'sr', senior: 'sr', snr: 'sr', '2nd': 'ii', ii: 'ii', '3rd': 'iii', iii: 'iii', '4th': 'iv', iv: 'iv',
}; // biome-ignore format: one line reads as the table

// — Preparing —

interface PreparedName {
  /** Without blanks. */
  last: string;
  lastGerman: string;
  lastTokens: string[];
  first: string;
  firstGerman: string;
  firstTokens: string[];
  middle: string;
  generation: string;
}

/** A person prepared for many comparisons. */
export interface PreparedPerson {
  names: PreparedName[];
  birth: { date: string; precision: 'day' | 'month' | 'year' } | null;
  /** Set if only the age is known. */
  born: { from: string; to: string } | null;
  sex: 'M' | 'F' | null;
  phones: Set<string>;
  street: string;
  city: string;
  postalCode: string;
  identifiers: Map<string, string>;
}

function prepareName(name: Name): PreparedName {
  let generation = generations[foldWords(name.suffix ?? '')] ?? '';
  let lastTokens = foldWords(name.last ?? '')
    .split(' ')
    .filter(Boolean);
  // Senders also write the suffix after the surname.
  if (lastTokens.length > 1 && Object.hasOwn(generations, lastTokens.at(-1)!))
    generation ||= generations[lastTokens.pop()!]!;
  const last = lastTokens.join('');
  const telling = lastTokens.filter((token) => !particles.has(token));
  if (telling.length > 0) lastTokens = telling;
  const firstTokens = foldWords(name.first ?? '')
    .split(' ')
    .filter(Boolean);
  return {
    last,
    lastGerman: /[äöüÄÖÜ]/.test(name.last ?? '') ? foldGermanWords(name.last!).replaceAll(' ', '') : last,
    lastTokens,
    first: firstTokens.join(''),
    firstGerman: /[äöüÄÖÜ]/.test(name.first ?? '')
      ? foldGermanWords(name.first!).replaceAll(' ', '')
      : firstTokens.join(''),
    firstTokens,
    middle: foldWords(name.middle ?? '').replaceAll(' ', ''),
    generation,
  };
}

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** The last ten digits of a telephone number, if it has at least ten; null for a placeholder. */
function phoneKey(phone: string): string | null {
  const digits = digitsOf(phone);
  const key = digits.length > 10 ? digits.slice(-10) : digits;
  return key.length < 7 || /^(\d)\1+$/.test(key) || key.endsWith('5550100') ? null : key;
}

const identifierKey = ({ kind, assigner, value }: PersonIdentifier): [key: string, value: string] => {
  const type = kind.toUpperCase();
  const plain = value.toUpperCase().replace(/[\s-]/g, '');
  // A social security number is the same from every reporter.
  return [type === 'SS' ? 'SS' : `${type}|${foldWords(assigner)}`, plain];
};

/** Whether an identifier identifies a person: it is not empty, and not a placeholder of one digit or a word. */
export function identifying(identifier: PersonIdentifier): boolean {
  const [key, value] = identifierKey(identifier);
  if (
    value.length < 2 ||
    /^(.)\1+$/.test(value) ||
    /^(UNK|UNKNOWN|NA|N\/A|NONE|NULL|ANON(YMOUS)?|TEST)$/.test(value)
  )
    return false;
  if (key !== 'SS') return identifier.assigner !== '';
  return (
    /^(?!000|666|9\d\d)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(value) && !/^(123456789|111111111)$/.test(value)
  );
}

export function prepare(person: Person): PreparedPerson {
  const names = person.names.map(prepareName).filter(({ last, first }) => last !== '' || first !== '');
  const date = person.birthDate ?? '';
  const precision = person.birthDatePrecision ?? 'day';
  const identifiers = new Map<string, string>();
  for (const identifier of person.identifiers ?? []) {
    if (!identifying(identifier)) continue;
    const [key, value] = identifierKey(identifier);
    identifiers.set(`${key}|${value}`, key);
  }
  return {
    names,
    birth: date === '' ? null : { date, precision },
    born:
      date === '' && person.bornFrom && person.bornTo ? { from: person.bornFrom, to: person.bornTo } : null,
    sex: person.sex === 'M' || person.sex === 'F' ? person.sex : null,
    phones: new Set((person.phones ?? []).map(phoneKey).filter((key) => key !== null)),
    street: streetOf(person.street ?? ''),
    city: foldWords(person.city ?? ''),
    postalCode: digitsOf(person.postalCode ?? '').slice(0, 5),
    identifiers,
  };
}

const streetWords: Record<string, string> = {
  street: 'st', avenue: 'ave', av: 'ave', road: 'rd', drive: 'dr', lane: 'ln', boulevard: 'blvd', court: 'ct', circle: 'cir',
  place: 'pl', highway: 'hwy', parkway: 'pkwy', terrace: 'ter', trail: 'trl', apartment: 'apt', suite: 'ste', unit: 'apt',
  north: 'n', south: 's', east: 'e', west: 'w',
}; // biome-ignore format: read as the table it is
const streetOf = (street: string): string =>
  foldWords(street.replaceAll('#', ' apt '))
    .split(' ')
    .map((word) => streetWords[word] ?? word)
    .join(' ');

// — Blocking —

const sounds = new Map<string, string>();
const soundsLimit = 20_000;
/** The sound of a folded word; its beginning if the algorithm (made for Latin letters) has no answer. */
export function soundOf(token: string): string {
  let sound = sounds.get(token);
  if (sound === undefined) {
    sound = doubleMetaphone(token)[0] || token.slice(0, 4).toUpperCase();
    if (sounds.size >= soundsLimit) sounds.clear();
    sounds.set(token, sound);
  }
  return sound;
}

/** The sounds of two parts of a name, in any order. */
export const soundPair = (one: string, other: string): string =>
  one < other ? `${one}.${other}` : `${other}.${one}`;
/** The key of people born in a year by the sounds of their names. */
export const yearKey = (year: string | number, pair: string): string => `y:${year}:${pair}`;

/** The maximum number of keys for one person; the most specific come first. */
const keysLimit = 24;
/** The maximum length of a key, so that it fits an index. */
const keyLength = 200;

/**
 * The keys that a person is found by: two are compared if one has a key that the other looks for.
 * - `i:` an identifier;
 * - `t:` the telephone;
 * - `d:` birth date with the sound of any part of the name: finds changed surnames, nicknames that keep the surname,
 *   swapped and double names;
 * - `y:` and `m:` the sounds of surname and given name, in any order, with the birth year, and with month and day:
 *   find the person despite a fault in the birth date;
 * - `z:` or, without a birth date, `n:` the same with the ZIP code. People without a name only have the first kind,
 *   so that anonymous reports match by identifiers only.
 */
export function blockKeys(person: PreparedPerson): string[] {
  return keysOf(person, [person.birth ? 'z' : 'n']);
}

/**
 * The keys to look for people who may be the same: the person's own, except those with the ZIP code. Many people
 * share name and ZIP code, which say nothing if the birth dates differ. So these keys only lead from and to people
 * without a birth date; otherwise, every report would read more the more people are stored.
 */
export function soughtKeys(person: PreparedPerson): string[] {
  const mistyped = person.birth?.precision === 'day' ? acrossYearAndMonth(person.birth.date) : undefined;
  return keysOf(person, person.birth ? ['n'] : ['n', 'z'], mistyped);
}

/**
 * The date that a typing error in both year and month could have produced: 1980-12-15 for 1981-02-15; undefined if
 * there is none.
 */
function acrossYearAndMonth(date: string): string | undefined {
  const [decade, year, month] = [date.slice(0, 3), date[3], date[5]];
  const other = `${decade}${month}-${year}${date.slice(6)}`;
  return other !== date && /-(0[1-9]|1[012])-/.test(other) ? other : undefined;
}

/** `mistyped`: another birth date to look for the person by. */
function keysOf(person: PreparedPerson, places: readonly ('z' | 'n')[], mistyped?: string): string[] {
  const keys = new Set<string>();
  for (const identifier of person.identifiers.keys()) keys.add(`i:${identifier}`.slice(0, keyLength));
  if (person.names.length === 0) return [...keys].slice(0, keysLimit);
  for (const phone of person.phones) keys.add(`t:${phone}`);
  const birth = person.birth;
  const pairs = new Set<string>();
  const tokens = new Set<string>();
  for (const name of person.names) {
    const firsts = name.firstTokens.slice(0, 2).map(soundOf);
    const lasts = name.lastTokens.slice(0, 3).map(soundOf);
    for (const sound of [...lasts, ...firsts]) tokens.add(sound);
    for (const last of lasts) if (firsts[0]) pairs.add(soundPair(last, firsts[0]));
  }
  if (birth?.precision === 'day') for (const token of tokens) keys.add(`d:${birth.date}:${token}`);
  for (const pair of pairs) {
    if (birth) keys.add(yearKey(birth.date.slice(0, 4), pair));
    if (birth?.precision === 'day') keys.add(`m:${birth.date.slice(5)}:${pair}`);
    if (mistyped) keys.add(`m:${mistyped.slice(5)}:${pair}`);
    if (person.postalCode.length === 5)
      for (const place of places) keys.add(`${place}:${person.postalCode}:${pair}`);
  }
  return [...keys].slice(0, keysLimit).map((key) => key.slice(0, keyLength));
}

// — Comparing —

type Agreement = { points: number; part: number; kind: string };
const agree = (kind: string, value: number, part: number): Agreement => ({ kind, points: value, part });

const similarFrom = 0.9;

function compareLast(a: PreparedName, b: PreparedName): Agreement | null {
  if (!a.last || !b.last) return null;
  const p = points.lastName;
  if (a.last === b.last || a.lastGerman === b.last || a.last === b.lastGerman)
    return agree('equal', p.equal, 1);
  // García López, García-López, López García and García: one of two surnames is often left out or put first.
  if (
    (a.lastTokens.length > 1 || b.lastTokens.length > 1) &&
    a.lastTokens.some((t) => t.length > 2 && b.lastTokens.includes(t))
  )
    return agree('part', p.part, 0.8);
  if (jaroWinkler(a.last, b.last) >= similarFrom) return agree('similar', p.similar, 0.7);
  if (soundOf(a.last) === soundOf(b.last) && jaroWinkler(a.last, b.last) >= 0.8)
    return agree('similar', p.similar, 0.7);
  return agree('differs', p.differs, 0);
}

function compareFirst(a: PreparedName, b: PreparedName): Agreement | null {
  if (!a.first || !b.first) return null;
  const p = points.firstName;
  if (a.first === b.first || a.firstGerman === b.first || a.first === b.firstGerman)
    return agree('equal', p.equal, 1);
  const [x, y] = [a.firstTokens[0]!, b.firstTokens[0]!];
  if (nicknames(x, y)) return agree('nickname', p.nickname, 0.8);
  if (x === y && x.length > 1) {
    // María José and María are often one; María José and María Fernanda may be sisters.
    const [second, other] = [a.firstTokens[1] ?? a.middle, b.firstTokens[1] ?? b.middle];
    return second && other && second[0] !== other[0]
      ? agree('sibling', p.similar, 0.5)
      : agree('part', p.part, 0.8);
  }
  if (x.length === 1 || y.length === 1) {
    if (x[0] === y[0]) return agree('initial', p.initial, 0.5);
  } else if (jaroWinkler(a.first, b.first) >= 0.85)
    // Jayden and Kayden are more likely twins than one boy with a typing error; errors in the first letter are rare.
    return agree(x[0] === y[0] ? 'similar' : 'sibling', p.similar, 0.6);
  if ((a.middle.length > 1 && a.middle === b.first) || (b.middle.length > 1 && b.middle === a.first))
    return agree('middle', p.middle, 0.4);
  return agree('differs', p.differs, 0);
}

function compareMiddle(a: PreparedName, b: PreparedName): Agreement | null {
  if (!a.middle || !b.middle) return null;
  if (a.middle === b.middle) return agree('equal', points.middleName.equal, 1);
  if (a.middle[0] === b.middle[0]) return agree('initial', points.middleName.initial, 0.6);
  return agree('differs', points.middleName.differs, 0);
}

interface NamesAgreement {
  last: Agreement | null;
  first: Agreement | null;
  middle: Agreement | null;
  generation: Agreement | null;
  points: number;
}

function compareNames(a: PreparedName, b: PreparedName): NamesAgreement {
  let last = compareLast(a, b);
  let first = compareFirst(a, b);
  const swapped =
    a.last !== '' && a.first !== '' && a.last === b.first && a.first === b.last && a.last !== a.first;
  if (swapped) {
    last = agree('swapped', points.lastName.swapped, 0.9);
    first = agree('swapped', points.firstName.swapped, 0.9);
  }
  const middle = compareMiddle(a, b);
  const generation =
    a.generation && b.generation
      ? a.generation === b.generation
        ? agree('equal', points.suffix.equal, 1)
        : agree('differs', points.suffix.differs, 0)
      : null;
  const sum = [last, first, middle, generation].reduce((total, part) => total + (part?.points ?? 0), 0);
  return { last, first, middle, generation, points: sum };
}

function compareBirth(a: PreparedPerson, b: PreparedPerson): Agreement | null {
  if (!a.birth || !b.birth) return null;
  const p = points.birthDate;
  const x = a.birth.date;
  const y = b.birth.date;
  if (a.birth.precision === 'day' && b.birth.precision === 'day') {
    if (x === y) return agree('equal', p.equal, 1);
    const [xy, xm, xd] = [x.slice(0, 4), x.slice(5, 7), x.slice(8, 10)];
    const [yy, ym, yd] = [y.slice(0, 4), y.slice(5, 7), y.slice(8, 10)];
    if (xy === yy && xm === yd && xd === ym) return agree('swapped', p.swapped, 0.8);
    // A father and son can share name and birthday: a year may be mistyped, but not a generation.
    if (oneTypingFault(digitsOf(x), digitsOf(y)) && Math.abs(Number(xy) - Number(yy)) <= 10)
      return agree('typing', p.typing, 0.6);
    return agree('differs', p.differs, 0);
  }
  const months = a.birth.precision !== 'year' && b.birth.precision !== 'year';
  if (months && x.slice(0, 7) === y.slice(0, 7)) return agree('month', p.month, 0.7);
  if (!months && x.slice(0, 4) === y.slice(0, 4)) return agree('year', p.year, 0.5);
  return agree('differs', p.differs, 0);
}

/** The possible days of birth. */
function daysOfBirth({ birth, born }: PreparedPerson): { from: string; to: string } | null {
  if (!birth) return born;
  const { date, precision } = birth;
  if (precision === 'day') return { from: date, to: date };
  return precision === 'month'
    ? { from: startOfMonth(date), to: endOfMonth(date) }
    : { from: `${date.slice(0, 4)}-01-01`, to: `${date.slice(0, 4)}-12-31` };
}

/**
 * Compares ages if one of the two has no birth date. People round their age and count it from other days, so it
 * contradicts only beyond half of its unit: 30 in March and 32 in May are two people, 31 in March and 30 in April
 * may be one.
 */
function compareAges(a: PreparedPerson, b: PreparedPerson): Agreement | null {
  if (a.birth && b.birth) return null;
  const x = daysOfBirth(a);
  const y = daysOfBirth(b);
  if (!x || !y) return null;
  const gap = Math.max(daysBetween(x.to, y.from), daysBetween(y.to, x.from));
  const unit = Math.max(daysBetween(x.from, x.to), daysBetween(y.from, y.to)) + 1;
  return gap > unit / 2 ? agree('differs', points.age.differs, 0) : agree('agrees', points.age.agrees, 0.3);
}

/** Whether two texts of one length differ in one character, or in two swapped neighbours. */
function oneTypingFault(a: string, b: string): boolean {
  const at = [...a].flatMap((character, index) => (character === b[index] ? [] : [index]));
  if (at.length === 1) return true;
  const [i, j] = at;
  return at.length === 2 && j === i! + 1 && a[i!] === b[j!] && a[j!] === b[i!];
}

function compareAddress(a: PreparedPerson, b: PreparedPerson): Agreement | null {
  const p = points.address;
  const sameCode = a.postalCode !== '' && a.postalCode === b.postalCode;
  const sameCity = a.city !== '' && a.city === b.city;
  if (a.street && b.street && a.street === b.street && (sameCode || sameCity))
    return agree('equal', p.equal, 1);
  if (sameCode) return agree('postalCode', p.postalCode, 0.6);
  if (sameCity) return agree('city', p.city, 0.3);
  if ((a.postalCode && b.postalCode) || (a.city && b.city)) return agree('differs', p.differs, 0);
  return null;
}

/** Numbers that a country gives a person once: two of one kind are two people, or one was mistyped. */
const national = new Set(['SS', 'NI', 'NIIP']);
const isNational = (key: string) => national.has(key.split('|', 1)[0]!);

interface IdentifiersAgreement {
  agreement: Agreement | null;
  /** Whether they share a number that identifies one person in a country, not only in a clinic or family. */
  sharesNational: boolean;
  /** Whether both have valid national numbers that differ. */
  differsNational: boolean;
}

function compareIdentifiers(a: PreparedPerson, b: PreparedPerson): IdentifiersAgreement {
  const shared = new Set(
    [...a.identifiers].flatMap(([whole, key]) => (b.identifiers.has(whole) ? [key] : [])),
  );
  const kinds = new Set(b.identifiers.values());
  const differing = [...a.identifiers.values()].filter((key) => kinds.has(key) && !shared.has(key));
  const differsNational = differing.some(isNational);
  const p = points.identifier;
  const agreement =
    shared.size > 0
      ? agree('equal', p.equal, 1)
      : differsNational
        ? agree('nationalDiffers', p.nationalDiffers, 0)
        : differing.length > 0
          ? agree('differs', p.differs, 0)
          : null;
  return { agreement, sharesNational: [...shared].some(isNational), differsNational };
}

/** Compares two people. The order does not matter. */
export function compare(a: PreparedPerson, b: PreparedPerson): Comparison {
  const { agreement: identifier, sharesNational, differsNational } = compareIdentifiers(a, b);
  const birth = compareBirth(a, b);
  const age = compareAges(a, b);
  const sex =
    a.sex && b.sex
      ? a.sex === b.sex
        ? agree('equal', points.sex.equal, 1)
        : agree('differs', points.sex.differs, 0)
      : null;
  const sharedPhone = [...a.phones].some((phone) => b.phones.has(phone));
  const phone =
    a.phones.size > 0 && b.phones.size > 0
      ? agree(
          sharedPhone ? 'equal' : 'differs',
          sharedPhone ? points.phone.equal : points.phone.differs,
          sharedPhone ? 1 : 0,
        )
      : null;
  const address = compareAddress(a, b);
  let names: NamesAgreement | null = null;
  for (const x of a.names)
    for (const y of b.names) {
      const found = compareNames(x, y);
      if (!names || found.points > names.points) names = found;
    }

  const compared: [Part, Agreement | null | undefined][] = [
    ['identifier', identifier],
    ['lastName', names?.last],
    ['firstName', names?.first],
    ['middleName', names?.middle],
    ['suffix', names?.generation],
    ['birthDate', birth],
    ['age', age],
    ['sex', sex],
    ['phone', phone],
    ['address', address],
  ];
  const parts: Parts = {};
  let sum = 0;
  for (const [part, agreement] of compared) {
    if (!agreement) continue;
    parts[part] = agreement.part;
    sum += agreement.points;
  }
  const score = Math.min(1, Math.max(0, sum / certain));
  const answer = (decision: Comparison['decision']): Comparison => ({
    decision,
    score,
    parts,
    differsNational,
  });

  const last = names?.last?.kind;
  const first = names?.first?.kind;
  const contradicted = birth?.kind === 'differs' || age?.kind === 'differs' || sex?.kind === 'differs';
  if (identifier?.kind === 'equal') {
    // A family can share a record number, and twins a birth date too: only a national number belongs to one person.
    // A mistyped number is someone else's, so another given name needs a birth date that supports it.
    const renamed =
      first === 'sibling' ||
      (first === 'differs' && (last === 'differs' || birth === null || !sharesNational));
    const generations = names?.generation?.kind === 'differs';
    return answer(contradicted || renamed || generations || differsNational ? 'review' : 'same');
  }
  if (!names || sum < lower) return answer('different');
  if (sum < upper) return answer('review');

  const household = phone?.kind === 'equal' || address?.kind === 'equal';
  const bothNames = last !== undefined && first !== undefined;
  const clearNames =
    bothNames &&
    last !== 'differs' &&
    (first === 'equal' || first === 'swapped' || first === 'nickname' || first === 'part');
  const clearBirth =
    birth === null
      ? phone?.kind === 'equal' && address?.kind === 'equal' && last === 'equal' && first === 'equal'
      : birth.kind === 'equal' || household;
  const doubted =
    contradicted ||
    names.generation?.kind === 'differs' ||
    differsNational ||
    (names.middle?.kind === 'differs' && !household);
  return answer(clearNames && clearBirth && !doubted ? 'same' : 'review');
}
