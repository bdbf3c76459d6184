import { type Shipment, shipmentGrid, shipmentRecord } from '@caseway/contract/sample-shipments';
import { RecordList } from '../../record/RecordList.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { EditShipment } from './EditShipment.tsx';
import { ShipmentTabs } from './ShipmentTabs.tsx';
import { shipments, useShipmentWords } from './shipment-words.ts';

const bulk = bulkRecord(shipmentRecord);

/** The list of shipments, sent and received; users who may write them prepare one, or change many. */
export default function SampleShipments() {
  const words = useShipmentWords();
  const state = useGrid(shipmentGrid);
  const many = useMany<Shipment>(bulk, state, { ...words, nameOf: ({ number }) => number });
  return (
    <RecordList
      grid={shipmentGrid}
      state={state}
      words={words}
      edits={shipments}
      add={{
        needs: shipmentRecord.access.write,
        form: (handlers) => <EditShipment stored={null} {...handlers} />,
      }}
      {...many}
      above={<ShipmentTabs />}
    />
  );
}
