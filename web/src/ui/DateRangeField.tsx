import type { DateRange } from '@caseway/contract/date-range';
import { type RangeChoice, resolveRange } from '@caseway/contract/relative-range';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import { Calendar as CalendarIcon, ChevronDown } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { part, useAhead } from '../loading/part.tsx';
import { useFormats } from '../words/formats.ts';
import type { Choice } from './DateRangePanel.tsx';

const loadPanel = () => import('./DateRangePanel.tsx');
const Panel = part('date-range', loadPanel);

type DateRangeFieldProps = {
  defaultRange: (today: string) => DateRange;
  /** Today in the tenant's time zone. */
  today: string;
  /** The days that were really counted, if more than those chosen. */
  counted?: DateRange | undefined;
  /** The dates the range can use, if there is a choice. */
  by?: {
    value: string;
    options: readonly { value: string; label: string }[];
    onChange: (value: string) => void;
  };
} & (
  | {
      /** All days can be chosen too; a list then also has rows without a day. */
      allDays: true;
      value: Choice | null;
      onChange: (choice: Choice | null) => void;
    }
  | {
      allDays?: false;
      /** Null for the screen's default range. */
      value: RangeChoice | null;
      /** Null restores the default range. */
      onChange: (choice: RangeChoice | null) => void;
    }
);

/**
 * The one field for a range of days: relative presets, days typed or chosen in a calendar, whole MMWR weeks.
 * Days are in the tenant's time zone.
 */
export function DateRangeField(props: DateRangeFieldProps) {
  const { value, defaultRange, today, allDays = false, by } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useAhead(loadPanel);
  const chosen = value !== null && value !== 'all' ? resolveRange(value, today) : defaultRange(today);
  const shown = props.counted ?? chosen;
  const name = rangeName(value);
  const days =
    shown.start === shown.end
      ? formats.dayInWords(shown.start)
      : t('date.range', { start: formats.dayInWords(shown.start), end: formats.dayInWords(shown.end) });
  const aloud = value === 'all' ? t('date.all') : name === null ? days : `${t(name)} ${days}`;
  return (
    <Box sx={{ display: 'flex', gap: 1, maxWidth: '100%' }}>
      <Button
        variant="outlined"
        size="small"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-label={t('date.rangeIs', { range: aloud })}
        onClick={(event) => setAnchor(event.currentTarget)}
        startIcon={<CalendarIcon size={16} aria-hidden />}
        endIcon={<ChevronDown size={14} aria-hidden />}
        sx={{ fontWeight: 400, minWidth: 0 }}
      >
        {name === null ? null : (
          <Box component="span" sx={{ fontWeight: 550 }}>
            {t(name)}{' '}
          </Box>
        )}
        {value === 'all' ? null : (
          <Box
            component="span"
            sx={{
              color: name === null ? 'text.primary' : 'text.secondary',
              display: name === null ? 'inline' : { xs: 'none', sm: 'inline' },
              overflow: 'hidden',
              textOverflow: 'ellipsis',
            }}
          >
            {days}
          </Box>
        )}
      </Button>
      {by ? (
        <NativeSelect
          value={by.value}
          onChange={(event) => by.onChange(event.target.value)}
          input={<OutlinedInput sx={{ minHeight: 32, fontSize: '0.8125rem' }} />}
          inputProps={{ 'aria-label': t('date.by') }}
        >
          {by.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </NativeSelect>
      ) : null}
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': t('date.rangeTitle') } }}
      >
        <Suspense fallback={<Box sx={{ width: 504, height: 440 }} />}>
          <Panel
            value={value}
            shown={chosen}
            today={today}
            allDays={allDays}
            onCancel={() => setAnchor(null)}
            onChoose={(choice) => {
              setAnchor(null);
              if (props.allDays) props.onChange(choice);
              else if (choice !== 'all') props.onChange(choice);
            }}
          />
        </Suspense>
      </Popover>
    </Box>
  );
}

/** The key of a choice's name; null for two chosen days. */
const rangeName = (value: Choice | null): string | null =>
  value === null
    ? 'date.default'
    : value === 'all'
      ? 'date.all'
      : 'relative' in value
        ? `date.relative.${value.relative}`
        : null;
