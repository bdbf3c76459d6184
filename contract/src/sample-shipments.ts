import { z } from 'zod';
import { addDays } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { labelled } from './label.ts';
import { labelFormats, labelQuery } from './labels.ts';
import { textOfLines } from './name.ts';
import { patientRecordWithMaking } from './patient-record.ts';
import {
  byServer,
  byTransitions,
  choice,
  coded,
  computed,
  count,
  day,
  entry,
  instant,
  listOf,
  longText,
  needed,
  onCreation,
  reference,
  text,
} from './record.ts';
import { shipmentFlow, shipmentSides, shipmentStates } from './shipment-flow.ts';

/** How cold the box must be: refrigerated is 2 to 8 °C, frozen −20 °C, deep-frozen −80 °C. */
export const temperatures = ['ambient', 'refrigerated', 'frozen', 'deep-frozen'] as const;
/** How a specimen arrives. */
export const conditions = ['good', 'damaged', 'leaked'] as const;
/** The most specimens in a shipment: a cryobox of ten by ten. */
export const boxCapacity = 100;

const fields = {
  number: byServer(needed(coded(z.string()))),
  /** The latest case of one of its specimens, if of no restricted family. */
  caseId: byServer(coded(z.string())),
  state: byTransitions(needed(choice(shipmentStates))),
  origin: onCreation(needed(reference('facilities'))),
  destination: needed(reference('facilities')),
  temperature: needed(choice(temperatures)),
  carrier: text(100),
  trackingNumber: text(60),
  expectedOn: day(),
  note: longText(2000),
  packedOn: byTransitions(day()),
  sentOn: byTransitions(day()),
  receivedOn: byTransitions(day()),
  createdOn: byServer(needed(day())),
  /** The side of the shipment the reader works for. */
  side: computed(choice(shipmentSides)),
  /** How many specimens were packed, of those the reader may see. */
  specimens: computed(count()),
  /** How many of them have arrived. */
  received: computed(count()),
  /** Specimens that are missing, unexpected, or not in the expected condition. */
  discrepancies: computed(count()),
  /** Discrepancies without a note. */
  unexplained: computed(count()),
};

const access = { read: 'sample-shipments/read', write: 'sample-shipments/write' } as const;

export const shipmentGrid = listOf(fields, {
  id: 'sample-shipments',
  permission: access.read,
  exportable: 'sample-shipments/export',
  columns: {
    number: { whole: true, width: 140 },
    state: { width: 150 },
    caseId: { whole: true, width: 150 },
    origin: { width: 220 },
    destination: { width: 220 },
    specimens: { width: 110 },
    received: { width: 110 },
    discrepancies: { width: 130 },
    carrier: { width: 130 },
    trackingNumber: { whole: true, width: 170 },
    sentOn: { width: 116 },
    expectedOn: { width: 116 },
    receivedOn: { width: 116 },
    temperature: { width: 130, hidden: true },
    packedOn: { width: 116, hidden: true },
    createdOn: { width: 116, hidden: true },
  },
  sortedBy: 'caseId',
  newestFirst: true,
  card: { title: ['number'], state: 'state', lines: ['origin', 'destination', 'sentOn', 'receivedOn'] },
  filters: ['statusFilter', 'locationFilter', 'destinationFilter'],
  narrows: { statusFilter: 'state', locationFilter: 'origin', destinationFilter: 'destination' },
  defaultRange: (today) => ({ start: addDays(today, -89), end: today }),
  rangeFields: ['createdOn', 'packedOn', 'sentOn', 'expectedOn', 'receivedOn'],
  counted: true,
});
export const shipmentRow = shipmentGrid.row;
export type Shipment = z.infer<typeof shipmentRow>;

/** A box of specimens sent from one place to another. */
export const shipmentRecord = patientRecordWithMaking({
  id: 'sample-shipments',
  kind: 'shipment',
  noun: 'sample shipment',
  table: 'shipment',
  access,
  alone: true,
  name: 'number',
  fields,
  workflow: { of: 'state', flow: shipmentFlow },
  grid: shipmentGrid,
  answer: shipmentRow,
  form: ['origin', 'destination', ['temperature', 'expectedOn'], ['carrier', 'trackingNumber'], 'note'],
  begins: { temperature: 'refrigerated' },
  bulk: ['temperature', 'destination', 'expectedOn'],
  // Someone has to look into the box.
  oneByOne: ['complete', 'go-on'],
  // A courier takes many boxes at once.
  enteredBefore: ['carrier'],
});

// — Contents —

/** Where a specimen of a shipment is. */
export const receptions = ['packed', 'awaited', 'received', 'missing', 'unexpected'] as const;
/** How a specimen was checked: by scanner, or by its number in the list. */
export const waysToFind = ['scanned', 'ticked'] as const;

