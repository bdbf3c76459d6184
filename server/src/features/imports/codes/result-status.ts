import type { ResultStatus } from '../report.ts';

const statuses: Record<string, ResultStatus> = {
  FINAL: 'F',
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

/** HL7 tables 0085 and 0123; words are also sent. Undefined if it is neither. */
export function statusOf(sent: string | undefined): ResultStatus | undefined {
  if (sent === undefined) return undefined;
  const upper = sent.toUpperCase();
  return /^[ABCDFINOPRSUVWX]$/.test(upper) ? (upper as ResultStatus) : statuses[upper];
}
