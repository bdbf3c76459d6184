import Button from '@mui/material/Button';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { useContext, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFontsArrived } from '../fonts.ts';
import { Drawing } from './Drawing.tsx';
import { fitText, widthOf } from './fit-text.ts';
import { Legend } from './Legend.tsx';
import { type Mark, Marks } from './Marks.tsx';
import { fillOf, type Paint, Patterns, suppressedId, usePaints } from './paint.tsx';
import { PaperContext } from './paper.ts';
import { useWidth } from './useWidth.ts';

export interface Bar {
  key: string;
  label: string;
  /** Null: there is no value (a share of nothing). */
  value: number | null;
  /** Text at the bar's end: `412` or `5.6% (23 of 412)`. */
  valueText: string;
  /** Read out. */
  text: string;
  suppressed?: boolean;
  paint?: Paint;
}

const rowHeight = 28;
/** The height of a row if its label is above its bar. */
const stackedHeight = 46;
/** Below this width in px there is no room for labels next to the bars. */
const stackedBelow = 440;
const barHeight = 18;
const initiallyShown = 12;

/** Horizontal bars from zero with their numbers written at their ends. */
export function BarChart({
  label,
  bars,
  onOpen,
}: {
  label: string;
  bars: readonly Bar[];
  onOpen?: (bar: Bar) => void;
}) {
  const { t } = useTranslation('charts');
  const suppressedText = t('chart.withheld');
  const id = useId();
  const paints = usePaints();
  useFontsArrived();
  const { ref, width } = useWidth<HTMLDivElement>();
  const [all, setAll] = useState(false);
  const paper = useContext(PaperContext);
  const shown = all || paper?.whole ? bars : bars.slice(0, initiallyShown);
  const solid: Paint = { color: paints.primary, pattern: 'solid' };
  const longestValue =
    Math.max(0, ...shown.map((bar) => (bar.suppressed ? suppressedText : bar.valueText).length)) * 7 + 12;
  const font = `13px ${useTheme().typography.fontFamily}`;
  // On paper nobody can point at a label for the rest of it, so each is whole.
  const longestLabel = paper === null ? 0 : Math.max(...shown.map((bar) => widthOf(bar.label, font))) + 12;
  const stacked = width < stackedBelow || longestLabel > width / 2;
  const step = stacked ? stackedHeight : rowHeight;
  const labelWidth = stacked ? 0 : paper === null ? Math.min(width * 0.34, 220) : longestLabel;
  const x = scaleLinear(
    [0, max(bars, (bar) => bar.value ?? 0) || 1],
    [0, Math.max(16, width - labelWidth - longestValue)],
  );
  const fitting = (text: string) => fitText(text, stacked ? width : labelWidth - 10, font);
  const marks: Mark[] = shown.map((bar) => ({
    key: bar.key,
    text: bar.text,
    onOpen: onOpen && !bar.suppressed ? () => onOpen(bar) : undefined,
  }));
  return (
    <div ref={ref}>
      <Marks label={label} marks={marks}>
        {({ active, markProps }) => (
          <Drawing width={width} height={shown.length * step}>
            <Patterns id={id} paints={shown.map((bar) => bar.paint ?? solid)} />
            {shown.map((bar, index) => {
              const top = index * step;
              const middle = stacked ? top + step - barHeight / 2 - 5 : top + step / 2;
              const length = bar.suppressed
                ? 22
                : bar.value === null
                  ? 0
                  : Math.max(bar.value > 0 ? 1.5 : 0, x(bar.value));
              return (
                <g key={bar.key} {...markProps(index)}>
                  <rect x={0} y={top} width={width} height={step} fill="transparent" />
                  <text
                    x={stacked ? 0 : labelWidth - 10}
                    y={stacked ? top + 12 : middle}
                    dy="0.33em"
                    textAnchor={stacked ? 'start' : 'end'}
                    fontSize={13}
                    fill={paints.text}
                  >
                    <title>{bar.label}</title>
                    {fitting(bar.label)}
                  </text>
                  <rect
                    x={labelWidth}
                    y={middle - barHeight / 2}
                    width={length}
                    height={barHeight}
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
            {stacked ? null : (
              <line x1={labelWidth} x2={labelWidth} y1={0} y2={shown.length * step} stroke={paints.axis} />
            )}
          </Drawing>
        )}
      </Marks>
      <Legend
        entries={
          shown.some(({ suppressed }) => suppressed)
            ? [{ label: t('chart.withheld'), fill: `url(#${suppressedId(id)})` }]
            : []
        }
      />
      {bars.length > initiallyShown && (
        <Button
          className="no-print"
          size="small"
          variant="text"
          onClick={() => setAll(!all)}
          aria-expanded={all}
        >
          {all ? t('chart.show-fewer') : t('chart.show-all', { count: bars.length })}
        </Button>
      )}
      {shown.length < bars.length && (
        <Typography variant="caption" sx={{ display: 'none', '@media print': { display: 'block' } }}>
          {t('chart.first-of', { shown: shown.length, count: bars.length })}
        </Typography>
      )}
    </div>
  );
}
