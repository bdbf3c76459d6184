import { codedValue, codeOf, wordsOnly } from '../../reported/coding.ts';
import type { CodedValue, Order, Organization, Phone, Specimen } from '../../reported/report.ts';
import { controlSpecimen } from '../../results/interpret.ts';
import { orderStatusOf } from '../../results/result-status.ts';
import type { ReportBuilder } from './elr-builder.ts';
import type { Reading } from './elr-reading.ts';
import {
  components,
  field,
  first,
  placeOf,
  type Segment,
  type Separators,
  simple,
  textOf,
} from './hl7-message.ts';
import {
  readAddress,
  readCoded,
  readCodedList,
  readEntity,
  readEntityField,
  readOrganization,
  readProvider,
  readTelecoms,
} from './hl7-types.ts';
import { isPlaceName } from './place-name.ts';

export function readOrder(reading: Reading, builder: ReportBuilder, obr: Segment): Order {
  const separators = reading.separators;
  const orc = builder.takeControl();
  const from = orc ?? builder.lastControl;
  const test = readCoded(separators, first(separators, obr, 4));
  reading.checkDigits(test, placeOf(obr, 4), obr.line);
  const providerPhones: Phone[] = [];
  const emails: string[] = [];
  readTelecoms(separators, obr, 17, providerPhones, emails);
  if (from) readTelecoms(separators, from, 14, providerPhones, emails);
  const order: Order = {
    position: obr.occurrence,
    control: orc === undefined ? undefined : simple(separators, orc, 1),
    placer: readEntityField(separators, obr, 2) ?? (orc && readEntityField(separators, orc, 2)),
    filler: readEntityField(separators, obr, 3) ?? (orc && readEntityField(separators, orc, 3)),
    test,
    status: orderStatusOf(simple(separators, obr, 25)),
    collected: reading.happened(obr, 7),
    collectedEnd: reading.happened(obr, 8),
    received: reading.happened(obr, 14),
    reported: reading.happened(obr, 22),
    relevantClinicalInfo: textOf(separators, field(obr, 13)),
    reasons: readCodedList(separators, obr, 31),
    provider:
      readProvider(separators, first(separators, obr, 16)) ??
      (from && readProvider(separators, first(separators, from, 12))),
    providerPhones,
    facility: from && readFacility(reading, from, 21, 22, 23),
    providerAddress: from && readAddress(separators, first(separators, from, 24)),
    parent: readParent(reading, obr),
    specimens: [],
    specimensFrom: undefined,
    observations: [],
    answers: [],
    notes: [],
    line: obr.line,
  };
  if (order.placer === undefined && order.filler === undefined) {
    reading.warn('order-number-missing', placeOf(obr, 3), obr.line);
  }
  const source = field(obr, 15);
  if (source !== '') order.specimens.push(...specimenOfOrder(reading, source, order));
  return order;
}

/** An XON with the address and phones from its neighbouring fields. */
export function readFacility(
  reading: Reading,
  segment: Segment,
  name: number,
  address: number,
  phone: number,
): Organization | undefined {
  const organization = readOrganization(reading.separators, segment, name);
  if (organization === undefined) return undefined;
  if (organization.name !== undefined && !isPlaceName(organization.name))
    reading.warn('place-name-odd', placeOf(segment, name), segment.line);
  organization.address = readAddress(reading.separators, first(reading.separators, segment, address));
  readTelecoms(reading.separators, segment, phone, organization.phones, []);
  return organization;
}

function readParent(reading: Reading, obr: Segment): Order['parent'] {
  const separators = reading.separators;
  const result = first(separators, obr, 26);
  const order = first(separators, obr, 29);
  if (result === '' && order === '') return undefined;
  const [test, subId, text] = components(separators, result);
  const [placer, filler] = components(separators, order);
  // Before v2.5 the numbers were components; a filler without subcomponents is then the second of them.
  return {
    test: readCodedInside(separators, test),
    subId: textOf(separators, subId),
    text: textOf(separators, text),
    placer: readEntity(separators, placer, true),
    filler: readEntity(separators, filler, true),
  };
}

