import { patientPerson } from '@caseway/contract/patients';
import { anyRecord } from '@caseway/contract/record';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIdentifiers } from '../../data/use-identifiers.ts';
import { PersonTimeline } from '../../record/PersonTimeline.tsx';
import { RecordScreen } from '../../record/RecordScreen.tsx';
import { RecordChanges } from '../../record/RecordSteps.tsx';
import { shownField } from '../../record/shown-field.tsx';
import { useTimelineCodes } from '../../record/timeline-words.ts';
import { useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { useRecordText } from '../../record/use-record-text.ts';
import { useMay } from '../../session/permissions.ts';
import { Facts } from '../../ui/Facts.tsx';
import { useFormats } from '../../words/formats.ts';
import { EditPatient, oldPatients } from './EditPatient.tsx';
import { useMerged } from './merged-person.tsx';
import { listName, usePatientWords } from './patient-words.ts';

const record = anyRecord(patientPerson);

/** One person: what is known of them, and all their records that the reader may see. */
export function PatientRecord({
  access,
  report,
}: {
  access: (patientId: string) => ReactNode;
  /** What else can be written down about the person. */
  report: (person: { id: string; label: string }) => ReactNode;
}) {
  const { t } = useTranslation('patients');
  const found = useMerged(useRecordOfAddress(patientPerson.endpoints.read));
  const may = useMay();
  const formats = useFormats();
  const [correcting, setCorrecting] = useState(false);
  const words = usePatientWords();
  const text = useRecordText(record, words);
  const identifiers = useIdentifiers();
  return (
    <RecordScreen
      {...found}
      list="/patients"
      words={{
        back: t('record.back'),
        missing: t('record.missingTitle'),
        failed: t('record.errorTitle'),
      }}
      title={(person) => listName(person) || t('record.nameless')}
      lead={(person) =>
        [text('sex', person.sex), person.birthDate && formats.dayInWords(person.birthDate)]
          .filter(Boolean)
          .join(' · ')
      }
      actions={(person) => (
        <>
          {report({ id: person.id, label: listName(person) || t('record.nameless') })}
          {may('patients/write') && person.told ? (
            <Button variant="contained" onClick={() => setCorrecting(true)}>
              {t('edit.correct')}
            </Button>
          ) : null}
        </>
      )}
      notes={(person) => (
        <>
          {person.told ? null : <Alert severity="info">{t('record.untold')}</Alert>}
          {correcting ? (
            <EditPatient
              person={person}
              onSaved={() => setCorrecting(false)}
              onClose={() => setCorrecting(false)}
            />
          ) : null}
        </>
      )}
      parts={(person) => [
        {
          title: t('record.person'),
          content: (
            <>
              <Facts
                facts={[
                  ...patientPerson.form.map(
                    (name) => [words.column(name), shownField(record, text, name, person[name])] as const,
                  ),
                  ...identifiers(person.numbers).map(({ kind, text: number }) => [kind, number] as const),
                ]}
              />
              <RecordChanges
                record={record}
                row={person}
                words={words}
                text={text}
                old={oldPatients}
                mayUndo={person.told}
              />
            </>
          ),
        },
        ...(may('case-reports/read')
          ? [{ title: t('common:timeline.title'), content: <Records patientId={person.id} /> }]
          : []),
        { aside: true as const, title: t('record.portal'), content: access(person.id) },
      ]}
    />
  );
}

/** The cases and results of a person, each with what is said of it. */
function Records({ patientId }: { patientId: string }) {
  const { t } = useTranslation('case-reports');
  const code = (field: string, value: string) =>
    field === 'classification' ? t(`classification.${value}`) : t(`status.${value}`);
  const others = useTimelineCodes();
  return <PersonTimeline patientId={patientId} currentId="" codes={{ ...others, 'case-reports': code }} />;
}
