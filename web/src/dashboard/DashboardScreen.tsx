import { mostProtectedFilters, rangeForFew } from '@caseway/contract/analytics';
import { columnOfFilter, type Dashboard, restrictedFamilies } from '@caseway/contract/dashboard';
import { events } from '@caseway/contract/events';
import { exactRights } from '@caseway/contract/permission';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { ChartNoAxesColumn } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { becameOld, useApi } from '../data/api.ts';
import { useEventStream } from '../data/event-stream.ts';
import { isOutage, isRefused } from '../data/transport.ts';
import { useLookup } from '../data/use-lookup.ts';
import { useMay } from '../session/permissions.ts';
import { Outdated } from '../ui/Answered.tsx';
import { DateRangeField } from '../ui/DateRangeField.tsx';
import { FilterBar } from '../ui/FilterBar.tsx';
import { Message } from '../ui/Message.tsx';
import { Page } from '../ui/Page.tsx';
import { PrintButton } from '../ui/PrintButton.tsx';
import { useAfter } from '../ui/useAfter.ts';
import { useSettled } from '../ui/useSettled.ts';
import { useDashboardView } from '../view/dashboard-view.ts';
import { opensWithPreset, useWaitsForOpening } from '../view/opening.ts';
import { useFormats } from '../words/formats.ts';
import type { ListsOf } from './behind.ts';
import { isCompared } from './compared.ts';
import { endpointsOf, openingKeyOf } from './endpoints.ts';
import { chosenIn, filtersOf, lookupOfFilter, useColumnLabels, useFilterTitle } from './labels.ts';
import { Numbers } from './Numbers.tsx';
import { Presets } from './Presets.tsx';
import { leadingGrid } from './Tiles.tsx';
import { useDashboardWords, wordFilesOf } from './words.ts';

/** The one screen of every dashboard, from its declaration. */
export function DashboardScreen<D extends Dashboard>({
  of: declared,
  records,
}: {
  of: D;
  records: ListsOf<D>;
}) {
  // Known from the first answer: so few rows that protected numbers cover four weeks. [P17]
  const [hasFew, setHasFew] = useState(false);
  const of = useMemo(
    () => (hasFew ? { ...declared, defaultRange: longer(declared.defaultRange, rangeForFew) } : declared),
    [declared, hasFew],
  );
  const files = useMemo(() => wordFilesOf(declared), [declared]);
  // Includes the charts' texts: loading them with the first chart would hide the screen again.
  const { t } = useTranslation(['analytics', 'common', 'charts', ...files]);
  const words = useDashboardWords(of);
  const formats = useFormats();
  const may = useMay();
  const view = useDashboardView(of);
  const { search, compare, presets } = endpointsOf(declared);
  const waits = useWaitsForOpening(presets, openingKeyOf(declared), view.untouched, opensWithPreset);
  const query = useApi(search, { body: view.request }, { enabled: !waits });
  useEventStream(events, ({ event }) => {
    if (event !== 'freshness') return;
    becameOld(search);
    becameOld(compare);
  });

  const genders = useLookup('gender');
  const restricted = useLookup(restrictedFamilies, { enabled: of.restrictedFilter !== undefined });
  const filterTitle = useFilterTitle(of);
  const labels = useColumnLabels(of);
  const isOffered = (lookup: string) =>
    // A tenant that stores no gender identity cannot filter by it.
    lookup === 'gender'
      ? genders.loading || genders.options.length > 0
      : // Nor can a reader who may not see any restricted family.
        lookup !== restrictedFamilies || restricted.options.length > 0;
  const filters = filtersOf(of).flatMap((name) => {
    const lookup = lookupOfFilter(of, name);
    if (lookup !== undefined && !isOffered(lookup)) return [];
    return {
      name,
      label: filterTitle(name),
      ...(lookup === undefined ? { options: labels.optionsOf(columnOfFilter(of, name)!) } : { lookup }),
      missing: lookup !== restrictedFamilies,
      single: Object.hasOwn(of.textFilters, name),
    };
  });
  // Keeps the query together with its answer.
  const shown = useSettled(
    { answer: query.data, view },
    query.data !== undefined && !query.isPlaceholderData,
  );
  const { answer } = shown;
  if (!hasFew && answer?.half && answer.granularity === 'four-weeks') setHasFew(true);
  // Requested after the numbers, which do not wait for it.
  const comparison = useApi(
    compare,
    { body: shown.view.request },
    { enabled: answer !== undefined && isCompared(of, answer), keepPrevious: false },
  );
  const eventDate = view.request.eventDate;
  // With a third column, a protected reader's numbers would be about too few people. [P17]
  const filtered = new Set(chosenIn(view.state.filters).map(([name]) => columnOfFilter(of, name)));
  const tooMany = filtered.size > mostProtectedFilters && !exactRights.some(may);

  return (
    <Page
      title={words.title}
      lead={
        <span className="no-print">
          {may('line-lists/read')
            ? t('screen.lead')
            : t('screen.leadNumbers', { permission: t('common:permission.line-lists/read') })}
        </span>
      }
      actions={
        answer ? (
          <>
            <Typography variant="body2" role="status" sx={{ color: 'text.secondary', alignSelf: 'center' }}>
              {t('screen.asOf', { time: formats.instant(answer.asOf) })}
            </Typography>
            <PrintButton />
          </>
        ) : undefined
      }
    >
      {view.badLink !== null && (
        <Alert severity="warning">{t('common:filter.badLink', { part: view.badLink })}</Alert>
      )}
      {view.hasRetired && <Alert severity="info">{t('common:filter.retired')}</Alert>}
      <Box data-stays sx={inSight}>
        <FilterBar
          filters={filters}
          values={view.state.filters}
          onChange={view.setFilters}
          onClear={view.clear}
          before={
            <DateRangeField
              value={view.state.range}
              onChange={view.setRange}
              defaultRange={of.defaultRange}
              today={view.today}
              counted={answer?.half && shown.view === view ? answer.dateRangeValue : undefined}
              {...(of.eventDates && of.eventDates.length > 1 && eventDate !== undefined
                ? {
                    by: {
                      value: eventDate,
                      options: of.eventDates.map((value) => ({ value, label: words.eventDate(value) })),
                      onChange: view.setEventDate,
                    },
                  }
                : {})}
            />
          }
          after={<Presets of={of} view={view} />}
        />
      </Box>
      <Box sx={{ height: 4, marginTop: -2 }}>{query.isFetching && answer ? <Refreshing /> : null}</Box>
      {tooMany ? (
        <Message
          icon={ChartNoAxesColumn}
          title={t('screen.tooManyTitle')}
          actions={
            <Button variant="outlined" onClick={view.clear}>
              {t('common:filter.clear')}
            </Button>
          }
        >
          {t('screen.tooMany')}
        </Message>
      ) : query.isError && (query.data === undefined || isRefused(query.error)) ? (
        <Message
          icon={ChartNoAxesColumn}
          title={t('screen.failed')}
          actions={
            <Button variant="contained" loading={query.isFetching} onClick={() => void query.refetch()}>
              {t('common:action.retry')}
            </Button>
          }
        >
          <span role="alert">
            {query.error.status === 403
              ? t('common:notification.forbidden')
              : isOutage(query.error)
                ? t(`common:error.${query.error.code}`)
                : t('screen.failedText')}
          </span>
        </Message>
      ) : !answer ? (
        <Waiting of={of} />
      ) : (
        <Old isOld={query.isPlaceholderData}>
          <Outdated query={query} />
          <Numbers
            of={of}
            answer={answer}
            comparison={comparison}
            view={shown.view}
            records={records}
            onClear={view.clear}
            onRange={view.goToRange}
            onGranularity={view.setGranularity}
          />
        </Old>
      )}
    </Page>
  );
}

