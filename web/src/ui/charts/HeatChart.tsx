import { useTheme } from '@mui/material/styles';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFontsArrived } from '../fonts.ts';
import { useClassPaints } from './classes.ts';
import { Drawing } from './Drawing.tsx';
import { fitText, widthOf } from './fit-text.ts';
import { Legend } from './Legend.tsx';
import { type Mark, Marks } from './Marks.tsx';
import { Patterns, suppressedId, usePaints } from './paint.tsx';
import { useWidth } from './useWidth.ts';

export interface HeatCell {
  /** Null without a value. */
  value: number | null;
  /** In the cell, if there is room. */
  valueText: string;
  /** Read aloud, with the names of its row and column. */
  text: string;
  suppressed?: boolean;
}
export interface HeatRow {
  key: string;
  label: string;
  /** One per column, in order. */
  cells: readonly HeatCell[];
}

const cellHeight = 30;
/** Cells narrower than this, in px, cannot be pointed at, so the chart scrolls instead. */
const leastCell = 24;
const longestHead = 120;

/** Scrolls to the cell the keyboard has reached. */
const comeIntoSight = (cell: SVGElement | null) =>
  cell?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });

/** Cells by two columns: the larger the value, the darker the cell. Up and down move between rows. */
export function HeatChart({
  label,
  columns,
  rows,
  format,
  hrefOf,
}: {
  label: string;
  columns: readonly { key: string; label: string }[];
  rows: readonly HeatRow[];
  format: (value: number) => string;
  hrefOf?: ((row: HeatRow, column: number) => string | undefined) | undefined;
}) {
  const { t } = useTranslation('charts');
  const id = useId();
  const paints = usePaints();
  useFontsArrived();
  const family = useTheme().typography.fontFamily;
  const [font, small] = [`13px ${family}`, `12px ${family}`];
  const { ref, width: room } = useWidth<HTMLDivElement>();
  const cells = rows.flatMap((row) => row.cells);
  const { paintOf, legend } = useClassPaints(
    cells.flatMap(({ value, suppressed }) => (value === null || suppressed ? [] : [value])),
    format,
  );
  const left = Math.min(room * 0.34, 200, Math.max(0, ...rows.map((row) => widthOf(row.label, font))) + 12);
  const cell = Math.max(leastCell, (room - left) / Math.max(1, columns.length));
  const width = left + cell * columns.length;
  // Names wider than their column are vertical.
  const widest = Math.max(0, ...columns.map((column) => widthOf(column.label, small)));
  const upright = widest > cell - 6;
  const head = upright ? Math.min(longestHead, widest) + 8 : 22;
  // All or none: numbers in only some cells would make those look special.
  const written = cells.every(
    ({ valueText, suppressed }) => suppressed || widthOf(valueText, small) <= cell - 6,
  );
  const withheldPath = rows
    .flatMap((row, rowIndex) =>
      row.cells.map((one, column) =>
        one.suppressed
          ? `M${left + cell * column + 0.5} ${head + rowIndex * cellHeight + 0.5}h${cell - 1}v${cellHeight - 1}h${1 - cell}Z`
          : '',
      ),
    )
    .join('');
  const marks: Mark[] = rows.flatMap((row) =>
    row.cells.map((one, column) => ({
      key: `${row.key} ${columns[column]!.key}`,
      text: one.text,
      href: one.value !== null && !one.suppressed ? hrefOf?.(row, column) : undefined,
    })),
  );
  return (
    <div ref={ref}>
      <Marks label={label} marks={marks} columns={columns.length}>
        {({ active, markProps }) => (
          // Only the drawing scrolls, so the text of a cell stays visible.
          <div aria-hidden="true" style={{ overflowX: 'auto' }}>
            <Drawing width={width} height={head + rows.length * cellHeight}>
              <Patterns id={id} paints={[]} />
              {columns.map((column, index) => {
                const x = left + cell * (index + 0.5);
                return (
                  <text
                    key={column.key}
                    x={upright ? x + 4 : x}
                    y={upright ? head - 6 : 14}
                    textAnchor={upright ? 'start' : 'middle'}
                    transform={upright ? `rotate(-90 ${x + 4} ${head - 6})` : undefined}
                    fontSize={12}
                    fill={paints.quiet}
                  >
                    <title>{column.label}</title>
                    {upright ? fitText(column.label, longestHead, small) : column.label}
                  </text>
                );
              })}
              {/* All as one shape, because a PDF stores a picture for each shape with a pattern. */}
              <path d={withheldPath} fill={`url(#${suppressedId(id)})`} pointerEvents="none" />
              {rows.map((row, rowIndex) => {
                const y = head + rowIndex * cellHeight;
                return (
                  <g key={row.key}>
                    <text
                      x={left - 8}
                      y={y + cellHeight / 2}
                      dy="0.33em"
                      textAnchor="end"
                      fontSize={13}
                      fill={paints.text}
                    >
                      <title>{row.label}</title>
                      {fitText(row.label, left - 10, font)}
                    </text>
                    {row.cells.map((one, column) => {
                      const index = rowIndex * columns.length + column;
                      const isEmpty = one.value === null && !one.suppressed;
                      const paint =
                        one.suppressed || one.value === null
                          ? {
                              // Any fill would look like a step of the scale.
                              fill: 'transparent',
                              ink: paints.text,
                            }
                          : paintOf(one.value);
                      return (
                        <g key={columns[column]!.key} {...markProps(index)}>
                          <rect
                            x={left + cell * column + 0.5}
                            y={y + 0.5}
                            width={cell - 1}
                            height={cellHeight - 1}
                            rx={2}
                            fill={paint.fill}
                            stroke={one.suppressed ? paints.axis : isEmpty ? paints.line : undefined}
                            strokeWidth={0.5}
                          />
                          {written && !one.suppressed && (
                            <text
                              x={left + cell * (column + 0.5)}
                              y={y + cellHeight / 2}
                              dy="0.33em"
                              textAnchor="middle"
                              fontSize={12}
                              fill={paint.ink}
                            >
                              {one.valueText}
                            </text>
                          )}
                          {index === active && (
                            <rect
                              ref={comeIntoSight}
                              x={left + cell * column + 1}
                              y={y + 1}
                              width={cell - 2}
                              height={cellHeight - 2}
                              rx={2}
                              fill="none"
                              stroke={paints.focus}
                              strokeWidth={2}
                            />
                          )}
                        </g>
                      );
                    })}
                  </g>
                );
              })}
            </Drawing>
          </div>
        )}
      </Marks>
      <Legend
        entries={[
          ...legend,
          ...(cells.some(({ suppressed }) => suppressed)
            ? [{ label: t('chart.withheld'), fill: `url(#${suppressedId(id)})` }]
            : []),
          ...(cells.some(({ value, suppressed }) => value === null && !suppressed)
            ? [{ label: t('chart.no-data'), fill: 'none' }]
            : []),
        ]}
      />
    </div>
  );
}
