import type { AnalyticsAnswer, AnalyticsComparison } from '@caseway/contract/analytics';
import { columnOfFilter, type Dashboard, type SeriesForm } from '@caseway/contract/dashboard';
import { addDays, type DateRange, daysBetween } from '@caseway/contract/date-range';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { ChartNoAxesColumn } from 'lucide-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../session/permissions.ts';
import { Message } from '../ui/Message.tsx';
import type { DashboardControl } from '../view/dashboard-view.ts';
import { useFormats } from '../words/formats.ts';
import { type Counted, linkBehind, type RecordsOf } from './behind.ts';
import { isCompared } from './compared.ts';
import { chartOf } from './forms/chart-of.ts';
import { chosenIn, useColumnLabels, useFilterTitle } from './labels.ts';
import { placed } from './placed.ts';
import { ReportDefinitions, ReportHead } from './Report.tsx';
import { countOf, type FormProps, type Shown, ShownProvider } from './shown.ts';
import { Tiles } from './Tiles.tsx';
import { useUnseen } from './unseen.ts';
import { useDashboardWords } from './words.ts';

/** An export lists this many values of a filter; it only counts the rest. */
const namedValues = 8;

/** On paper, one below the other: a grid that continues on the next page overlaps what follows it. */
const onPaper = {
  '@media print': { display: 'block', '& > * + *': { marginTop: 3 }, '& > h2': { breakAfter: 'avoid' } },
} as const;
const rows = { display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)', ...onPaper } as const;
const chartGrid = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
  gap: 4,
  // Adjacent cards have the same height.
  '& > *': { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', breakInside: 'avoid' },
  ...onPaper,
} as const;

const places = {
  half: {},
  row: { gridColumn: '1 / -1' },
  tall: { gridRow: { lg: 'span 2' } },
} as const;

/** The comparison, as far as it has loaded. */
interface ComparisonState {
  data: AnalyticsComparison | undefined;
  isError: boolean;
  refetch: () => unknown;
}

