import {
  longWaitMinutes,
  minutesWaiting,
  type TelemedicineVisit,
  telemedicineRecord,
} from '@caseway/contract/telemedicine';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Clock, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { IconMark } from '../../ui/IconMark.tsx';
import { Section } from '../../ui/Section.tsx';
import { useNow } from '../../ui/useNow.ts';
import { useFormats } from '../../words/formats.ts';
import { useVisitText, whose } from './visit-words.ts';

/** At most this many are shown; the list has all of them. */
const most = 12;
const refreshSeconds = 60;

/** The people who have arrived and are waiting, in order of arrival; nothing if no one is. */
export function WaitingRoom() {
  const { t } = useTranslation('telemedicine');
  const query = useApi(telemedicineRecord.endpoints.search, {
    body: {
      filters: { show: ['waiting'] },
      sortModel: [{ field: 'arrivedAt', sort: 'asc' }],
      paginationModel: { page: 0, pageSize: most },
    },
  });
  const now = useNow(refreshSeconds);
  const { refetch } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked again at every tick of the clock.
  useEffect(() => void refetch(), [now]);
  const { rows = [], rowCount = 0 } = query.data ?? {};
  if (rows.length === 0) return null;
  return (
    <Section title={t('waiting.title', { count: rowCount })}>
      <Box
        component="ol"
        sx={{
          listStyle: 'none',
          margin: 0,
          padding: 0,
          display: 'grid',
          gap: 2,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 240px), 1fr))',
        }}
      >
        {rows.map((row) => (
          <Waiting key={row.id} visit={row} now={now} />
        ))}
      </Box>
    </Section>
  );
}

function Waiting({ visit, now }: { visit: TelemedicineVisit; now: number }) {
  const { t } = useTranslation('telemedicine');
  const formats = useFormats();
  const text = useVisitText(visit);
  const minutes = minutesWaiting(visit, now) ?? 0;
  const isLong = minutes > longWaitMinutes;
  const { arrivedAt, startsAt, provider } = visit;
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        alignContent: 'start',
        gap: 0.5,
        padding: 2.5,
        borderRadius: '6px',
        backgroundColor: 'raised',
        borderLeft: '4px solid',
        borderColor: isLong ? 'error.main' : 'primary.main',
        overflowWrap: 'anywhere',
      }}
    >
      <Box component={Link} to={`/telemedicine/${visit.id}`} sx={{ color: 'primary.main', fontWeight: 550 }}>
        {whose(visit)}
      </Box>
      <Typography variant="body2">
        <IconMark icon={isLong ? TriangleAlert : Clock} color={isLong ? 'error.main' : 'text.secondary'}>
          {t(isLong ? 'waiting.long' : 'waiting.since', { count: minutes })}
        </IconMark>
      </Typography>
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {[
          startsAt && t('waiting.start', { time: formats.time(startsAt) }),
          arrivedAt && t('waiting.arrived', { time: formats.time(arrivedAt) }),
          text('provider', provider),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
    </Box>
  );
}

/** How long a visit's person has been waiting; nothing if they are not. */
export function WaitsNow({ visit }: { visit: TelemedicineVisit }) {
  const { t } = useTranslation('telemedicine');
  const formats = useFormats();
  const now = useNow(refreshSeconds);
  const { status, arrivedAt } = visit;
  if (status !== 'arrived' || arrivedAt === null) return null;
  const minutes = minutesWaiting(visit, now) ?? 0;
  return (
    <Alert severity={minutes > longWaitMinutes ? 'warning' : 'info'}>
      {[t('waiting.since', { count: minutes }), t('waiting.arrived', { time: formats.time(arrivedAt) })].join(
        ' · ',
      )}
    </Alert>
  );
}
