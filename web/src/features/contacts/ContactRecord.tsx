import { type Contact, contactFollowUp, contactRecord } from '@caseway/contract/contacts';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FollowUp } from '../../record/FollowUp.tsx';
import { OpenCase, OpenPerson } from '../../record/OpenRecord.tsx';
import { useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { WholeRecord } from '../../record/WholeRecord.tsx';
import { useMay } from '../../session/permissions.ts';
import { NoteVisit, whoIs } from './ContactToday.tsx';
import { contacts } from './contact-words.ts';
import { EditContact } from './EditContact.tsx';

const { endpoints, access } = contactRecord;
type Name = keyof Contact & string;

/** The fields in each part of the screen. */
const exposure: readonly Name[] = [
  'exposure',
  'relation',
  'firstExposedOn',
  'lastExposedOn',
  'risk',
  'condition',
  'note',
];
const followed: readonly Name[] = [
  'status',
  'investigator',
  'startedOn',
  'followUntil',
  'lastSeenOn',
  'endedOn',
];
const person: readonly Name[] = ['name', 'birthDate', 'description', 'phone', 'county'];
/** For a person without a name. */
const described: readonly Name[] = ['description', 'sex', 'age', 'phone', 'county'];

/** One contact: who it is, the exposure, and the follow-up day by day. */
export default function ContactRecord() {
  const { t } = useTranslation('contacts');
  const mayWrite = useMay()(access.write);
  const [visiting, setVisiting] = useState(false);
  return (
    <WholeRecord
      of={contacts}
      query={useRecordOfAddress(endpoints.read)}
      lead={(row, text) => [whoIs(row), text('status'), text('today')]}
      actions={(row) =>
        mayWrite && row.status === 'under-follow-up' ? (
          <Button variant="contained" onClick={() => setVisiting(true)}>
            {t('visit.note')}
          </Button>
        ) : null
      }
      notes={(row) => (visiting ? <NoteVisit row={row} onClose={() => setVisiting(false)} /> : null)}
      edit={(row, handlers) => <EditContact stored={row} {...handlers} />}
      none={(name) => (name === 'investigator' ? t('record.nobody') : undefined)}
      parts={(row, { facts, history }) => [
        { title: t('record.followUp'), content: <FollowUp of={contactFollowUp} id={row.id} /> },
        { title: t('record.exposure'), content: facts(exposure) },
        history,
        {
          aside: true,
          title: t('record.person'),
          content: (
            <>
              {facts(row.patient ? person : described)}
              <OpenPerson id={row.patient} />
            </>
          ),
        },
        { aside: true, title: t('record.status'), content: facts(followed) },
        {
          aside: true,
          title: t('record.cases'),
          content: (
            <>
              {facts(['caseId', 'becameCaseId'])}
              <OpenCase id={row.caseRecord} number={row.caseId} label={t('record.openCase')} />
              <OpenCase id={row.becameCase} number={row.becameCaseId} label={t('record.openBecome')} />
            </>
          ),
        },
      ]}
    />
  );
}
