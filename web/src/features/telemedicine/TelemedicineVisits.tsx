import {
  type TelemedicineVisit,
  telemedicineGrid,
  telemedicineRecord,
  telemedicineViews,
} from '@caseway/contract/telemedicine';
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
import { AddRecord } from '../../record/AddRecord.tsx';
import { RecordList } from '../../record/RecordList.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { useMay } from '../../session/permissions.ts';
import { IconMark } from '../../ui/IconMark.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { EditVisit } from './EditVisit.tsx';
import { useVisitWords } from './visit-words.ts';
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

const visits = bulkRecord(telemedicineRecord);

/** Visits by video: who waits now, those of today, and all others; people who may book visits add them. */
export default function TelemedicineVisits() {
  const { t } = useTranslation('telemedicine');
  const words = useVisitWords();
  const state = useGrid(telemedicineGrid);
  const many = useMany<TelemedicineVisit>(visits, state, {
    ...words,
    nameOf: ({ number }) => number,
  });
  const { filters } = state.view;
  const shown = filters.show?.[0] ?? telemedicineViews[0];
  return (
    <RecordList
      title={t('list.title')}
      actions={
        <>
          <Button component={Link} to="/telemedicine/availability" variant="outlined">
            {t('availability.open')}
          </Button>
          {useMay()(telemedicineRecord.access.write) ? (
            <AddRecord
              label={t('edit.add')}
              path="/telemedicine"
              form={(handlers) => <EditVisit stored={null} {...handlers} />}
            />
          ) : null}
        </>
      }
      grid={telemedicineGrid}
      state={state}
      words={words}
      viewLabel={(code) => t(`show.${code}`)}
      searchLabel={t('list.search')}
      cells={{
        number: (row: TelemedicineVisit) => <span className="mono">{row.number}</span>,
        caseId: (row: TelemedicineVisit) => <span className="mono">{row.caseId}</span>,
        status: (row: TelemedicineVisit) => <VisitStatus visit={row} />,
      }}
      {...many}
      empty={{ title: t(`empty.${shown}`), text: t(`empty.${shown}Text`) }}
      path="/telemedicine"
      above={<WaitingRoom />}
    />
  );
}

/** The status in words and with a mark; of a visit for which nobody has come, that it may be a no-show. */
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