/** OBR-15, the specimen of versions before 2.5: code & additives & text & body site … */
function specimenOfOrder(reading: Reading, sent: string, order: Order): Specimen[] {
  const separators = reading.separators;
  const parts = components(separators, sent);
  const type = readCodedInside(separators, parts[0]) ?? wordsOf(textOf(separators, parts[2]));
  const site = readCodedInside(separators, parts[3]);
  if (type === undefined && site === undefined) return [];
  order.specimensFrom = 'order';
  return [
    {
      placer: undefined,
      filler: undefined,
      type,
      collectionMethod: wordsOf(textOf(separators, parts[5])),
      sourceSite: site,
      collected: order.collected,
      collectedEnd: order.collectedEnd,
      received: order.received,
      rejectReasons: [],
      role: undefined,
    },
  ];
}

export function readSpecimen(reading: Reading, builder: ReportBuilder, segment: Segment): void {
  const separators = reading.separators;
  const [placer, filler] = components(separators, first(separators, segment, 2));
  const placerId = readEntity(separators, placer, true);
  const specimen: Specimen = {
    placer: placerId,
    filler: readEntity(separators, filler, true),
    type: readCoded(separators, first(separators, segment, 4)),
    collectionMethod: readCoded(separators, first(separators, segment, 7)),
    sourceSite: readCoded(separators, first(separators, segment, 8)),
    collected: reading.happened(segment, 17),
    collectedEnd: reading.happened(segment, 17, 1),
    received: reading.happened(segment, 18),
    rejectReasons: readCodedList(separators, segment, 21),
    role: simple(separators, segment, 11),
  };
  reading.checkDigits(specimen.type, placeOf(segment, 4), segment.line);
  if (specimen.role && controlSpecimen.test(specimen.role))
    reading.warn('control-specimen', placeOf(segment, 11), segment.line);
  const order = builder.order(segment);
  if (order.specimensFrom === 'order') order.specimens = [];
  order.specimensFrom = 'own';
  order.specimens.push(specimen);
  builder.at = 'specimen';
}

const wordsOf = (text: string | undefined): CodedValue | undefined =>
  text === undefined ? undefined : wordsOnly(text);

/** A coded component whose triplets are in subcomponents. */
function readCodedInside(separators: Separators, sent: string | undefined): CodedValue | undefined {
  if (sent === undefined || sent === '' || sent === '""') return undefined;
  const parts = sent.split(separators.subcomponent).map((part) => textOf(separators, part));
  return codedValue(
    [codeOf(parts[0], parts[1], parts[2], parts[6]), codeOf(parts[3], parts[4], parts[5], parts[7])],
    parts[8],
  );
}

/** Gives orders without a specimen that of their parent, or the only specimen of the message. */
export function shareSpecimens(orders: Order[]): void {
  const all = orders.flatMap((order) => (order.specimensFrom === 'own' ? order.specimens : []));
  const distinct = new Set(
    all.map((specimen) => JSON.stringify([specimen.filler, specimen.placer, specimen.type])),
  );
  for (const order of orders) {
    if (order.specimens.length > 0) continue;
    const filler = order.parent?.filler?.value;
    const placer = order.parent?.placer?.value;
    const parent = orders.find(
      (other) =>
        other !== order &&
        other.specimens.length > 0 &&
        ((filler !== undefined && other.filler?.value === filler) ||
          (placer !== undefined && other.placer?.value === placer)),
    );
    if (parent) {
      order.specimens = parent.specimens;
      order.specimensFrom = 'parent';
    } else if (distinct.size === 1 && all[0] !== undefined) {
      order.specimens = [all[0]];
      order.specimensFrom = 'only';
    }
  }
}
