import { type TelemedicineVisit, telemedicineGrid, telemedicineRecord } from '@caseway/contract/telemedicine';
import Button from '@mui/material/Button';
import {
  CalendarCheck,
  CalendarX,
  CircleCheck,
  CircleDashed,
  CircleX,
  Clock,
  Hourglass,
  type LucideIcon,
  TriangleAlert,
  Video,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { RecordList } from '../../record/RecordList.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { IconMark } from '../../ui/IconMark.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { EditVisit } from './EditVisit.tsx';
import { useVisitWords, visits } from './visit-words.ts';
import { WaitingRoom } from './WaitingRoom.tsx';

const marks: Readonly<Record<string, readonly [LucideIcon, color: string]>> = {
  proposed: [CircleDashed, 'text.secondary'],
  waitlisted: [Hourglass, 'text.secondary'],
  booked: [CalendarCheck, 'primary.main'],
  arrived: [Clock, 'warning.main'],
  'in-progress': [Video, 'primary.main'],
  fulfilled: [CircleCheck, 'success.main'],
  cancelled: [CalendarX, 'text.secondary'],
  'no-show': [CircleX, 'error.main'],
};

const bulk = bulkRecord(telemedicineRecord);

/** Video visits: who is waiting now, today's, and all others; users who may book visits add them. */
export default function TelemedicineVisits() {
  const { t } = useTranslation('telemedicine');
  const words = useVisitWords();
  const state = useGrid(telemedicineGrid);
  const many = useMany<TelemedicineVisit>(bulk, state, {
    ...words,
    nameOf: ({ number }) => number,
  });
  return (
    <RecordList
      actions={
        <Button component={Link} to="/telemedicine/availability" variant="outlined">
          {t('availability.open')}
        </Button>
      }
      grid={telemedicineGrid}
      state={state}
      words={words}
      edits={visits}
      add={{
        needs: telemedicineRecord.access.write,
        form: (handlers) => <EditVisit stored={null} {...handlers} />,
      }}
      cells={{
        status: (row: TelemedicineVisit) => <VisitStatus visit={row} />,
      }}
      {...many}
      above={<WaitingRoom />}
    />
  );
}

/** The status in words and with a mark; if no one has come, that it may be a no-show. */
function VisitStatus({ visit: { status, overdue } }: { visit: TelemedicineVisit }) {
  const { t } = useTranslation('telemedicine');
  const words = useVisitWords();
  if (overdue === 'yes')
    return (
      <IconMark icon={TriangleAlert} color="error.main">
        {t('overdue.mark')}
      </IconMark>
    );
  const [icon, color] = marks[status] ?? [CircleX, 'text.secondary'];
  return (
    <IconMark icon={icon} color={color}>
      {words.choice('status', status)}
    </IconMark>
  );
}
