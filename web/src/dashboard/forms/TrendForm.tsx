import type { AnalyticsAnswer, SeriesRow } from '@caseway/contract/analytics';
import { lastDayOf } from '@caseway/contract/granularity';
import type { Unit } from '@caseway/contract/measure';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { usePaints } from '../../ui/charts/paint.tsx';
import { TrendChart, type TrendRange } from '../../ui/charts/TrendChart.tsx';
import { type Formats, useFormats } from '../../words/formats.ts';
import { useUnitText } from '../number-text.ts';
import { type FormProps, isWithheld, type MoreColumns, useSeries, useShown } from '../shown.ts';
import { PeriodsField } from './PeriodsField.tsx';

/** The names of a trend's periods. */
export function periodWords(
  t: TFunction<'analytics'>,
  formats: Formats,
  granularity: AnalyticsAnswer['granularity'],
) {
  const inWords = granularity === 'month' ? formats.month : formats.dayInWords;
  return {
    head: t(`screen.${granularity}`),
    /** Short, for the axis; the subtitle has the year. */
    tick: (key: string) =>
      inWords(key)
        .replace(/[, ]+\d{4}$/, '')
        .replace(/ \d{4}$/, ''),
    name: (key: string) => t(`mark.${granularity}`, { day: inWords(key) }),
    cell: (key: string) => ({
      shown: granularity === 'month' ? formats.month(key) : formats.day(key),
      stored: key,
    }),
    /** Why a period's numbers are not complete. */
    remark: (row: Pick<SeriesRow, 'incomplete' | 'partial'>, tooEarly = false) =>
      [
        tooEarly && t('mark.tooEarly'),
        row.incomplete && t('mark.incomplete'),
        row.partial && t(`mark.partial.${granularity === 'month' ? 'month' : 'week'}`),
      ]
        .filter(Boolean)
        .join('; '),
  };
}

/** Overlays on a series' periods: earlier years, expected reports, changed definitions. */
export function overlayOf(answer: AnalyticsAnswer, name: string, keys: readonly string[]) {
  const { against, estimate, changes } = answer.overlays?.[name] ?? {};
  const expected = new Map(estimate?.map(({ key, value }) => [key, value]));
  const intervals = new Map(estimate?.map(({ key, interval }) => [key, interval]));
  return {
    isCompared: against?.some(({ value }) => value !== null) ?? false,
    against: new Map(against?.map(({ key, value }) => [key, value])),
    expected,
    intervalOf: (key: string) => intervals.get(key),
    isTooEarly: (key: string) => expected.has(key) && expected.get(key) === null,
    /** On the week of each change; changes before the first week are not in the chart. */
    changes: (changes ?? []).flatMap(({ on, name: label }) => {
      const key = keys.findLast((each) => each <= on);
      return key === undefined ? [] : [{ key, label }];
    }),
  };
}

/** Selecting periods in a chart shows only their days, limited to the chosen range. */
export function useChosenPeriods(granularity: AnalyticsAnswer['granularity']): TrendRange {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  const { answer, onRange } = useShown();
  const { start, end } = answer.dateRangeValue;
  const daysOf = (from: { key: string }, to: { key: string }) => {
    const last = lastDayOf(to.key, granularity);
    return { start: from.key < start ? start : from.key, end: last > end ? end : last };
  };
  return {
    text: (from, to) => {
      const days = daysOf(from, to);
      return t('screen.period', {
        start: formats.dayInWords(days.start),
        end: formats.dayInWords(days.end),
      });
    },
    onChoose: (from, to) => onRange(daysOf(from, to)),
  };
}

/**
 * The number expected for a period in the end, with its interval: as a sentence, empty if none, and as
 * columns.
 */
export function useExpected() {
  const { t } = useTranslation('analytics');
  const unitText = useUnitText();
  const inWords = (overlay: ReturnType<typeof overlayOf>, key: string, unit: Unit): string => {
    const expected = overlay.expected.get(key);
    if (typeof expected !== 'number') return '';
    const text = (number: number) => unitText(Math.round(number), unit);
    const interval = overlay.intervalOf(key);
    const value = text(expected);
    return interval
      ? t('screen.estimatedWithin', { value, low: text(interval.low), high: text(interval.high) })
      : t('screen.estimated', { value });
  };
  /** Exports contain an estimate only in columns that say so. */
  const inColumns = (overlay: ReturnType<typeof overlayOf>, unit: Unit): MoreColumns => {
    if (![...overlay.expected.values()].some((value) => value !== null))
      return { heads: [], cells: () => [] };
    const cell = (value: number | null | undefined) =>
      value === null || value === undefined ? null : unitText(Math.round(value), unit);
    return {
      heads: [t('screen.expected'), t('screen.expectedFrom'), t('screen.expectedTo')],
      cells: (key) => [
        cell(overlay.expected.get(key)),
        cell(overlay.intervalOf(key)?.low),
        cell(overlay.intervalOf(key)?.high),
      ],
    };
  };
  return { inWords, inColumns };
}

