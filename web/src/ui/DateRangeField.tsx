import type { DateRange } from '@caseway/contract/date-range';
import { type RangeChoice, type RelativeRange, resolveRange } from '@caseway/contract/relative-range';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { Calendar as CalendarIcon, ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../words/formats.ts';
import { Calendar } from './Calendar.tsx';
import { DayField } from './DayField.tsx';

/** The relative ranges that are offered, in the order of the list. */
const offered: readonly RelativeRange[] = [
  'today',
  'last-7-days',
  'last-30-days',
  'last-90-days',
  'last-12-months',
  'this-mmwr-week',
  'last-mmwr-week',
  'last-4-mmwr-weeks',
  'last-12-mmwr-weeks',
  'this-month',
  'last-month',
  'this-year',
  'last-year',
];

type Choice = RangeChoice | 'all';
type DateRangeFieldProps = {
  defaultRange: (today: string) => DateRange;
  /** Today in the tenant's time zone. */
  today: string;
  /** The days that were really counted, where they are more than those chosen. */
  counted?: DateRange | undefined;
  /** The dates that the range can use, if there is a choice. */
  by?: {
    value: string;
    options: readonly { value: string; label: string }[];
    onChange: (value: string) => void;
  };
} & (
  | {
      /** Every day can be chosen too: a list then has rows without a day as well. */
      allDays: true;
      value: Choice | null;
      onChange: (choice: Choice | null) => void;
    }
  | {
      allDays?: false;
      /** Null: the screen's default range. */
      value: RangeChoice | null;
      /** Null: back to the default range. */
      onChange: (choice: RangeChoice | null) => void;
    }
);

/**
 * The one field for a range of days: presets that move with today, days typed or chosen in a calendar, whole MMWR
 * weeks. Days are in the tenant's time zone.
 */
export function DateRangeField(props: DateRangeFieldProps) {
  const { value, defaultRange, today, allDays = false, by } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
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
      </Popover>
    </Box>
  );
}

/** Key of the name of a choice; null for two days that someone chose. */
const rangeName = (value: Choice | null): string | null =>
  value === null
    ? 'date.default'
    : value === 'all'
      ? 'date.all'
      : 'relative' in value
        ? `date.relative.${value.relative}`
        : null;

function Panel({
  value,
  shown,
  today,
  allDays,
  onCancel,
  onChoose,
}: {
  value: Choice | null;
  shown: DateRange;
  today: string;
  allDays: boolean;
  onCancel: () => void;
  onChoose: (choice: Choice | null) => void;
}) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const id = useId();
  const [draft, setDraft] = useState<{ start: string | null; end: string | null }>(shown);
  const [choosingEnd, setChoosingEnd] = useState(false);
  const inverted = draft.start !== null && draft.end !== null && draft.start > draft.end;
  const incomplete = draft.start === null || draft.end === null;
  const marked =
    draft.start !== null && draft.end !== null && !inverted
      ? { start: draft.start, end: draft.end }
      : draft.start !== null
        ? { start: draft.start, end: draft.start }
        : null;

  const onDay = (day: string) => {
    if (choosingEnd && draft.start !== null && day >= draft.start) {
      setDraft({ start: draft.start, end: day });
      setChoosingEnd(false);
    } else {
      setDraft({ start: day, end: null });
      setChoosingEnd(true);
    }
  };

  return (
    <Box sx={{ display: 'flex', flexDirection: { xs: 'column', sm: 'row' }, maxWidth: 'calc(100vw - 32px)' }}>
      <Box
        component="ul"
        aria-label={t('date.presets')}
        sx={{
          listStyle: 'none',
          margin: 0,
          padding: 1,
          display: 'flex',
          flexDirection: { xs: 'row', sm: 'column' },
          overflow: 'auto',
          borderRight: { sm: 1 },
          borderBottom: { xs: 1, sm: 0 },
          borderColor: { xs: 'divider', sm: 'divider' },
          maxHeight: { sm: 440 },
          minWidth: { sm: 188 },
        }}
      >
        <Preset on={value === null} label={t('date.default')} onClick={() => onChoose(null)} />
        {allDays ? (
          <Preset on={value === 'all'} label={t('date.all')} onClick={() => onChoose('all')} />
        ) : null}
        {offered.map((relative) => (
          <Preset
            key={relative}
            on={value !== null && value !== 'all' && 'relative' in value && value.relative === relative}
            label={t(`date.relative.${relative}`)}
            onClick={() => onChoose({ relative })}
          />
        ))}
      </Box>
      <Box sx={{ padding: 4, display: 'grid', gap: 3, justifyItems: 'center' }}>
        <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2, width: 284 }}>
          <Box>
            <Typography
              component="label"
              htmlFor={`${id}-start`}
              variant="caption"
              sx={{ color: 'text.secondary' }}
            >
              {t('date.start')}
            </Typography>
            <DayField
              id={`${id}-start`}
              calendar={false}
              value={draft.start}
              today={today}
              invalid={inverted}
              describedBy={`${id}-fault`}
              onChange={(start) => setDraft((before) => ({ ...before, start }))}
            />
          </Box>
          <Box>
            <Typography
              component="label"
              htmlFor={`${id}-end`}
              variant="caption"
              sx={{ color: 'text.secondary' }}
            >
              {t('date.end')}
            </Typography>
            <DayField
              id={`${id}-end`}
              calendar={false}
              value={draft.end}
              today={today}
              invalid={inverted}
              describedBy={`${id}-fault`}
              onChange={(end) => setDraft((before) => ({ ...before, end }))}
            />
          </Box>
          <Typography
            id={`${id}-fault`}
            role="alert"
            variant="caption"
            sx={{ gridColumn: '1 / -1', color: 'error.main', '&:empty': { display: 'none' } }}
          >
            {inverted ? t('error.invalid-range') : ''}
          </Typography>
        </Box>
        <Calendar
          selected={marked}
          today={today}
          onDay={onDay}
          onWeek={(week) => {
            setDraft(week);
            setChoosingEnd(false);
          }}
        />
        <Typography variant="caption" sx={{ color: 'text.tertiary', justifySelf: 'start' }}>
          {t('date.timeZone', { timeZone: nameOfTimeZone(formats.timeZone, i18n.language) })}
        </Typography>
        <Box sx={{ display: 'flex', gap: 2, justifySelf: 'stretch' }}>
          <Button size="small" variant="text" onClick={() => onChoose(null)}>
            {t('date.clear')}
          </Button>
          <Box sx={{ flex: 1 }} />
          <Button size="small" variant="outlined" onClick={onCancel}>
            {t('date.cancel')}
          </Button>
          <Button
            size="small"
            variant="contained"
            disabled={inverted || incomplete}
            onClick={() => onChoose({ start: draft.start!, end: draft.end! })}
          >
            {t('date.ok')}
          </Button>
        </Box>
      </Box>
    </Box>
  );
}

function Preset({ on, label, onClick }: { on: boolean; label: string; onClick: () => void }) {
  return (
    <li>
      <Button
        variant="text"
        size="small"
        aria-pressed={on}
        onClick={onClick}
        sx={{
          width: '100%',
          justifyContent: 'flex-start',
          color: 'text.primary',
          fontWeight: on ? 550 : 400,
          backgroundColor: on ? 'tint' : undefined,
        }}
      >
        {label}
      </Button>
    </li>
  );
}
