import Button from '@mui/material/Button';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ReactNode, useContext, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFontsArrived } from '../fonts.ts';
import { Drawing } from './Drawing.tsx';
import { fitText, widthOf, wrapText } from './fit-text.ts';
import { Legend, type LegendEntry } from './Legend.tsx';
import { type Mark, Marks } from './Marks.tsx';
import { type Paint, Patterns, suppressedId, usePaints } from './paint.tsx';
import { PaperContext } from './paper.ts';
import { useWidth } from './useWidth.ts';

export interface ChartRow {
  key: string;
  label: string;
  /** Text at the end of the drawing: `412` or `5.6% (23 of 412)`. */
  valueText: string;
  /** Read aloud. */
  text: string;
  suppressed?: boolean;
  paint?: Paint;
  /** It sums up other rows, so its records have no single list. */
  isRest?: boolean;
}

/** A row's drawing, relative to the left edge and the middle of its room; its text begins after `end`. */
export interface DrawnRow {
  shape: ReactNode;
  end: number;
  /** The row has no value, so its text is quiet. */
  empty?: boolean;
}

/** A vertical axis line, at a px from the left edge. */
export interface RowTick {
  at: number;
  text: string;
  /** The line the others are compared with. */
  strong?: boolean;
}

const rowHeight = 28;
/** The height of a row whose label takes two lines. */
const twoLinesHeight = 36;
const lineHeight = 15;
/** The height of a row whose label is above its drawing. */
const stackedHeight = 46;
/** The height of an extra line for the numbers. */
const numbersHeight = 18;
/** From the edge of a scale to the names above it. */
const indent = 4;
/** Below this width in px, labels do not fit next to the drawing. */
const stackedBelow = 440;
const axisHeight = 22;
const initiallyShown = 12;
/** Fewer than these are shown too, because a button would take as much room. */
const leastHidden = 3;
/** The height of a row's drawing. */
export const shapeHeight = 18;

