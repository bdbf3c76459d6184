import { type Contact, contactFollowUp, contactRecord } from '@caseway/contract/contacts';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CaseField } from '../../record/CaseField.tsx';
import { FollowUp } from '../../record/FollowUp.tsx';
import { OpenRecord } from '../../record/OpenRecord.tsx';
import { RecordFacts } from '../../record/RecordFacts.tsx';
import { RecordScreen } from '../../record/RecordScreen.tsx';
import { RecordChanges, RecordSteps } from '../../record/RecordSteps.tsx';
import { useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { useMay } from '../../session/permissions.ts';
import { NoteVisit, whoIs } from './ContactToday.tsx';
import { contact, oldContacts, useContactText, useContactWords } from './contact-words.ts';
import { EditContact } from './EditContact.tsx';

const { endpoints, access } = contactRecord;
type Name = keyof Contact & string;

/** What is in each part of the screen. */
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
/** Of somebody without a name. */
const described: readonly Name[] = ['description', 'sex', 'age', 'phone', 'county'];

/** One contact: who it is, the exposure, and the follow-up day by day. */
export default function ContactRecord() {
  const { t } = useTranslation('contacts');
  const query = useRecordOfAddress(endpoints.read);
  const words = useContactWords();
  const may = useMay();
  const [editing, setEditing] = useState(false);
  const [visiting, setVisiting] = useState(false);
  const mayWrite = may(access.write);
  const facts = (row: Contact, names: readonly Name[]) => <ContactFacts row={row} names={names} />;
  return (
    <RecordScreen
      query={query}
      list="/contacts"
      words={{ back: t('record.back'), missing: t('record.missing'), failed: t('record.failed') }}
      title={({ number }) => t('record.title', { number })}
      lead={(row) =>
        [whoIs(row), words.choice('status', row.status), row.today && words.choice('today', row.today)]
          .filter(Boolean)
          .join(' · ')
      }
      actions={(row) => (
        <>
          {mayWrite && row.status === 'under-follow-up' ? (
            <Button variant="contained" onClick={() => setVisiting(true)}>
              {t('visit.note')}
            </Button>
          ) : null}
          <Steps row={row} />
          {mayWrite ? (
            <Button variant="outlined" onClick={() => setEditing(true)}>
              {t('edit.change')}
            </Button>
          ) : null}
        </>
      )}
      notes={(row) => (
        <>
          {visiting ? <NoteVisit row={row} onClose={() => setVisiting(false)} /> : null}
          {editing ? (
            <EditContact stored={row} onSaved={() => setEditing(false)} onClose={() => setEditing(false)} />
          ) : null}
        </>
      )}
      parts={(row) => [
        { title: t('record.followUp'), content: <FollowUp of={contactFollowUp} id={row.id} /> },
        { title: t('record.exposure'), content: facts(row, exposure) },
        {
          title: t('common:history.title'),
          content: <History row={row} />,
        },
        {
          aside: true,
          title: t('record.person'),
          content: (
            <>
              {facts(row, row.patient ? person : described)}
              {row.patient && may('patients/read') ? (
                <OpenRecord to={`/patients/${row.patient}`} label={t('record.openPerson')} />
              ) : null}
            </>
          ),
        },
        { aside: true, title: t('record.status'), content: facts(row, followed) },
        {
          aside: true,
          title: t('record.cases'),
          content: (
            <>
              {facts(row, ['caseId', 'becameCaseId'])}
              {may('case-reports/read') ? (
                <>
                  {<OpenRecord to={`/case-reports/${row.caseRecord}`} label={t('record.openCase')} />}
                  {row.becameCase && row.becameCaseId ? (
                    <OpenRecord to={`/case-reports/${row.becameCase}`} label={t('record.openBecome')} />
                  ) : null}
                </>
              ) : null}
            </>
          ),
        },
      ]}
    />
  );
}

function ContactFacts({ row, names }: { row: Contact; names: readonly Name[] }) {
  const words = useContactWords();
  const text = useContactText(row);
  return <RecordFacts record={contact} row={row} names={names} label={words.column} text={text} />;
}

function History({ row }: { row: Contact }) {
  const words = useContactWords();
  const text = useContactText(row);
  return <RecordChanges record={contact} row={row} words={words} text={text} old={oldContacts} />;
}

/** What can be done with a contact in its status. */
function Steps({ row }: { row: Contact }) {
  const words = useContactWords();
  const text = useContactText(row);
  const { t } = useTranslation('contacts');
  return (
    <RecordSteps
      record={contact}
      row={row}
      words={words}
      text={text}
      old={oldContacts}
      none={(name) => (name === 'investigator' ? t('record.nobody') : undefined)}
      own={{ becameCase: (shown) => <CaseField {...shown} help={t('edit.help.becameCase')} /> }}
    />
  );
}
