import type { MeasureValue } from '@caseway/contract/analytics';
import type { Unit } from '@caseway/contract/measure';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { ArrowDown, ArrowRight, ArrowUp, Info } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type Formats, useFormats } from '../words/formats.ts';
import { changeOf, type TileMeasure } from './change.ts';
import { Sparkline } from './charts/Sparkline.tsx';
import { type Definition, DefinitionList } from './DefinitionList.tsx';
import { forScreenReaders } from './for-screen-readers.ts';

export interface TileProps {
  label: string;
  measure: TileMeasure;
  /** Undefined while it is loading. */
  value: MeasureValue | undefined;
  /** The value over the previous range. */
  previous?: MeasureValue | undefined;
  definition: Definition;
  /** The name of the definition, if two share a title: `PA01`. */
  variant?: string | undefined;
  /** The heading level of its label. */
  heading?: 'h2' | 'h3';
  /** More lines under the number: its 90th percentile, filters that do not apply to it. */
  details?: readonly string[];
  /** The value over time; null without a value. */
  trend?: readonly (number | null)[] | undefined;
  /** The address of exactly the counted records; absent if the reader may not see them. */
  to?: string | undefined;
  /** What it opens, if the records are not what is counted: the tests of people. */
  records?: string | undefined;
}

type Translate = (key: string, values: { number: string; count: number }) => string;

/** A measure in its unit: `412`, `5.6%`, `31 hours`, `3.4 days`. */
function measureText(value: number, unit: Unit, formats: Formats, t: Translate): string {
  if (unit === 'count') return formats.count(value);
  if (unit === 'share') return formats.share(value);
  if (unit === 'rate') return formats.rate(value);
  if (unit === 'ratio') return formats.number(value, 2);
  if (unit === 'minutes') return t('tile.minutes', numbered(value, formats));
  if (unit === 'instant') return formats.instant(new Date(value));
  if (unit === 'day') return formats.day(new Date(value).toISOString().slice(0, 10));
  // Three days or more are easier to read in days than in hours.
  const inDays = unit === 'days' || value >= 72;
  const shown = unit === 'hours' && inDays ? value / 24 : value;
  return t(inDays ? 'tile.days' : 'tile.hours', numbered(shown, formats));
}

/** A number in words; its plural follows the displayed number, so that 1.04 is singular. */
const numbered = (value: number, formats: Formats) => ({
  number: formats.number(value),
  count: Math.round(value * 10) / 10,
});

/** Two tiles fit side by side on a phone. The leading figures of a screen are larger than those of its sections. */
const figureSize = {
  h2: { xs: '1.5rem', sm: '2rem' },
  h3: { xs: '1.25rem', sm: '1.5rem' },
} as const;
/** For a word in place of a number, which is longer than most numbers. */
const wordSize = {
  h2: { xs: '1.125rem', sm: '1.5rem' },
  h3: { xs: '1rem', sm: '1.25rem' },
} as const;

/** If a figure's unit is a word, the word is smaller. */
function Figure({ text, unit }: { text: string; unit: Unit }) {
  const [, number, word] = /^(\S+)\s(\D+)$/.exec(text) ?? [];
  if (!['minutes', 'hours', 'days'].includes(unit) || number === undefined) return text;
  return (
    <span>
      {number}{' '}
      <Box component="span" sx={{ fontSize: '0.5em' }}>
        {word}
      </Box>
    </span>
  );
}

