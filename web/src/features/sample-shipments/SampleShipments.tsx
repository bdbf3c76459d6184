import { type Shipment, shipmentGrid, shipmentRecord } from '@caseway/contract/sample-shipments';
import { useTranslation } from 'react-i18next';
import { AddRecord } from '../../record/AddRecord.tsx';
import { RecordList } from '../../record/RecordList.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { useMay } from '../../session/permissions.ts';
import { useGrid } from '../../view/use-grid.ts';
import { EditShipment } from './EditShipment.tsx';
import { ShipmentTabs } from './ShipmentTabs.tsx';
import { useShipmentWords } from './shipment-words.ts';

const shipments = bulkRecord(shipmentRecord);

/** The list of shipments, sent and received; people who may write them prepare one, and do the same to many. */
export default function SampleShipments() {
  const { t } = useTranslation('sample-shipments');
  const words = useShipmentWords();
  const state = useGrid(shipmentGrid);
  const many = useMany<Shipment>(shipments, state, { ...words, nameOf: ({ number }) => number });
  const may = useMay();
  return (
    <RecordList
      title={t('list.title')}
      actions={
        may('sample-shipments/write') ? (
          <AddRecord
            label={t('list.add')}
            path="/sample-shipments"
            form={(handlers) => <EditShipment stored={null} {...handlers} />}
          />
        ) : null
      }
      grid={shipmentGrid}
      state={state}
      words={words}
      searchLabel={t('list.search')}
      {...many}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
      path="/sample-shipments"
      above={<ShipmentTabs />}
    />
  );
}
