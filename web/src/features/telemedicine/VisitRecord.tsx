import { mayCheckIn } from '@caseway/contract/own-waiting';
import {
  type TelemedicineVisit,
  telemedicineRecord,
  telemedicineVersion,
} from '@caseway/contract/telemedicine';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { OpenRecord } from '../../record/OpenRecord.tsx';
import { RecordScreen } from '../../record/RecordScreen.tsx';
import { RecordChanges, RecordSteps } from '../../record/RecordSteps.tsx';
import { useIdOfAddress, useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { useMay } from '../../session/permissions.ts';
import { Facts } from '../../ui/Facts.tsx';
import { useNow } from '../../ui/useNow.ts';
import { useFormats } from '../../words/formats.ts';
import { EditVisit } from './EditVisit.tsx';
import { FreeTimeField } from './FreeTimeField.tsx';
import { Room } from './Room.tsx';
import { oldVisits, useVisitText, useVisitWords, visit, whose } from './visit-words.ts';
import { WaitsNow } from './WaitingRoom.tsx';

const { endpoints, access } = telemedicineRecord;
const refreshSeconds = 30;
type Name = keyof TelemedicineVisit & string;

/** What is in each part of the screen. */
const booking: readonly Name[] = [
  'startsAt',
  'endsAt',
  'minutes',
  'provider',
  'bookedBy',
  'visitType',
  'taskCategory',
  'program',
  'facility',
  'wantedBy',
  'note',
];
const held: readonly Name[] = [
  'status',
  'consentVersion',
  'consentAt',
  'arrivedAt',
  'joinedAt',
  'endedAt',
  'waited',
  'lasted',
  'measured',
  'connection',
  'cancelledBy',
  'cancelledWhy',
  'cancelledAt',
  'cancelledLate',
];
const person: readonly Name[] = ['name', 'birthDate', 'language', 'interpreter', 'county', 'caseId'];

/** One visit: when and with whom it is, how it went, and where it is held. */
export default function VisitRecord() {
  const { t } = useTranslation('telemedicine');
  const query = useRecordOfAddress(endpoints.read);
  const may = useMay();
  const [editing, setEditing] = useState(false);
  const now = useNow(refreshSeconds);
  const { id } = useIdOfAddress();
  const latest = useApi(telemedicineVersion, { params: { id } }, { keepPrevious: false, enabled: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again each time the clock goes on.
  useEffect(() => {
    const known = query?.data;
    // The person can arrive now, on their own phone. Only a visit that has changed is read again: that is logged.
    if (known && mayCheckIn(known, now))
      void latest.refetch().then(({ data }) => {
        if (data?.version !== known.version) void query.refetch();
      });
  }, [now]);
  return (
    <RecordScreen
      query={query}
      list="/telemedicine"
      words={{ back: t('record.back'), missing: t('record.missing'), failed: t('record.failed') }}
      title={({ number }) => t('record.title', { number })}
      lead={(row) => <Lead row={row} />}
      actions={(row) => (
        <>
          <Steps row={row} />
          {may(access.write) ? (
            <Button variant="outlined" onClick={() => setEditing(true)}>
              {t('edit.change')}
            </Button>
          ) : null}
        </>
      )}
      notes={(row) => (
        <>
          <WaitsNow visit={row} />
          {row.overdue === 'yes' ? <Alert severity="warning">{t('overdue.text')}</Alert> : null}
          {may('telemedicine/provide') ? <Room row={row} /> : null}
          {editing ? (
            <EditVisit stored={row} onSaved={() => setEditing(false)} onClose={() => setEditing(false)} />
          ) : null}
        </>
      )}
      parts={(row) => [
        { title: t('record.booking'), content: <VisitFacts row={row} names={booking} withZone /> },
        { title: t('record.held'), content: <VisitFacts row={row} names={held} /> },
        { title: t('common:history.title'), content: <History row={row} /> },
        {
          aside: true,
          title: t('record.person'),
          content: (
            <>
              <VisitFacts row={row} names={person} />
              {may('patients/read') ? (
                <OpenRecord to={`/patients/${row.patient}`} label={t('record.openPerson')} />
              ) : null}
              {row.caseRecord && row.caseId && may('case-reports/read') ? (
                <OpenRecord to={`/case-reports/${row.caseRecord}`} label={t('record.openCase')} />
              ) : null}
            </>
          ),
        },
      ]}
    />
  );
}

/** Whose visit it is, how far, and when. */
function Lead({ row }: { row: TelemedicineVisit }) {
  const words = useVisitWords();
  const text = useVisitText(row);
  return [whose(row), words.choice('status', row.status), text('startsAt', row.startsAt)]
    .filter(Boolean)
    .join(' · ');
}

function VisitFacts({
  row,
  names,
  withZone = false,
}: {
  row: TelemedicineVisit;
  names: readonly Name[];
  /** Says by which clocks the times are. */
  withZone?: boolean;
}) {
  const { t, i18n } = useTranslation('telemedicine');
  const words = useVisitWords();
  const text = useVisitText(row);
  const { timeZone } = useFormats();
  const zone = withZone && row.startsAt ? nameOfTimeZone(timeZone, i18n.language) : '';
  return (
    <Facts
      facts={[
        ...names.map((name) => [words.column(name), text(name, row[name])] as const),
        [t('record.zone'), zone],
      ]}
    />
  );
}

function History({ row }: { row: TelemedicineVisit }) {
  const words = useVisitWords();
  const text = useVisitText(row);
  return <RecordChanges record={visit} row={row} words={words} text={text} old={oldVisits} />;
}

/** What can be done with a visit in its status. */
function Steps({ row }: { row: TelemedicineVisit }) {
  const words = useVisitWords();
  const text = useVisitText(row);
  const { t } = useTranslation('telemedicine');
  return (
    <RecordSteps
      record={visit}
      row={row}
      words={words}
      text={text}
      old={oldVisits}
      none={(name) => (name === 'provider' ? t('free.anyProvider') : undefined)}
      own={{ startsAt: (shown) => <FreeTimeField {...shown} visit={row} /> }}
    />
  );
}
