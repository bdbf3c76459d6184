import { endedVisits } from '@caseway/contract/field-visit-flow';
import { type FieldVisit, fieldVisitRecord } from '@caseway/contract/field-visits';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OpenRecord } from '../../record/OpenRecord.tsx';
import { RecordFacts } from '../../record/RecordFacts.tsx';
import { RecordScreen } from '../../record/RecordScreen.tsx';
import { RecordChanges, RecordSteps } from '../../record/RecordSteps.tsx';
import { useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { useMay } from '../../session/permissions.ts';
import { useFormats } from '../../words/formats.ts';
import { AddAttempt } from './AddAttempt.tsx';
import { Attempts } from './Attempts.tsx';
import { EditVisit } from './EditVisit.tsx';
import { fieldVisit, oldVisits, useVisitText, useVisitWords, whoIs } from './visit-words.ts';

const { endpoints, access } = fieldVisitRecord;
type Name = keyof FieldVisit & string;

/** What is in each part of the screen. */
const visited: readonly Name[] = ['visitType', 'place', 'phone', 'plannedFor', 'dueOn', 'program', 'note'];
const person: readonly Name[] = ['name', 'birthDate', 'county'];
const progress: readonly Name[] = ['status', 'worker', 'result', 'doneOn', 'cancelledOn', 'createdOn'];
const aboutCase: readonly Name[] = ['caseId', 'condition'];

/** One visit: where to go and what for, the attempts, and whether somebody is out. */
export default function VisitRecord() {
  const { t } = useTranslation('field-visits');
  const query = useRecordOfAddress(endpoints.read);
  const words = useVisitWords();
  const may = useMay();
  const [editing, setEditing] = useState(false);
  const [trying, setTrying] = useState(false);
  const mayWrite = may(access.write);
  const facts = (row: FieldVisit, names: readonly Name[]) => <VisitFacts row={row} names={names} />;
  return (
    <RecordScreen
      query={query}
      list="/field-visits"
      words={{ back: t('record.back'), missing: t('record.missing'), failed: t('record.failed') }}
      title={({ number }) => t('record.title', { number })}
      lead={(row) =>
        [whoIs(row), words.choice('visitType', row.visitType), words.choice('status', row.status)].join(' · ')
      }
      actions={(row) => (
        <>
          {mayWrite && row.worker !== null && !isOver(row) ? (
            <Button variant="contained" onClick={() => setTrying(true)}>
              {t('attempt.add')}
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
          <Out row={row} />
          {(row.twoWorkers || row.noLetter) && !isOver(row) ? (
            <Alert severity="warning">
              {[row.twoWorkers && t('record.twoWorkers'), row.noLetter && t('record.noLetter')]
                .filter(Boolean)
                .join(' ')}
            </Alert>
          ) : null}
          {trying ? <AddAttempt visit={row} onClose={() => setTrying(false)} /> : null}
          {editing ? (
            <EditVisit stored={row} onSaved={() => setEditing(false)} onClose={() => setEditing(false)} />
          ) : null}
        </>
      )}
      parts={(row) => [
        { title: t('record.visit'), content: facts(row, visited) },
        { title: t('record.attempts'), content: <Attempts visit={row} /> },
        { title: t('common:history.title'), content: <History row={row} /> },
        {
          aside: true,
          title: t('record.person'),
          content: (
            <>
              {facts(row, person)}
              {may('patients/read') ? (
                <OpenRecord to={`/patients/${row.patient}`} label={t('record.openPerson')} />
              ) : null}
            </>
          ),
        },
        { aside: true, title: t('record.status'), content: facts(row, progress) },
        ...(row.caseRecord && row.caseId
          ? [
              {
                aside: true as const,
                title: t('record.case'),
                content: (
                  <>
                    {facts(row, aboutCase)}
                    {may('case-reports/read') ? (
                      <OpenRecord to={`/case-reports/${row.caseRecord}`} label={t('record.openCase')} />
                    ) : null}
                  </>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

const isOver = ({ status }: FieldVisit) => (endedVisits as readonly string[]).includes(status);

/** Since when somebody is out, and until when; with a warning if they are not back in time. */
function Out({ row }: { row: FieldVisit }) {
  const { t } = useTranslation('field-visits');
  const formats = useFormats();
  const { outSince, expectedBack } = row;
  if (outSince === null || expectedBack === null) return null;
  return row.return === 'overdue' ? (
    <Alert severity="error">{t('record.overdue', { at: formats.instant(expectedBack) })}</Alert>
  ) : (
    <Alert severity="info">
      {t('record.out', { since: formats.time(outSince), at: formats.instant(expectedBack) })}
    </Alert>
  );
}

function VisitFacts({ row, names }: { row: FieldVisit; names: readonly Name[] }) {
  const words = useVisitWords();
  const text = useVisitText(row);
  return <RecordFacts record={fieldVisit} row={row} names={names} label={words.column} text={text} />;
}

function History({ row }: { row: FieldVisit }) {
  const words = useVisitWords();
  const text = useVisitText(row);
  return <RecordChanges record={fieldVisit} row={row} words={words} text={text} old={oldVisits} />;
}

/** What can be done with a visit in its status. */
function Steps({ row }: { row: FieldVisit }) {
  const words = useVisitWords();
  const text = useVisitText(row);
  const { t } = useTranslation('field-visits');
  return (
    <RecordSteps
      record={fieldVisit}
      row={row}
      words={words}
      text={text}
      old={oldVisits}
      none={(name) => (name === 'worker' ? t('record.nobody') : undefined)}
    />
  );
}
