import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { geoMercator, geoPath } from 'd3-geo';
import type { Feature, Geometry } from 'geojson';
import { useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClassPaints } from './classes.ts';
import { countyShapes } from './county-shapes.ts';
import { Drawing } from './Drawing.tsx';
import { Legend } from './Legend.tsx';
import { type Mark, Marks } from './Marks.tsx';
import { fillOf, type Paint, Patterns, suppressedId, usePaints } from './paint.tsx';
import { useWidth } from './useWidth.ts';

export interface CountyValue {
  /** Five-digit FIPS code. */
  key: string;
  value: number | null;
  valueText: string;
  /** Read aloud, with the county's name. */
  text: string;
  suppressed?: boolean;
  /** It may be large or small by chance, so it is in no class. */
  unstable?: boolean;
}

const isHidden = (county: CountyValue | undefined) => county?.suppressed ?? false;
const isUnstable = (county: CountyValue | undefined) => !isHidden(county) && (county?.unstable ?? false);

/** Counties of the given states, filled by a rate: zero, and five classes of the others. */
export function CountyMap({
  label,
  states,
  counties,
  format,
  noDataText,
  height = 380,
  hrefOf,
}: {
  label: string;
  /** Two-digit codes of the states whose counties are drawn. */
  states: readonly string[];
  counties: readonly CountyValue[];
  format: (value: number) => string;
  /** Read aloud for a county without a value. */
  noDataText: (county: string) => string;
  height?: number;
  hrefOf?: ((county: CountyValue) => string | undefined) | undefined;
}) {
  const { t } = useTranslation(['charts', 'common']);
  const id = useId();
  const paints = usePaints();
  const unstable: Paint = { color: paints.quiet, pattern: 'dots' };
  const { ref, width } = useWidth<HTMLDivElement>();
  const [shapes, setShapes] = useState<Feature<Geometry, { name: string }>[]>();
  /** The number of requests for the shapes, and which of them failed. */
  const [asked, setAsked] = useState(0);
  const [failedAt, setFailedAt] = useState<number>();
  const wanted = states.join(',');
  useEffect(() => {
    let current = true;
    countyShapes().then(
      (byState) => {
        if (current) setShapes(wanted.split(',').flatMap((state) => byState.get(state) ?? []));
      },
      (error: unknown) => {
        console.error('the map could not be loaded', error);
        if (current) setFailedAt(asked);
      },
    );
    return () => {
      current = false;
    };
  }, [wanted, asked]);

  const drawn = useMemo(() => {
    if (!shapes || width === 0) return undefined;
    const projection = geoMercator().fitSize([width, height], {
      type: 'FeatureCollection',
      features: shapes,
    });
    const path = geoPath(projection);
    // On a narrow screen the map is lower than the available room: leave no blank space above and below
    // it.
    const [[, top], [, bottom]] = path.bounds({ type: 'FeatureCollection', features: shapes });
    return {
      top,
      height: Math.max(1, Math.ceil(bottom - top)),
      counties: shapes
        .toSorted((a, b) => a.properties.name.localeCompare(b.properties.name))
        .map((shape) => ({ key: String(shape.id), name: shape.properties.name, d: path(shape) ?? '' })),
    };
  }, [shapes, width, height]);

  const byKey = new Map(counties.map((county) => [county.key, county]));
  const known = counties
    .filter((county) => county.value !== null && !county.suppressed && !county.unstable)
    .map((county) => county.value!);
  const { paintOf, legend } = useClassPaints(known, format);
  const marks: Mark[] = (drawn?.counties ?? []).map((shape) => {
    const county = byKey.get(shape.key);
    return {
      key: shape.key,
      text: county?.text ?? noDataText(shape.name),
      href: county && !county.suppressed ? hrefOf?.(county) : undefined,
    };
  });

  return (
    <div ref={ref}>
      {failedAt === asked ? (
        <Box sx={{ paddingBlock: 8, display: 'grid', gap: 2, justifyItems: 'center' }}>
          <p role="alert">{t('chart.map-failed')}</p>
          <Button className="no-print" variant="outlined" size="small" onClick={() => setAsked(asked + 1)}>
            {t('common:action.retry')}
          </Button>
        </Box>
      ) : (
        <Marks label={label} marks={marks}>
          {({ active, markProps }) => (
            <Drawing width={width} height={drawn?.height ?? height} top={drawn?.top ?? 0}>
              <Patterns id={id} paints={[unstable]} />
              {/* Around the whole map, so that the palest counties stand out from the surface. */}
              <g pointerEvents="none">
                <path
                  d={drawn?.counties.map(({ d }) => d).join('')}
                  fill="none"
                  stroke={paints.axis}
                  strokeWidth={2}
                />
              </g>
              {/* Each pattern as one shape, because a PDF stores a picture for each shape with a pattern. */}
              {[
                { fill: `url(#${suppressedId(id)})`, has: isHidden },
                { fill: fillOf(id, unstable), has: isUnstable },
              ].map(({ fill, has }) => (
                <path
                  key={fill}
                  d={drawn?.counties
                    .filter(({ key }) => has(byKey.get(key)))
                    .map(({ d }) => d)
                    .join('')}
                  fill={fill}
                  pointerEvents="none"
                />
              ))}
              {drawn?.counties.map((shape, index) => {
                const county = byKey.get(shape.key);
                const hasPattern = isHidden(county) || isUnstable(county);
                const fill = hasPattern
                  ? 'transparent'
                  : county && county.value !== null
                    ? paintOf(county.value).fill
                    : paints.empty;
                return (
                  <path
                    key={shape.key}
                    d={shape.d}
                    fill={fill}
                    // Between patterns, an edge in the surface color would be invisible.
                    stroke={hasPattern ? paints.axis : paints.surface}
                    strokeWidth={0.8}
                    {...markProps(index)}
                  />
                );
              })}
              {active !== undefined && drawn?.counties[active] && (
                <path
                  d={drawn.counties[active].d}
                  fill="none"
                  stroke={paints.focus}
                  strokeWidth={2}
                  pointerEvents="none"
                />
              )}
            </Drawing>
          )}
        </Marks>
      )}
      <Legend
        entries={[
          ...legend,
          ...(counties.some((county) => county.suppressed)
            ? [{ label: t('chart.withheld'), fill: `url(#${suppressedId(id)})` }]
            : []),
          ...(counties.some((county) => county.unstable && !county.suppressed)
            ? [{ label: t('chart.unstable'), fill: fillOf(id, unstable) }]
            : []),
          { label: t('chart.no-data'), fill: paints.empty },
        ]}
      />
    </div>
  );
}
