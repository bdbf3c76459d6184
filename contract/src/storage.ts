import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { labelled } from './label.ts';
import { textOfLines } from './name.ts';
import { locationLevels } from './places.ts';
import { conditions } from './sample-shipments.ts';

/*
 * Specimens in boxes: each lies in a row and column of one box. Every move is kept, with who, when, from where and to
 * where.
 */

/** A position in a box, counted from 1; A1 is at the top left. */
const position = { row: z.int().min(1).max(26), column: z.int().min(1).max(26) };
export interface Position {
  row: number;
  column: number;
}
/** `C4`. */
export const rowName = (row: number): string => String.fromCharCode(64 + row);
export const positionName = ({ row, column }: Position): string => `${rowName(row)}${column}`;

/** The first free position, row by row; null if the box is full. */
export function nextFree(
  { rows, columns }: { rows: number; columns: number },
  taken: readonly Position[],
): Position | null {
  const names = new Set(taken.map(positionName));
  for (let row = 1; row <= rows; row++)
    for (let column = 1; column <= columns; column++)
      if (!names.has(positionName({ row, column }))) return { row, column };
  return null;
}

/** `flawed`: it had leaked or was damaged when it arrived. `hidden`: the reader does not see what lies there. */
export const storedStates = ['stored', 'received', 'flawed', 'packed', 'hidden'] as const;
export type StoredState = (typeof storedStates)[number];

/** The shares of a box's positions that warn that it is filling up. */
export const fillWarnings = [0.8, 0.9, 1] as const;

const storagePlace = z.object({
  id: z.uuid(),
  parent: z.uuid().nullable(),
  facility: z.uuid(),
  level: z.enum(locationLevels),
  name: z.string(),
  /** Neither it nor anything around it is inactive. */
  active: z.boolean(),
  /** The positions in its boxes, and how many of them are taken. */
  positions: z.int(),
  taken: z.int(),
});
export type StoragePlace = z.infer<typeof storagePlace>;

const storedSpecimen = z.object({
  id: z.uuid(),
  code: z.string(),
  /** Null if the specimen is not among those the reader sees. */
  specimenType: labelled.nullable(),
  collectedAt: z.iso.datetime().nullable(),
  storedAt: z.iso.datetime(),
  storedBy: z.string().nullable(),
});
const taken = z.object({
  ...position,
  state: z.enum(storedStates),
  /** Null if the reader does not see it. */
  specimen: storedSpecimen.nullable(),
});
export type Taken = z.infer<typeof taken>;
const box = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The names of what it is in, outermost first. */
  path: z.array(z.object({ id: z.uuid(), name: z.string(), level: z.enum(locationLevels) })),
  facility: z.uuid(),
  rows: z.int(),
  columns: z.int(),
  coldest: z.int().nullable(),
  warmest: z.int().nullable(),
  active: z.boolean(),
  /** The reader stores specimens in it and takes them out. */
  mayStore: z.boolean(),
  taken: z.array(taken),
});
export type StorageBox = z.infer<typeof box>;

const path = '/api/web/sample-shipments/storage';
const params = z.strictObject({ id: z.uuid() });
const access = { read: 'sample-shipments/read', write: 'sample-shipments/write' } as const;
const changing = { access: access.write, deed: 'change', patientData: true } as const;

export const listStorage = endpoint({
  method: 'GET',
  path,
  access: access.read,
  deed: 'read',
  summary: 'The locations where specimens are stored, with their boxes and how full they are',
  response: z.object({ places: z.array(storagePlace) }),
});
export const readBox = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  access: access.read,
  deed: 'read',
  patientData: true,
  summary: 'What lies in a box',
  params,
  response: box,
});
/**
 * By accession number. Without a position it goes to the next free one. A specimen that is stored already is moved.
 * Refused: `unknown-specimen`, `several`, `occupied`, `full`, `outside`, `inactive`, `on-its-way`, `packed`,
 * `other-facility`, `not-own-place`.
 */
export const storeSpecimen = endpoint({
  ...changing,
  method: 'POST',
  path: `${path}/:id/specimens`,
  summary: 'Store a specimen in a box, or move it there',
  params,
  body: z.strictObject({
    code: z.string().trim().min(1).max(200),
    position: z.strictObject(position).nullable(),
  }),
  response: z.object({
    specimen: z.uuid(),
    ...position,
    /** It was in another position before. */
    moved: z.boolean(),
    box,
  }),
});
/** Why a specimen leaves its box. */
export const takeOutReasons = ['for-testing', 'used-up', 'discarded', 'sent', 'lost'] as const;
export type TakeOutReason = (typeof takeOutReasons)[number];
export const takeOutStored = endpoint({
  ...changing,
  method: 'POST',
  path: `${path}/:id/specimens/:specimen/take-out`,
  summary: 'Take a specimen out of its box',
  params: params.extend({ specimen: z.uuid() }),
  body: z.strictObject({ reason: z.enum(takeOutReasons), note: textOfLines(1000).nullable() }),
  response: box,
});

// — The custody of one specimen —

const whereabouts = z.object({
  facility: z.uuid().nullable(),
  /** The box in which it was stored, and its position there. */
  location: z.uuid().nullable(),
  position: z.string().nullable(),
});
export type Whereabouts = z.infer<typeof whereabouts>;
const custodyEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  by: z.string().nullable(),
  /** A move in storage, one of `custodyDeeds`, or a transition of its shipment. */
  deed: z.string(),
  /** The number of its shipment. */
  shipment: z.string().nullable(),
  from: whereabouts.nullable(),
  to: whereabouts.nullable(),
  condition: z.enum(conditions).nullable(),
  reason: z.string().nullable(),
  note: z.string().nullable(),
  /** It does not begin where the one before ended. */
  gap: z.boolean(),
});
export type CustodyEntry = z.infer<typeof custodyEntry>;

export const custodyReport = endpoint({
  method: 'GET',
  path: '/api/web/sample-shipments/custody/:id',
  access: access.read,
  deed: 'read',
  patientData: true,
  summary: 'Who has had a specimen in hand, and where it was',
  params,
  response: z.object({
    code: z.string(),
    specimenType: labelled.nullable(),
    collectedAt: z.iso.datetime().nullable(),
    events: z.array(custodyEntry),
  }),
});
