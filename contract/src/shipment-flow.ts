import { is, not } from './expression.ts';
import type { Rule, Workflow } from './workflow.ts';

export const shipmentStates = [
  'draft',
  'packed',
  'in-transit',
  'receiving',
  'received',
  'reconciled',
  'lost',
  'cancelled',
] as const;
export type ShipmentState = (typeof shipmentStates)[number];

/** States after which no one works on it; its contents can go into another shipment. */
export const endedStates = ['reconciled', 'lost', 'cancelled'] as const satisfies readonly ShipmentState[];
/** What the destination has done, and only it can undo. */
export const statesOfDestination = [
  'receiving',
  'received',
  'reconciled',
] as const satisfies readonly ShipmentState[];

/** The side of a shipment someone works for; a whole tenant works for both. */
export const shipmentSides = ['sender', 'destination', 'both'] as const;

const bySender: readonly Rule[] = [{ id: 'not-the-sender', refuse: is('side', 'destination'), at: [] }];
const byDestination: readonly Rule[] = [{ id: 'not-the-destination', refuse: is('side', 'sender'), at: [] }];
const may = ['sample-shipments/write'] as const;

/** From packing the box until all its contents are accounted for. */
export const shipmentFlow: Workflow<ShipmentState> = {
  id: 'SHIPMENT',
  version: 1,
  initial: 'draft',
  states: shipmentStates,
  locked: ['in-transit', 'receiving', 'received', 'reconciled', 'lost', 'cancelled'],
  transitions: [
    {
      id: 'pack',
      from: ['draft'],
      to: 'packed',
      may,
      set: { packedOn: 'today' },
      refuse: [...bySender, { id: 'empty', refuse: is('specimens', 0), at: [] }],
    },
    { id: 'unpack', from: ['packed'], to: 'draft', may, clear: ['packedOn'], refuse: bySender },
    {
      id: 'send',
      from: ['packed'],
      to: 'in-transit',
      may,
      asks: ['carrier', 'trackingNumber', 'expectedOn'],
      requires: ['carrier'],
      set: { sentOn: 'today' },
      refuse: bySender,
    },
    {
      id: 'receive',
      from: ['in-transit', 'lost'],
      to: 'receiving',
      may,
      refuse: byDestination,
    },
    {
      id: 'complete',
      from: ['receiving'],
      to: 'received',
      may,
      set: { receivedOn: 'today' },
      refuse: byDestination,
    },
    {
      id: 'go-on',
      from: ['received'],
      to: 'receiving',
      may,
      clear: ['receivedOn'],
      refuse: byDestination,
    },
    {
      id: 'reconcile',
      from: ['received'],
      to: 'reconciled',
      may,
      refuse: [...byDestination, { id: 'unexplained', refuse: not(is('unexplained', 0)), at: [] }],
    },
    { id: 'lose', from: ['in-transit'], to: 'lost', may, reason: 'required' },
    { id: 'cancel', from: ['draft', 'packed'], to: 'cancelled', may, reason: 'required', refuse: bySender },
  ],
  next: {
    draft: ['pack'],
    packed: ['send'],
    'in-transit': ['receive'],
    receiving: ['complete'],
    received: ['reconcile'],
    lost: ['receive'],
  },
  rules: [],
};
