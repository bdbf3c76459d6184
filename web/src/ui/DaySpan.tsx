import { addDays } from '@caseway/contract/date-range';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../words/formats.ts';

/** A number of days from one on, with buttons to earlier and later ones; none before today. */
export function DaySpan({
  from,
  days,
  today,
  onChange,
}: {
  from: string;
  days: number;
  today: string;
  onChange: (from: string) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const before = addDays(from, -days);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
      <Button
        size="small"
        variant="outlined"
        startIcon={<ChevronLeft size={14} aria-hidden />}
        disabled={from <= today}
        onClick={() => onChange(before < today ? today : before)}
      >
        {t('days.earlier')}
      </Button>
      <Typography variant="body2" aria-live="polite" sx={{ flex: '1 1 auto', textAlign: 'center' }}>
        {t('days.range', { from: formats.day(from), to: formats.day(addDays(from, days - 1)) })}
      </Typography>
      <Button
        size="small"
        variant="outlined"
        endIcon={<ChevronRight size={14} aria-hidden />}
        onClick={() => onChange(addDays(from, days))}
      >
        {t('days.later')}
      </Button>
    </Box>
  );
}
