import { type TelemedicineVisit, telemedicineRoom } from '@caseway/contract/telemedicine';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Video } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { useNow } from '../../ui/useNow.ts';
import { useFormats } from '../../words/formats.ts';

const refreshSeconds = 60;

/** The address of a visit's room around its time, or why there is none; nothing once the visit is over. */
export function Room({ row }: { row: TelemedicineVisit }) {
  return row.active ? <OpenRoom row={row} /> : null;
}

function OpenRoom({ row }: { row: TelemedicineVisit }) {
  const { t } = useTranslation('telemedicine');
  const formats = useFormats();
  const { data, refetch } = useApi(telemedicineRoom, { params: { id: row.id } }, { keepPrevious: false });
  const now = useNow(refreshSeconds);
  const isDue = (at: string | null | undefined) => at != null && now >= Date.parse(at);
  // Every request is logged, so ask again only when it opens or closes by the clock.
  const isOld =
    isDue(data?.opensAt) || (data?.url != null && row.status !== 'in-progress' && isDue(row.endsAt));
  // biome-ignore lint/correctness/useExhaustiveDependencies: until the server, whose clock may be behind, agrees.
  useEffect(() => {
    if (isOld) void refetch();
  }, [isOld, now]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version may have another room.
  useEffect(() => {
    if (data) void refetch();
  }, [row.version]);
  if (!data) return null;
  if (data.url)
    return (
      <Button
        variant="contained"
        href={data.url}
        target="_blank"
        rel="noreferrer noopener"
        startIcon={<Video size={16} aria-hidden />}
        sx={{ alignSelf: 'flex-start', justifySelf: 'start' }}
      >
        {t('room.join')}
      </Button>
    );
  return (
    <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', color: 'text.secondary' }}>
      <Video size={16} aria-hidden style={{ flexShrink: 0 }} />
      <Typography variant="body2">
        {data.opensAt
          ? t('room.early', { at: formats.instant(data.opensAt) })
          : t(`room.${data.closed ?? 'over'}`)}
      </Typography>
    </Box>
  );
}
