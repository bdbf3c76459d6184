import { code, day, fact, id, ref } from './fact.ts';
import { temperatures } from './sample-shipments.ts';
import { shipmentStates } from './shipment-flow.ts';

/** One row per side that knows of a sample shipment: the sender, and after sending the destination. */
export const shipments = fact(
  'shipment',
  {
    id,
    shipmentId: id,
    state: code(shipmentStates),
    temperature: code(temperatures),
    createdOn: day('open'),
    sentOn: day('open'),
    expectedOn: day('open'),
    receivedOn: day('open'),
    organizationId: ref('organizations'),
    facilityId: ref('facilities'),
  },
  {
    records: 'sample-shipments',
    words: 'choice',
    eventDates: ['createdOn', 'sentOn', 'expectedOn', 'receivedOn'],
    enteredOn: 'createdOn',
    person: false,
    unit: 'shipmentId',
  },
);
