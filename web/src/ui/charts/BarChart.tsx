import Button from '@mui/material/Button';
import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Mark, Marks } from './Marks.tsx';
import { fillOf, type Paint, Patterns, suppressedId, usePaints } from './paint.tsx';
import { useWidth } from './useWidth.ts';

export interface Bar {
  key: string;
  label: string;
  /** Null: there is no value (a share of nothing). */
  value: number | null;
  /** Stands at the bar's end: `412` or `5.6% (23 of 412)`. */
  valueText: string;
  /** Read out. */
  text: string;
  suppressed?: boolean;
  paint?: Paint;
}

const rowHeight = 28;
const initiallyShown = 12;

/** Horizontal bars from zero with their numbers written at their ends. */
export function BarChart({
  label,
  bars,
  suppressedText,
  onOpen,
}: {
  label: string;
  bars: readonly Bar[];
  suppressedText: string;
  onOpen?: (bar: Bar) => void;
}) {
  const { t } = useTranslation('charts');
  const id = useId();
  const paints = usePaints();
  const { ref, width } = useWidth<HTMLDivElement>();
  const [all, setAll] = useState(false);
  const shown = all ? bars : bars.slice(0, initiallyShown);
  const solid: Paint = { color: paints.primary, pattern: 'solid' };
  const longestValue =
    Math.max(0, ...shown.map((bar) => (bar.suppressed ? suppressedText : bar.valueText).length)) * 7 + 12;
  const labelWidth = Math.min(Math.max(84, width * 0.34), 220);
  const x = scaleLinear(
    [0, max(bars, (bar) => bar.value ?? 0) || 1],
    [0, Math.max(16, width - labelWidth - longestValue)],
  );
  const fits = Math.max(6, Math.floor(labelWidth / 6.6));
  const marks: Mark[] = shown.map((bar) => ({
    key: bar.key,
    text: bar.text,
    onOpen: onOpen && !bar.suppressed ? () => onOpen(bar) : undefined,
  }));
  return (
    <div ref={ref}>
      <Marks label={label} marks={marks}>
        {({ active, markProps }) => (
          <svg width={Math.max(width, 1)} height={Math.max(1, shown.length) * rowHeight} aria-hidden="true">
            <Patterns id={id} paints={shown.map((bar) => bar.paint ?? solid)} />
            {shown.map((bar, index) => {
              const middle = index * rowHeight + rowHeight / 2;
              const length = bar.suppressed
                ? 22
                : bar.value === null
                  ? 0
                  : Math.max(bar.value > 0 ? 1.5 : 0, x(bar.value));
              return (
                <g key={bar.key} {...markProps(index)}>
                  <rect x={0} y={index * rowHeight} width={width} height={rowHeight} fill="transparent" />
                  <text
                    x={labelWidth - 10}
                    y={middle}
                    dy="0.33em"
                    textAnchor="end"
                    fontSize={13}
                    fill={paints.text}
                  >
                    <title>{bar.label}</title>
                    {bar.label.length > fits ? `${bar.label.slice(0, fits - 1)}…` : bar.label}
                  </text>
                  <rect
                    x={labelWidth}
                    y={middle - 9}
                    width={length}
                    height={18}
                    rx={2}
                    fill={bar.suppressed ? `url(#${suppressedId(id)})` : fillOf(id, bar.paint ?? solid)}
                    stroke={
                      bar.suppressed
                        ? paints.axis
                        : (bar.paint ?? solid).pattern === 'solid'
                          ? undefined
                          : bar.paint!.color
                    }
                    strokeWidth={0.75}
                  />
                  <text
                    x={labelWidth + length + 8}
                    y={middle}
                    dy="0.33em"
                    fontSize={13}
                    fill={bar.value === null || bar.suppressed ? paints.quiet : paints.text}
                  >
                    {bar.suppressed ? suppressedText : bar.valueText}
                  </text>
                  {index === active && (
                    <rect
                      x={1}
                      y={index * rowHeight + 1}
                      width={Math.max(0, width - 2)}
                      height={rowHeight - 2}
                      rx={4}
                      fill="none"
                      stroke={paints.focus}
                      strokeWidth={1.5}
                    />
                  )}
                </g>
              );
            })}
            <line x1={labelWidth} x2={labelWidth} y1={0} y2={shown.length * rowHeight} stroke={paints.axis} />
          </svg>
        )}
      </Marks>
      {bars.length > initiallyShown && (
        <Button size="small" variant="text" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? t('chart.show-fewer') : t('chart.show-all', { count: bars.length })}
        </Button>
      )}
    </div>
  );
}
