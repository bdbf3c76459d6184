import { clockIn } from '@caseway/contract/zoned-time';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { formatsFor } from '../words/formats.ts';
import { language } from '../words/i18n.ts';
import { RadioLabel } from './RadioLabel.tsx';

/** A time that can be chosen; `detail` is said after it. */
export interface TimeOffered {
  startsAt: string;
  detail?: string | undefined;
}

/** The times of each day by the clocks of a zone, in their order. */
const byDay = (timeZone: string, times: readonly TimeOffered[]) =>
  Map.groupBy(times, ({ startsAt }) => clockIn(timeZone, startsAt).day);

/** How the clocks are set at an instant, `EDT`: says which of two equal times it is. */
const settingOf = (timeZone: string, startsAt: string) =>
  new Intl.DateTimeFormat(language(), { timeZone, timeZoneName: 'short' })
    .formatToParts(new Date(startsAt))
    .find(({ type }) => type === 'timeZoneName')!.value;

/** One of many times: radio buttons, day by day under the name of the day. The arrow keys lead through all of them. */
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
          // No fieldset: it would end the group of radio buttons for some readers.
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
