import { todayIn } from '@caseway/contract/date-range';
import { gridSearch } from '@caseway/contract/grid';
import {
  boxCapacity,
  packSpecimens,
  shipmentRecord,
  type Unassigned,
  unassignedGrid,
  waitingDays,
} from '@caseway/contract/sample-shipments';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { parseISO } from 'date-fns/parseISO';
import { CalendarClock, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi, useCall } from '../../data/api.ts';
import { useLabels } from '../../data/use-labels.ts';
import { useFaultKey } from '../../record/use-fault-key.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { DateRangeField } from '../../ui/DateRangeField.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { ListFilters } from '../../ui/grid/ListFilters.tsx';
import { useGridSelection } from '../../ui/grid/selection.tsx';
import { IconMark } from '../../ui/IconMark.tsx';
import { Page } from '../../ui/Page.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { useFormats } from '../../words/formats.ts';
import { ShipmentTabs } from './ShipmentTabs.tsx';
import { shipments, useShipmentWords } from './shipment-words.ts';

/** Specimens in no shipment, longest waiting first, to choose for one. */
export default function UnassignedSpecimens() {
  const { t } = useTranslation('sample-shipments');
  const words = useShipmentWords();
  const state = useGrid(unassignedGrid);
  const selection = useGridSelection(state.onFirstPage.request);
  const mayWrite = useMay()('sample-shipments/write');
  const [putting, setPutting] = useState(false);
  const { view, today } = state;
  const cells = useMemo(
    () => ({
      accession: (row: Unassigned) => <span className="mono">{row.accession}</span>,
      collectedAt: (row: Unassigned) => <Age at={row.collectedAt} />,
    }),
    [],
  );
  const tooMany = selection.all !== null || selection.size > boxCapacity;
  return (
    <Page fill title={t('unassigned.title')}>
      <ShipmentTabs />
      <DataGrid
        grid={unassignedGrid}
        state={state}
        label={t('unassigned.title')}
        words={words}
        searchLabel={t('unassigned.search')}
        filters={
          <ListFilters
            grid={unassignedGrid}
            state={state}
            filters={[
              {
                name: 'locationFilter',
                label: words.column('facility'),
                lookup: 'facilities',
                missing: true,
              },
            ]}
            before={
              <DateRangeField
                allDays
                value={view.range}
                defaultRange={unassignedGrid.defaultRange!}
                today={today}
                onChange={state.setRange}
              />
            }
          />
        }
        cells={cells}
        {...(mayWrite && {
          selection: {
            ...selection,
            nameOf: (row: Unassigned) => row.accession ?? '',
            bar:
              selection.size === 0 ? null : (
                <Box
                  className="no-print"
                  sx={{
                    display: 'flex',
                    flexWrap: 'wrap',
                    alignItems: 'center',
                    gap: 3,
                    padding: 3,
                    borderTop: 1,
                    borderColor: 'divider',
                    backgroundColor: 'raised',
                  }}
                >
                  {tooMany ? <Typography variant="body2">{t('unassigned.chosenOnly')}</Typography> : null}
                  <Button variant="contained" disabled={tooMany} onClick={() => setPutting(true)}>
                    {t('unassigned.put')}
                  </Button>
                  <Button onClick={selection.clear}>{t('common:bulk.clear')}</Button>
                </Box>
              ),
          },
        })}
        empty={{ title: t('unassigned.empty'), text: t('unassigned.emptyText') }}
      />
      {putting ? (
        <PutDialog
          specimens={[...selection.ids]}
          onDone={() => {
            setPutting(false);
            selection.clear();
          }}
          onClose={() => setPutting(false)}
        />
      ) : null}
    </Page>
  );
}

/**
 * When it was taken, and how long it has waited; a long wait is shown in words and with a mark, not only by
 * color.
 */
function Age({ at }: { at: string | null }) {
  const { t } = useTranslation('sample-shipments');
  const { day, today, timeZone } = useFormats();
  if (at === null) return null;
  const taken = todayIn(timeZone, new Date(at));
  const count = differenceInCalendarDays(parseISO(today), parseISO(taken));
  const said = t('unassigned.age', { day: day(taken), count });
  if (count < waitingDays.long) return said;
  const isTooLong = count > waitingDays.tooLong;
  return (
    <IconMark
      icon={isTooLong ? TriangleAlert : CalendarClock}
      color={isTooLong ? 'error.main' : 'warning.main'}
    >
      <span title={t(isTooLong ? 'unassigned.tooLong' : 'unassigned.long')}>{said}</span>
    </IconMark>
  );
}

const unassignedSearch = gridSearch(unassignedGrid);
const draftsOnly = { filters: { statusFilter: ['draft'] }, paginationModel: { page: 0, pageSize: 100 } };

/** Chooses the draft to add specimens to. */
function PutDialog({
  specimens,
  onDone,
  onClose,
}: {
  specimens: readonly string[];
  onDone: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('sample-shipments');
  const places = useLabels('facilities');
  const faultKey = useFaultKey('sample-shipments');
  const drafts = useApi(shipmentRecord.endpoints.search, { body: draftsOnly });
  const put = useCall(packSpecimens, { invalidates: [...shipments.old, unassignedSearch] });
  const [chosen, setChosen] = useState<string | null>(null);
  const options = (drafts.data?.rows ?? []).map(({ id, number, destination }) => ({
    id,
    label: number,
    detail: places.of(destination) ?? '',
  }));
  const one = options.find(({ id }) => id === chosen) ?? null;
  const fault = put.error?.faults[0]?.code;
  return (
    <FormDialog
      title={t('unassigned.putTitle', { count: specimens.length })}
      submit={t('unassigned.put')}
      busy={put.isPending}
      onSubmit={() => {
        if (one === null) return;
        put.mutate(
          { params: { id: one.id }, body: { specimens: [...specimens] } },
          {
            onSuccess: () => {
              notify('success', 'sample-shipments:unassigned.done', { values: { number: one.label } });
              onDone();
            },
          },
        );
      }}
      onClose={onClose}
    >
      {put.error ? (
        <Alert severity="error">{t(fault ? faultKey(fault) : `common:error.${put.error.code}`)}</Alert>
      ) : null}
      <Answered query={drafts} height={60}>
        {() =>
          options.length === 0 ? (
            <Typography variant="body2">
              {t('unassigned.noDraft')} <Link to="/sample-shipments">{t('list.title')}</Link>
            </Typography>
          ) : (
            <ChoiceField
              label={t('unassigned.draft')}
              value={one}
              options={options}
              onChange={(choice) => setChosen(choice?.id ?? null)}
            />
          )
        }
      </Answered>
    </FormDialog>
  );
}
