import { labelIn } from '@caseway/contract/label';
import type { OwnResult } from '@caseway/contract/portal';
import { drawnValue, isSameScale, resultValue } from '@caseway/contract/result-value';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';

const dayOf = ({ collectedOn, resultedOn }: OwnResult) => collectedOn ?? resultedOn;

/** The results of the same test on earlier days, the latest first; `all` are those the patient may see. */
function earlierOf(result: OwnResult, all: readonly OwnResult[]): OwnResult[] {
  const day = dayOf(result);
  if (result.loinc === null || day === null) return [];
  return all
    .filter((one) => one.loinc === result.loinc && (dayOf(one) ?? day) < day)
    .toSorted((a, b) => (dayOf(a)! < dayOf(b)! ? 1 : -1));
}

/** Earlier results of a test: each with its day and value, and a line through the numbers of one scale. */
export function EarlierResults({ result, all }: { result: OwnResult; all: readonly OwnResult[] }) {
  const { t, i18n } = useTranslation('portal');
  const formats = useFormats();
  const earlier = earlierOf(result, all);
  if (earlier.length === 0) return null;
  const wordsOf = ({ answer, value }: OwnResult) =>
    [answer && labelIn(answer, i18n.language), value && resultValue(value, i18n.language).text]
      .filter(Boolean)
      .join(' · ');
  const drawn = earlier.filter(({ value }) => value && result.value && isSameScale(value, result.value));
  return (
    <Section title={t('result.earlier')}>
      {drawn.length > 0 ? <Line results={[...drawn.toReversed(), result]} wordsOf={wordsOf} /> : null}
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {earlier.map((one) => {
          const day = formats.dayInWords(dayOf(one)!);
          const range = one.value?.referenceRange;
          return (
            <Box
              component="li"
              key={one.id}
              sx={{
                display: 'flex',
                flexWrap: 'wrap',
                columnGap: 4,
                paddingY: 2,
                borderTop: 1,
                borderColor: 'divider',
                '&:first-of-type': { borderTop: 0 },
              }}
            >
              <Box
                component={Link}
                to={`/portal/results/${one.id}`}
                sx={{ flex: '0 1 9rem', color: 'primary.main' }}
              >
                {day}
              </Box>
              <Box sx={{ flex: '1 1 9rem', minWidth: 0, overflowWrap: 'anywhere' }}>
                {wordsOf(one)}
                {one.preliminary ? (
                  <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                    {t('result.preliminary')}
                  </Typography>
                ) : null}
                {range ? (
                  <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                    {t('result.usual')}: {range}
                  </Typography>
                ) : null}
              </Box>
            </Box>
          );
        })}
      </Box>
    </Section>
  );
}

const size = { width: 320, height: 88, edge: 8 };

/** Numbers by their days, the last one filled. The list beside it says the same to screen readers. */
function Line({
  results,
  wordsOf,
}: {
  results: readonly OwnResult[];
  wordsOf: (result: OwnResult) => string;
}) {
  const formats = useFormats();
  const points = results.map((one) => ({
    at: Date.parse(dayOf(one)!),
    value: drawnValue(one.value!)!.number,
  }));
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [from, to] = [points[0]!.at, points.at(-1)!.at];
  const between = (start: number, end: number, share: number) => start + (end - start) * share;
  const { width, height, edge } = size;
  const places = points.map(({ at, value }) => ({
    x: between(edge, width - edge, to === from ? 0.5 : (at - from) / (to - from)),
    y: between(height - edge, edge, high === low ? 0.5 : (value - low) / (high - low)),
  }));
  const end = (result: OwnResult) => (
    <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
      {formats.dayInWords(dayOf(result)!)}
      <br />
      {wordsOf(result)}
    </Typography>
  );
  return (
    <Box aria-hidden sx={{ maxWidth: 480 }}>
      <Box
        component="svg"
        viewBox={`0 0 ${width} ${height}`}
        sx={{ display: 'block', width: '100%', color: 'primary.main', overflow: 'visible' }}
      >
        <polyline
          points={places.map(({ x, y }) => `${x},${y}`).join(' ')}
          fill="none"
          stroke="currentColor"
          strokeWidth={2}
          strokeLinejoin="round"
        />
        {places.map(({ x, y }, index) => (
          <Box
            component="circle"
            // biome-ignore lint/suspicious/noArrayIndexKey: two results can have the same day and value.
            key={index}
            cx={x}
            cy={y}
            r={4}
            stroke="currentColor"
            strokeWidth={2}
            sx={{
              fill: index === places.length - 1 ? 'currentColor' : 'var(--cw-palette-background-paper)',
            }}
          />
        ))}
      </Box>
      <Box
        sx={{
          display: 'flex',
          justifyContent: 'space-between',
          gap: 4,
          '& > :last-child': { textAlign: 'end' },
        }}
      >
        {end(results[0]!)}
        {end(results.at(-1)!)}
      </Box>
    </Box>
  );
}
