import { foldUpper } from '../../platform/text/fold.ts';
import type { CodedValue, Heritage, Phone, Sex } from '../reported/report.ts';

/**
 * Converts what a sender says about a person to the codes of this product: sex, race, ethnicity, phone numbers,
 * addresses.
 */

/** HL7 table 0001 and words in English, Spanish, French and Haitian Creole, in plain upper case. */
export const sexWords: Readonly<Record<string, Sex>> = {
  M: 'M',
  MALE: 'M',
  MAN: 'M',
  BOY: 'M',
  MASCULINO: 'M',
  MASCULIN: 'M',
  MASKILEN: 'M',
  HOMME: 'M',
  GARCON: 'M',
  GASON: 'M',
  VARON: 'M',
  HOMBRE: 'M',
  H: 'M',
  F: 'F',
  FEMALE: 'F',
  WOMAN: 'F',
  GIRL: 'F',
  FEMENINO: 'F',
  FEMININ: 'F',
  FEMINEN: 'F',
  FEMME: 'F',
  FILLE: 'F',
  FANM: 'F',
  FI: 'F',
  MUJER: 'F',
  O: 'O',
  OTHER: 'O',
  OTRO: 'O',
  A: 'O',
  AMBIGUOUS: 'O',
  INTERSEX: 'O',
  X: 'O',
  U: 'U',
  UNK: 'U',
  UNKNOWN: 'U',
  DESCONOCIDO: 'U',
  INCONNU: 'U',
  N: 'U',
};

/** HL7 table 0001, or the word in English or Spanish; undefined for anything else. */
export const sexOf = (text: string): Sex | undefined => sexWords[foldUpper(text)];

const heritages: Record<string, string> = {
  '1002-5': '1002-5',
  I: '1002-5',
  'AMERICAN INDIAN OR ALASKA NATIVE': '1002-5',
  'AMERICAN INDIAN/ALASKA NATIVE': '1002-5',
  'AMERICAN INDIAN': '1002-5',
  'ALASKA NATIVE': '1002-5',
  'NATIVE AMERICAN': '1002-5',
  NATIVE: '1002-5',
  'INDIGENA AMERICANO O NATIVO DE ALASKA': '1002-5',
  '2028-9': '2028-9',
  A: '2028-9',
  ASIAN: '2028-9',
  ASIATICO: '2028-9',
  ASIATICA: '2028-9',
  '2054-5': '2054-5',
  B: '2054-5',
  BLACK: '2054-5',
  'AFRICAN AMERICAN': '2054-5',
  'BLACK OR AFRICAN AMERICAN': '2054-5',
  'BLACK/AFRICAN AMERICAN': '2054-5',
  AFRAM: '2054-5',
  AFRAMER: '2054-5',
  'NEGRO O AFROAMERICANO': '2054-5',
  '2076-8': '2076-8',
  P: '2076-8',
  'NATIVE HAWAIIAN OR OTHER PACIFIC ISLANDER': '2076-8',
  'NATIVE HAWAIIAN OR PACIFIC ISLANDER': '2076-8',
  'NATIVE HAWAIIAN/PACIFIC ISLANDER': '2076-8',
  'NATIVE HAWAIIAN': '2076-8',
  'PACIFIC ISLANDER': '2076-8',
  PACIFIC: '2076-8',
  '2106-3': '2106-3',
  W: '2106-3',
  C: '2106-3',
  WHITE: '2106-3',
  CAUCASIAN: '2106-3',
  BLANCO: '2106-3',
  BLANCA: '2106-3',
  '2131-1': '2131-1',
  O: '2131-1',
  OTHER: '2131-1',
  'OTHER RACE': '2131-1',
  OTRA: '2131-1',
  UNK: 'UNK',
  U: 'UNK',
  UNKNOWN: 'UNK',
  DESCONOCIDO: 'UNK',
  ASKU: 'ASKU',
  'ASKED, BUT UNKNOWN': 'ASKU',
  'ASKED BUT UNKNOWN': 'ASKU',
  REFUSED: 'ASKU',
  'PATIENT DECLINES': 'ASKU',
  DECLINED: 'ASKU',
};

