import { mayCheckIn } from '@caseway/contract/own-waiting';
import {
  type TelemedicineVisit,
  telemedicineRecord,
  telemedicineVersion,
} from '@caseway/contract/telemedicine';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import Alert from '@mui/material/Alert';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { OpenCase, OpenPerson } from '../../record/OpenRecord.tsx';
import { useIdOfAddress, useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { WholeRecord } from '../../record/WholeRecord.tsx';
import { useMay } from '../../session/permissions.ts';
import { useNow } from '../../ui/useNow.ts';
import { useFormats } from '../../words/formats.ts';
import { EditVisit } from './EditVisit.tsx';
import { FreeTimeField } from './FreeTimeField.tsx';
import { Room } from './Room.tsx';
import { visits, whose } from './visit-words.ts';
import { WaitsNow } from './WaitingRoom.tsx';

const { endpoints } = telemedicineRecord;
const refreshSeconds = 30;
type Name = keyof TelemedicineVisit & string;

/** The fields in each part of the screen. */
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

/** One visit: when and with whom, how it went, and where it is held. */
export default function VisitRecord() {
  const { t, i18n } = useTranslation('telemedicine');
  const query = useRecordOfAddress(endpoints.read);
  const may = useMay();
  const now = useNow(refreshSeconds);
  const { timeZone } = useFormats();
  const { id } = useIdOfAddress();
  const latest = useApi(telemedicineVersion, { params: { id } }, { keepPrevious: false, enabled: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked again at every tick of the clock.
  useEffect(() => {
    const known = query?.data;
    // The person can now arrive on their own phone. Reading is logged, so only a changed visit is read again.
    if (known && mayCheckIn(known, now))
      void latest.refetch().then(({ data }) => {
        if (data?.version !== known.version) void query.refetch();
      });
  }, [now]);
  return (
    <WholeRecord
      of={visits}
      query={query}
      lead={(row, text) => [whose(row), text('status'), text('startsAt')]}
      notes={(row) => (
        <>
          <WaitsNow visit={row} />
          {row.overdue === 'yes' ? <Alert severity="warning">{t('overdue.text')}</Alert> : null}
          {may('telemedicine/provide') ? <Room row={row} /> : null}
        </>
      )}
      edit={(row, handlers) => <EditVisit stored={row} {...handlers} />}
      none={(name) => (name === 'provider' ? t('free.anyProvider') : undefined)}
      own={(row) => ({ startsAt: (shown) => <FreeTimeField {...shown} visit={row} /> })}
      parts={(row, { facts, history }) => [
        {
          title: t('record.booking'),
          // The time zone of the times.
          content: facts(booking, [
            [t('record.zone'), row.startsAt && nameOfTimeZone(timeZone, i18n.language)],
          ]),
        },
        { title: t('record.held'), content: facts(held) },
        history,
        {
          aside: true,
          title: t('record.person'),
          content: (
            <>
              {facts(person)}
              <OpenPerson id={row.patient} />
              <OpenCase id={row.caseRecord} number={row.caseId} />
            </>
          ),
        },
      ]}
    />
  );
}
