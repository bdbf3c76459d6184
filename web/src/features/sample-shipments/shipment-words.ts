import { type Shipment, shipmentContents, shipmentRecord } from '@caseway/contract/sample-shipments';
import { shownRecord, useRecordWords } from '../../record/shown-record.ts';

/** How shipments are shown. */
export const shipments = shownRecord<Shipment>(shipmentRecord, { old: [shipmentContents] });

export const useShipmentWords = () => useRecordWords(shipments);
