import type { SeriesRow } from '@caseway/contract/analytics';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Tile } from '../ui/Tile.tsx';
import { useFormats } from '../words/formats.ts';
import { useNumberText, usePerText } from './number-text.ts';
import { usePopulations } from './populations.ts';
import { useShown } from './shown.ts';
import { useUnseen } from './unseen.ts';
import { useDashboardWords } from './words.ts';

/** Two next to each other on a phone, four on a wide screen. */
export const leadingGrid = {
  display: 'grid',
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
  gap: { xs: 2, sm: 3 },
} as const;
/** More than four share one row if there is room. */
const manyGrid = {
  ...leadingGrid,
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(auto-fit, minmax(176px, 1fr))' },
} as const;

/** Key figures in a named group. Nothing if there are none. */
export function Tiles({
  label,
  measures,
  leading = false,
}: {
  label: string;
  measures: readonly string[];
  /** The first and largest ones, each with a small trend. */
  leading?: boolean;
}) {
  const tile = useTile();
  const { of, answer } = useShown();
  const populations = usePopulations();
  // A measure that reveals hidden families is missing for readers who may not see them.
  const there = measures.filter((measure) => answer.measures[measure] !== undefined);
  if (there.length === 0) return null;
  return (
    <Box role="group" aria-label={label} sx={{ breakInside: 'avoid' }}>
      <Box sx={there.length > 4 ? manyGrid : leadingGrid}>
        {there.map((measure) => tile(measure, leading))}
      </Box>
      {populations(of, answer, there).map((source) => (
        <Typography
          key={source}
          variant="caption"
          component="p"
          sx={{ color: 'text.secondary', marginTop: 2 }}
        >
          {source}
        </Typography>
      ))}
    </Box>
  );
}

/** Draws a measure's tile, with the measures shown under its number. */
function useTile(): (measure: string, leading: boolean) => ReactNode {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  const cell = useNumberText();
  const perOf = usePerText();
  const unseen = useUnseen();
  const { of, answer, previous, recordsBehind, unfiltered, countedBy } = useShown();
  const words = useDashboardWords(of);
  const beneath = (name: string) => Object.entries(of.measures).filter(([, { beside }]) => beside === name);
  const trendRows: readonly SeriesRow[] = Object.entries(of.series).flatMap(([name, { form }]) =>
    form === 'trend' ? (answer.series[name] ?? []) : [],
  );
  const trendOf = (name: string) => {
    // Days whose reports are still arriving would look like a fall.
    const byKey = new Map(
      trendRows.flatMap((row) =>
        name in row.values && !row.incomplete && !row.partial
          ? [[row.key, row.values[`${name}Mean`] ?? row.values[name]] as const]
          : [],
      ),
    );
    return byKey.size > 1 ? [...byKey.values()].map((value) => value?.value ?? null) : undefined;
  };
  return (name, leading) => {
    const measure = of.measures[name]!;
    const value = answer.measures[name];
    const { formula, unit, direction, definition } = measure;
    const per = perOf(formula);
    const address = recordsBehind?.({ measure: name });
    const fact = Object.keys(of.facts).find((one) => of.facts[one] === measure.fact)!;
    const notNarrowing = unfiltered(fact);
    const date = countedBy(fact);
    return (
      <Tile
        key={name}
        label={words.measure(name)}
        variant={definition}
        heading={leading ? 'h2' : 'h3'}
        measure={{
          unit,
          ...(direction && { direction }),
          ...(per !== undefined && { per }),
        }}
        value={value}
        previous={previous?.[name]}
        details={[
          ...beneath(name).map(([one, { formula: under, unit: in_ }]) =>
            under.form === 'quantile' && under.at !== 0.5
              ? t('screen.percentile', {
                  percent: formats.wholeShare(under.at),
                  value: cell(answer.measures[one], in_, true) ?? '–',
                })
              : t('mark.value', {
                  title: words.measure(one),
                  value: cell(answer.measures[one], in_, true) ?? '–',
                }),
          ),
          ...(date === undefined ? [] : [t('screen.by', { date })]),
          ...(notNarrowing.length > 0 ? [t('screen.notNarrowed', { filters: notNarrowing.join(', ') })] : []),
        ]}
        definition={words.definition(name, unseen.isWithin)}
        trend={leading ? trendOf(name) : undefined}
        to={value?.suppressed ? undefined : address}
        records={words.records(name)}
      />
    );
  };
}
