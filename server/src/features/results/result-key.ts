import { hash } from 'node:crypto';
import { codeIn } from '../reported/coding.ts';
import type {
  Authority,
  EntityIdentifier,
  LabReport,
  Observation,
  Order,
  ResultStatus,
} from '../reported/report.ts';
import { type StatusEffect, statusEffect } from './result-status.ts';

/**
 * Identifies an observation: the result, its order and its sender. The same key means the same result: importing
 * twice changes nothing, and a corrected, wrong or deleted result finds the one it is about.
 */
export interface ResultKey {
  /** SHA-256 of the parts, 40 hexadecimal digits. */
  key: string;
  /**
   * `order`: from the sender's order number. `specimen`: without an order number, from a specimen number. `message`:
   * without either, the key has the message's control id, so only the same message finds it again and a correction
   * cannot.
   */
  strength: 'order' | 'specimen' | 'message';
}

/** SHA-256, its first 40 hexadecimal digits. */
export const shortHash = (text: string): string => hash('sha256', text).slice(0, 40);

/** Senders' placeholders for an order or specimen number. */
const placeholder =
  /^(0+|n\/?a|none|null|nil|unk|unknown|test|tbd|pending|not (available|assigned|given|provided)|system generated|x+|-+)$/i;

const usable = (id: EntityIdentifier | undefined): EntityIdentifier | undefined =>
  id === undefined || placeholder.test(id.value) ? undefined : id;

const authorityKey = (authority: Authority | undefined): string =>
  (authority?.id ?? authority?.name ?? '').trim().toLowerCase();

const entityKey = (id: EntityIdentifier | undefined): string =>
  id === undefined ? '' : `${id.value.trim().toLowerCase()}@${authorityKey(id.assigner)}`;

/** The part of the sender that identifies it: the facility, or else the application. */
export const senderKey = (report: LabReport): string =>
  authorityKey(report.header.sendingFacility) || authorityKey(report.header.sendingApplication);

/** LOINC first, so that adding or dropping a local code does not make another result. */
function testKey(observation: Observation): string {
  const loinc = codeIn(observation.test, 'LN');
  if (loinc !== undefined) return `LN:${loinc}`;
  const code = observation.test.codes.find((candidate) => candidate.code !== undefined);
  if (code !== undefined) return `${code.system ?? ''}:${code.code!.toLowerCase()}`;
  return `text:${observation.test.text.toLowerCase()}`;
}

/**
 * The keys of every observation of a report, in the order of `report.orders[].observations[]`. Made from the sender,
 * the filler's order number (or else the placer's), the specimen's number (or else its type and site), the test, its
 * sub-id, and, only if all of that occurs more than once in the report, the position among its equals. A key may
 * still match another patient's result (if a sender reuses numbers), so compare the patients before one result
 * replaces another.
 */
export function resultKeys(report: LabReport): ResultKey[][] {
  const sender = senderKey(report);
  const seen = new Map<string, number>();
  return report.orders.map((order) => {
    const number = usable(order.filler) ?? usable(order.placer);
    const specimen = specimenOf(order);
    const strength = number !== undefined ? 'order' : specimen !== undefined ? 'specimen' : 'message';
    return order.observations.map((observation) => {
      const parts = [
        sender,
        number === undefined ? '' : entityKey(number),
        specimen === undefined ? specimenKind(order) : entityKey(specimen),
        testKey(observation),
        observation.subId?.toLowerCase() ?? '',
      ];
      if (strength === 'message') parts.push(report.header.controlId);
      const joined = parts.join('\u001f');
      const place = (seen.get(joined) ?? 0) + 1;
      seen.set(joined, place);
      const key = shortHash(`${joined}\u001f${place}`);
      return { key, strength };
    });
  });
}

/** The number that tells the order's specimens apart; none if it has several, because then it says nothing. */
function specimenOf(order: Order): EntityIdentifier | undefined {
  const [specimen, second] = order.specimens;
  if (specimen === undefined || second !== undefined) return undefined;
  return usable(specimen.filler) ?? usable(specimen.placer);
}

/** Without a number, type and site tell the specimens of one order apart (the same test from throat and urine). */
function specimenKind(order: Order): string {
  const [specimen, second] = order.specimens;
  if (specimen === undefined || second !== undefined) return '';
  return [specimen.type, specimen.sourceSite]
    .map((kind) => kind?.codes[0]?.code ?? kind?.text ?? '')
    .join('/')
    .toLowerCase();
}

const ranks: Record<StatusEffect, number> = {
  pending: 0,
  preliminary: 1,
  cancelled: 2,
  result: 2,
  correction: 3,
  withdrawal: 3,
};

/** One version of a result: its status and when it was reported (OBR-22, or else the message's time). */
export interface ResultVersion {
  status: ResultStatus;
  /** ISO 8601, UTC. */
  reportedAt?: string;
}

/**
 * Whether an arriving version of a result replaces the stored one with the same key. A step up does (pending,
 * preliminary, final, corrected) unless it was reported before the stored one. A step down only does if it was
 * reported later, and a preliminary never replaces a final. Equal steps: not reported earlier.
 */
export function replaces(arriving: ResultVersion, stored: ResultVersion): boolean {
  const up = ranks[statusEffect(arriving.status)] - ranks[statusEffect(stored.status)];
  const known = arriving.reportedAt !== undefined && stored.reportedAt !== undefined;
  const order = known ? Math.sign(Date.parse(arriving.reportedAt!) - Date.parse(stored.reportedAt!)) : 0;
  if (up > 0) return order >= 0 || ranks[statusEffect(stored.status)] < 2;
  if (up === 0) return order >= 0;
  return order > 0 && ranks[statusEffect(arriving.status)] >= 2;
}
