import type { Dashboard } from '@caseway/contract/dashboard';
import { dashboards } from '@caseway/contract/dashboards/all';
import { todayIn } from '@caseway/contract/date-range';
import { resolveRange } from '@caseway/contract/relative-range';
import { analyticsRequest, initialAnalyticsView, linkToAnalytics } from '@caseway/contract/search-params';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQueries } from '@tanstack/react-query';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isCompared } from '../../dashboard/compared.ts';
import { endpointsOf } from '../../dashboard/endpoints.ts';
import { useDashboardWords, wordsOf } from '../../dashboard/words.ts';
import { apiQuery, cacheMs } from '../../data/api.ts';
import { useTimeZone } from '../../session/time-zone.ts';
import { useFormats } from '../../words/formats.ts';
import { card } from './card.ts';
import { hasChanged } from './changed.ts';

/** At most this many dashboards are asked. */
const most = 4;
const pathOf = ({ id }: Dashboard) => `/analytics/${id}`;

/** Pixels, so that what follows stays in its place. */
const cardHeight = 124;

const grid = {
  listStyle: 'none',
  margin: 0,
  padding: 0,
  display: 'grid',
  gap: 3,
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(220px, 100%), 1fr))',
} as const;

/**
 * The leading figures that changed in the last whole week, each a link to its dashboard in that week. `paths`:
 * the screens that the user may open.
 */
export default function Figures({ paths }: { paths: readonly string[] }) {
  const chosen = dashboards.filter((of) => of.home && paths.includes(pathOf(of))).slice(0, most);
  // With the words of every figure: loading them later would hide the section again.
  const { t } = useTranslation(['analytics', ...chosen.map(wordsOf)]);
  const formats = useFormats();
  const today = todayIn(useTimeZone());
  const range = resolveRange({ relative: 'last-mmwr-week' }, today);
  const bodyOf = (of: Dashboard) => analyticsRequest(of, { ...initialAnalyticsView(of), range }, today);
  const answers = useQueries({
    queries: chosen.map((of) => ({
      ...apiQuery(endpointsOf(of).search, { body: bodyOf(of) }, true),
      staleTime: cacheMs,
    })),
  });
  const comparisons = useQueries({
    queries: chosen.map((of, index) => {
      const { data } = answers[index]!;
      return {
        ...apiQuery(endpointsOf(of).compare, { body: bodyOf(of) }, true),
        staleTime: cacheMs,
        enabled: data !== undefined && isCompared(of, data),
      };
    }),
  });
  if (chosen.length === 0) return null;
  const queries = [...answers, ...comparisons];
  const waits = queries.some(({ isLoading }) => isLoading);
  const failed = queries.filter(({ isError }) => isError);
  const found = chosen.flatMap((of, index) => {
    const [answer, comparison] = [answers[index]!.data, comparisons[index]!.data];
    const [value, previous] = [answer?.measures[of.home!], comparison?.measures[of.home!]];
    return answer && hasChanged(value, previous, answer)
      ? [{ of, value: value!.value!, before: previous!.value! }]
      : [];
  });
  const isEarly = answers.some(({ data }, index) => data && !isCompared(chosen[index]!, data));
  return (
    <Box component="section" aria-labelledby="home-figures" aria-busy={waits}>
      <Typography variant="h3" component="h2" id="home-figures">
        {t('figures.title')}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', marginTop: 1, marginBottom: 3 }}>
        {t('figures.rule', { start: formats.day(range.start), end: formats.day(range.end) })}
      </Typography>
      {failed.length > 0 ? (
        <Alert
          severity="error"
          sx={{ marginBottom: 3 }}
          action={
            <Button
              color="inherit"
              size="small"
              onClick={() => {
                for (const query of failed) void query.refetch();
              }}
            >
              {t('common:action.retry')}
            </Button>
          }
        >
          {t('figures.failed')}
        </Alert>
      ) : null}
      {waits ? (
        <Skeleton variant="rounded" height={cardHeight} />
      ) : found.length > 0 ? (
        <Box component="ul" sx={grid}>
          {found.map(({ of, value, before }) => (
            <li key={of.id}>
              <Figure of={of} value={value} before={before} to={linkToAnalytics(of, pathOf(of), { range })} />
            </li>
          ))}
        </Box>
      ) : failed.length < queries.length ? (
        <Box sx={{ display: 'grid', alignItems: 'center', minHeight: cardHeight }}>
          <Typography variant="body1">{t('figures.none')}</Typography>
        </Box>
      ) : null}
      {!waits && isEarly ? (
        <Typography variant="body2" sx={{ color: 'text.secondary', marginTop: 2 }}>
          {t('figures.early')}
        </Typography>
      ) : null}
    </Box>
  );
}

/** A count that changed, and what it was. */
function Figure({ of, value, before, to }: { of: Dashboard; value: number; before: number; to: string }) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  const words = useDashboardWords(of);
  const Icon = value > before ? ArrowUp : ArrowDown;
  return (
    <ButtonBase component={Link} to={to} sx={card}>
      <Typography component="span" variant="body1" sx={{ display: 'block', fontWeight: 550 }}>
        {words.measure(of.home!)}
      </Typography>{' '}
      <Typography component="span" sx={{ display: 'block', fontSize: '1.5rem', fontWeight: 650 }}>
        {formats.count(value)}
      </Typography>{' '}
      <Typography
        component="span"
        variant="body2"
        sx={{ display: 'flex', alignItems: 'center', gap: 1, color: 'text.secondary' }}
      >
        <Icon size={14} aria-hidden />
        {t(value > before ? 'figures.up' : 'figures.down', { before: formats.count(before) })}
      </Typography>{' '}
      <Typography component="span" variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
        {words.title}
      </Typography>
    </ButtonBase>
  );
}
