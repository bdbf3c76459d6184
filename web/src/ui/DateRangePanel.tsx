import type { DateRange } from '@caseway/contract/date-range';
import type { RangeChoice, RelativeRange } from '@caseway/contract/relative-range';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../words/formats.ts';
import { Calendar } from './Calendar.tsx';
import { DayField } from './DayField.tsx';

/** The relative ranges in the list, in order. */
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

/** A range, or all days. */
export type Choice = RangeChoice | 'all';

/** The panel of a range field: the presets, and two days typed or chosen in a calendar. */
export default function DateRangePanel({
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
