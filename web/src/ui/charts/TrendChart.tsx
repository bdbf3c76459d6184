import { useTheme } from '@mui/material/styles';
import { max } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFontsArrived } from '../fonts.ts';
import { type AxisUnit, axisOf } from './axis.ts';
import { Drawing } from './Drawing.tsx';
import { fitText, widthOf } from './fit-text.ts';
import { Legend } from './Legend.tsx';
import { type Mark, Marks } from './Marks.tsx';
import { fillOf, incompleteId, type Paint, Patterns, suppressedId, usePaints } from './paint.tsx';
import { useWidth } from './useWidth.ts';

export interface TrendPoint {
  key: string;
  /** Short, for the axis: `3 Mar`. */
  tick: string;
  /** Read aloud: `Week of 3 March: 412 tests, 23 positive`. */
  text: string;
  /** One value per layer, in order; null draws nothing. */
  values: readonly (number | null)[];
  /** Drawn as a line over the columns. */
  line?: number | null;
  /** The comparison, drawn as a dashed line: the median of earlier years. */
  against?: number | null;
  /** The column's expected value once everything has arrived, drawn as its outline. */
  estimate?: number | null;
  /** The likely range of that value, drawn as a line with two ends. */
  estimateWithin?: { low: number; high: number } | undefined;
  /** Too few of its reports have arrived for an estimate. */
  tooEarly?: boolean;
  suppressed?: boolean;
  /** Some of its layers are withheld: their sum, if known. */
  withheldPart?: number | 'unknown' | undefined;
  /** Reports for this period are still arriving. */
  incomplete?: boolean;
  /** Only some days of this period are in the range. */
  partial?: boolean;
}
export interface TrendLayer {
  id: string;
  label: string;
  paint: Paint;
}

const edge = { right: 8, bottom: 24 };
/** The height of a number that is not shown. */
const stubHeight = 14;
/** The opacity of a column that will still grow. */
const veil = 0.45;

/** The action on selected columns. */
export interface TrendRange {
  text: (from: TrendPoint, to: TrendPoint) => string;
  onChoose: (from: TrendPoint, to: TrendPoint) => void;
}

/** From this point on, something is counted differently. */
export interface TrendChange {
  key: string;
  label: string;
}

/**
 * Columns over time, stacked from zero, with an optional line over them (a moving mean, or only a share). An
 * epidemic curve is one by weeks, with earlier years as a dashed line.
 */
