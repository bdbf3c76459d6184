import { hash } from 'node:crypto';
import type { ImportFaultCode } from '@caseway/contract/import-fault';
import type { ImportFault, LabReport, ReportHeader } from '../../reported/report.ts';
import { ageOf } from '../../results/questions.ts';
import { ReportBuilder } from './elr-builder.ts';
import { readHeader } from './elr-header.ts';
import { finishOrder, readObservation } from './elr-observation.ts';
import { readOrder, readSpecimen, shareSpecimens } from './elr-order.ts';
import { readNextOfKin, readPatient, readVisit } from './elr-patient.ts';
import { Reading } from './elr-reading.ts';
import { keyLimit, refuseTooLong } from './field-lengths.ts';
import { classify } from './hl7-classify.ts';
import { decodeHl7 } from './hl7-decode.ts';
import { field, first, parseHl7, placeOf, repetitions, type Segment, simple, textOf } from './hl7-message.ts';
import type { ClockOptions } from './hl7-time.ts';
import { readAuthority } from './hl7-types.ts';
import { isSpecimenCentred, orderCentred } from './specimen-centred.ts';

/** The outcome of one message. `faults` has the errors if it is refused, and always the warnings. */
export type ReadMessage = {
  /** `ORU^R01`, empty when unknown. */
  type: string;
  controlId?: string;
  /** The sending facility, or else the sending application, in words. */
  sender?: string;
  charset: string;
  contentHash: string;
  faults: ImportFault[];
} & (
  | { outcome: 'usable'; report: LabReport }
  | { outcome: 'waiting'; reason: ImportFaultCode }
  | { outcome: 'refused' }
);

/**
 * Reads one HL7 v2 message into a laboratory report. Never throws, whatever the bytes. Refuses a message that is not
 * a laboratory report, cannot be traced (no sender, no control id), names no patient or has no result; every other
 * fault is a warning with the report. A case notification waits rather than being refused, and so does a report of
 * something in the future or before its patient's birth.
 */
export function readHl7Report(raw: Buffer, line: number, clock: ClockOptions): ReadMessage {
  const decoded = decodeHl7(raw, line);
  const parsed = parseHl7(decoded.text, line);
  const reading = new Reading(parsed, clock, [...decoded.faults, ...parsed.faults], line);
  const contentHash = contentHashOf(decoded.text);
  const about = { type: '', controlId: undefined, sender: undefined, charset: decoded.charset, contentHash };
  return read(reading, about);
}

/** SHA-256 of a message with uniform line ends and without empty lines, in hex. */
function contentHashOf(text: string): string {
  return hash('sha256', text.replace(/[\r\n]+/g, '\r').trim());
}

type About = Pick<ReadMessage, 'type' | 'controlId' | 'sender' | 'charset' | 'contentHash'>;

