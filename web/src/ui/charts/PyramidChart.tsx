import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Drawing } from './Drawing.tsx';
import { Legend } from './Legend.tsx';
import { type Mark, Marks } from './Marks.tsx';
import { Patterns, suppressedId, usePaints } from './paint.tsx';
import { useWidth } from './useWidth.ts';

export interface PyramidSide {
  value: number | null;
  valueText: string;
  text: string;
  suppressed?: boolean;
}
export interface PyramidRow {
  key: string;
  /** An age band: `25–29`. */
  label: string;
  left: PyramidSide;
  right: PyramidSide;
}

const rowHeight = 24;
const head = 22;

/** Age bands down the middle, one sex on each side, on one scale. */
export function PyramidChart({
  label,
  rows,
  leftLabel,
  rightLabel,
  hrefOf,
}: {
  label: string;
  /** Youngest first; drawn with the oldest on top. */
  rows: readonly PyramidRow[];
  leftLabel: string;
  rightLabel: string;
  hrefOf?: ((row: PyramidRow, side: 'left' | 'right') => string | undefined) | undefined;
}) {
  const { t } = useTranslation('charts');
  const suppressedText = t('chart.withheld');
  const id = useId();
  const paints = usePaints();
  const { ref, width } = useWidth<HTMLDivElement>();
  const drawn = rows.toReversed();
  const middle = 86;
  const room = 46;
  const half = Math.max(20, (width - middle) / 2);
  const x = scaleLinear(
    [0, max(rows, (row) => Math.max(row.left.value ?? 0, row.right.value ?? 0)) || 1],
    [0, Math.max(8, half - room)],
  );
  const sides = ['left', 'right'] as const;
  const color = { left: paints.categorical[0]!, right: paints.categorical[1]! };
  const marks: Mark[] = drawn.flatMap((row) =>
    sides.map((side) => ({
      key: `${row.key}-${side}`,
      text: row[side].text,
      href: !row[side].suppressed ? hrefOf?.(row, side) : undefined,
    })),
  );
  return (
    <div ref={ref}>
      <Marks label={label} marks={marks} columns={2}>
        {({ active, markProps }) => (
          <Drawing width={width} height={head + rows.length * rowHeight}>
            <Patterns id={id} paints={[]} />
            <text x={half} y={14} textAnchor="end" fontSize={13} fontWeight={550} fill={paints.text}>
              {leftLabel}
            </text>
            <text x={half + middle} y={14} fontSize={13} fontWeight={550} fill={paints.text}>
              {rightLabel}
            </text>
            {drawn.map((row, rowIndex) => {
              const y = head + rowIndex * rowHeight;
              return (
                <g key={row.key}>
                  <text
                    x={half + middle / 2}
                    y={y + rowHeight / 2}
                    dy="0.33em"
                    textAnchor="middle"
                    fontSize={12}
                    fill={paints.quiet}
                  >
                    {row.label}
                  </text>
                  {sides.map((side, sideIndex) => {
                    const part = row[side];
                    const length = part.suppressed ? 18 : part.value ? Math.max(1.5, x(part.value)) : 0;
                    const start = side === 'left' ? half - length : half + middle;
                    const index = rowIndex * 2 + sideIndex;
                    return (
                      <g key={side} {...markProps(index)}>
                        <rect
                          x={side === 'left' ? 0 : half + middle}
                          y={y}
                          width={half}
                          height={rowHeight}
                          fill="transparent"
                        />
                        <rect
                          x={start}
                          y={y + 3}
                          width={length}
                          height={rowHeight - 6}
                          rx={2}
                          fill={part.suppressed ? `url(#${suppressedId(id)})` : color[side]}
                          stroke={part.suppressed ? paints.axis : undefined}
                          strokeWidth={0.5}
                        />
                        <text
                          x={side === 'left' ? start - 6 : start + length + 6}
                          y={y + rowHeight / 2}
                          dy="0.33em"
                          textAnchor={side === 'left' ? 'end' : 'start'}
                          fontSize={12}
                          fill={paints.quiet}
                        >
                          {part.suppressed ? suppressedText : part.valueText}
                        </text>
                        {index === active && (
                          <rect
                            x={side === 'left' ? 1 : half + middle}
                            y={y + 1}
                            width={half - 2}
                            height={rowHeight - 2}
                            rx={3}
                            fill="none"
                            stroke={paints.focus}
                            strokeWidth={1.5}
                          />
                        )}
                      </g>
                    );
                  })}
                </g>
              );
            })}
          </Drawing>
        )}
      </Marks>
      <Legend
        entries={
          rows.some(({ left, right }) => left.suppressed || right.suppressed)
            ? [{ label: t('chart.withheld'), fill: `url(#${suppressedId(id)})` }]
            : []
        }
      />
    </div>
  );
}
