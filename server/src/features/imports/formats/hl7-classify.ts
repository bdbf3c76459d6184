import type { Segment, Separators } from './hl7-message.ts';
import { components, first, repetitions, textOf } from './hl7-message.ts';
import { isSpecimenCentred } from './specimen-centred.ts';

/** What a message is, by its type, its profile and its orders. */
type MessageKind = 'elr' | 'case-notification' | 'vaccination' | 'acknowledgement' | 'other';

interface Classified {
  kind: MessageKind;
  /** `ORU^R01`; empty if MSH-9 has no message type. */
  type: string;
  /** The meaning of this message type, in plain words. */
  name: string;
  structure?: string;
}

/** HL7 table 0076 in plain words; only types that occur. */
const names: Record<string, string> = {
  ACK: 'an acknowledgement',
  ADT: 'a patient administration message',
  BAR: 'a billing account message',
  CSU: 'a clinical study message',
  DFT: 'a financial transaction',
  MCF: 'an acknowledgement',
  MDM: 'a document message',
  MFK: 'a master file acknowledgement',
  MFN: 'a master file update',
  OMG: 'a clinical order',
  OML: 'a laboratory order',
  OMP: 'a pharmacy order',
  ORL: 'a response to a laboratory order',
  ORM: 'an order',
  ORR: 'a response to an order',
  ORU: 'an observation report',
  OUL: 'a specimen-oriented laboratory message',
  PPR: 'a problem list',
  QBP: 'a query',
  QRY: 'a query',
  RAS: 'a medication administration',
  RDE: 'a pharmacy order',
  REF: 'a referral',
  RQA: 'a request for authorisation',
  RSP: 'a response to a query',
  SIU: 'an appointment',
  SRM: 'an appointment request',
  VXQ: 'a query for a vaccination record',
  VXR: 'a vaccination record',
  VXU: 'a vaccination record',
  VXX: 'a response about vaccination records',
};

const notificationProfile = /^(NOTF|NND)_ORU/i;

/**
 * Classifies a message. `orders` are its OBR segments. LOINC 68991-9 in OBR-4 alone does not make a notification,
 * because laboratory reports also carry epidemiological information under it; the profile or the notified condition
 * (OBR-31, coded in NND) does.
 */
export function classify(separators: Separators, header: Segment, orders: readonly Segment[]): Classified {
  const parts = components(separators, first(separators, header, 9)).map((part) => textOf(separators, part));
  const message = parts[0]?.toUpperCase() ?? '';
  const trigger = parts[1]?.toUpperCase();
  // If fields are shifted, this can be anything, and must not appear in a sentence as a type.
  if (!/^[A-Z][A-Z0-9]{1,3}$/.test(message) || !/^[A-Z0-9]{0,4}$/.test(trigger ?? '')) {
    return { kind: 'other', type: '', name: '', structure: undefined };
  }
  const result: Classified = {
    kind: 'other',
    type: trigger === undefined ? message : `${message}^${trigger}`,
    name: names[message] ?? 'another kind of message',
    structure: parts[2],
  };
  if (message === 'ACK' || message === 'MCF') result.kind = 'acknowledgement';
  else if (message === 'VXU' || message === 'VXR') result.kind = 'vaccination';
  else if (message === 'ORU' && (trigger === 'R01' || trigger === undefined)) {
    result.kind = isNotification(separators, header, orders) ? 'case-notification' : 'elr';
  } else if (isSpecimenCentred(result.type)) result.kind = 'elr';
  return result;
}

function isNotification(separators: Separators, header: Segment, orders: readonly Segment[]): boolean {
  for (const profile of repetitions(separators, header, 21)) {
    const [id] = components(separators, profile);
    if (notificationProfile.test(id ?? '')) return true;
  }
  for (const order of orders) {
    const test = components(separators, first(separators, order, 4));
    if (/^NOTF$/i.test(test[0] ?? '') || /^NOTF$/i.test(test[3] ?? '')) return true;
    for (const reason of repetitions(separators, order, 31)) {
      const coding = components(separators, reason);
      if (coding[2] === 'NND' || coding[5] === 'NND') return true;
    }
  }
  return false;
}
