import type { SeriesRow } from '@caseway/contract/analytics';
import { useTranslation } from 'react-i18next';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { type Paint, usePaints } from '../../ui/charts/paint.tsx';
import { TrendChart } from '../../ui/charts/TrendChart.tsx';
import { useFormats } from '../../words/formats.ts';
import { type FormProps, isWithheld, useSeries, useShown } from '../shown.ts';
import { overlayOf, periodWords, useChosenPeriods, useExpected } from './TrendForm.tsx';

/** This many codes get their own color; the sixth is for all others. */
const mostLayers = 5;
const patterns = ['solid', 'diagonal', 'dots', 'cross', 'solid'] as const;

/**
 * Counts by MMWR week, stacked by a code, with earlier years and the days on which the definition changed.
 */
export function EpidemicCurveForm({ name, series }: FormProps<'epidemic-curve'>) {
  const { t } = useTranslation(['analytics', 'charts']);
  const formats = useFormats();
  const paints = usePaints();
  const { answer } = useShown();
  const own = useSeries(name, series);
  const granularity = answer.granularity === 'four-weeks' ? 'four-weeks' : 'week';
  /** What one bar covers: numbers of protected readers can cover four weeks. */
  const each = t(`screen.each.${granularity}`);
  const period = periodWords(t, formats, granularity);
  const range = useChosenPeriods(granularity);
  const weeks = [...Map.groupBy(own.rows, ({ key }) => key)];
  const overlay = overlayOf(
    answer,
    name,
    weeks.map(([key]) => key),
  );
  const expected = useExpected();
  const expectedColumns = expected.inColumns(overlay, 'count');
  const numberOf = (row: SeriesRow | undefined) => row?.values[own.first];
  const total = (code: string) =>
    own.rows.reduce((sum, row) => sum + (row.key2 === code ? (numberOf(row)?.value ?? 0) : 0), 0);
  const codes = [...new Set(own.rows.flatMap(({ key2 }) => key2 ?? []))].sort(
    (a, b) => total(b) - total(a) || (a < b ? -1 : 1),
  );
  const kept = codes.length > mostLayers + 1 ? codes.slice(0, mostLayers) : codes;
  const others = codes.slice(kept.length);
  const layers: { id: string; label: string; paint: Paint; codes: readonly string[] }[] = [
    ...kept.map((code, index) => ({
      id: code,
      label: own.labelOf(series.by, code),
      paint: { color: paints.categorical[index % 6]!, pattern: patterns[index % 5]! },
      codes: [code],
    })),
    ...(others.length === 0
      ? []
      : [
          {
            id: 'others',
            label: t('screen.others'),
            paint: { color: paints.axis, pattern: 'outline' as const },
            codes: others,
          },
        ]),
  ];
  const points = weeks.map(([key, rows]) => {
    const ofCodes = (wanted: readonly string[]) =>
      rows
        .filter(({ key2 }) => key2 !== undefined && wanted.includes(key2))
        .reduce<number>((sum, row) => sum + (numberOf(row)?.value ?? 0), 0);
    const values = layers.map((layer) => ofCodes(layer.codes));
    const estimate = overlay.expected.get(key) ?? null;
    const median = overlay.against.get(key) ?? null;
    const suppressed = rows.every((row) => isWithheld(numberOf(row)));
    const isWithheldIn = ({ codes: wanted }: (typeof layers)[number]) =>
      rows.some((row) => row.key2 !== undefined && wanted.includes(row.key2) && isWithheld(numberOf(row)));
    const isRough = ({ codes: wanted }: (typeof layers)[number]) =>
      rows.some((row) => row.key2 !== undefined && wanted.includes(row.key2) && numberOf(row)?.rough);
    /** The number of each layer in words; a partial number must not appear as the layer's number. */
    const wordsOf = (layer: (typeof layers)[number], index: number, rough: 'rough' | 'roughSaid') => {
      if (isWithheldIn(layer)) return t('charts:chart.withheld');
      const value = formats.count(values[index]!);
      return isRough(layer) ? t(`mark.${rough}`, { value }) : value;
    };
    const cells = layers.map((layer, index) => wordsOf(layer, index, 'rough'));
    const parts = layers.flatMap((layer, index) =>
      values[index] === 0 && !isWithheldIn(layer)
        ? []
        : [t('mark.value', { title: layer.label, value: wordsOf(layer, index, 'roughSaid') })],
    );
    const week = period.name(key);
    const remark = period.remark(rows[0]!, overlay.isTooEarly(key));
    const inTheEnd = expected.inWords(overlay, key, 'count');
    return {
      key,
      rows,
      remark,
      tick: period.tick(key),
      values,
      estimate,
      estimateWithin: overlay.intervalOf(key),
      against: median,
      tooEarly: overlay.isTooEarly(key),
      suppressed,
      cells,
      withheldPart: !suppressed && layers.some(isWithheldIn) ? ('unknown' as const) : undefined,
      incomplete: rows[0]!.incomplete ?? false,
      partial: rows[0]!.partial ?? false,
      text: [
        suppressed
          ? t('mark.withheld', { name: week })
          : t('mark.values', { name: week, values: parts.length > 0 ? parts.join(', ') : formats.count(0) }),
        ...(median === null
          ? []
          : [t('mark.value', { title: t('screen.against'), value: formats.number(median) })]),
        ...(inTheEnd === '' ? [] : [inTheEnd]),
        ...(remark === '' ? [] : [remark]),
      ].join('; '),
    };
  });
  const count = (value: number | null) => (value === null ? null : formats.number(value));
  return (
    <ChartFrame
      {...own.frame(
        {
          columns: [
            period.head,
            ...layers.map(({ label }) => label),
            ...(overlay.isCompared ? [t('screen.against')] : []),
            ...expectedColumns.heads,
            t('screen.remark'),
          ],
          rows: points.map((point) => [
            period.cell(point.key),
            ...point.cells,
            ...(overlay.isCompared ? [count(point.against)] : []),
            ...expectedColumns.cells(point.key),
            point.remark,
          ]),
        },
        {
          subtitle: own.subtitle(each),
          notes: [
            ...(points.some(({ incomplete }) => incomplete) ? [t('screen.incomplete.week')] : []),
            ...(points.some(({ partial }) => partial) ? [t('screen.partial.week')] : []),
          ],
        },
      )}
    >
      <TrendChart
        label={own.label(each)}
        unit="count"
        format={formats.count}
        height={260}
        layers={layers}
        againstLabel={overlay.isCompared ? t('screen.against') : undefined}
        changes={overlay.changes}
        points={points}
        range={range}
        hrefOf={own.hrefOf}
      />
    </ChartFrame>
  );
}
