import type { ImportFault } from '@caseway/contract/import-fault';
import { type PreparedPerson, soughtKeys } from '../../patients/matching.ts';
import {
  type FactsContext,
  factsOfCase,
  factsOfReport,
  factsOfRow,
  type PatientFacts,
  prepareFacts,
  tellsWho,
} from '../../patients/patient-facts.ts';
import type { CaseReportRow, LabReport, TreatmentRow } from '../../reported/report.ts';
import { type ResultKey, resultKeys, shortHash } from '../../results/result-key.ts';

/** One message or row as it was read. */
export interface Incoming {
  /** Position in its file. */
  index: number;
  line: number;
  revision: number;
  /** Absent if the piece is too large to be stored. */
  raw: Buffer | undefined;
  charset: string;
  /** SHA-256, hex: equal if the same message is received again. */
  contentHash: string;
  /** Tells equal rows of one table apart: 1 for the first, 2 for the second. Messages are not counted. */
  occurrence: number;
  controlId: string | null;
  type: string | null;
  sender: string | null;
  faults: readonly ImportFault[];
  content:
    | { kind: 'report'; report: LabReport }
    | { kind: 'case'; row: CaseReportRow; condition: string }
    | { kind: 'treatment'; row: TreatmentRow; condition: string | null }
    | { kind: 'waiting'; reason: string }
    | { kind: 'refused'; reason: string };
  /** The stored message to run again; its row is changed rather than made. */
  stored?: StoredMessage;
  /** The message that this one replaces with corrected text. */
  corrects?: StoredMessage;
}

/** The parts of a stored message that are needed for counting. */
export interface StoredMessage {
  id: string;
  importId: string;
  state: MessageState;
  reason: string | null;
  families: string[];
  /** The codes that it was counted as waiting for. */
  waitingFor: readonly string[];
}

export type MessageState = 'taken' | 'waiting' | 'refused' | 'duplicate';

/** The keys of a message that are looked up before a batch is planned. */
export interface Digest {
  facts: PatientFacts;
  prepared: PreparedPerson;
  /** The keys to look for its person by. */
  keys: string[];
  /** The keys of its results. */
  results: ResultKey[][];
  /** Whether it identifies its person. */
  tellsWho: boolean;
}

/** Undefined for a message that names no person. */
export function digestOf({ content, sender }: Incoming, context: FactsContext): Digest | undefined {
  if (content.kind === 'waiting' || content.kind === 'refused') return undefined;
  const facts =
    content.kind === 'report'
      ? factsOfReport(content.report, sender ?? '', context)
      : content.kind === 'case'
        ? factsOfCase(content.row, sender ?? '', context)
        : factsOfRow(content.row, content.row.started?.day, sender ?? '', context);
  const prepared = prepareFacts(facts);
  const results = content.kind === 'report' ? resultKeys(content.report) : [];
  return { facts, prepared, keys: soughtKeys(prepared), results, tellsWho: tellsWho(facts) };
}

/**
 * The keys of a message's results. A table row without an order or specimen number that does not identify its person
 * is a separate observation each time it appears; any other row with the same contents is the same result.
 */
export function resultKeysOf({ content, contentHash, occurrence }: Incoming, digest: Digest): ResultKey[][] {
  if (content.kind !== 'report' || content.report.header.format !== 'csv' || digest.tellsWho)
    return digest.results;
  return digest.results.map((keys) =>
    keys.map((key) =>
      key.strength === 'message'
        ? { ...key, key: shortHash(`${key.key} ${contentHash} ${occurrence}`) }
        : key,
    ),
  );
}

/** The look-up key for messages that were received before. */
export const receivedKey = ({ contentHash, occurrence }: Pick<Incoming, 'contentHash' | 'occurrence'>) =>
  `${contentHash} ${occurrence}`;
