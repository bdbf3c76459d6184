import { foldUpper } from '../../platform/text/fold.ts';
import type { ResultStatus } from '../reported/report.ts';

/** The effect of a result's status on the result stored under the same key. */
export type StatusEffect = 'result' | 'preliminary' | 'correction' | 'withdrawal' | 'cancelled' | 'pending';

/**
 * The effect of each status of OBX-11. HL7 v2.5.1 table 0085 has twelve of them; A and B came with version 2.8, and
 * V is in the table of 2.8.2. A laboratory may send them under any version. result-statuses.json has the same list
 * by name.
 */
const effects: Readonly<Record<ResultStatus, StatusEffect>> = {
  /** Amended because the orderer corrected the patient's data; the result may mean something else than before. */
  A: 'correction',
  /** Appended: final, with more information and unchanged values. */
  B: 'result',
  /** A correction, which replaces a final result. */
  C: 'correction',
  /** Deletes the OBX. */
  D: 'withdrawal',
  /** Final. */
  F: 'result',
  /** The specimen is in the laboratory, the result is not. */
  I: 'pending',
  /** Not requested, although the order implies it. */
  N: 'cancelled',
  /** A detail of the order, not a result. */
  O: 'pending',
  /** Preliminary. */
  P: 'preliminary',
  /** Entered but not verified. */
  R: 'preliminary',
  /** Partial. */
  S: 'preliminary',
  /** A preliminary result that becomes final. If its value is not sent again, a person has to review it. */
  U: 'result',
  /** Verified: final, and no value has changed. */
  V: 'result',
  /** The original was wrong, for example sent for another patient. */
  W: 'withdrawal',
  /** A result cannot be obtained. */
  X: 'cancelled',
};

/** Whether a status stands for a result, an earlier or corrected one, a withdrawal, or no result (yet). */
export const statusEffect = (status: ResultStatus): StatusEffect => effects[status];

/** Whether a status makes an earlier result final or leaves it unchanged. Its value may not be sent again. */
export const confirmsEarlier = (status: ResultStatus): boolean => ['U', 'B', 'V'].includes(status);

/** HL7 table 0123, the status of an order (OBR-25), as the status of a result. Some letters mean something else there. */
const ofOrder: Readonly<Record<string, ResultStatus>> = {
  // Some of the results.
  A: 'S',
  C: 'C',
  F: 'F',
  I: 'I',
  O: 'O',
  P: 'P',
  R: 'R',
  // Scheduled but not done yet.
  S: 'O',
  X: 'X',
};

/** In plain upper case; English, Spanish, French and Haitian Creole. */
const words: Readonly<Record<string, ResultStatus>> = {
  FINAL: 'F',
  DEFINITIVO: 'F',
  DEFINITIF: 'F',
  PRELIMINAR: 'P',
  PROVISIONAL: 'P',
  PRELIMINAIRE: 'P',
  PRELIMINE: 'P',
  CORREGIDO: 'C',
  CORRIGE: 'C',
  KORIJE: 'C',
  CANCELADO: 'X',
  ANULADO: 'X',
  ANNULE: 'X',
  ANILE: 'X',
  PENDIENTE: 'I',
  'EN ATTENTE': 'I',
  'AN ATANT': 'I',
  PRELIMINARY: 'P',
  PRELIM: 'P',
  CORRECTED: 'C',
  CORRECTION: 'C',
  CANCELLED: 'X',
  CANCELED: 'X',
  WRONG: 'W',
  DELETED: 'D',
  PARTIAL: 'S',
  PENDING: 'I',
};

/** The status of a result from OBX-11 or from a word; otherwise undefined. */
export function statusOf(sent: string | undefined): ResultStatus | undefined {
  const upper = foldUpper(sent ?? '');
  return Object.hasOwn(effects, upper) ? (upper as ResultStatus) : words[upper];
}

/** The status of an order's results from OBR-25 or from a word; otherwise undefined. */
export function orderStatusOf(sent: string | undefined): ResultStatus | undefined {
  const upper = foldUpper(sent ?? '');
  return ofOrder[upper] ?? words[upper];
}
