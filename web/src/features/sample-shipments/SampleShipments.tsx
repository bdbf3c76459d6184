import { type Shipment, shipmentGrid } from '@caseway/contract/sample-shipments';
import { shipmentStates } from '@caseway/contract/shipment-flow';
import Button from '@mui/material/Button';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { useMay } from '../../session/permissions.ts';
import { DateRangeField } from '../../ui/DateRangeField.tsx';
import { FilterBar } from '../../ui/FilterBar.tsx';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { Page } from '../../ui/Page.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { EditShipment } from './EditShipment.tsx';
import { ShipmentTabs } from './ShipmentTabs.tsx';
import { useShipmentWords } from './shipment-words.ts';

/** The list of shipments, sent and received; who may write them prepares one. */
export default function SampleShipments() {
  const { t } = useTranslation('sample-shipments');
  const words = useShipmentWords();
  const state = useGrid(shipmentGrid);
  const may = useMay();
  const { view, today } = state;
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const cells = useMemo(
    () => ({ number: (row: Shipment) => <span className="mono">{row.number}</span> }),
    [],
  );
  // Once the form is gone, which would ask whether to leave it.
  if (made !== null && !adding) return <Navigate to={`/sample-shipments/${made}`} />;
  const rangeFields = shipmentGrid.rangeFields!;
  return (
    <Page
      fill
      title={t('list.title')}
      actions={
        may('sample-shipments/write') ? (
          <Button
            variant="contained"
            startIcon={<Plus size={16} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            {t('list.add')}
          </Button>
        ) : null
      }
    >
      <ShipmentTabs />
      <FilterBar
        filters={[
          {
            name: 'statusFilter',
            label: t('filters.status'),
            options: shipmentStates.map((id) => ({ id, label: words.choice('state', id) })),
          },
          { name: 'locationFilter', label: t('filters.location'), lookup: 'facilities' },
          { name: 'destinationFilter', label: t('filters.destination'), lookup: 'facilities' },
        ]}
        values={view.filters}
        onChange={(filters) => state.setFilters(filters as Record<string, string[]>)}
        onClear={() => state.setFilters({})}
        before={
          <DateRangeField
            allDays
            value={view.range}
            defaultRange={shipmentGrid.defaultRange!}
            today={today}
            onChange={state.setRange}
            by={{
              value: view.rangeField ?? rangeFields[0]!,
              options: rangeFields.map((field) => ({ value: field, label: words.column(field) })),
              onChange: state.setRangeField,
            }}
          />
        }
      />
      <DataGrid
        grid={shipmentGrid}
        state={state}
        label={t('list.title')}
        words={words}
        searchLabel={t('list.search')}
        href={(row: Shipment) => `/sample-shipments/${row.id}`}
        cells={cells}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
      {adding ? (
        <EditShipment
          stored={null}
          onSaved={({ id }) => {
            setAdding(false);
            setMade(id);
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </Page>
  );
}
