import { loincCheckDigitValid, snomedCheckDigitValid } from '@caseway/contract/codes';
import type { Code, CodedValue, Heritage, NumericValue, Phone, Sex } from '../report.ts';

/** Names under which senders give a code system, to its HL7 table 0396 mnemonic. Keys in upper case. */
const systems: Record<string, string> = {
  LN: 'LN',
  LOINC: 'LN',
  'LOINC CODE': 'LN',
  '2.16.840.1.113883.6.1': 'LN',
  'HTTP://LOINC.ORG': 'LN',
  SCT: 'SCT',
  SNOMED: 'SCT',
  'SNOMED CT': 'SCT',
  'SNOMED-CT': 'SCT',
  SNOMEDCT: 'SCT',
  SCT2: 'SCT',
  '2.16.840.1.113883.6.96': 'SCT',
  'HTTP://SNOMED.INFO/SCT': 'SCT',
  UCUM: 'UCUM',
  '2.16.840.1.113883.6.8': 'UCUM',
  CDCREC: 'CDCREC',
  HL70005: 'CDCREC',
  HL70189: 'HL70189',
  '2.16.840.1.113883.6.238': 'CDCREC',
  I10: 'I10C',
  I10C: 'I10C',
  ICD10: 'I10C',
  'ICD-10': 'I10C',
  'ICD-10-CM': 'I10C',
  ICD10CM: 'I10C',
  '2.16.840.1.113883.6.90': 'I10C',
  I9: 'I9CDX',
  I9C: 'I9CDX',
  I9CDX: 'I9CDX',
  ICD9: 'I9CDX',
  'ICD-9-CM': 'I9CDX',
  PLT: 'PLT',
  NPI: 'NPI',
};

/** The mnemonic of a code system, or the name as sent (in upper case) if it is unknown. */
export const systemOf = (sent: string): string => {
  const upper = sent.toUpperCase();
  return systems[upper] ?? upper;
};

/** Systems that a sender names for local codes, or for code sets whose codes have no check digit. */
const settled =
  /^(L|99.*|HL7\d+|CDCREC|PLT|UCUM|I9CDX|I10C|FIPS.*|ISO.*|PHINQUESTION|CDCPHINVS|NND|OBSMETHOD)$/;

const loincForm = /^\d{1,7}-\d$/;
const snomedForm = /^\d{6,18}$/;

/**
 * A code with its system made uniform, its check digit tested (LOINC, SNOMED CT) and, if the sender named no system or
 * an unknown one, the system that its form and check digit suggest. Undefined if it is empty.
 */
export function codeOf(
  code: string | undefined,
  text: string | undefined,
  sentSystem: string | undefined,
  version?: string,
): Code | undefined {
  if (code === undefined && text === undefined) return undefined;
  const result: Code = { code, text, system: undefined, version };
  const system = sentSystem === undefined ? undefined : systemOf(sentSystem);
  if (system !== undefined) result.system = system;
  if (code === undefined) return result;
  if (system === 'LN') {
    if (!loincCheckDigitValid(code)) result.checkDigitWrong = true;
  } else if (system === 'SCT') {
    if (!snomedCheckDigitValid(code)) result.checkDigitWrong = true;
  } else if (system === undefined || !settled.test(system)) {
    if (loincForm.test(code)) {
      if (loincCheckDigitValid(code)) result.inferred = 'LN';
    } else if (snomedForm.test(code) && snomedCheckDigitValid(code)) result.inferred = 'SCT';
  }
  return result;
}

/** A coded value from its codes and the words its sender's user saw; undefined if it is empty. */
export function codedValue(codes: (Code | undefined)[], originalText?: string): CodedValue | undefined {
  const said = codes.filter((code) => code !== undefined);
  const text = originalText ?? said.find((code) => code.text !== undefined)?.text ?? said[0]?.code;
  return text === undefined ? undefined : { codes: said, originalText, text };
}

/** A coded value that is only words. */
export const wordsOnly = (text: string): CodedValue => ({ codes: [], originalText: undefined, text });

