import { addDays } from '@caseway/contract/date-range';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import { Calendar as CalendarIcon } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Calendar } from './Calendar.tsx';
import { dayPattern, dayText, parseDayText } from './day-text.ts';

/**
 * A day: typed in the language's order or as YYYY-MM-DD, stepped with the arrows, or chosen in a calendar.
 * Unreadable text stays in the field and is marked; `onChange` gets only days, and null for an empty field.
 */
export function DayField({
  id,
  label,
  value,
  today,
  onChange,
  calendar = true,
  describedBy,
  invalid = false,
}: {
  id?: string;
  /** The accessible name, if no label element names the field. */
  label?: string;
  value: string | null;
  today: string;
  onChange: (day: string | null) => void;
  /** False if there already is a calendar next to it. */
  calendar?: boolean;
  describedBy?: string | undefined;
  invalid?: boolean;
}) {
  const { t, i18n } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another value or language is shown again.
  useEffect(() => {
    setTyped(null);
    setWrong(false);
  }, [value, i18n.language]);

  const commit = () => {
    if (typed === null) return;
    const text = typed.trim();
    const day = text === '' ? null : parseDayText(text);
    if (text !== '' && day === null) {
      setWrong(true);
      return;
    }
    setTyped(null);
    setWrong(false);
    if (day !== value) onChange(day);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit();
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      const from = (typed === null ? value : parseDayText(typed)) ?? today;
      onChange(addDays(from, event.key === 'ArrowUp' ? 1 : -1));
    }
  };
  const close = () => setAnchor(null);
  const choose = (day: string | null) => {
    setTyped(null);
    setWrong(false);
    onChange(day);
    close();
  };

  return (
    <>
      <OutlinedInput
        id={id}
        fullWidth
        value={typed ?? (value === null ? '' : dayText(value))}
        placeholder={dayPattern()}
        error={invalid || wrong}
        onChange={(event) => {
          setTyped(event.target.value);
          setWrong(false);
        }}
        onBlur={commit}
        onKeyDown={onKeyDown}
        inputProps={{
          'aria-label': label,
          'aria-describedby': describedBy,
          'aria-invalid': invalid || wrong,
          title: wrong ? t('fault.date') : undefined,
          inputMode: 'numeric',
          autoComplete: 'off',
        }}
        endAdornment={
          calendar ? (
            <IconButton
              size="small"
              aria-label={t('date.select')}
              aria-haspopup="dialog"
              aria-expanded={anchor !== null}
              onClick={(event) => {
                setChosen(value);
                setAnchor(event.currentTarget);
              }}
              sx={{ marginRight: -2.5, width: 28, height: 28 }}
            >
              <CalendarIcon size={16} />
            </IconButton>
          ) : undefined
        }
      />
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': t('date.select'), sx: { padding: 3 } } }}
      >
        <Calendar
          selected={chosen === null ? null : { start: chosen, end: chosen }}
          today={today}
          onDay={setChosen}
        />
        <Box sx={{ display: 'flex', gap: 1, marginTop: 2 }}>
          <Button size="small" variant="text" onClick={() => setChosen(today)}>
            {t('date.today')}
          </Button>
          <Button size="small" variant="text" onClick={() => choose(null)}>
            {t('date.clear')}
          </Button>
          <Box sx={{ flex: 1 }} />
          <Button size="small" variant="text" onClick={close}>
            {t('date.cancel')}
          </Button>
          <Button size="small" variant="contained" onClick={() => choose(chosen)}>
            {t('date.ok')}
          </Button>
        </Box>
      </Popover>
    </>
  );
}
