import { facilities } from '@caseway/contract/places';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Plus } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { shownRecord } from '../../record/shown-record.ts';
import { useCellEdits } from '../../record/use-cell-edits.tsx';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { Page } from '../../ui/Page.tsx';
import { WithPanel } from '../../ui/WithPanel.tsx';
import { useOpenInList } from '../../view/open-in-list.ts';
import { type GridState, useGrid } from '../../view/use-grid.ts';
import { useFormats } from '../../words/formats.ts';
import { asRecord, EditPlace, oldPlaces } from './EditPlace.tsx';
import { type PlaceKind, type PlaceRecord, placeKind, placeKinds } from './kinds.ts';
import { PlacePanel } from './PlacePanel.tsx';
import { PlaceTabs } from './PlaceTabs.tsx';
import { StatusMark } from './StatusMark.tsx';
import { usePlaceWords, useTitle } from './words.ts';

/** What is edited in the rows of each kind. */
const shownPlaces = new Map(
  placeKinds.map(({ name, record, title }) => [
    name,
    shownRecord<PlaceRecord>(record, {
      old: oldPlaces,
      called: (place) => ({ name: String(place[title]) }),
      texts: 'places',
      saved: 'places:done.saved',
    }),
  ]),
);

/** The records of one kind, with the open one next to them. */
export function PlaceScreen({
  name,
  features,
}: {
  name: PlaceKind['name'];
  /** The open record's features, if it can act as an organization. */
  features?: (id: string) => ReactNode;
}) {
  const { t } = useTranslation('places');
  const words = usePlaceWords();
  const kind = placeKind(name);
  const state = useGrid(kind.grid) as GridState<PlaceRecord>;
  const title = useTitle(kind);
  const cells = useMemo(
    () => ({
      [kind.title]: title,
      status: (row: PlaceRecord) => <StatusMark status={row.status} />,
    }),
    [kind, title],
  );
  const [openId, setOpenId] = useOpenInList();
  const [adding, setAdding] = useState(false);
  const add = (
    <Button variant="contained" startIcon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {t(`kind.${name}.add`)}
    </Button>
  );
  return (
    <Page fill title={t(`kind.${name}.title`)} lead={t(`kind.${name}.lead`)} actions={add}>
      <PlaceTabs />
      {name === 'facilities' ? <Waiting state={state} /> : null}
      <WithPanel
        onClose={() => setOpenId(null)}
        panel={
          openId === null ? null : (
            <PlacePanel
              key={name}
              kind={kind}
              id={openId}
              features={features}
              onOpen={setOpenId}
              onClose={() => setOpenId(null)}
            />
          )
        }
      >
        <DataGrid
          grid={kind.grid}
          state={state}
          label={t(`kind.${name}.title`)}
          words={words}
          searchLabel={t(`kind.${name}.search`)}
          onOpen={(row) => setOpenId(row.id)}
          openId={openId}
          cells={cells}
          edits={useCellEdits(shownPlaces.get(name), kind.grid, state, words)}
          empty={{ title: t(`kind.${name}.empty`), text: t(`kind.${name}.emptyText`) }}
        />
      </WithPanel>
      {adding ? (
        <EditPlace
          kind={kind}
          record={null}
          onSaved={(record) => {
            setAdding(false);
            setOpenId(asRecord(record).id);
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </Page>
  );
}

const isWaiting = { field: 'status', operator: 'is', value: 'waiting' };

/** The number of facilities from imports that no one has reviewed yet, with a link to them. */
function Waiting({ state }: { state: GridState<PlaceRecord> }) {
  const { t } = useTranslation('places');
  const formats = useFormats();
  const query = useApi(facilities.endpoints.search, {
    body: {
      filterModel: { items: [isWaiting], logicOperator: 'and' },
      sortModel: [...facilities.grid.defaultSort],
      paginationModel: { page: 0, pageSize: 1 },
      filters: {},
    },
  });
  const count = query.data?.rowCount ?? 0;
  const shown = state.view.filterModel.items.some(
    ({ field, value }) => field === 'status' && value === 'waiting',
  );
  if (count === 0 || shown) return null;
  return (
    <Alert
      severity="info"
      action={
        <Button
          size="small"
          variant="outlined"
          color="inherit"
          onClick={() => state.setFilterModel({ items: [isWaiting], logicOperator: 'and' })}
        >
          {t('waiting.show')}
        </Button>
      }
    >
      {t('waiting.told', { count, number: formats.count(count) })}
    </Alert>
  );
}
