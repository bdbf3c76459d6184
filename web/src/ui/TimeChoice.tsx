import { clockIn } from '@caseway/contract/zoned-time';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { formatsFor } from '../words/formats.ts';
import { language } from '../words/i18n.ts';
import { RadioLabel } from './RadioLabel.tsx';

/** A time to choose; `detail` follows it. */
export interface TimeOffered {
  startsAt: string;
  detail?: string | undefined;
}

/** The times of each day in a zone, in order. */
const byDay = (timeZone: string, times: readonly TimeOffered[]) =>
  Map.groupBy(times, ({ startsAt }) => clockIn(timeZone, startsAt).day);

/** The name of a zone's time at an instant, `EDT`: tells two equal times apart. */
const settingOf = (timeZone: string, startsAt: string) =>
  new Intl.DateTimeFormat(language(), { timeZone, timeZoneName: 'short' })
    .formatToParts(new Date(startsAt))
    .find(({ type }) => type === 'timeZoneName')!.value;

/** One of many times: radio buttons, grouped by day. The arrow keys move through all of them. */
export function TimeChoice({
  label,
  timeZone,
  times,
  value,
  onChange,
  describedBy,
  invalid = false,
}: {
  label: string;
  timeZone: string;
  times: readonly TimeOffered[];
  value: string;
  onChange: (startsAt: string) => void;
  describedBy?: string | undefined;
  invalid?: boolean;
}) {
  const id = useId();
  const formats = formatsFor(timeZone);
  return (
    <Box
      role="radiogroup"
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      {[...byDay(timeZone, times)].map(([day, offered]) => {
        const shown = offered.map(({ startsAt }) => formats.time(startsAt));
        return (
          // Not a fieldset, which would end the group of radio buttons for some screen readers.
          <Box key={day} role="group" aria-labelledby={`${id}-${day}`}>
            <Typography id={`${id}-${day}`} variant="body2" sx={{ fontWeight: 650, marginBottom: 2 }}>
              {formats.weekday(day)}, {formats.dayInWords(day)}
            </Typography>
            <Box
              sx={{
                display: 'grid',
                gap: 2,
                gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 6.5rem), 1fr))',
              }}
            >
              {offered.map(({ startsAt, detail }, place) => {
                const isTwice = shown.filter((one) => one === shown[place]).length > 1;
                return (
                  <Time
                    key={startsAt}
                    name={id}
                    value={startsAt}
                    time={isTwice ? `${shown[place]} ${settingOf(timeZone, startsAt)}` : shown[place]!}
                    detail={detail}
                    on={startsAt === value}
                    onChoose={() => onChange(startsAt)}
                  />
                );
              })}
            </Box>
          </Box>
        );
      })}
    </Box>
  );
}

function Time({
  name,
  value,
  time,
  detail,
  on,
  onChoose,
}: {
  name: string;
  value: string;
  time: string;
  detail: string | undefined;
  on: boolean;
  onChoose: () => void;
}) {
  return (
    <RadioLabel
      name={name}
      value={value}
      on={on}
      onChoose={onChoose}
      sx={{
        display: 'grid',
        alignContent: 'center',
        justifyItems: 'center',
        minHeight: 44,
        padding: '6px 8px',
        border: 1,
        borderColor: on ? 'primary.main' : 'divider',
        borderRadius: '6px',
        textAlign: 'center',
        fontWeight: on ? 650 : 400,
        backgroundColor: on ? 'raised' : 'surface',
        boxShadow: (theme) => (on ? `inset 0 0 0 1px ${theme.vars!.palette.primary.main}` : 'none'),
      }}
    >
      <span>{time}</span>
      {detail ? (
        <Typography
          component="span"
          variant="caption"
          sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
        >
          {detail}
        </Typography>
      ) : null}
    </RadioLabel>
  );
}