export function TrendChart({
  label,
  points: given,
  layers,
  lineLabel: ofLine,
  againstLabel: ofAgainst,
  changes = [],
  unit,
  format,
  height = 220,
  range,
  hrefOf,
}: {
  label: string;
  points: readonly TrendPoint[];
  layers: readonly TrendLayer[];
  lineLabel?: string;
  againstLabel?: string;
  changes?: readonly TrendChange[];
  /** The axis unit. */
  unit: AxisUnit;
  format: (value: number) => string;
  height?: number;
  range?: TrendRange | undefined;
  hrefOf?: ((point: TrendPoint) => string | undefined) | undefined;
}) {
  const { t } = useTranslation('charts');
  const suppressedText = t('chart.withheld');
  const { fontFamily } = useTheme().typography;
  const suppressedFont = `11px ${fontFamily}`;
  const changeFont = `12px ${fontFamily}`;
  const id = useId();
  const paints = usePaints();
  useFontsArrived();
  const { ref, width } = useWidth<HTMLDivElement>();
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const isOff = ({ id: layer }: TrendLayer) => off.has(layer) && layers.some((one) => !off.has(one.id));
  const hasOff = layers.some(isOff);
  const switchLayer = (layer: string) =>
    setOff((before) =>
      before.has(layer) ? new Set([...before].filter((one) => one !== layer)) : new Set([...before, layer]),
    );
  // Means, medians and estimates are for all layers together.
  const [lineLabel, againstLabel] = hasOff ? [undefined, undefined] : [ofLine, ofAgainst];
  const points = hasOff
    ? given.map(
        (point): TrendPoint => ({
          ...point,
          values: point.values.map((value, at) => (isOff(layers[at]!) ? null : value)),
          ...{ line: null, against: null, estimate: null, estimateWithin: undefined },
          withheldPart: point.withheldPart === undefined ? undefined : 'unknown',
        }),
      )
    : given;
  const known = (point: TrendPoint) => point.values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const total = (point: TrendPoint) =>
    known(point) + (typeof point.withheldPart === 'number' ? point.withheldPart : 0);
  const { top, ticks } = axisOf(
    unit,
    max(points, (point) =>
      Math.max(
        total(point),
        point.line ?? 0,
        point.against ?? 0,
        point.estimate ?? 0,
        point.estimateWithin?.high ?? 0,
      ),
    ) ?? 0,
  );
  const margin = { ...edge, top: changes.length > 0 ? 30 : 12 };
  const y = scaleLinear([0, top], [height - margin.bottom, margin.top]);
  const left = 12 + Math.max(...ticks.map((tick) => format(tick).length), 2) * 7;
  const x = scaleBand(
    points.map((point) => point.key),
    [left, Math.max(left + 1, width - margin.right)],
  ).paddingInner(0.18);
  const every = Math.max(1, Math.ceil(points.length / Math.max(2, Math.floor((width - left) / 74))));
  const marks: Mark[] = points.map((point) => ({
    key: point.key,
    text: point.text,
    href: !point.suppressed ? hrefOf?.(point) : undefined,
  }));
  const middle = (point: TrendPoint) => x(point.key)! + x.bandwidth() / 2;
  // A gap for a missing value, never zero.
  const pathOf = (of: 'line' | 'against') =>
    line<TrendPoint>()
      .defined((point) => point[of] !== null && point[of] !== undefined)
      .x(middle)
      .y((point) => y(point[of]!));
  // The hatched area: the column, or the whole day if there is only a line.
  const veiledTo = (point: TrendPoint) =>
    layers.length === 0 ? height - margin.top - margin.bottom : y(0) - y(total(point));
  /** The height of a column's withheld part: its true one, or a fixed one. */
  const roomWithheld = (point: TrendPoint) => {
    if (point.suppressed) return { from: y(0), height: stubHeight };
    if (point.withheldPart === undefined) return { from: 0, height: 0 };
    const from = y(known(point));
    return { from, height: point.withheldPart === 'unknown' ? stubHeight : from - y(total(point)) };
  };
  const isVeiled = (point: TrendPoint) => point.incomplete || point.partial;
  /** A layer of all columns as one shape, because a PDF stores a picture for each shape with a pattern. */
  const layerPath = (at: number, veiled: boolean) =>
    points
      .flatMap((point) => {
        const value = point.values[at] ?? 0;
        if (point.suppressed || value <= 0 || Boolean(isVeiled(point)) !== veiled) return [];
        const below = point.values.slice(0, at).reduce<number>((sum, one) => sum + Math.max(0, one ?? 0), 0);
        const [low, high] = [y(below), y(below + value)];
        return `M${x(point.key)} ${low}V${high}h${x.bandwidth()}V${low}Z`;
      })
      .join('');
  const isEstimated = (point: TrendPoint) =>
    point.estimate !== null &&
    point.estimate !== undefined &&
    !point.suppressed &&
    point.estimate > total(point);
  const whisker = ({ low, high }: { low: number; high: number }, at: number) =>
    `M${at - 3} ${y(high)}h6M${at} ${y(high)}V${y(low)}M${at - 3} ${y(low)}h6`;
  const shownChanges = changes.filter(({ key }) => x(key) !== undefined);
  const complete = points.filter((point) => !point.incomplete);

  return (
    <div ref={ref}>
      <Marks
        label={label}
        marks={marks}
        range={
          range && {
            text: (from, to) => range.text(points[from]!, points[to]!),
            onChoose: (from, to) => range.onChoose(points[from]!, points[to]!),
          }
        }
      >
        {({ active, chosen, markProps }) => (
          <Drawing width={width} height={height}>
            <Patterns id={id} paints={layers.map((layer) => layer.paint)} />
            {ticks.map((tick) => (
              <g key={tick}>
                <line x1={left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} stroke={paints.line} />
                <text x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end" fontSize={12} fill={paints.quiet}>
                  {format(tick)}
                </text>
              </g>
            ))}
            {chosen && (
              <rect
                x={x(points[chosen[0]]!.key)}
                y={margin.top - 4}
                width={x(points[chosen[1]]!.key)! + x.bandwidth() - x(points[chosen[0]]!.key)!}
                height={height - margin.bottom - margin.top + 4}
                fill={paints.tint}
                stroke={paints.focus}
                data-part="chosen"
              />
            )}
            {[false, true].map((veiled) => (
              <g key={String(veiled)} opacity={veiled ? veil : 1} pointerEvents="none">
                {layers.map((layer, at) => (
                  <path
                    key={layer.id}
                    d={layerPath(at, veiled)}
                    fill={fillOf(id, layer.paint)}
                    stroke={layer.paint.pattern === 'solid' ? undefined : layer.paint.color}
                    strokeWidth={0.75}
                  />
                ))}
              </g>
            ))}
            {points.map((point, index) => {
              const withheld = roomWithheld(point);
              return (
                <g key={point.key} {...markProps(index)}>
                  <rect
                    x={x(point.key)}
                    y={margin.top}
                    width={x.bandwidth()}
                    height={height - margin.top - margin.bottom}
                    fill="transparent"
                  />
                  <g opacity={isVeiled(point) ? veil : 1}>
                    {withheld.height > 0 && (
                      <rect
                        x={x(point.key)}
                        y={withheld.from - withheld.height}
                        width={x.bandwidth()}
                        height={withheld.height}
                        fill={`url(#${suppressedId(id)})`}
                        stroke={paints.axis}
                        strokeWidth={0.5}
                      />
                    )}
                    {point.tooEarly && (
                      <rect
                        x={x(point.key)}
                        y={margin.top}
                        width={x.bandwidth()}
                        height={height - margin.top - margin.bottom}
                        fill={paints.empty}
                      />
                    )}
                    {isVeiled(point) && !point.suppressed && veiledTo(point) > 0 && (
                      <rect
                        x={x(point.key)}
                        y={y(0) - veiledTo(point)}
                        width={x.bandwidth()}
                        height={veiledTo(point)}
                        fill={`url(#${incompleteId(id)})`}
                      />
                    )}
                  </g>
                  {point.suppressed && widthOf(suppressedText, suppressedFont) < x.step() && (
                    <text
                      x={middle(point)}
                      y={y(0) - stubHeight - 4}
                      textAnchor="middle"
                      fontSize={11}
                      fill={paints.quiet}
                    >
                      {suppressedText}
                    </text>
                  )}
                  {index === active && (
                    <rect
                      x={x(point.key)! - 1}
                      y={margin.top - 4}
                      width={x.bandwidth() + 2}
                      height={height - margin.bottom - margin.top + 5}
                      fill="none"
                      stroke={paints.focus}
                      strokeWidth={1.5}
                      rx={3}
                    />
                  )}
                </g>
              );
            })}
            {points.map((point) =>
              isEstimated(point) ? (
                <g key={point.key} fill="none" stroke={paints.text} strokeWidth={1.5} pointerEvents="none">
                  <rect
                    x={x(point.key)! + 0.75}
                    y={y(point.estimate!)}
                    width={Math.max(1, x.bandwidth() - 1.5)}
                    height={Math.max(1, y(total(point)) - y(point.estimate!))}
                  />
                  {point.estimateWithin && (
                    <path d={whisker(point.estimateWithin, middle(point))} data-part="interval" />
                  )}
                </g>
              ) : null,
            )}
            {againstLabel !== undefined && (
              <EdgedLine d={pathOf('against')(points)} stroke={paints.text} thin={x.step() < 8} dashed />
            )}
            {shownChanges.map(({ key, label: name }, index) => {
              const at = x(key)! - (x.step() - x.bandwidth()) / 2;
              const end = index + 1 < shownChanges.length ? x(shownChanges[index + 1]!.key)! : width;
              // At the right edge, the name goes to the left of its line.
              const before = end - at < 60 && index + 1 === shownChanges.length;
              return (
                <g key={key} pointerEvents="none">
                  <line x1={at} x2={at} y1={8} y2={y(0)} stroke={paints.text} strokeDasharray="2 3" />
                  <text
                    x={before ? at - 4 : at + 4}
                    y={17}
                    textAnchor={before ? 'end' : 'start'}
                    fontSize={12}
                    fill={paints.text}
                  >
                    <title>{name}</title>
                    {fitText(name, Math.max(24, before ? at - left : end - at - 8), changeFont)}
                  </text>
                </g>
              );
            })}
            {lineLabel !== undefined && (
              <EdgedLine
                d={pathOf('line')(complete)}
                stroke={layers.length > 0 ? paints.text : paints.primary}
                thin={x.step() < 8}
              />
            )}
            {layers.length === 0 &&
              complete.map((point) =>
                point.line === null || point.line === undefined ? null : (
                  <circle
                    key={point.key}
                    cx={middle(point)}
                    cy={y(point.line)}
                    r={points.length > 60 ? 1.5 : 3}
                    fill={paints.primary}
                    pointerEvents="none"
                  />
                ),
              )}
            <line x1={left} x2={width - margin.right} y1={y(0)} y2={y(0)} stroke={paints.axis} />
            {points.map((point, index) =>
              index % every === 0 ? (
                <text
                  key={point.key}
                  x={middle(point)}
                  y={height - 6}
                  textAnchor={anchorOf(middle(point), widthOf(point.tick, changeFont), width)}
                  fontSize={12}
                  fill={paints.quiet}
                >
                  {point.tick}
                </text>
              ) : null,
            )}
          </Drawing>
        )}
      </Marks>
      <Legend
        entries={[
          ...layers.map((layer) => ({
            label: layer.label,
            fill: fillOf(id, layer.paint),
            stroke: layer.paint.color,
            isOff: isOff(layer),
            onSwitch: layers.length > 1 ? () => switchLayer(layer.id) : undefined,
          })),
          ...(lineLabel === undefined
            ? []
            : [{ label: lineLabel, line: layers.length > 0 ? paints.text : paints.primary }]),
          ...(againstLabel === undefined ? [] : [{ label: againstLabel, line: paints.text, dashed: true }]),
          ...(points.some(isEstimated)
            ? [{ label: t('chart.estimated'), fill: 'none', stroke: paints.text }]
            : []),
          ...(points.some(({ tooEarly }) => tooEarly)
            ? [{ label: t('chart.too-early'), fill: paints.empty }]
            : []),
          ...(points.some((point) => roomWithheld(point).height > 0)
            ? [{ label: t('chart.withheld'), fill: `url(#${suppressedId(id)})` }]
            : []),
          ...(points.some(isVeiled)
            ? [{ label: t('chart.incomplete'), fill: `url(#${incompleteId(id)})` }]
            : []),
        ]}
      />
    </div>
  );
}

/** A line with an edge, so that it is visible over dark bars too. Over narrow bars a thin line hides less. */
function EdgedLine({
  d,
  stroke,
  thin,
  dashed = false,
}: {
  d: string | null;
  stroke: string;
  thin: boolean;
  dashed?: boolean;
}) {
  const { surface } = usePaints();
  const line = { d: d ?? undefined, fill: 'none', strokeLinejoin: 'round', pointerEvents: 'none' } as const;
  return (
    <>
      <path {...line} stroke={surface} strokeWidth={thin ? 3 : 4.5} />
      <path
        {...line}
        stroke={stroke}
        strokeWidth={thin ? 1.5 : 2}
        strokeDasharray={dashed ? (thin ? '4 2' : '6 4') : undefined}
      />
    </>
  );
}

/** Below the middle of its column, unless it would cross an edge of the drawing. */
const anchorOf = (middle: number, length: number, width: number): 'start' | 'middle' | 'end' =>
  middle - length / 2 < 0 ? 'start' : middle + length / 2 > width ? 'end' : 'middle';