/** Rows in one column: a label, a drawing on a common scale, and its numbers in words. */
export function RowChart<Row extends ChartRow>({
  label,
  rows,
  draw,
  ticks,
  legend = [],
  patterns = [],
  hrefOf,
}: {
  label: string;
  rows: readonly Row[];
  /** Draws a row within this many px. */
  draw: (row: Row, room: number, id: string) => DrawnRow;
  /** The axis lines; absent: a line at zero. */
  ticks?: (room: number) => readonly RowTick[];
  legend?: readonly LegendEntry[];
  /** The paints to define. */
  patterns?: readonly Paint[];
  hrefOf?: ((row: Row) => string | undefined) | undefined;
}) {
  const { t } = useTranslation('charts');
  const suppressedText = t('chart.withheld');
  const id = useId();
  const paints = usePaints();
  useFontsArrived();
  const { ref, width } = useWidth<HTMLDivElement>();
  const [all, setAll] = useState(false);
  const paper = useContext(PaperContext);
  const hasMore = rows.length >= initiallyShown + leastHidden;
  const shown = all || paper?.whole || !hasMore ? rows : rows.slice(0, initiallyShown);
  const written = (row: Row) => (row.suppressed ? suppressedText : row.valueText);
  const longestValue = Math.max(0, ...shown.map((row) => written(row).length)) * 7 + 12;
  const font = `13px ${useTheme().typography.fontFamily}`;
  const longestLabel = Math.max(0, ...shown.map((row) => widthOf(row.label, font))) + 12;
  // On paper no one can hover for the rest of a label, so labels are complete.
  const stacked = width < stackedBelow || (paper !== null && longestLabel > width / 2);
  const left = stacked ? 0 : paper === null ? Math.min(longestLabel, width * 0.34, 220) : longestLabel;
  // Above a scale, the numbers share the label's line, so that the scale has the full width.
  const above = stacked && ticks !== undefined;
  const room = Math.max(16, width - left - (above ? 16 : longestValue));
  /** A name that would be cut next to its numbers gets its own line. */
  const apart =
    above && shown.some((row) => widthOf(row.label, font) + widthOf(written(row), font) + 24 > width);
  /** At most two lines, so that names with the same beginning can be told apart. */
  const linesOf = (text: string) => {
    if (stacked) return [fitText(text, width - indent, font)];
    const [first = '', ...others] = wrapText(text, left - 10, font);
    return [first, others.join(' ')].filter(Boolean).map((line) => fitText(line, left - 10, font));
  };
  const step = stacked
    ? stackedHeight + (apart ? numbersHeight : 0)
    : shown.some((row) => linesOf(row.label).length > 1)
      ? twoLinesHeight
      : rowHeight;
  const marks: Mark[] = shown.map((row) => ({
    key: row.key,
    text: row.text,
    href: !row.suppressed && !row.isRest ? hrefOf?.(row) : undefined,
  }));
  const lines = ticks?.(room) ?? [];
  const inset = above ? indent : 0;
  /** Keeps the lines of a scale from crossing the text over them. */
  const halo = above
    ? ({ stroke: paints.surface, strokeWidth: 4, strokeLinejoin: 'round', paintOrder: 'stroke' } as const)
    : undefined;
  const bottom = shown.length * step;
  return (
    <div ref={ref}>
      <Marks label={label} marks={marks}>
        {({ active, markProps }) => (
          <Drawing width={width} height={bottom + (ticks ? axisHeight : 0)}>
            <Patterns id={id} paints={patterns} />
            {lines.map(({ at, text, strong }, index) => (
              <g key={text}>
                <line
                  x1={left + at}
                  x2={left + at}
                  y1={0}
                  y2={bottom}
                  stroke={strong ? paints.axis : paints.line}
                  strokeWidth={strong ? 1.5 : 1}
                />
                <text
                  x={left + at}
                  y={bottom + 15}
                  textAnchor={at === 0 && index === 0 && stacked ? 'start' : 'middle'}
                  fontSize={12}
                  fill={paints.quiet}
                >
                  {text}
                </text>
              </g>
            ))}
            {shown.map((row, index) => {
              const top = index * step;
              const middle = stacked ? top + step - shapeHeight / 2 - 5 : top + step / 2;
              const { shape, end, empty } = row.suppressed
                ? { shape: <Stub id={id} />, end: 22, empty: true }
                : draw(row, room, id);
              const labelLines = linesOf(row.label);
              const firstLine = stacked ? top + 12 : middle - ((labelLines.length - 1) * lineHeight) / 2;
              return (
                <g key={row.key} {...markProps(index)}>
                  <rect x={0} y={top} width={width} height={step} fill="transparent" />
                  <text textAnchor={stacked ? 'start' : 'end'} fontSize={13} fill={paints.text} {...halo}>
                    <title>{row.label}</title>
                    {labelLines.map((line, at) => (
                      <tspan
                        key={line}
                        x={stacked ? inset : left - 10}
                        y={firstLine + at * lineHeight}
                        dy="0.33em"
                      >
                        {line}
                      </tspan>
                    ))}
                  </text>
                  <g transform={`translate(${left} ${middle})`}>{shape}</g>
                  <text
                    x={apart ? inset : above ? width : left + end + 8}
                    y={apart ? top + 12 + numbersHeight : above ? top + 12 : middle}
                    dy="0.33em"
                    textAnchor={above && !apart ? 'end' : 'start'}
                    fontSize={13}
                    fill={empty ? paints.quiet : paints.text}
                    {...halo}
                  >
                    {written(row)}
                  </text>
                  {index === active && (
                    <rect
                      x={1}
                      y={top + 1}
                      width={Math.max(0, width - 2)}
                      height={step - 2}
                      rx={4}
                      fill="none"
                      stroke={paints.focus}
                      strokeWidth={1.5}
                    />
                  )}
                </g>
              );
            })}
            {stacked || ticks ? null : <line x1={left} x2={left} y1={0} y2={bottom} stroke={paints.axis} />}
          </Drawing>
        )}
      </Marks>
      <Legend
        entries={[
          ...legend,
          ...(shown.some(({ suppressed }) => suppressed)
            ? [{ label: suppressedText, fill: `url(#${suppressedId(id)})` }]
            : []),
        ]}
      />
      {hasMore && (
        <Button
          className="no-print"
          size="small"
          variant="text"
          onClick={() => setAll(!all)}
          aria-expanded={all}
        >
          {all ? t('chart.show-fewer') : t('chart.show-all', { count: rows.length })}
        </Button>
      )}
      {shown.length < rows.length && (
        <Typography variant="caption" sx={{ display: 'none', '@media print': { display: 'block' } }}>
          {t('chart.first-of', { shown: shown.length, count: rows.length })}
        </Typography>
      )}
    </div>
  );
}

/** Replaces a withheld number, always at the same length. */
function Stub({ id }: { id: string }) {
  const { axis } = usePaints();
  return (
    <rect
      x={0}
      y={-shapeHeight / 2}
      width={22}
      height={shapeHeight}
      rx={2}
      fill={`url(#${suppressedId(id)})`}
      stroke={axis}
      strokeWidth={0.75}
    />
  );
}
