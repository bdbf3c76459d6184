import { type MeasureValue, missingKey, type SeriesRow } from '@caseway/contract/analytics';
import { addDays, type DateRange, daysBetween } from '@caseway/contract/date-range';
import {
  answerOfCategory,
  type TestingMeasure,
  type TestingSeries,
  testingAnalytics,
  type testingAnalyticsSearch,
  testingFilters,
} from '@caseway/contract/testing-analytics';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { ChartNoAxesColumn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type Formats, useFormats } from '../../formats.ts';
import type { AnalyticsControl } from '../../session/analytics-view.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import type { AnswerOf } from '../../transport.ts';
import { BarChart } from '../../ui/charts/BarChart.tsx';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { CountyMap } from '../../ui/charts/CountyMap.tsx';
import { PyramidChart } from '../../ui/charts/PyramidChart.tsx';
import { usePaints } from '../../ui/charts/paint.tsx';
import { TrendChart } from '../../ui/charts/TrendChart.tsx';
import { Message } from '../../ui/Message.tsx';
import { Tile } from '../../ui/Tile.tsx';
import { useLookup } from '../../use-lookup.ts';
import { type Counted, recordsOf } from './drill.ts';
import { useLabels } from './labels.ts';

/** Tiles in their order; those of a share show what it is a share of. */
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
/** The 90th percentile that stands beside a median. */
const ninetieth: Partial<Record<TestingMeasure, TestingMeasure>> = {
  collectedToReceivedMedian: 'collectedToReceivedP90',
  receivedToResultedMedian: 'receivedToResultedP90',
  collectedToResultedMedian: 'collectedToResultedP90',
};

const bars = [
  'diseaseFamily',
  'resultCategory',
  'programType',
  'program',
  'facility',
  'assay',
  'race',
  'ethnicity',
] as const satisfies readonly TestingSeries[];
const answers = ['positive', 'negative', 'other'] as const;
/** So many values of one filter are named on what leaves the screen; more are told by their number. */
const namedValues = 8;

/** A measure in words: with its unit, `null` where there is no value. */
function written(
  measure: MeasureValue | undefined,
  unit: string,
  formats: Formats,
  hours: (value: string) => string,
): string | null {
  if (!measure || measure.value === null) return null;
  if (unit === 'share') return formats.share(measure.value);
  if (unit === 'hours') return hours(formats.number(measure.value));
  return formats.count(measure.value);
}

export const tileGrid = {
  display: 'grid',
  // Two beside each other on a phone.
  gridTemplateColumns: {
    xs: 'repeat(2, minmax(0, 1fr))',
    sm: 'repeat(auto-fill, minmax(176px, 1fr))',
  },
  gap: { xs: 2, sm: 3 },
} as const;
const chartGrid = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
  gap: 4,
} as const;

type Answer = AnswerOf<typeof testingAnalyticsSearch>;