/** Every tile and chart of a dashboard, in declared order. */
export function Numbers({
  of,
  answer,
  comparison,
  view,
  records,
  onClear,
  onRange,
  onGranularity,
}: {
  of: Dashboard;
  answer: AnalyticsAnswer;
  comparison: ComparisonState;
  /** The query together with its answer. */
  view: DashboardControl;
  records: RecordsOf;
  onClear: () => void;
  onRange: (range: DateRange) => void;
  onGranularity: DashboardControl['setGranularity'];
}) {
  const { t } = useTranslation(['analytics', 'common']);
  const formats = useFormats();
  const may = useMay();
  const labels = useColumnLabels(of);
  const words = useDashboardWords(of);
  const unseen = useUnseen();
  const counted: Counted = {
    query: { ...view.request, dateRangeValue: answer.dateRangeValue },
    range: view.state.range ?? view.range,
  };
  const period = t('screen.period', {
    start: formats.dayInWords(answer.dateRangeValue.start),
    end: formats.dayInWords(answer.dateRangeValue.end),
  });
  const main = of.facts[of.main]!;
  const filterTitle = useFilterTitle(of);
  const chosenLists = chosenIn(view.state.filters);
  const chosen = chosenLists.map(([name, values]) => {
    const named =
      values.length > namedValues
        ? t('common:filter.chosen', { count: values.length })
        : values.map((value) => labels.of(main, columnOfFilter(of, name) ?? '', value)).join(', ');
    return `${filterTitle(name)}: ${named}`;
  });
  const dayOf = (fact: string) => answer.countedBy?.[fact];
  const mainDay = dayOf(of.main);
  const context = [
    ...(mainDay === undefined ? [] : [t('screen.by', { date: words.day(mainDay) })]),
    chosen.length > 0 ? t('screen.filteredBy', { filters: chosen.join(', ') }) : t('screen.unfiltered'),
    t('screen.asOf', { time: formats.instant(answer.asOf) }),
    ...unseen.ofAll,
    ...(answer.half ? [t('screen.half', { threshold: answer.suppressionThreshold })] : []),
    ...(of.caution ? [t(`caution.${of.caution}`)] : []),
  ];
  // Readers of numbers may lack permission for the list.
  const readable = Object.fromEntries(
    Object.entries(records).filter(([, list]) => list !== undefined && may(list.grid.permission)),
  );
  const shown: Shown = {
    of,
    answer,
    previous: isCompared(of, answer) ? comparison.data?.measures : undefined,
    labels,
    period,
    context,
    // Numbers open single records only for readers who may see those. [P17]
    recordsBehind: may('line-lists/read') ? (mark) => linkBehind(of, readable, counted, mark) : undefined,
    onRange,
    periods: answer.half ? undefined : { chosen: view.state.granularity, onChoose: onGranularity },
    unfiltered: (fact) =>
      (of.unfiltered[fact] ?? [])
        .filter((name) => chosenLists.some(([one]) => one === name))
        .map(filterTitle),
    countedBy: (fact) => {
      const day = dayOf(fact);
      return day === undefined || day === mainDay ? undefined : words.day(day);
    },
  };

  const undated = Object.keys(of.measures).find((name) => of.measures[name]!.formula.form === 'undated');
  if (answer.measures[countOf(of, main)!]?.value === 0) {
    const someUndated =
      undated !== undefined && answer.measures[undated] !== undefined && answer.measures[undated].value !== 0;
    return (
      <ShownProvider value={shown}>
        {/* Rows without the chosen date are in no range, so no other number includes them. */}
        {someUndated && <Tiles label={t('screen.tiles')} measures={[undated]} />}
        <Message
          icon={ChartNoAxesColumn}
          title={t('screen.noneTitle')}
          actions={
            chosen.length > 0 ? (
              <Button variant="outlined" onClick={onClear}>
                {t('common:filter.clear')}
              </Button>
            ) : undefined
          }
        >
          {someUndated
            ? t('screen.noneDated')
            : chosen.length > 0
              ? t('screen.noneFiltered')
              : t('screen.none')}
        </Message>
      </ShownProvider>
    );
  }

  return (
    <ShownProvider value={shown}>
      <Box sx={rows}>
        <ReportHead />
        {of.caution && (
          <Alert severity="info" role="note" className="no-print">
            {t(`caution.${of.caution}`)}
          </Alert>
        )}
        <Tiles label={t('screen.tiles')} measures={of.leading} leading />
        {/* Both are at the top on paper. */}
        {answer.half && (
          <Typography
            className="no-print"
            variant="caption"
            component="details"
            sx={{ color: 'text.secondary' }}
          >
            <Box component="summary" sx={{ cursor: 'pointer' }}>
              {t('screen.half', { threshold: answer.suppressionThreshold })}
            </Box>
            {t('screen.halfHelp', { permission: t('common:permission.analytics/exact') })}
          </Typography>
        )}
        {unseen.ofAll.map((sentence) => (
          <Typography
            key={sentence}
            className="no-print"
            variant="caption"
            component="p"
            sx={{ color: 'text.secondary' }}
          >
            {sentence}
          </Typography>
        ))}
        {of.compare !== 'none' && (
          <Compared of={of} answer={answer} comparison={comparison} onRange={onRange} />
        )}

        {Object.entries(of.sections).map(([section, measures]) => {
          const series = Object.entries(of.series).filter(([, one]) => one.section === section);
          // All of it may be about families hidden from the reader.
          const isEmpty =
            series.length === 0 && !measures.some((name) => answer.measures[name] !== undefined);
          return isEmpty ? null : (
            <Box key={section} sx={rows}>
              <Typography variant="h2" sx={{ marginTop: 2 }}>
                {words.section(section)}
              </Typography>
              <Tiles label={words.section(section)} measures={measures} />
              {series.length > 0 && (
                <Box sx={chartGrid}>
                  {placed(series.map(([, one]) => one)).map((place, index) => {
                    const [name, one] = series[index]!;
                    const Chart = chartOf[one.form] as ComponentType<FormProps<SeriesForm>>;
                    return (
                      <Box key={name} sx={{ minWidth: 0, ...places[place] }}>
                        <Chart name={name} series={one} />
                      </Box>
                    );
                  })}
                </Box>
              )}
            </Box>
          );
        })}
        <ReportDefinitions />
      </Box>
    </ShownProvider>
  );
}

/** What the arrows on the tiles compare with, or why there are none. */
function Compared({
  of,
  answer,
  comparison,
  onRange,
}: {
  of: Dashboard;
  answer: AnalyticsAnswer;
  comparison: ComparisonState;
  onRange: (range: DateRange) => void;
}) {
  const { t } = useTranslation(['analytics', 'common']);
  const formats = useFormats();
  const { incompleteFrom, dateRangeValue } = answer;
  return (
    <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
      {incompleteFrom === null ? (
        comparison.isError && !comparison.data ? (
          <>
            {t('screen.comparisonFailed')}{' '}
            <Button variant="text" size="small" className="no-print" onClick={() => comparison.refetch()}>
              {t('common:action.retry')}
            </Button>
          </>
        ) : of.compare === 'year-before' ? (
          t('screen.comparedYear')
        ) : (
          t('screen.compared', { count: daysBetween(dateRangeValue.start, dateRangeValue.end) + 1 })
        )
      ) : (
        <>
          {t('screen.notCompared', { day: formats.dayInWords(incompleteFrom) })}{' '}
          {incompleteFrom > dateRangeValue.start && (
            <Button
              variant="text"
              size="small"
              className="no-print"
              onClick={() => onRange({ start: dateRangeValue.start, end: addDays(incompleteFrom, -1) })}
            >
              {t('screen.completeDays')}
            </Button>
          )}
        </>
      )}
    </Typography>
  );
}
