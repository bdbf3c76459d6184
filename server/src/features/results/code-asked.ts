import type { ImportFaultCode } from '@caseway/contract/import-fault';
import { wordsAlone } from '@caseway/contract/imports';
import { foldWords } from '../../platform/text/fold.ts';
import type { CodedValue } from '../reported/report.ts';
import { familiesInText, restrictedFamilyIn } from './families-in-text.ts';
import { shortHash } from './result-key.ts';

/* The questions to a person about a report: a local code, or something that cannot be right. */

/** A sender's code that is not mapped yet. */
export interface UnknownCode {
  kind: 'test' | 'value';
  sender: string;
  system: string;
  code: string;
  text: string;
  /** The disease family it may be about, a restricted one before others; null if nothing points to one. */
  family: string | null;
}

/** A person's decision about a sender's code: its target, or null if it is left out. */
export type MappedCodes = ReadonlyMap<string, { target: string | null }>;
export const mappingKey = ({ kind, sender, system, code }: Omit<UnknownCode, 'text' | 'family'>): string =>
  [kind, sender, system, code].join('\u0000');

/** Longer words are identified by their hash. */
const wordsLimit = 200;

/** A sender's code in the form for the question: its first code, or its words. */
export function senderCode(value: CodedValue): Pick<UnknownCode, 'system' | 'code' | 'text'> {
  const text = value.text.slice(0, wordsLimit);
  const code = value.codes.find((candidate) => candidate.code !== undefined);
  if (code) return { system: code.system ?? '', code: code.code!.slice(0, wordsLimit), text };
  const words = foldWords(value.text) || value.text;
  return { system: wordsAlone, code: words.length > wordsLimit ? shortHash(words) : words, text };
}

/** A result that a person has to check: what is wrong, and in which field of the observation. */
export interface Doubt {
  doubt: ImportFaultCode;
  place: number;
  /** The family of the code's test. */
  family: string | null;
}

/** What a coded value says, in codes and in words. */
export const saidBy = ({ codes, text }: CodedValue): string =>
  [...codes.flatMap((code) => [code.code ?? '', code.text ?? '']), text].join(' ');

/** The families that a code may be about, from the words with it; otherwise those of its test. */
export const familyOf = (said: string, family: string | null = null): string | null =>
  restrictedFamilyIn(said) ?? family ?? familiesInText(said)[0] ?? null;
