import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../words/formats.ts';
import { useWork, type WorkOf } from './use-work.ts';

/** The deadlines of a record: its running clocks. Nothing if none runs. */
export function RecordClocks(of: WorkOf) {
  const { t } = useTranslation('work-tasks');
  const formats = useFormats();
  const { clocks = [] } = useWork(of).data ?? {};
  if (clocks.length === 0) return null;
  return (
    <Box
      component="ul"
      aria-label={t('title.clocks')}
      sx={{
        listStyle: 'none',
        margin: 0,
        padding: 0,
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 4,
        rowGap: 1,
      }}
    >
      {clocks.map(({ clock, dueOn, overdue }) => (
        <Typography
          key={clock}
          component="li"
          variant="body2"
          sx={{
            display: 'inline-flex',
            alignItems: 'center',
            gap: 1.5,
            color: overdue ? 'error.main' : 'text.secondary',
            fontWeight: overdue ? 650 : undefined,
          }}
        >
          {overdue ? <TriangleAlert size={14} aria-hidden /> : null}
          {t(overdue ? 'clock.overdue' : 'clock.until', {
            clock: t(`clock.${clock}`),
            day: formats.dayInWords(dueOn),
          })}
        </Typography>
      ))}
    </Box>
  );
}
