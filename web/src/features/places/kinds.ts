import type { Grid } from '@caseway/contract/grid';
import { type PlaceStatus, placeRecords } from '@caseway/contract/places';
import type { AnyRecord } from '@caseway/contract/record';

/** A record of any kind, as a screen handles it. */
export type PlaceRecord = { id: string; version: number; active: boolean; status: PlaceStatus } & Record<
  string,
  unknown
>;

/** One kind of record. */
export interface PlaceKind {
  /** Also the name of its texts, and its address. */
  name: string;
  grid: Grid;
  endpoints: AnyRecord['endpoints'];
  record: AnyRecord;
  /** The column that names a record. */
  title: string;
}

export const placeKinds: readonly PlaceKind[] = placeRecords.map((record) => ({
  name: record.id,
  grid: record.grid,
  endpoints: record.endpoints,
  record,
  title: record.name,
}));

export const placeKind = (name: PlaceKind['name']): PlaceKind =>
  placeKinds.find((kind) => kind.name === name)!;