function read(reading: Reading, about: About): ReadMessage {
  const header = reading.segments[0];
  if (header === undefined || header.id !== 'MSH' || reading.hasError()) {
    if (!reading.hasError()) reading.error('header-missing', 'MSH', reading.line);
    return { ...about, outcome: 'refused', faults: reading.sorted() };
  }
  const separators = reading.separators;
  const orders = reading.segments.filter((segment) => segment.id === 'OBR');
  const classified = classify(separators, header, orders);
  const sendingApplication = readAuthority(separators, first(separators, header, 3), false);
  const sendingFacility = readAuthority(separators, first(separators, header, 4), false);
  const controlId = simple(separators, header, 10);
  refuseTooLong(reading);
  const kept = (text: string | undefined) => (text && text.length <= keyLimit ? text : undefined);
  about = {
    ...about,
    type: classified.type,
    controlId: kept(controlId),
    sender: kept(
      sendingFacility?.name ?? sendingFacility?.id ?? sendingApplication?.name ?? sendingApplication?.id,
    ),
  };
  if (controlId === undefined) reading.missing('MSH-10', 'message control id');
  if (field(header, 9) === '') reading.missing('MSH-9', 'message type');
  else if (classified.type === '') reading.error('message-type-invalid', 'MSH-9', header.line);
  else if (
    classified.kind === 'vaccination' ||
    classified.kind === 'acknowledgement' ||
    classified.kind === 'other'
  ) {
    reading.error('not-elr', 'MSH-9', header.line, { type: classified.type, name: classified.name });
  }
  if (reading.hasError()) return { ...about, outcome: 'refused', faults: reading.sorted() };

  const reportHeader = readHeader(reading, header, classified.structure, controlId!, classified.type);
  if (classified.kind === 'case-notification') {
    return { ...about, outcome: 'waiting', reason: 'case-notification', faults: reading.sorted() };
  }
  if (sendingApplication === undefined && sendingFacility === undefined) {
    reading.error('sender-missing', 'MSH-4', header.line);
  }
  const report = readReport(reading, reportHeader, about.contentHash);
  if (report === undefined || reading.hasError())
    return { ...about, outcome: 'refused', faults: reading.sorted() };
  const waits = reading.waitsFor();
  if (waits) return { ...about, outcome: 'waiting', reason: waits.code, faults: reading.sorted() };
  return { ...about, outcome: 'usable', report, faults: reading.sorted() };
}

function readReport(reading: Reading, header: ReportHeader, contentHash: string): LabReport | undefined {
  const pids = reading.segments.filter((segment) => segment.id === 'PID');
  const pid = pids[0];
  if (pid === undefined) {
    reading.error('segment-missing', 'PID', reading.line, { segment: 'PID', name: 'patient' });
  }
  if (pids.length > 1) reading.error('several-patients', placeOf(pids[1]!), pids[1]!.line);
  const patient = pid === undefined ? undefined : readPatient(reading, pid);
  const builder = new ReportBuilder();
  builder.isSpecimenCentred = isSpecimenCentred(header.type);
  readBody(reading, builder);
  for (const order of builder.orders) finishOrder(order);
  const orders = builder.orders;
  shareSpecimens(orders);
  const results = orders.reduce((sum, order) => sum + order.observations.length, 0);
  if (
    results === 0 &&
    !reading.faults.some((fault) => fault.code === 'observation-code-missing' && fault.severity === 'error')
  ) {
    if (reading.segments.some((segment) => segment.id === 'OBX'))
      reading.error('results-missing', 'OBX', reading.line);
    else reading.error('segment-missing', 'OBX', reading.line, { segment: 'OBX', name: 'observation' });
  }
  if (patient === undefined) return undefined;
  const answers = [...builder.answers, ...orders.flatMap((order) => order.answers)];
  return {
    header,
    patient,
    age: ageOf(answers),
    nextOfKin: builder.nextOfKin,
    visit: builder.visit,
    orders,
    answers: builder.answers,
    notes: builder.notes,
    contentHash,
  };
}

function readBody(reading: Reading, builder: ReportBuilder): void {
  const { segments } = reading;
  for (const segment of builder.isSpecimenCentred ? orderCentred(segments) : segments) {
    switch (segment.id) {
      case 'NK1':
        readNextOfKin(reading, builder, segment);
        break;
      case 'PV1':
        builder.visit ??= readVisit(reading, segment);
        break;
      case 'ORC':
        builder.control = segment;
        builder.at = 'order-header';
        break;
      case 'OBR':
        builder.start(readOrder(reading, builder, segment));
        break;
      case 'OBX':
        readObservation(reading, builder, segment);
        break;
      case 'SPM':
        readSpecimen(reading, builder, segment);
        break;
      case 'NTE':
        readNote(reading, builder, segment);
        break;
    }
  }
}

function readNote(reading: Reading, builder: ReportBuilder, segment: Segment): void {
  const texts: string[] = [];
  for (const sent of repetitions(reading.separators, segment, 3)) {
    const text = textOf(reading.separators, sent);
    if (text !== undefined) texts.push(text);
  }
  if (texts.length > 0) builder.notesHere().push(texts.join('\n'));
}
