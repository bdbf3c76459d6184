import { type MeasureValue, missingKey, type SeriesRow } from '@caseway/contract/analytics';
import {
  answerOfCategory,
  type TestingSeries,
  testingAnalytics,
  type testingAnalyticsSearch,
} from '@caseway/contract/testing-analytics';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { AnswerOf } from '../../data/transport.ts';
import { useFailedLabels } from '../../data/use-labels.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { notify } from '../../session/notify.ts';
import { BarChart } from '../../ui/charts/BarChart.tsx';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { CountyMap } from '../../ui/charts/CountyMap.tsx';
import { PyramidChart } from '../../ui/charts/PyramidChart.tsx';
import { usePaints } from '../../ui/charts/paint.tsx';
import { TrendChart } from '../../ui/charts/TrendChart.tsx';
import { useFormats } from '../../words/formats.ts';
import { type Counted, recordsOf } from './drill.ts';
import type { Dimension, DimensionLabels } from './labels.ts';
import { useNumberText } from './number-text.ts';
import { useUnseen } from './unseen.ts';

export type Answer = AnswerOf<typeof testingAnalyticsSearch>;
const answers = ['positive', 'negative', 'other'] as const;
const series = Object.keys(testingAnalytics.series) as TestingSeries[];

const chartGrid = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
  gap: 4,
} as const;