const ethnicities: Record<string, string> = {
  '2135-2': '2135-2',
  H: '2135-2',
  HISPANIC: '2135-2',
  'HISPANIC OR LATINO': '2135-2',
  'HISPANIC OR LATINO/A': '2135-2',
  'HISPANO O LATINO': '2135-2',
  HISPANO: '2135-2',
  LATINO: '2135-2',
  '2186-5': '2186-5',
  N: '2186-5',
  NH: '2186-5',
  'NOT HISPANIC OR LATINO': '2186-5',
  'NON HISPANIC OR LATINO': '2186-5',
  'NON-HISPANIC OR LATINO': '2186-5',
  'NOT HISPANIC': '2186-5',
  'NON HISPANIC': '2186-5',
  'NON-HISPANIC': '2186-5',
  'NOT LATINO': '2186-5',
  'NO HISPANO NI LATINO': '2186-5',
  'NO HISPANO': '2186-5',
  UNK: 'UNK',
  U: 'UNK',
  UNKNOWN: 'UNK',
  DESCONOCIDO: 'UNK',
  ASKU: 'ASKU',
  REFUSED: 'ASKU',
  DECLINED: 'ASKU',
};

const heritageOf = (table: Record<string, string>, raw: CodedValue): Heritage => {
  // Codes before words: the code is what the sender meant.
  for (const code of raw.codes) {
    const cdc = code.code === undefined ? undefined : table[foldUpper(code.code)];
    if (cdc !== undefined) return { raw, cdc };
  }
  for (const text of [...raw.codes.map((code) => code.text), raw.text]) {
    const cdc = text === undefined ? undefined : table[foldUpper(text)];
    if (cdc !== undefined) return { raw, cdc };
  }
  return { raw, cdc: undefined };
};

/** A race as sent, with its CDC code (OMB category, other, UNK, ASKU) when code or words are clear. */
export const raceOf = (raw: CodedValue): Heritage => heritageOf(heritages, raw);

/** An ethnicity as sent, with its CDC code when code or words are clear. */
export const ethnicityOf = (raw: CodedValue): Heritage => heritageOf(ethnicities, raw);

const nanp = /^[2-9]\d{2}[2-9]\d{6}$/;

/** A phone number in E.164 when that is certain: an explicit `+`, or a complete North American number. */
export function e164Of(raw: string, countryCode?: string): string | undefined {
  const trimmed = raw.trim();
  const digits = trimmed.replace(/\D/g, '');
  if (/[a-z]{3}/i.test(trimmed.replace(/(ext|tel|phone|cell|home|work)\.?/gi, ''))) return undefined;
  if (trimmed.startsWith('+')) {
    if (digits.startsWith('1')) return nanp.test(digits.slice(1)) ? `+${digits}` : undefined;
    return digits.length >= 8 && digits.length <= 15 && digits[0] !== '0' ? `+${digits}` : undefined;
  }
  const country = countryCode?.replace(/\D/g, '');
  if (country !== undefined && country !== '' && country !== '1') {
    // A leading zero is dropped in some countries and kept in others, so the number is uncertain.
    const whole = `${country}${digits}`;
    const certain = whole.length >= 8 && whole.length <= 15 && country[0] !== '0' && digits[0] !== '0';
    return certain ? `+${whole}` : undefined;
  }
  const national = digits.length === 11 && digits[0] === '1' ? digits.slice(1) : digits;
  return nanp.test(national) ? `+1${national}` : undefined;
}

/** A phone number as sent, with its E.164 form and its extension (`x123`, `ext. 4`) split off. */
export function phoneOf(raw: string): Phone {
  // No phone number is longer; a longer text is ignored.
  if (raw.length > 100)
    return { raw, e164: undefined, extension: undefined, use: undefined, equipment: undefined };
  const extension = /\s*(?:x|ext\.?|#)\s*(\d{1,6})\s*$/i.exec(raw);
  const main = extension ? raw.slice(0, extension.index) : raw;
  return { raw, e164: e164Of(main), extension: extension?.[1], use: undefined, equipment: undefined };
}

/** Whether a text has the form of an email address. */
export const isEmail = (text: string): boolean => /^[^\s@<>(),;:"]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
