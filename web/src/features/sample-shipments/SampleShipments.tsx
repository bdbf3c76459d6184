import { type Shipment, shipmentGrid, shipmentRecord } from '@caseway/contract/sample-shipments';
import { shipmentStates } from '@caseway/contract/shipment-flow';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { AddRecord } from '../../record/AddRecord.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { useMay } from '../../session/permissions.ts';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { GridRange } from '../../ui/grid/GridRange.tsx';
import { ListFilters } from '../../ui/grid/ListFilters.tsx';
import { Page } from '../../ui/Page.tsx';
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
  const cells = useMemo(
    () => ({ number: (row: Shipment) => <span className="mono">{row.number}</span> }),
    [],
  );
  return (
    <Page
      fill
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
    >
      <ShipmentTabs />
      <ListFilters
        grid={shipmentGrid}
        state={state}
        filters={[
          {
            name: 'statusFilter',
            label: t('filters.status'),
            options: shipmentStates.map((id) => ({ id, label: words.choice('state', id) })),
          },
          { name: 'locationFilter', label: t('filters.location'), lookup: 'facilities' },
          { name: 'destinationFilter', label: t('filters.destination'), lookup: 'facilities' },
        ]}
        before={<GridRange grid={shipmentGrid} state={state} label={words.column} />}
      />
      <DataGrid
        grid={shipmentGrid}
        state={state}
        label={t('list.title')}
        words={words}
        searchLabel={t('list.search')}
        href={(row: Shipment) => `/sample-shipments/${row.id}`}
        cells={cells}
        {...many}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
    </Page>
  );
}