/** Every tile and chart of testing analytics. */
export function Numbers({
  answer,
  view,
  onClear,
  onRange,
}: {
  answer: Answer;
  /** What was asked for with the answer. */
  view: AnalyticsControl;
  onClear: () => void;
  onRange: (range: DateRange) => void;
}) {
  const { t } = useTranslation('testing-analytics');
  const formats = useFormats();
  const navigate = useNavigate();
  const may = useMay();
  const paints = usePaints();
  const label = useLabels();
  const bands = useLookup('ageBands').options;
  const counted: Counted = {
    query: { ...view.request, dateRangeValue: answer.dateRangeValue },
    range: view.state.range ?? view.range,
    granularity: answer.granularity,
  };
  // Numbers open single records only for those who may see them. [P17]
  const opens = may('line-lists/read');
  const suppressedText = `<${answer.suppressionThreshold ?? ''}`;
  const hours = (value: string) => t('screen.hours', { value });
  const period = t('screen.period', {
    start: formats.dayInWords(answer.dateRangeValue.start),
    end: formats.dayInWords(answer.dateRangeValue.end),
  });
  const chosenValues = (name: string, values: readonly string[]) =>
    values.length > namedValues
      ? t('common:filter.chosen', { count: values.length })
      : values.map((value) => label(testingFilters[name as keyof typeof testingFilters], value)).join(', ');
  const chosen = Object.entries(view.state.filters).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 ? [`${t(`filters.${name}`)}: ${chosenValues(name, value)}`] : [],
  );
  const context = [
    t('screen.by', { date: t(`eventDate.${view.request.eventDate ?? testingAnalytics.eventDates[0]}`) }),
    chosen.length > 0 ? t('screen.filteredBy', { filters: chosen.join(', ') }) : t('screen.unfiltered'),
    t('screen.asOf', { time: formats.instant(answer.asOf) }),
  ];
  const withheld =
    answer.anySuppressed && answer.suppressionThreshold !== null
      ? [t('screen.withheld', { threshold: answer.suppressionThreshold })]
      : [];
  const failed = (message: string) =>
    notify('error', 'testing-analytics:screen.exportFailed', { values: { message } });
  const values = (row: SeriesRow) => {
    const numbers: Partial<Record<string, MeasureValue>> = row.values;
    return {
      tests: numbers.tests,
      positive: numbers.positive,
      negative: numbers.negative,
      other: numbers.other,
      positivity: numbers.positivity,
      testsMean: numbers.testsMean,
      positivityMean: numbers.positivityMean,
    };
  };
  const rowsOf = (series: TestingSeries): readonly SeriesRow[] => answer.series[series] ?? [];
  // The largest first; what is withheld last, so that its place tells nothing of its size.
  const ranked = (series: TestingSeries) =>
    rowsOf(series).toSorted(
      (a, b) => (b.values.tests?.value ?? -1) - (a.values.tests?.value ?? -1) || (a.key < b.key ? -1 : 1),
    );

  const cell = (measure: MeasureValue | undefined, unit: string) =>
    !measure ? null : measure.suppressed ? suppressedText : written(measure, unit, formats, hours);
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
          numerator: t(`measure.${measure}.counted`),
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
        {/* Tests without the chosen date lie in no range, and would be found by no other one. */}
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

  /** Why the numbers of a day or a week are not all that will be there. */
  const remarksOn = (row: SeriesRow) =>
    [row.incomplete && t('mark.incomplete'), row.partial && t('mark.partial')].filter(Boolean).join('; ');
  const tableOf = (series: TestingSeries, first: string, name: (row: SeriesRow) => string) => {
    const rows = rowsOf(series);
    const hasRemarks = rows.some((row) => remarksOn(row) !== '');
    return {
      columns: [
        first,
        ...(['tests', ...answers] as const).map((measure) => t(`measure.${measure}.title`)),
        t('measure.positivity.title'),
        ...(hasRemarks ? [t('screen.remark')] : []),
      ],
      rows: rows.map((row) => [
        name(row),
        ...(['tests', ...answers] as const).map((measure) => cell(row.values[measure], 'count')),
        cell(row.values.positivity, 'share'),
        ...(hasRemarks ? [remarksOn(row)] : []),
      ]),
    };
  };
  const sentence = (name: string, row: SeriesRow) => {
    const { tests, positive, positivity } = values(row);
    if (tests?.suppressed) return t('mark.withheld', { name });
    return t(positivity?.value === null || positivity?.value === undefined ? 'mark.plain' : 'mark.full', {
      name,
      tests: cell(tests, 'count') ?? '0',
      positive: cell(positive, 'count') ?? '0',
      positivity: cell(positivity, 'share') ?? '',
    });
  };
  const frame = (series: TestingSeries) => ({
    title: t(`series.${series}.title`),
    context,
    notes: withheld,
    fileName: `testing-${series}-${answer.dateRangeValue.start}-${answer.dateRangeValue.end}`,
    onFailure: failed,
    ...(rowsOf(series).length === 0 ? { empty: t('screen.noneHere') } : {}),
  });
  const n = answer.measures.tests?.value;
  const subtitle = (series: TestingSeries) =>
    [
      t(`series.${series}.unit`),
      period,
      ...(n !== null && n !== undefined ? [t('screen.n', { n: formats.count(n) })] : []),
    ].join(' · ');
  const open = (series: TestingSeries, { key, key2 }: Pick<SeriesRow, 'key' | 'key2'>) => {
    const records = recordsOf(counted, { series, key, key2 });
    if (records) navigate(records);
  };

  const trend = rowsOf('trend');
  const tick = (row: SeriesRow) =>
    formats
      .dayInWords(row.key)
      .replace(/[, ]+\d{4}$/, '')
      .replace(/ \d{4}$/, '');
  const trendName = (row: SeriesRow) =>
    t(answer.granularity === 'week' ? 'mark.week' : 'mark.day', { day: formats.dayInWords(row.key) });
  const trendSentence = (row: SeriesRow) =>
    [sentence(trendName(row), row), remarksOn(row)].filter(Boolean).join('; ');
  const trendNotes = [
    ...withheld,
    ...(answer.incompleteFrom ? [t(`screen.incomplete.${answer.granularity}`)] : []),
    ...(trend.some(({ partial }) => partial) ? [t('screen.partial')] : []),
  ];
  // What no bar and no shape stands for; added up only where each of its numbers is shown.
  const notDrawn = (series: 'ageSex' | 'county', rows: readonly SeriesRow[]) => {
    if (rows.length === 0) return [];
    const numbers = rows.map((row) => row.values.tests?.value ?? null);
    if (numbers.includes(null)) return [t(`screen.notDrawnSome.${series}`)];
    const count = numbers.reduce<number>((sum, number) => sum + number!, 0);
    return [t(`screen.notDrawn.${series}`, { count, number: formats.count(count) })];
  };
  const counties = rowsOf('county').filter((row) => row.key !== missingKey);
  const states = [...new Set(counties.map((row) => row.key.slice(0, 2)))];
  // The map shows the state that most results come from; others are in the table.
  const home = states.sort(
    (a, b) =>
      counties.filter((row) => row.key.startsWith(b)).length -
      counties.filter((row) => row.key.startsWith(a)).length,
  )[0];
  const found = new Set(rowsOf('ageSex').map((row) => row.key));
  const ages = bands.map(({ id }) => id).filter((id) => id !== missingKey && found.has(id));
  const side = (band: string, sex: string) => {
    const row = rowsOf('ageSex').find((each) => each.key === band && each.key2 === sex);
    const name = `${label('ageBands', band)}, ${label('sex', sex)}`;
    const tests = row?.values.tests;
    return {
      value: tests?.value ?? (row ? null : 0),
      valueText: cell(tests, 'count') ?? '0',
      text: row ? sentence(name, row) : t('mark.plain', { name, tests: '0', positive: '0' }),
      suppressed: tests?.suppressed ?? false,
    };
  };

  return (
    <>
      <Box role="group" aria-label={t('screen.tiles')} sx={tileGrid}>
        {tiles.map(tile)}
      </Box>

      <Typography variant="caption" sx={{ color: 'text.secondary', marginTop: -2 }}>
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

      <ChartFrame
        {...frame('trend')}
        notes={trendNotes}
        subtitle={subtitle('trend')}
        table={tableOf('trend', t(answer.granularity === 'week' ? 'screen.week' : 'screen.day'), (row) =>
          formats.day(row.key),
        )}
      >
        <TrendChart
          label={`${t('series.trend.title')}. ${subtitle('trend')}`}
          format={formats.count}
          suppressedText={suppressedText}
          layers={answers.map((id) => ({
            id,
            label: t(`measure.${id}.title`),
            paint: paints.ofCategory(id),
          }))}
          lineLabel={answer.granularity === 'day' ? t('screen.mean') : undefined}
          points={trend.map((row) => ({
            key: row.key,
            tick: tick(row),
            text: trendSentence(row),
            values: answers.map((id) => row.values[id]?.value ?? null),
            line: answer.granularity === 'day' ? (values(row).testsMean?.value ?? null) : undefined,
            // Without its answers a bar would be drawn as if there were none.
            suppressed: (row.values.tests?.suppressed || row.values.positive?.suppressed) ?? false,
            incomplete: row.incomplete ?? false,
            partial: row.partial ?? false,
          }))}
          onOpen={opens ? (point) => open('trend', point) : undefined}
        />
      </ChartFrame>

      <Box sx={chartGrid}>
        <ChartFrame
          {...frame('trend')}
          title={t('positivityTrend.title')}
          fileName={`testing-positivity-${answer.dateRangeValue.start}-${answer.dateRangeValue.end}`}
          notes={trendNotes}
          subtitle={[t(`positivityTrend.unit.${answer.granularity}`), period].join(' · ')}
          table={tableOf('trend', t(answer.granularity === 'week' ? 'screen.week' : 'screen.day'), (row) =>
            formats.day(row.key),
          )}
        >
          <TrendChart
            label={`${t('positivityTrend.title')}. ${period}`}
            format={formats.share}
            suppressedText={suppressedText}
            height={360}
            layers={[]}
            lineLabel={t('measure.positivity.title')}
            points={trend.map((row) => ({
              key: row.key,
              tick: tick(row),
              text: trendSentence(row),
              values: [],
              line:
                (answer.granularity === 'day' ? values(row).positivityMean : row.values.positivity)?.value ??
                null,
              incomplete: row.incomplete ?? false,
              partial: row.partial ?? false,
            }))}
          />
        </ChartFrame>

        <ChartFrame
          {...frame('county')}
          notes={[
            ...withheld,
            ...notDrawn(
              'county',
              rowsOf('county').filter(({ key }) => home !== undefined && !key.startsWith(home)),
            ),
          ]}
          subtitle={subtitle('county')}
          table={tableOf('county', t('filters.countyFilter'), (row) => label('counties', row.key))}
          {...(home === undefined ? { empty: t('screen.noneHere') } : {})}
        >
          <CountyMap
            label={`${t('series.county.title')}. ${subtitle('county')}`}
            states={home === undefined ? [] : [home]}
            format={formats.share}
            suppressedText={suppressedText}
            noDataText={(county) => t('mark.noData', { name: county })}
            counties={counties.map((row) => ({
              key: row.key,
              value: row.values.positivity?.value ?? null,
              valueText: cell(row.values.positivity, 'share') ?? '',
              text: sentence(label('counties', row.key), row),
              suppressed: row.values.positivity?.suppressed ?? row.values.tests?.suppressed ?? false,
            }))}
            onOpen={opens ? (county) => open('county', county) : undefined}
          />
        </ChartFrame>

        <ChartFrame
          {...frame('ageSex')}
          notes={[
            ...withheld,
            ...notDrawn(
              'ageSex',
              rowsOf('ageSex').filter(
                ({ key, key2 }) => key === missingKey || (key2 !== 'F' && key2 !== 'M'),
              ),
            ),
          ]}
          subtitle={subtitle('ageSex')}
          table={tableOf(
            'ageSex',
            t('screen.ageAndSex'),
            (row) => `${label('ageBands', row.key)}, ${label('sex', row.key2 ?? missingKey)}`,
          )}
        >
          <PyramidChart
            label={`${t('series.ageSex.title')}. ${subtitle('ageSex')}`}
            leftLabel={label('sex', 'F')}
            rightLabel={label('sex', 'M')}
            suppressedText={suppressedText}
            rows={ages.map((band) => ({
              key: band,
              label: label('ageBands', band),
              left: side(band, 'F'),
              right: side(band, 'M'),
            }))}
            onOpen={
              opens
                ? (row, which) => open('ageSex', { key: row.key, key2: which === 'left' ? 'F' : 'M' })
                : undefined
            }
          />
        </ChartFrame>

        {bars.map((series) => {
          const { dimension } = testingAnalytics.series[series];
          const name = (row: SeriesRow) => row.label ?? label(dimension, row.key);
          return (
            <ChartFrame
              key={series}
              {...frame(series)}
              subtitle={subtitle(series)}
              table={tableOf(series, t(`series.${series}.by`), name)}
            >
              <BarChart
                label={`${t(`series.${series}.title`)}. ${subtitle(series)}`}
                suppressedText={suppressedText}
                bars={ranked(series).map((row) => ({
                  key: row.key,
                  label: name(row),
                  value: row.values.tests?.value ?? null,
                  valueText:
                    series === 'resultCategory' || row.values.positivity?.value == null
                      ? (cell(row.values.tests, 'count') ?? '0')
                      : t('screen.bar', {
                          tests: cell(row.values.tests, 'count'),
                          positivity: cell(row.values.positivity, 'share'),
                        }),
                  text: sentence(name(row), row),
                  suppressed: row.values.tests?.suppressed ?? false,
                  ...(series === 'resultCategory'
                    ? { paint: paints.ofCategory(row.key in answerOfCategory ? row.key : 'unknown') }
                    : {}),
                }))}
                onOpen={opens ? (bar) => open(series, bar) : undefined}
              />
            </ChartFrame>
          );
        })}
      </Box>
    </>
  );
}
