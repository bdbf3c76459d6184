import { endedVisits } from '@caseway/contract/field-visit-flow';
import { type FieldVisit, fieldVisitRecord } from '@caseway/contract/field-visits';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OpenCase, OpenPerson } from '../../record/OpenRecord.tsx';
import { useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { WholeRecord } from '../../record/WholeRecord.tsx';
import { useMay } from '../../session/permissions.ts';
import { useFormats } from '../../words/formats.ts';
import { AddAttempt } from './AddAttempt.tsx';
import { Attempts } from './Attempts.tsx';
import { EditVisit } from './EditVisit.tsx';
import { fieldVisits, whoIs } from './visit-words.ts';

const { endpoints, access } = fieldVisitRecord;
type Name = keyof FieldVisit & string;

/** The fields in each part of the screen. */
const visited: readonly Name[] = ['visitType', 'place', 'phone', 'plannedFor', 'dueOn', 'program', 'note'];
const person: readonly Name[] = ['name', 'birthDate', 'county'];
const progress: readonly Name[] = ['status', 'worker', 'result', 'doneOn', 'cancelledOn', 'createdOn'];
const aboutCase: readonly Name[] = ['caseId', 'condition'];

/** One visit: the place and purpose, the attempts, and whether a worker is out. */
export default function VisitRecord() {
  const { t } = useTranslation('field-visits');
  const mayWrite = useMay()(access.write);
  const [trying, setTrying] = useState(false);
  return (
    <WholeRecord
      of={fieldVisits}
      query={useRecordOfAddress(endpoints.read)}
      lead={(row, text) => [whoIs(row), text('visitType'), text('status')]}
      actions={(row) =>
        mayWrite && row.worker !== null && !isOver(row) ? (
          <Button variant="contained" onClick={() => setTrying(true)}>
            {t('attempt.add')}
          </Button>
        ) : null
      }
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
        </>
      )}
      edit={(row, handlers) => <EditVisit stored={row} {...handlers} />}
      none={(name) => (name === 'worker' ? t('record.nobody') : undefined)}
      parts={(row, { facts, history }) => [
        { title: t('record.visit'), content: facts(visited) },
        { title: t('record.attempts'), content: <Attempts visit={row} /> },
        history,
        {
          aside: true,
          title: t('record.person'),
          content: (
            <>
              {facts(person)}
              <OpenPerson id={row.patient} />
            </>
          ),
        },
        { aside: true, title: t('record.status'), content: facts(progress) },
        ...(row.caseRecord && row.caseId
          ? [
              {
                aside: true as const,
                title: t('record.case'),
                content: (
                  <>
                    {facts(aboutCase)}
                    <OpenCase id={row.caseRecord} number={row.caseId} />
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

/** Since when and until when a worker is out, with a warning if they are overdue. */
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
