import { addDays, type DateRange, daysBetween } from '@caseway/contract/date-range';
import { type TestingMeasure, testingAnalytics, testingFilters } from '@caseway/contract/testing-analytics';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { ChartNoAxesColumn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useMay } from '../../session/permissions.ts';
import { Message } from '../../ui/Message.tsx';
import { Tile } from '../../ui/Tile.tsx';
import type { DashboardControl } from '../../view/dashboard-view.ts';
import { useFormats } from '../../words/formats.ts';
import { type Answer, Charts } from './Charts.tsx';
import { type Counted, recordsOf } from './drill.ts';
import { useDimensionLabels } from './labels.ts';
import { useNumberText } from './number-text.ts';
import { useUnseen } from './unseen.ts';

/** Tiles in their order; shares show what they are a share of. */
export const tiles: readonly TestingMeasure[] = [
  'tests',
  'people',
  'positive',
  'negative',
  'other',
  'positivity',
  'collectedToReceivedMedian',
  'receivedToResultedMedian',
  'collectedToResultedMedian',
  'failedShare',
  'missingDemographicsShare',
  'undated',
];
/** The 90th percentile that is shown with a median. */
const ninetieth: Partial<Record<TestingMeasure, TestingMeasure>> = {
  collectedToReceivedMedian: 'collectedToReceivedP90',
  receivedToResultedMedian: 'receivedToResultedP90',
  collectedToResultedMedian: 'collectedToResultedP90',
};

/** This many values of one filter are named in an export; the rest are only counted. */
const namedValues = 8;

export const tileGrid = {
  display: 'grid',
  // Two next to each other on a phone.
  gridTemplateColumns: {
    xs: 'repeat(2, minmax(0, 1fr))',
    sm: 'repeat(auto-fill, minmax(176px, 1fr))',
  },
  gap: { xs: 2, sm: 3 },
} as const;
/** Every tile and chart of testing analytics. */
export function Numbers({
  answer,
  view,
  onClear,
  onRange,
}: {
  answer: Answer;
  /** The query together with its answer. */
  view: DashboardControl;
  onClear: () => void;
  onRange: (range: DateRange) => void;
}) {
  const { t } = useTranslation('testing-analytics');
  const formats = useFormats();
  const navigate = useNavigate();
  const may = useMay();
  const labels = useDimensionLabels();
  const cell = useNumberText();
  const unseen = useUnseen();
  const counted: Counted = {
    query: { ...view.request, dateRangeValue: answer.dateRangeValue },
    range: view.state.range ?? view.range,
    granularity: answer.granularity,
  };
  // Numbers open single records only for people who may see them. [P17]
  const opens = may('line-lists/read');
  const period = t('screen.period', {
    start: formats.dayInWords(answer.dateRangeValue.start),
    end: formats.dayInWords(answer.dateRangeValue.end),
  });
  const chosenValues = (name: string, values: readonly string[]) =>
    values.length > namedValues
      ? t('common:filter.chosen', { count: values.length })
      : values
          .map((value) => labels.of(testingFilters[name as keyof typeof testingFilters], value))
          .join(', ');
  const chosen = Object.entries(view.state.filters).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 ? [`${t(`filters.${name}`)}: ${chosenValues(name, value)}`] : [],
  );
  const context = [
    t('screen.by', { date: t(`eventDate.${view.request.eventDate ?? testingAnalytics.eventDates[0]}`) }),
    chosen.length > 0 ? t('screen.filteredBy', { filters: chosen.join(', ') }) : t('screen.unfiltered'),
    t('screen.asOf', { time: formats.instant(answer.asOf) }),
    ...unseen.ofAll,
  ];
  const tile = (measure: TestingMeasure) => {
    const { unit } = testingAnalytics.measures[measure];
    const records = opens ? recordsOf(counted, { measure }) : undefined;
    const p90 = ninetieth[measure];
    return (
      <Tile
        key={measure}
        label={t(`measure.${measure}.title`)}
        measure={testingAnalytics.measures[measure]}
        value={answer.measures[measure]}
        previous={answer.incompleteFrom === null ? answer.previous[measure] : undefined}
        suppressionThreshold={answer.suppressionThreshold}
        detail={p90 ? t('screen.p90', { value: cell(answer.measures[p90], 'hours') ?? '–' }) : undefined}
        definition={{
          numerator:
            measure === 'missingDemographicsShare' && unseen.isWithin
              ? t('measure.missingDemographicsShare.countedWithin')
              : t(`measure.${measure}.counted`),
          ...(unit === 'share' ? { denominator: t(`measure.${measure}.outOf`) } : {}),
          ...(measure === 'positivity'
            ? { exclusions: t('measure.positivity.leftOut'), source: t('measure.positivity.source') }
            : {}),
        }}
        onOpen={records && !answer.measures[measure]?.suppressed ? () => navigate(records) : undefined}
        records={measure === 'people' ? t('measure.people.records') : undefined}
      />
    );
  };

  if (answer.withheldBecause)
    return (
      <Message icon={ChartNoAxesColumn} title={t('screen.withheldTitle')}>
        {t('screen.withheldText', { threshold: answer.suppressionThreshold })}
      </Message>
    );
  if (answer.measures.tests?.value === 0) {
    const { undated } = answer.measures;
    const someUndated = undated !== undefined && undated.value !== 0;
    return (
      <>
        {/* Tests without the chosen date are in no range, so no other number shows them. */}
        {someUndated && (
          <Box role="group" aria-label={t('screen.tiles')} sx={tileGrid}>
            {tile('undated')}
          </Box>
        )}
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
      </>
    );
  }

  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {/* On paper there is no filter bar to show the query. */}
      <Box data-print="context" sx={{ display: 'none', '@media print': { display: 'block' } }}>
        {[period, ...context].map((line) => (
          <Typography key={line} variant="body2">
            {line}
          </Typography>
        ))}
      </Box>
      <Box role="group" aria-label={t('screen.tiles')} sx={tileGrid}>
        {tiles.map(tile)}
      </Box>

      {unseen.ofAll.map((sentence) => (
        <Typography key={sentence} variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {sentence}
        </Typography>
      ))}
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {answer.incompleteFrom === null ? (
          t('screen.compared', {
            count: daysBetween(answer.dateRangeValue.start, answer.dateRangeValue.end) + 1,
          })
        ) : (
          <>
            {t('screen.notCompared', { day: formats.dayInWords(answer.incompleteFrom) })}{' '}
            {answer.incompleteFrom > answer.dateRangeValue.start && (
              <Button
                variant="text"
                size="small"
                className="no-print"
                onClick={() =>
                  onRange({
                    start: answer.dateRangeValue.start,
                    end: addDays(answer.incompleteFrom!, -1),
                  })
                }
              >
                {t('screen.completeDays')}
              </Button>
            )}
          </>
        )}
      </Typography>

      <Charts
        answer={answer}
        counted={counted}
        opens={opens}
        context={context}
        labels={labels}
        period={period}
      />
    </Box>
  );
}