/** A chart of each series that is declared, in its form. */
export function Charts({
  answer,
  counted,
  opens,
  period,
  context,
  labels,
}: {
  answer: Answer;
  counted: Counted;
  /** Whether a mark opens the records behind it. */
  opens: boolean;
  period: string;
  /** What every exported chart includes: the date, the filters, the time. */
  context: readonly string[];
  labels: DimensionLabels;
}) {
  const { t } = useTranslation(['testing-analytics', 'charts']);
  const formats = useFormats();
  const navigate = useNavigate();
  const paints = usePaints();
  const cell = useNumberText();
  const names = useFailedLabels();
  const bands = useLookup('ageBands').options;
  const unseen = useUnseen();

  const withheld =
    answer.anySuppressed && answer.suppressionThreshold !== null
      ? [t('screen.withheld', { threshold: answer.suppressionThreshold })]
      : [];
  const values = (row: SeriesRow) => {
    const numbers: Partial<Record<string, MeasureValue>> = row.values;
    return { positivityMean: numbers.positivityMean, testsMean: numbers.testsMean };
  };
  const rowsOf = (one: TestingSeries): readonly SeriesRow[] => answer.series[one] ?? [];
  // The largest first; withheld ones last, so that their place reveals nothing about their size.
  const ranked = (one: TestingSeries) =>
    rowsOf(one).toSorted(
      (a, b) => (b.values.tests?.value ?? -1) - (a.values.tests?.value ?? -1) || (a.key < b.key ? -1 : 1),
    );

  /** Why the numbers of a day or a week are not all that will be there. */
  const remarksOn = (row: SeriesRow) =>
    [row.incomplete && t('mark.incomplete'), row.partial && t('mark.partial')].filter(Boolean).join('; ');
  const tableOf = (
    one: TestingSeries,
    first: string,
    name: (row: SeriesRow) => string | { shown: string; stored: string },
  ) => {
    const rows = rowsOf(one);
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
    const { tests, positive, positivity } = row.values;
    if (tests?.suppressed) return t('mark.withheld', { name });
    return t(positivity?.value === null || positivity?.value === undefined ? 'mark.plain' : 'mark.full', {
      name,
      tests: cell(tests, 'count') ?? '0',
      positive: cell(positive, 'count') ?? '0',
      positivity: cell(positivity, 'share') ?? '',
    });
  };
  const n = answer.measures.tests?.value;
  const subtitle = (one: TestingSeries) =>
    [
      t(`series.${one}.unit`),
      period,
      ...(n !== null && n !== undefined ? [t('screen.n', { n: formats.count(n) })] : []),
    ].join(' · ');
  const fileName = (name: string) =>
    `testing-${name}-${answer.dateRangeValue.start}-${answer.dateRangeValue.end}`;
  const frame = (one: TestingSeries, ...named: Dimension[]) => ({
    title: t(`series.${one}.title`),
    subtitle: subtitle(one),
    context,
    notes: [...withheld, ...unseen.of(one)],
    fileName: fileName(one),
    onFailure: (message: string) =>
      notify('error', 'testing-analytics:screen.exportFailed', { values: { message } }),
    names: labels.state(...named),
    onRetryNames: names.retry,
    ...(rowsOf(one).length === 0 ? { empty: t('screen.noneHere') } : {}),
  });
  const open = (one: TestingSeries, { key, key2 }: Pick<SeriesRow, 'key' | 'key2'>) => {
    const records = recordsOf(counted, { series: one, key, key2 });
    if (records) navigate(records);
  };
  // The tests that no bar or shape shows; added up only if each of their numbers is shown.
  const notDrawn = (one: 'ageSex' | 'county', rows: readonly SeriesRow[]) => {
    if (rows.length === 0) return [];
    const numbers = rows.map((row) => row.values.tests?.value ?? null);
    if (numbers.includes(null)) return [t(`screen.notDrawnSome.${one}`)];
    const count = numbers.reduce<number>((sum, number) => sum + number!, 0);
    return [t(`screen.notDrawn.${one}`, { count, number: formats.count(count) })];
  };

  const trend = () => {
    const one = 'trend';
    const rows = rowsOf(one);
    const byDay = answer.granularity === 'day';
    const tick = (row: SeriesRow) =>
      formats
        .dayInWords(row.key)
        .replace(/[, ]+\d{4}$/, '')
        .replace(/ \d{4}$/, '');
    const name = (row: SeriesRow) =>
      t(byDay ? 'mark.day' : 'mark.week', { day: formats.dayInWords(row.key) });
    const text = (row: SeriesRow) => [sentence(name(row), row), remarksOn(row)].filter(Boolean).join('; ');
    const notes = [
      ...withheld,
      ...(answer.incompleteFrom ? [t(`screen.incomplete.${answer.granularity}`)] : []),
      ...(rows.some(({ partial }) => partial) ? [t('screen.partial')] : []),
    ];
    const table = tableOf(one, t(byDay ? 'screen.day' : 'screen.week'), (row) => ({
      shown: formats.day(row.key),
      stored: row.key,
    }));
    const pointOf = (row: SeriesRow) => ({
      key: row.key,
      tick: tick(row),
      text: text(row),
      incomplete: row.incomplete ?? false,
      partial: row.partial ?? false,
    });
    return [
      <Box key="trend" sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
        <ChartFrame {...frame(one)} notes={notes} table={table}>
          <TrendChart
            label={`${t('series.trend.title')}. ${subtitle(one)}`}
            unit="count"
            format={formats.count}
            layers={answers.map((id) => ({
              id,
              label: t(`measure.${id}.title`),
              paint: paints.ofCategory(id),
            }))}
            lineLabel={byDay ? t('screen.mean') : undefined}
            points={rows.map((row) => ({
              ...pointOf(row),
              values: answers.map((id) => row.values[id]?.value ?? null),
              line: byDay ? (values(row).testsMean?.value ?? null) : undefined,
              // Without its answers a bar would be drawn as if there were none.
              suppressed: (row.values.tests?.suppressed || row.values.positive?.suppressed) ?? false,
            }))}
            onOpen={opens ? (point) => open(one, point) : undefined}
          />
        </ChartFrame>
      </Box>,
      <ChartFrame
        key="positivity"
        {...frame(one)}
        title={t('positivityTrend.title')}
        subtitle={[t(`positivityTrend.unit.${answer.granularity}`), period].join(' · ')}
        fileName={fileName('positivity')}
        notes={notes}
        table={table}
      >
        <TrendChart
          label={`${t('positivityTrend.title')}. ${period}`}
          unit="share"
          format={formats.share}
          height={360}
          layers={[]}
          lineLabel={t('measure.positivity.title')}
          points={rows.map((row) => ({
            ...pointOf(row),
            values: [],
            line: (byDay ? values(row).positivityMean : row.values.positivity)?.value ?? null,
          }))}
        />
      </ChartFrame>,
    ];
  };

  const map = (one: 'county') => {
    const counties = rowsOf(one).filter((row) => row.key !== missingKey);
    const inState = (state: string) => counties.filter((row) => row.key.startsWith(state)).length;
    // The map shows the state that most results come from; others are in the table.
    const home = [...new Set(counties.map((row) => row.key.slice(0, 2)))].sort(
      (a, b) => inState(b) - inState(a),
    )[0];
    const name = (row: SeriesRow) => labels.of('counties', row.key);
    return (
      <ChartFrame
        key={one}
        {...frame(one, 'counties')}
        notes={[
          ...withheld,
          ...unseen.of(one),
          ...notDrawn(
            one,
            rowsOf(one).filter(({ key }) => home !== undefined && !key.startsWith(home)),
          ),
        ]}
        table={tableOf(one, t('filters.countyFilter'), name)}
        {...(home === undefined ? { empty: t('screen.noneHere') } : {})}
      >
        <CountyMap
          label={`${t('series.county.title')}. ${subtitle(one)}`}
          states={home === undefined ? [] : [home]}
          format={formats.share}
          noDataText={(county) => t('mark.noData', { name: county })}
          counties={counties.map((row) => ({
            key: row.key,
            value: row.values.positivity?.value ?? null,
            valueText: cell(row.values.positivity, 'share') ?? '',
            text: sentence(name(row), row),
            suppressed: row.values.positivity?.suppressed ?? row.values.tests?.suppressed ?? false,
          }))}
          onOpen={opens ? (county) => open(one, county) : undefined}
        />
      </ChartFrame>
    );
  };

  const pyramid = (one: 'ageSex') => {
    const rows = rowsOf(one);
    const found = new Set(rows.map((row) => row.key));
    const ages = bands.map(({ id }) => id).filter((id) => id !== missingKey && found.has(id));
    const nameOf = (band: string, sex: string) => `${labels.of('ageBands', band)}, ${labels.of('sex', sex)}`;
    const side = (band: string, sex: string) => {
      const row = rows.find((each) => each.key === band && each.key2 === sex);
      const name = nameOf(band, sex);
      const tests = row?.values.tests;
      return {
        value: tests?.value ?? (row ? null : 0),
        valueText: cell(tests, 'count') ?? '0',
        text: row ? sentence(name, row) : t('mark.plain', { name, tests: '0', positive: '0' }),
        suppressed: tests?.suppressed ?? false,
      };
    };
    return (
      <ChartFrame
        key={one}
        {...frame(one, 'ageBands', 'sex')}
        notes={[
          ...withheld,
          ...notDrawn(
            one,
            rows.filter(({ key, key2 }) => key === missingKey || (key2 !== 'F' && key2 !== 'M')),
          ),
        ]}
        table={tableOf(one, t('screen.ageAndSex'), (row) => nameOf(row.key, row.key2 ?? missingKey))}
      >
        <PyramidChart
          label={`${t('series.ageSex.title')}. ${subtitle(one)}`}
          leftLabel={labels.of('sex', 'F')}
          rightLabel={labels.of('sex', 'M')}
          rows={ages.map((band) => ({
            key: band,
            label: labels.of('ageBands', band),
            left: side(band, 'F'),
            right: side(band, 'M'),
          }))}
          onOpen={
            opens
              ? (row, which) => open(one, { key: row.key, key2: which === 'left' ? 'F' : 'M' })
              : undefined
          }
        />
      </ChartFrame>
    );
  };

  const bars = (one: TestingSeries) => {
    const { dimension } = testingAnalytics.series[one];
    const name = (row: SeriesRow) => row.label ?? labels.of(dimension, row.key);
    return (
      <ChartFrame key={one} {...frame(one, dimension)} table={tableOf(one, t(`series.${one}.by`), name)}>
        <BarChart
          label={`${t(`series.${one}.title`)}. ${subtitle(one)}`}
          bars={ranked(one).map((row) => ({
            key: row.key,
            label: name(row),
            value: row.values.tests?.value ?? null,
            valueText:
              one === 'resultCategory' || row.values.positivity?.value == null
                ? (cell(row.values.tests, 'count') ?? '0')
                : t('screen.bar', {
                    tests: cell(row.values.tests, 'count'),
                    positivity: cell(row.values.positivity, 'share'),
                  }),
            text: sentence(name(row), row),
            suppressed: row.values.tests?.suppressed ?? false,
            ...(one === 'resultCategory'
              ? { paint: paints.ofCategory(row.key in answerOfCategory ? row.key : 'unknown') }
              : {}),
          }))}
          onOpen={opens ? (bar) => open(one, bar) : undefined}
        />
      </ChartFrame>
    );
  };

  const drawn = {
    trend,
    map: () => map('county'),
    pyramid: () => pyramid('ageSex'),
    bars,
  };
  return <Box sx={chartGrid}>{series.map((one) => drawn[testingAnalytics.series[one].form](one))}</Box>;
}