/** The filters stay in view if there is room for them in addition to the numbers. */
const inSight = {
  '@media (min-height: 600px)': {
    position: 'sticky',
    top: 0,
    zIndex: 2,
    backgroundColor: 'canvas',
    marginX: -2,
    paddingX: 2,
    paddingY: 2,
    marginY: -2,
  },
  '@media print': { display: 'none' },
} as const;

/** Whichever of two ranges begins earlier. */
const longer =
  (one: Dashboard['defaultRange'], other: Dashboard['defaultRange']): Dashboard['defaultRange'] =>
  (today) =>
    one(today).start <= other(today).start ? one(today) : other(today);

/** Keeps the previous numbers, dimmed, while new ones load. */
function Old({ isOld, children }: { isOld: boolean; children: React.ReactNode }) {
  return (
    <Box aria-busy={isOld} sx={isOld ? { opacity: 0.6, transition: 'opacity 120ms 150ms' } : undefined}>
      {children}
    </Box>
  );
}

/** Announces only longer loading. */
function Refreshing() {
  const { t } = useTranslation();
  return useAfter(150) ? <LinearProgress aria-label={t('state.loading')} /> : null;
}

/** As large as what it replaces, so that nothing moves when the numbers arrive. */
function Waiting({ of }: { of: Dashboard }) {
  const { t } = useTranslation();
  const shown = useAfter(150);
  return (
    <Box
      role="status"
      aria-label={t('state.loading')}
      sx={{ display: 'grid', gap: 4, visibility: shown ? 'visible' : 'hidden' }}
    >
      <Box sx={leadingGrid}>
        {of.leading.map((measure) => (
          <Skeleton key={measure} variant="rounded" height={148} />
        ))}
      </Box>
      <Skeleton variant="rounded" height={320} />
    </Box>
  );
}
