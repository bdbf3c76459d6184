import type { EntityIdentifier, ReportHeader } from '../../reported/report.ts';
import type { Reading } from './elr-reading.ts';
import { field, first, repetitions, type Segment, simple } from './hl7-message.ts';
import { cliaOf, readAuthority, readEntity } from './hl7-types.ts';

/** Header fields that a report should have but can do without (required in HL7 2.5.1 ELR). */
const expectedHeader = [
  [3, 'sending application'],
  [4, 'sending facility'],
  [5, 'receiving application'],
  [6, 'receiving facility'],
  [7, 'date and time of the message'],
] as const;

const knownVersions = /^2\.[1-9](\.\d)?$/;

export function readHeader(
  reading: Reading,
  header: Segment,
  structure: string | undefined,
  controlId: string,
  type: string,
): ReportHeader {
  const separators = reading.separators;
  const version = simple(separators, header, 12);
  if (version === undefined) {
    reading.warn('field-missing', 'MSH-12', header.line, { field: 'MSH-12', name: 'version' });
  } else if (!knownVersions.test(version)) {
    reading.warn('version-unexpected', 'MSH-12', header.line);
  }
  const processingId = simple(separators, header, 11)?.toUpperCase();
  if (processingId === undefined) {
    reading.warn('field-missing', 'MSH-11', header.line, { field: 'MSH-11', name: 'processing id' });
  } else if (processingId === 'T' || processingId === 'D') {
    reading.warn('processing-id-test', 'MSH-11', header.line);
  }
  for (const [number, name] of expectedHeader) {
    const isSender = number === 3 || number === 4;
    // Without either, the message is refused for that reason.
    if (isSender && field(header, 3) === '' && field(header, 4) === '') continue;
    if (field(header, number) === '') {
      reading.warn('field-missing', `MSH-${number}`, header.line, { field: `MSH-${number}`, name });
    }
  }
  const sendingFacility = readAuthority(separators, first(separators, header, 4), false);
  if (sendingFacility?.idType !== undefined && sendingFacility.id === undefined) {
    reading.warn('field-missing', 'MSH-4.2', header.line, {
      field: 'MSH-4.2',
      name: 'number of the sending facility',
    });
  }
  const profiles: EntityIdentifier[] = [];
  for (const sent of repetitions(separators, header, 21)) {
    const profile = readEntity(separators, sent, false);
    if (profile) profiles.push(profile);
  }
  const software = reading.segments.find((segment) => segment.id === 'SFT');
  return {
    format: 'hl7',
    type,
    structure,
    version,
    controlId,
    sendingApplication: readAuthority(separators, first(separators, header, 3), false),
    sendingFacility,
    sendingClia: cliaOf(sendingFacility),
    receivingApplication: readAuthority(separators, first(separators, header, 5), false),
    receivingFacility: readAuthority(separators, first(separators, header, 6), false),
    processingId: processingId ?? 'P',
    sent: reading.happened(header, 7),
    profiles,
    software:
      software === undefined
        ? undefined
        : (simple(separators, software, 3) ?? simple(separators, software, 1)),
  };
}