/** A count over time, stacked by class, or a measure as a line. */
export function TrendForm({ name, series }: FormProps<'trend'>) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  const paints = usePaints();
  const unitText = useUnitText();
  const { answer } = useShown();
  const own = useSeries(name, series);
  const byDay = answer.granularity === 'day';
  const byMonth = answer.granularity === 'month';
  const period = periodWords(t, formats, answer.granularity);
  const overlay = overlayOf(
    answer,
    name,
    own.rows.map(({ key }) => key),
  );
  const hasMean = byDay && series.mean !== undefined;
  const shown = series.line ?? own.first;
  const unit = own.unitOf(shown);
  const layers =
    series.line !== undefined
      ? []
      : own.classNames.length > 0
        ? own.classNames.map((id) => ({ id, label: own.titleOf(id), paint: own.paintOfClass(id) }))
        : [
            {
              id: own.first,
              label: own.titleOf(own.first),
              paint: { color: paints.primary, pattern: 'solid' as const },
            },
          ];
  const lineOf = (row: SeriesRow) => {
    if (hasMean) return row.values[`${shown}Mean`]?.value ?? null;
    return series.line === undefined ? undefined : (row.values[series.line]?.value ?? null);
  };
  /** The share of the whole in classes that are not shown. */
  const withheldPart = (row: SeriesRow) => {
    const whole = row.values[own.first]?.value;
    if (typeof whole !== 'number' || !layers.some(({ id }) => isWithheld(row.values[id]))) return undefined;
    return Math.max(
      0,
      layers.reduce((rest, { id }) => rest - (row.values[id]?.value ?? 0), whole),
    );
  };
  const each =
    series.line === undefined
      ? undefined
      : [t(`screen.each.${answer.granularity}`), ...(hasMean ? [t('screen.mean')] : [])].join(', ');
  const expected = useExpected();
  const range = useChosenPeriods(answer.granularity);
  const remark = (row: SeriesRow) => period.remark(row, overlay.isTooEarly(row.key));
  const notes = [
    ...(own.rows.some(({ incomplete }) => incomplete)
      ? [t(`screen.incomplete.${hasMean ? 'day' : 'week'}`)]
      : []),
    ...(own.rows.some(({ partial }) => partial) ? [t(`screen.partial.${byMonth ? 'month' : 'week'}`)] : []),
  ];
  return (
    <ChartFrame
      {...own.frame(
        own.tableOf(period.head, (row) => period.cell(row.key), remark, expected.inColumns(overlay, unit)),
        { notes, subtitle: own.subtitle(each) },
      )}
      tools={<PeriodsField title={own.title} />}
    >
      <TrendChart
        label={own.label(each)}
        unit={unit === 'share' ? 'share' : 'count'}
        format={(value) => unitText(value, unit)}
        height={series.wide ? 220 : 360}
        layers={layers}
        lineLabel={
          series.line !== undefined ? own.titleOf(series.line) : hasMean ? t('screen.mean') : undefined
        }
        againstLabel={overlay.isCompared ? t('screen.against') : undefined}
        points={own.rows.map((row) => ({
          key: row.key,
          tick: period.tick(row.key),
          text: [
            own.sentence(period.name(row.key), row),
            expected.inWords(overlay, row.key, unit),
            remark(row),
          ]
            .filter(Boolean)
            .join('; '),
          incomplete: row.incomplete ?? false,
          partial: row.partial ?? false,
          values: layers.map(({ id }) => row.values[id]?.value ?? null),
          line: lineOf(row),
          against: overlay.against.get(row.key) ?? null,
          estimate: overlay.expected.get(row.key) ?? null,
          estimateWithin: overlay.intervalOf(row.key),
          tooEarly: overlay.isTooEarly(row.key),
          suppressed: series.line === undefined && isWithheld(row.values[own.first]),
          withheldPart: withheldPart(row),
        }))}
        range={range}
        hrefOf={series.line === undefined ? own.hrefOf : undefined}
      />
    </ChartFrame>
  );
}
