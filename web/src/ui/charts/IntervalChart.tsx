import { scaleLog } from 'd3-scale';
import { useTranslation } from 'react-i18next';
import { usePaints } from './paint.tsx';
import { type ChartRow, RowChart, shapeHeight } from './RowChart.tsx';

/** A ratio with its 95 % interval; null if there is nothing to compare with. */
export interface IntervalRow extends ChartRow {
  interval: { value: number; low: number; high: number } | null;
}

/** The powers of two, four or ten on a log axis: few enough to read. */
function ticksOf(low: number, high: number, room: number): number[] {
  const most = Math.max(2, Math.floor(room / 44));
  const powers = (base: number) => {
    const [first, last] = [low, high].map((end) => Math.log(end) / Math.log(base));
    const from = Math.ceil(first! - 1e-9);
    return Array.from(
      { length: Math.max(0, Math.floor(last! + 1e-9) - from + 1) },
      (_, index) => base ** (from + index),
    );
  };
  return [2, 4, 10, 100, 1000].map(powers).find((ticks) => ticks.length <= most) ?? [1];
}

/** Ratios on a log axis, each a point with its interval, and a line at 1: as often as expected. */
export function IntervalChart({
  label,
  rows,
  format,
  hrefOf,
}: {
  label: string;
  rows: readonly IntervalRow[];
  format: (value: number) => string;
  hrefOf?: ((row: IntervalRow) => string | undefined) | undefined;
}) {
  const { t } = useTranslation('charts');
  const paints = usePaints();
  const drawn = rows.flatMap(({ interval, suppressed }) => (interval && !suppressed ? [interval] : []));
  const low = Math.min(0.5, ...drawn.map((each) => each.low));
  const high = Math.max(2, ...drawn.map((each) => each.high));
  const at = (room: number) => scaleLog([low, high], [0, room]);
  return (
    <RowChart
      label={label}
      rows={rows}
      hrefOf={hrefOf}
      ticks={(room) =>
        ticksOf(low, high, room).map((tick) => ({
          at: at(room)(tick),
          text: format(tick),
          strong: tick === 1,
        }))
      }
      legend={[
        ...(drawn.length > 0 ? [{ label: t('chart.interval'), line: paints.primary }] : []),
        { label: t('chart.as-expected'), line: paints.axis },
      ]}
      draw={({ interval }, room) => {
        const x = at(room);
        // Its text begins after the line at 1.
        if (interval === null) return { shape: null, end: x(1), empty: true };
        const [from, point, to] = [x(interval.low), x(interval.value), x(interval.high)];
        const cap = shapeHeight / 4;
        return {
          end: to,
          shape: (
            <>
              <path
                d={`M${from} 0H${to} M${from} ${-cap}V${cap} M${to} ${-cap}V${cap}`}
                stroke={paints.primary}
                strokeWidth={1.5}
                fill="none"
              />
              <rect
                x={point - 4}
                y={-4}
                width={8}
                height={8}
                fill={paints.primary}
                transform={`rotate(45 ${point} 0)`}
              />
            </>
          ),
        };
      }}
    />
  );
}