/** One key figure: its value, parts, meaning, and change. */
export function Tile({
  label,
  measure,
  value,
  previous,
  definition,
  variant,
  heading = 'h2',
  details = [],
  trend,
  to,
  records,
}: TileProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const suppressed = value?.suppressed === true;
  const withheld = t('tile.withheld');
  const figure =
    value === undefined
      ? ''
      : suppressed
        ? // Not "<11": even a larger number can have too few people in the counted half.
          t('tile.withheldFigure')
        : value.value === null
          ? '–'
          : value.whole
            ? formats.wholeShare(value.value)
            : measureText(value.value, measure.unit, formats, t);
  const shown =
    suppressed || value === undefined || value.value === null ? (
      figure
    ) : (
      <Figure text={figure} unit={measure.unit} />
    );
  const parts =
    value === undefined
      ? ''
      : suppressed
        ? withheld
        : value.value === null
          ? t(value.without ? `tile.without.${value.without}` : 'tile.empty')
          : value.denominator !== null && value.numerator !== null && measure.unit === 'share'
            ? t('tile.parts', {
                numerator: formats.count(value.numerator),
                denominator: formats.count(value.denominator),
              })
            : '';
  /** More remarks on the number, if it has a value. */
  const remarks =
    value === undefined || suppressed || value.value === null
      ? []
      : [
          ...(measure.per === undefined ? [] : [measure.per]),
          ...(value.interval
            ? [
                t('tile.interval', {
                  low: measureText(value.interval.low, measure.unit, formats, t),
                  high: measureText(value.interval.high, measure.unit, formats, t),
                }),
              ]
            : []),
          ...(value.excluded ? [t('tile.excluded', { count: value.excluded })] : []),
          ...(value.unstable ? [t('tile.unstable')] : []),
          ...(value.rough ? [t('tile.rough')] : []),
          ...details,
        ];
  const opens =
    to !== undefined && value !== undefined && !suppressed && value.value !== null && value.value !== 0;
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        gap: 1,
        minWidth: 0,
        position: 'relative',
        padding: { xs: 3, sm: 4 },
        borderRadius: '10px',
        border: 1,
        borderColor: 'divider',
        backgroundColor: 'surface',
        breakInside: 'avoid',
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <Typography
          id={id}
          component={heading}
          variant="body2"
          sx={{ flex: 1, color: 'text.secondary', fontWeight: 550 }}
        >
          {label}
          {variant === undefined ? null : (
            <>
              {' '}
              <Typography component="span" variant="caption" sx={{ color: 'text.tertiary' }}>
                {variant}
              </Typography>
            </>
          )}
        </Typography>
        <IconButton
          className="no-print"
          size="small"
          aria-label={t('tile.about', { measure: label })}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
          sx={{ margin: -1.5, color: 'text.tertiary' }}
        >
          <Info size={16} aria-hidden />
        </IconButton>
      </Box>
      {value === undefined ? (
        <Skeleton variant="rounded" width="60%" height={40} />
      ) : opens ? (
        <ButtonBase
          aria-label={
            records === undefined
              ? t('tile.open', { measure: label, value: figure })
              : t('tile.openAs', { measure: label, value: figure, records })
          }
          component={Link}
          to={to}
          sx={{
            alignSelf: 'flex-start',
            typography: 'figure',
            borderRadius: '6px',
            textAlign: 'left',
            fontSize: figureSize[heading],
            '&:hover': { color: 'primary.main', textDecoration: 'underline', textDecorationThickness: '2px' },
          }}
        >
          {shown}
        </ButtonBase>
      ) : (
        <Typography
          variant="figure"
          component="p"
          sx={
            suppressed
              ? {
                  alignSelf: 'flex-start',
                  maxWidth: '100%',
                  paddingX: 2,
                  borderRadius: '6px',
                  fontSize: wordSize[heading],
                  color: 'text.secondary',
                  background: (theme) =>
                    `repeating-linear-gradient(135deg, ${theme.vars.palette.raised} 0 6px, ${theme.vars.palette.surface} 6px 12px)`,
                }
              : {
                  color: value.value === null ? 'text.tertiary' : 'text.primary',
                  fontSize: figureSize[heading],
                }
          }
        >
          {shown}
        </Typography>
      )}
      {parts === '' ? null : (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {parts}
        </Typography>
      )}
      {opens && records !== undefined ? (
        <Typography
          className="no-print"
          variant="caption"
          component="p"
          aria-hidden
          sx={{ color: 'text.secondary' }}
        >
          {records}
        </Typography>
      ) : null}
      {remarks.map((remark) => (
        <Typography key={remark} variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {remark}
        </Typography>
      ))}
      {value === undefined || previous === undefined ? null : (
        <Change measure={measure} value={value} previous={previous} />
      )}
      {trend && !suppressed && <Sparkline label={t('tile.trend', { measure: label })} values={trend} />}
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-label': t('tile.about', { measure: label }),
            sx: { padding: 4, width: 'min(360px, calc(100vw - 32px))' },
          },
        }}
      >
        <Typography variant="h3" component="h2" sx={{ marginBottom: 2 }}>
          {label}
        </Typography>
        <DefinitionList definition={definition} />
      </Popover>
    </Box>
  );
}

function Change({
  measure,
  value,
  previous,
}: {
  measure: TileMeasure;
  value: MeasureValue;
  previous: MeasureValue;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const change = changeOf(measure, value, previous);
  if (change === null)
    return (
      <Typography variant="caption" component="p" sx={{ color: 'text.tertiary' }}>
        {t('tile.noComparison')}
      </Typography>
    );
  const textOf = (size: number) =>
    change.kind === 'points'
      ? t('tile.points', numbered(size * 100, formats))
      : change.kind === 'relative'
        ? formats.share(size)
        : measureText(size, measure.unit, formats, t);
  const size = textOf(Math.abs(change.difference));
  // A change too small to display counts as unchanged.
  const isSmall = [0, Number.MIN_VALUE].map(textOf).includes(size);
  const way = isSmall ? 'unchanged' : change.difference > 0 ? 'up' : 'down';
  const tone = way === 'unchanged' ? 'neutral' : change.tone;
  const Icon = { up: ArrowUp, down: ArrowDown, unchanged: ArrowRight }[way];
  return (
    <Typography
      variant="caption"
      component="p"
      sx={{
        display: 'flex',
        alignItems: 'center',
        flexWrap: 'wrap',
        gap: 1,
        color: tone === 'bad' ? 'warning.main' : tone === 'good' ? 'success.main' : 'text.secondary',
      }}
    >
      <Icon size={14} role="img" aria-label={t(`tile.${way}`)} />
      {way === 'unchanged' ? t('tile.unchanged') : size}
      <Box component="span" sx={forScreenReaders}>
        {t('tile.thanBefore')}
      </Box>
    </Typography>
  );
}
