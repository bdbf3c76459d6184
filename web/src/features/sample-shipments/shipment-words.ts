import { type Shipment, shipmentContents, shipmentRecord } from '@caseway/contract/sample-shipments';
import { shipmentFlow } from '@caseway/contract/shipment-flow';
import { shownRecord, useRecordWords } from '../../record/shown-record.ts';

/** How shipments are shown. */
export const shipments = shownRecord<Shipment>(shipmentRecord, {
  old: [shipmentContents],
  mayEdit: ({ side, state }) =>
    side !== 'destination' && !shipmentFlow.locked!.some((locked) => locked === state),
});

export const useShipmentWords = () => useRecordWords(shipments);
