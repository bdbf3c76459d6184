import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { fillOf, type Paint, usePaints } from './paint.tsx';
import { type ChartRow, RowChart, shapeHeight } from './RowChart.tsx';

export interface Bar extends ChartRow {
  /** Null without a value (a share of nothing). */
  value: number | null;
}

/** Horizontal bars from zero, with their numbers at the ends. */
export function BarChart({
  label,
  bars,
  whole,
  hrefOf,
}: {
  label: string;
  bars: readonly Bar[];
  /** The denominator of all bars, drawn behind each: the steps of a continuum. */
  whole?: number;
  hrefOf?: ((bar: Bar) => string | undefined) | undefined;
}) {
  const paints = usePaints();
  const solid: Paint = { color: paints.primary, pattern: 'solid' };
  const greatest = whole ?? (max(bars, (bar) => bar.value ?? 0) || 1);
  return (
    <RowChart
      label={label}
      rows={bars}
      patterns={bars.map((bar) => bar.paint ?? solid)}
      hrefOf={hrefOf}
      draw={({ value, paint = solid }, room, id) => {
        const length =
          value === null ? 0 : Math.max(value > 0 ? 1.5 : 0, scaleLinear([0, greatest], [0, room])(value));
        return {
          end: whole === undefined ? length : room,
          empty: value === null,
          shape: (
            <>
              {whole !== undefined && (
                <rect
                  x={0.5}
                  y={-shapeHeight / 2}
                  width={Math.max(0, room - 1)}
                  height={shapeHeight}
                  rx={2}
                  fill="none"
                  stroke={paints.axis}
                  strokeWidth={0.75}
                />
              )}
              <rect
                x={0}
                y={-shapeHeight / 2}
                width={length}
                height={shapeHeight}
                rx={2}
                fill={fillOf(id, paint)}
                stroke={paint.pattern === 'solid' ? undefined : paint.color}
                strokeWidth={0.75}
              />
            </>
          ),
        };
      }}
    />
  );
}