const shipped = z.object({
  id: z.uuid(),
  /** The number on its label. */
  code: z.string(),
  reception: z.enum(receptions),
  how: z.enum(waysToFind).nullable(),
  condition: z.enum(conditions).nullable(),
  receivedAt: z.iso.datetime().nullable(),
  receivedBy: z.string().nullable(),
  note: z.string().nullable(),
  isDiscrepancy: z.boolean(),
  /** Null if the specimen is not among those the reader sees. */
  specimenType: labelled.nullable(),
  collectedAt: z.iso.datetime().nullable(),
});
export type Shipped = z.infer<typeof shipped>;

/** What is done to a shipment or specimen, in addition to the flow's transitions. */
export const custodyDeeds = [
  'packed',
  'unpacked',
  'scanned',
  'ticked',
  'unexpected',
  'taken-back',
  'noted',
] as const;
const custody = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  by: z.string().nullable(),
  /** One of `custodyDeeds`, or a transition of the whole shipment. */
  deed: z.string(),
  code: z.string().nullable(),
  condition: z.enum(conditions).nullable(),
  note: z.string().nullable(),
});
export type Custody = z.infer<typeof custody>;

const contents = z.object({ specimens: z.array(shipped), custody: z.array(custody) });
export type Contents = z.infer<typeof contents>;

const path = '/api/web/sample-shipments/:id';
const params = z.strictObject({ id: z.uuid() });
const ofOne = params.extend({ specimen: z.uuid() });
const code = z.string().trim().min(1).max(200);
const changing = { access: access.write, deed: 'change', patientData: true } as const;

export const shipmentContents = endpoint({
  method: 'GET',
  path: `${path}/specimens`,
  access: access.read,
  deed: 'read',
  patientData: true,
  summary: 'The specimens of a sample shipment, and who has had it in hand',
  params,
  response: contents,
});
/** By accession number, one or several: all of them or none. */
export const packSpecimens = endpoint({
  ...changing,
  method: 'POST',
  path: `${path}/specimens`,
  summary: 'Put specimens into a sample shipment',
  params,
  body: z.union([
    z.strictObject({ code }),
    z.strictObject({ specimens: z.array(z.uuid()).min(1).max(boxCapacity) }),
  ]),
  response: contents,
});
export const scanOutcomes = ['received', 'already', 'unexpected'] as const;
/** Each scan is stored at once, so that anyone can continue. */
export const scanSpecimen = endpoint({
  ...changing,
  method: 'POST',
  path: `${path}/scans`,
  summary: 'Receive a specimen of a sample shipment',
  params,
  body: z.strictObject({ code, how: z.enum(waysToFind), condition: z.enum(conditions).default('good') }),
  response: z.object({ outcome: z.enum(scanOutcomes), specimen: shipped, contents }),
});
export const noteSpecimen = endpoint({
  ...changing,
  method: 'PATCH',
  path: `${path}/specimens/:specimen`,
  summary: 'Say what is wrong with a specimen of a sample shipment',
  params: ofOne,
  body: z.strictObject({ note: textOfLines(1000) }),
  response: contents,
});
/** Removes it from a draft; during reception, undoes its scan. */
export const takeOutSpecimen = endpoint({
  ...changing,
  method: 'POST',
  path: `${path}/specimens/:specimen/take-out`,
  summary: 'Take a specimen out of a sample shipment, or take back its reception',
  params: ofOne,
  response: contents,
});

/** The parts of a shipment that get labels. */
export const labelledParts = ['box', 'tubes'] as const;
/** Labels never show whose specimen it is. */
export const shipmentLabels = endpoint({
  method: 'GET',
  path: `${path}/labels`,
  access: access.read,
  deed: 'export',
  patientData: true,
  summary: 'Labels for the box of a sample shipment, or for the specimens in it',
  params,
  query: labelQuery.safeExtend({ of: z.enum(labelledParts).default('box') }),
  produces: labelFormats.pdf,
  alsoProduces: [labelFormats.zpl],
});

// — Specimens in no shipment —

/** The days after which a specimen has waited long, and too long. */
export const waitingDays = { long: 7, tooLong: 30 } as const;

const waiting = {
  accession: byServer(coded(z.string())),
  specimenType: byServer(entry('specimenTypes')),
  collectedAt: byServer(instant()),
  facility: byServer(reference('facilities')),
};
export const unassignedRow = z.object({
  id: z.uuid(),
  accession: z.string().nullable(),
  specimenType: z.string().nullable(),
  collectedAt: z.iso.datetime().nullable(),
  facility: z.uuid().nullable(),
});
export type Unassigned = z.infer<typeof unassignedRow>;
const waitingList = listOf(waiting, {
  id: 'unassigned-specimens',
  permission: access.read,
  columns: {
    accession: { whole: true, sensitive: true, width: 180 },
    collectedAt: { width: 190 },
    specimenType: { width: 220 },
    facility: { width: 240 },
  },
  sortedBy: 'collectedAt',
  filters: ['locationFilter'],
  defaultRange: (today) => ({ start: addDays(today, -59), end: today }),
  rangeFields: ['collectedAt'],
});
/** Specimens of the reader's places that are in no shipment, longest waiting first. */
export const unassignedGrid = { ...waitingList, row: unassignedRow };
