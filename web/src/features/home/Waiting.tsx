import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { useWaiting } from '../../data/use-waiting.ts';
import { countText } from '../../words/i18n.ts';
import { card } from './card.ts';

/** Late items, marked by color in addition to their words. */
const late: ReadonlySet<string> = new Set(['tasksOverdue', 'visitsOverdue', 'telemedicineOverdue']);

/** What waits for the reader, each a link to exactly that. Nothing if nothing is waiting. */
export function Waiting({ all, isPending }: Pick<ReturnType<typeof useWaiting>, 'all' | 'isPending'>) {
  const { t } = useTranslation();
  if (isPending) return <Skeleton variant="rounded" height={140} />;
  if (all.length === 0) return null;
  return (
    <Box component="section" aria-labelledby="home-waiting">
      <Typography variant="h3" component="h2" id="home-waiting" sx={{ marginBottom: 3 }}>
        {t('waiting.title')}
      </Typography>
      <Box
        component="ul"
        sx={{
          listStyle: 'none',
          margin: 0,
          padding: 0,
          display: 'grid',
          gap: 3,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(150px, 100%), 1fr))',
        }}
      >
        {all.map(({ kind, count, to }) => (
          <li key={kind}>
            <ButtonBase component={Link} to={to} sx={card}>
              <Typography
                component="span"
                sx={{
                  display: 'block',
                  fontSize: '1.5rem',
                  fontWeight: 650,
                  fontVariantNumeric: 'tabular-nums',
                  color: late.has(kind) ? 'error.main' : 'text.primary',
                }}
              >
                {countText(count)}
              </Typography>{' '}
              <Typography component="span" variant="body1" sx={{ color: 'text.secondary' }}>
                {t(`waiting.${kind}`, { count })}
              </Typography>
            </ButtonBase>
          </li>
        ))}
      </Box>
    </Box>
  );
}
