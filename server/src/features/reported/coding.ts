import { loincCheckDigitValid, snomedCheckDigitValid } from '@caseway/contract/codes';
import type { Code, CodedValue, NumericValue } from './report.ts';

/** Senders' names for a code system, mapped to its HL7 table 0396 mnemonic. Keys in upper case. */
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

/** Systems for local codes, or for code sets whose codes have no check digit. */
const settled =
  /^(L|99.*|HL7\d+|CDCREC|PLT|UCUM|I9CDX|I10C|FIPS.*|ISO.*|PHINQUESTION|CDCPHINVS|NND|OBSMETHOD)$/;

const loincForm = /^\d{1,7}-\d$/;
const snomedForm = /^\d{6,18}$/;

/**
 * A code with a uniform system, its check digit tested (LOINC, SNOMED CT) and, if the sender named no system or an
 * unknown one, the system that its form and check digit suggest. Undefined if it is empty.
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

/** A coded value from its codes and the words that the sender's user saw; undefined if it is empty. */
export function codedValue(codes: (Code | undefined)[], originalText?: string): CodedValue | undefined {
  const said = codes.filter((code) => code !== undefined);
  const text = originalText ?? said.find((code) => code.text !== undefined)?.text ?? said[0]?.code;
  return text === undefined ? undefined : { codes: said, originalText, text };
}

/** A coded value with only words. */
export const wordsOnly = (text: string): CodedValue => ({ codes: [], originalText: undefined, text });

/** The first code of a system, whether the sender named the system or the code's form suggests it. */
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

/** A decimal number; commas may separate thousands or mark the decimals; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  const trimmed = text.trim().replace(decimalComma, '$1.$2');
  if (!number.test(trimmed)) return undefined;
  const value = Number(trimmed.replaceAll(',', ''));
  return Number.isFinite(value) ? value : undefined;
}

/** A number, a bounded number (`<20`), a range (`2-4`), a ratio or a titre (`1:64`), if the whole text is one. */
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

/** A number with its unit (`<20 copies/mL`), if the whole text is one. */
export function measureIn(text: string): (NumericValue & { unit: string }) | undefined {
  const [, said, unit] = withUnit.exec(text.trim()) ?? [];
  const numeric = said === undefined || !unitForm.test(unit!) ? undefined : numericOf(said);
  return numeric && { ...numeric, unit: unit!.trim() };
}
