import { scaleLinear } from 'd3-scale';
import { useTranslation } from 'react-i18next';
import { axisOf } from './axis.ts';
import { usePaints } from './paint.tsx';
import { type ChartRow, RowChart, shapeHeight } from './RowChart.tsx';

/** How long something took in a group; null if nothing was measured. */
export interface Spread {
  p10: number;
  p25: number;
  median: number;
  p75: number;
  p90: number;
}
export interface BoxRow extends ChartRow {
  spread: Spread | null;
}

/** A box per group: the middle half, its median, and a line from the 10th to the 90th percentile. */
export function BoxChart({
  label,
  rows,
  format,
  hrefOf,
}: {
  label: string;
  rows: readonly BoxRow[];
  format: (value: number) => string;
  hrefOf?: ((row: BoxRow) => string | undefined) | undefined;
}) {
  const { t } = useTranslation('charts');
  const paints = usePaints();
  const greatest = Math.max(
    0,
    ...rows.map(({ spread, suppressed }) => (suppressed ? 0 : (spread?.p90 ?? 0))),
  );
  /** Few enough ticks to read. */
  const axisIn = (room: number) => axisOf('count', greatest, Math.max(1, Math.min(5, Math.floor(room / 64))));
  const at = (room: number) => scaleLinear([0, axisIn(room).top], [0, room]);
  const half = shapeHeight / 2;
  return (
    <RowChart
      label={label}
      rows={rows}
      hrefOf={hrefOf}
      ticks={(room) =>
        axisIn(room).ticks.map((tick) => ({ at: at(room)(tick), text: format(tick), strong: tick === 0 }))
      }
      legend={[
        { label: t('chart.box-middle'), fill: paints.tint, stroke: paints.primary },
        { label: t('chart.box-median'), line: paints.primary },
        { label: t('chart.box-range'), line: paints.axis },
      ]}
      draw={({ spread }, room) => {
        if (spread === null) return { shape: null, end: 0, empty: true };
        const x = at(room);
        const [p10, p25, median, p75, p90] = [
          x(spread.p10),
          x(spread.p25),
          x(spread.median),
          x(spread.p75),
          x(spread.p90),
        ];
        return {
          end: p90,
          shape: (
            <>
              <path
                d={`M${p10} 0H${p90} M${p10} ${-half / 2}V${half / 2} M${p90} ${-half / 2}V${half / 2}`}
                stroke={paints.axis}
                strokeWidth={1.5}
                fill="none"
              />
              <rect
                x={p25}
                y={-half}
                width={Math.max(1.5, p75 - p25)}
                height={shapeHeight}
                rx={2}
                fill={paints.tint}
                stroke={paints.primary}
              />
              <line x1={median} x2={median} y1={-half} y2={half} stroke={paints.primary} strokeWidth={2.5} />
            </>
          ),
        };
      }}
    />
  );
}
