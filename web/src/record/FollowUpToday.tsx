import IconButton from '@mui/material/IconButton';
import { CalendarClock, CircleCheck, CircleX, type LucideIcon, Pencil } from 'lucide-react';
import { IconMark } from '../ui/IconMark.tsx';

const marks: Readonly<Record<string, readonly [LucideIcon, color: string]>> = {
  due: [CalendarClock, 'warning.main'],
  seen: [CircleCheck, 'success.main'],
  answered: [CircleCheck, 'success.main'],
  'not-seen': [CircleX, 'error.main'],
  'not-attempted': [CircleX, 'error.main'],
};

/**
 * Today's state of a record under follow-up, with a mark; for users with permission, also a button that
 * records a visit.
 */
export function FollowUpToday({
  today,
  words,
  onNote,
}: {
  /** Null if there is no follow-up today. */
  today: string | null;
  /** `note`: the button's text; `noteOf`: its accessible name, which adds the person. */
  words: { today: (code: string) => string; note: string; noteOf: string };
  onNote?: (() => void) | undefined;
}) {
  if (today === null) return null;
  const [icon, color] = marks[today] ?? [CalendarClock, 'text.secondary'];
  return (
    <>
      <IconMark icon={icon} color={color}>
        {words.today(today)}
      </IconMark>
      {onNote ? (
        <IconButton
          size="small"
          tabIndex={-1}
          title={words.note}
          aria-label={words.noteOf}
          onClick={onNote}
          sx={{ width: 28, height: 28 }}
        >
          <Pencil size={14} aria-hidden />
        </IconButton>
      ) : null}
    </>
  );
}
