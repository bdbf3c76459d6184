import {
  addDays,
  type DateRange,
  endOfMonth,
  mmwrWeek,
  startOfMmwrWeek,
  startOfMonth,
} from '@caseway/contract/date-range';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dayAloud, monthText, weekdays } from './day-text.ts';

const monthsFrom = (value: string, months: number): string => {
  const [year, month, day] = value.split('-').map(Number) as [number, number, number];
  const first = new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
  const last = endOfMonth(first);
  const same = `${first.slice(0, 8)}${String(day).padStart(2, '0')}`;
  return same <= last ? same : last;
};

/**
 * One month in MMWR weeks (Sunday first); a week's number selects the whole week. Arrows move by day and
 * week, Page Up and Down by month, with Shift by year, Home and End to the ends of the week.
 */
export function Calendar({
  selected,
  today,
  onDay,
  onWeek,
}: {
  /** Selected days; null for none. */
  selected: DateRange | null;
  today: string;
  onDay: (day: string) => void;
  /** Absent to hide week numbers. */
  onWeek?: (week: DateRange) => void;
}) {
  const { t } = useTranslation();
  const heading = useId();
  const [active, setActive] = useState(selected?.end ?? today);
  const grid = useRef<HTMLDivElement>(null);
  const moved = useRef(false);
  const shownEnd = selected?.end;
  useEffect(() => {
    if (shownEnd !== undefined) setActive(shownEnd);
  }, [shownEnd]);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus();
  }, [active]);

  const month = startOfMonth(active);
  const first = startOfMmwrWeek(month);
  const weekCount = Math.ceil((Date.parse(endOfMonth(active)) - Date.parse(first)) / 86_400_000 / 7 + 1 / 7);
  const weeks = Array.from({ length: weekCount }, (_, index) => addDays(first, index * 7));

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, () => string> = {
      ArrowLeft: () => addDays(active, -1),
      ArrowRight: () => addDays(active, 1),
      ArrowUp: () => addDays(active, -7),
      ArrowDown: () => addDays(active, 7),
      Home: () => startOfMmwrWeek(active),
      End: () => addDays(startOfMmwrWeek(active), 6),
      PageUp: () => monthsFrom(active, event.shiftKey ? -12 : -1),
      PageDown: () => monthsFrom(active, event.shiftKey ? 12 : 1),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    moved.current = true;
    setActive(step());
  };

  return (
    <Box sx={{ width: onWeek ? 284 : 252 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', marginBottom: 1 }}>
        <IconButton
          size="small"
          aria-label={t('date.previousMonth')}
          onClick={() => setActive(monthsFrom(active, -1))}
        >
          <ChevronLeft size={16} />
        </IconButton>
        <Typography id={heading} aria-live="polite" variant="body1" sx={{ fontWeight: 550 }}>
          {monthText(month)}
        </Typography>
        <IconButton size="small" aria-label={t('date.next')} onClick={() => setActive(monthsFrom(active, 1))}>
          <ChevronRight size={16} />
        </IconButton>
      </Box>
      <Box
        ref={grid}
        role="grid"
        aria-labelledby={heading}
        onKeyDown={onKeyDown}
        sx={{
          display: 'grid',
          gridTemplateColumns: onWeek ? '32px repeat(7, 36px)' : 'repeat(7, 36px)',
          '& > [role=row]': { display: 'contents' },
        }}
      >
        <Box role="row">
          {onWeek ? (
            <Cell role="columnheader" title={t('date.mmwrWeeks')}>
              {t('date.weekShort')}
            </Cell>
          ) : null}
          {weekdays().map(({ short, long }) => (
            <Cell key={long} role="columnheader" title={long}>
              {short}
            </Cell>
          ))}
        </Box>
        {weeks.map((week) => {
          const { year, week: number } = mmwrWeek(week);
          return (
            <Box role="row" key={week}>
              {onWeek ? (
                <Box role="rowheader" sx={{ display: 'grid', placeItems: 'center' }}>
                  <Box
                    component="button"
                    type="button"
                    tabIndex={-1}
                    aria-label={t('date.mmwrWeek', { week: number, year })}
                    title={t('date.mmwrWeek', { week: number, year })}
                    onClick={() => onWeek({ start: week, end: addDays(week, 6) })}
                    sx={{
                      border: 0,
                      background: 'none',
                      font: 'inherit',
                      fontSize: '0.75rem',
                      width: 28,
                      height: 28,
                      borderRadius: '6px',
                      cursor: 'pointer',
                      color: 'text.tertiary',
                      '&:hover': { backgroundColor: 'raised', color: 'text.primary' },
                    }}
                  >
                    {number}
                  </Box>
                </Box>
              ) : null}
              {Array.from({ length: 7 }, (_, index) => addDays(week, index)).map((day) => {
                const within = selected !== null && day >= selected.start && day <= selected.end;
                const end = selected !== null && (day === selected.start || day === selected.end);
                return (
                  <Box
                    key={day}
                    role="gridcell"
                    aria-selected={within}
                    sx={{
                      height: 36,
                      display: 'grid',
                      placeItems: 'center',
                      backgroundColor: within ? 'tint' : undefined,
                      borderTopLeftRadius: day === selected?.start ? 6 : 0,
                      borderBottomLeftRadius: day === selected?.start ? 6 : 0,
                      borderTopRightRadius: day === selected?.end ? 6 : 0,
                      borderBottomRightRadius: day === selected?.end ? 6 : 0,
                    }}
                  >
                    <Box
                      component="button"
                      type="button"
                      data-day={day}
                      tabIndex={day === active ? 0 : -1}
                      aria-label={dayAloud(day)}
                      aria-current={day === today ? 'date' : undefined}
                      onClick={() => {
                        setActive(day);
                        onDay(day);
                      }}
                      sx={{
                        width: 34,
                        height: 34,
                        border: day === today ? 1 : 0,
                        borderColor: 'primary.main',
                        borderRadius: '6px',
                        font: 'inherit',
                        fontSize: '0.8125rem',
                        cursor: 'pointer',
                        backgroundColor: end ? 'primary.main' : 'transparent',
                        color: end
                          ? 'primary.contrastText'
                          : day.slice(0, 7) === month.slice(0, 7)
                            ? 'text.primary'
                            : within
                              ? 'text.secondary'
                              : 'text.tertiary',
                        '&:hover': end ? {} : { backgroundColor: 'raised' },
                      }}
                    >
                      {Number(day.slice(8))}
                    </Box>
                  </Box>
                );
              })}
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}

function Cell({ role, title, children }: { role: 'columnheader'; title: string; children: string }) {
  return (
    <Box
      role={role}
      aria-label={title}
      title={title}
      sx={{
        height: 28,
        display: 'grid',
        placeItems: 'center',
        fontSize: '0.75rem',
        color: 'text.tertiary',
      }}
    >
      {children}
    </Box>
  );
}