/** The first code of a system, whether the sender named the system or its form speaks for it. */
export const codeIn = (value: CodedValue, system: 'LN' | 'SCT'): string | undefined =>
  value.codes.find((code) => code.system === system)?.code ??
  value.codes.find((code) => code.inferred === system)?.code;

const comparators: Record<string, NumericValue['comparator']> = {
  '<': '<',
  '<=': '<=',
  '≤': '<=',
  '=<': '<=',
  '>': '>',
  '>=': '>=',
  '≥': '>=',
  '=>': '>=',
  '=': '=',
  '<>': '<>',
};

/** The comparator in a text (HL7 SN.1); undefined if there is none. */
export const comparatorOf = (text: string): NumericValue['comparator'] => comparators[text];

const number = /^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15}|\d{1,3}(,\d{3})+(\.\d{0,15})?)(e[+-]?\d{1,3})?$/i;
/** A comma before one or two digits can only be a decimal comma. */
const decimalComma = /^([+-]?\d{1,15}),(\d{1,2})$/;
const bounded =
  /^(<=|>=|=<|=>|<>|<|>|=|≤|≥)?\s*([+-]?[\d.,]+(?:e[+-]?\d{1,3})?)(?:\s*([:/-])\s*([\d.,]+))?$/i;

/** A decimal number, thousands separated by commas allowed, or a decimal comma; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  const trimmed = text.trim().replace(decimalComma, '$1.$2');
  if (!number.test(trimmed)) return undefined;
  const value = Number(trimmed.replaceAll(',', ''));
  return Number.isFinite(value) ? value : undefined;
}

/** A number, a bounded number (`<20`), a range (`2-4`), a ratio or a titre (`1:64`), when the whole text is one. */
export function numericOf(text: string): NumericValue | undefined {
  const match = bounded.exec(text.trim());
  if (!match) return undefined;
  const value = numberOf(match[2]!);
  if (value === undefined) return undefined;
  const second = match[4] === undefined ? undefined : numberOf(match[4]);
  if (match[4] !== undefined && second === undefined) return undefined;
  return { comparator: comparators[match[1] ?? ''], number: value, separator: match[3], second };
}

const withUnit = /^((?:<=|>=|<|>|=|≤|≥)?\s*[\d.,]+)\s*([a-zµμ%][\w µμ/%.{}[\]^*-]{0,30})$/iu;
/** Units, not nouns: `2 colonies` and `3 weeks` are not measurements. */
const unitForm = /\/|^(?:log(?:10)?\b|%|iu|ui|u|cop(?:ies|ias|y)?|index|ratio)(?![a-z])/i;

/** A number with its unit (`<20 copies/mL`), when the whole text is one. */
export function measureIn(text: string): (NumericValue & { unit: string }) | undefined {
  const [, said, unit] = withUnit.exec(text.trim()) ?? [];
  const numeric = said === undefined || !unitForm.test(unit!) ? undefined : numericOf(said);
  return numeric && { ...numeric, unit: unit!.trim() };
}

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

/** HL7 table 0001, or the word in English or Spanish; undefined when it is not one of them. */
export const sexOf = (text: string): Sex | undefined => sexWords[plain(text)];

/** Upper case, accents removed, outer blanks removed, inner blanks single. */
export const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().replace(/\s+/g, ' ').trim();

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
    const cdc = code.code === undefined ? undefined : table[plain(code.code)];
    if (cdc !== undefined) return { raw, cdc };
  }
  for (const text of [...raw.codes.map((code) => code.text), raw.text]) {
    const cdc = text === undefined ? undefined : table[plain(text)];
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
    // A leading zero is dropped in some countries and kept in others, so it makes the number uncertain.
    const whole = `${country}${digits}`;
    const certain = whole.length >= 8 && whole.length <= 15 && country[0] !== '0' && digits[0] !== '0';
    return certain ? `+${whole}` : undefined;
  }
  const national = digits.length === 11 && digits[0] === '1' ? digits.slice(1) : digits;
  return nanp.test(national) ? `+1${national}` : undefined;
}

/** A phone number as sent with its E.164 form, an extension (`x123`, `ext. 4`) split off. */
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
