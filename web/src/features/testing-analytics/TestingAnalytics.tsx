import { events } from '@caseway/contract/events';
import {
  testingAnalytics,
  testingAnalyticsSearch,
  testingFilters,
} from '@caseway/contract/testing-analytics';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { ChartNoAxesColumn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { becameOld, useApi } from '../../data/api.ts';
import { useEventStream } from '../../data/event-stream.ts';
import { isOutage, isRefused } from '../../data/transport.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { useMay } from '../../session/permissions.ts';
import { Outdated } from '../../ui/Answered.tsx';
import { DateRangeField } from '../../ui/DateRangeField.tsx';
import { FilterBar } from '../../ui/FilterBar.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { useAfter } from '../../ui/useAfter.ts';
import { useSettled } from '../../ui/useSettled.ts';
import { useDashboardView } from '../../view/dashboard-view.ts';
import { useFormats } from '../../words/formats.ts';
import { Numbers, tileGrid, tiles } from './Numbers.tsx';
import { Presets } from './Presets.tsx';

export default function TestingAnalytics() {
  // Includes the words of the charts: loading them with the first chart would hide the screen again.
  const { t } = useTranslation(['testing-analytics', 'charts']);
  const formats = useFormats();
  const may = useMay();
  const view = useDashboardView(testingAnalytics);
  const query = useApi(testingAnalyticsSearch, { body: view.request });
  useEventStream(events, ({ event }) => {
    if (event === 'freshness') becameOld(testingAnalyticsSearch);
  });

  const genders = useLookup('gender');
  const filters = Object.entries(testingFilters)
    // A tenant that keeps no gender identity has none to filter by.
    .filter(([, lookup]) => lookup !== 'gender' || genders.loading || genders.options.length > 0)
    .map(([name, lookup]) => ({ name, lookup, label: t(`filters.${name}`), missing: true }));
  const eventDate = view.request.eventDate ?? testingAnalytics.eventDates[0];
  // The query stays with its answer.
  const shown = useSettled(
    { answer: query.data, view },
    query.data !== undefined && !query.isPlaceholderData,
  );
  const { answer } = shown;

  return (
    <Page
      title={t('common:screen.testingAnalytics')}
      lead={
        may('line-lists/read')
          ? t('screen.lead')
          : t('screen.leadNumbers', { permission: t('common:permission.line-lists/read') })
      }
      actions={
        answer ? (
          <Typography variant="body2" role="status" sx={{ color: 'text.secondary', alignSelf: 'center' }}>
            {t('screen.asOf', { time: formats.instant(answer.asOf) })}
          </Typography>
        ) : undefined
      }
    >
      {view.badLink !== null && (
        <Alert severity="warning">{t('common:filter.badLink', { part: view.badLink })}</Alert>
      )}
      <FilterBar
        filters={filters}
        values={view.state.filters}
        onChange={view.setFilters}
        onClear={view.clear}
        before={
          <DateRangeField
            value={view.state.range}
            onChange={view.setRange}
            defaultRange={testingAnalytics.defaultRange}
            today={view.today}
            by={{
              value: eventDate,
              options: testingAnalytics.eventDates.map((value) => ({
                value,
                label: t(`eventDate.${value}`),
              })),
              onChange: view.setEventDate,
            }}
          />
        }
        after={<Presets view={view} />}
      />
      <Box sx={{ height: 4, marginTop: -2 }}>{query.isFetching && answer ? <Refreshing /> : null}</Box>
      {query.isError && (query.data === undefined || isRefused(query.error)) ? (
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
        <Waiting />
      ) : (
        <Box aria-busy={query.isPlaceholderData}>
          <Outdated query={query} />
          <Numbers answer={answer} view={shown.view} onClear={view.clear} onRange={view.setRange} />
        </Box>
      )}
    </Page>
  );
}

/** The previous numbers stay visible; only longer loading is announced. */
function Refreshing() {
  const { t } = useTranslation();
  return useAfter(150) ? <LinearProgress aria-label={t('state.loading')} /> : null;
}

/** As large as what it replaces, so that nothing jumps when the numbers come. */
function Waiting() {
  const { t } = useTranslation();
  const shown = useAfter(150);
  return (
    <Box
      role="status"
      aria-label={t('state.loading')}
      sx={{ display: 'grid', gap: 4, visibility: shown ? 'visible' : 'hidden' }}
    >
      <Box sx={tileGrid}>
        {tiles.map((measure) => (
          <Skeleton key={measure} variant="rounded" height={132} />
        ))}
      </Box>
      <Skeleton variant="rounded" height={320} />
    </Box>
  );
}
