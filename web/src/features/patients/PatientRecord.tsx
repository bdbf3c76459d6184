import { type PersonAnswer, patientPerson } from '@caseway/contract/patients';
import { anyRecord } from '@caseway/contract/record';
import { mergedPatient } from '@caseway/contract/same-person';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Merge } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { z } from 'zod';
import { useApi } from '../../data/api.ts';
import { useIdentifiers } from '../../data/use-identifiers.ts';
import { useLabels } from '../../data/use-labels.ts';
import { PersonTimeline } from '../../record/PersonTimeline.tsx';
import { RecordHistory } from '../../record/RecordHistory.tsx';
import { RecordScreen } from '../../record/RecordScreen.tsx';
import { useTimelineCodes } from '../../record/timeline-words.ts';
import { useRecordText } from '../../record/use-record-text.ts';
import { useMay } from '../../session/permissions.ts';
import { ContactLinks } from '../../ui/ContactLink.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { useFormats } from '../../words/formats.ts';
import { EditPatient, oldPatients } from './EditPatient.tsx';
import { listName, usePatientWords } from './patient-words.ts';

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
  const { id = '' } = useParams();
  const isId = z.uuid().safeParse(id).success;
  const query = useApi(
    patientPerson.endpoints.read,
    { params: { id } },
    { enabled: isId, keepPrevious: false },
  );
  const isMissing = query.error?.code === 'not-found';
  const merged = useApi(mergedPatient, { params: { id } }, { enabled: isMissing, keepPrevious: false });
  const may = useMay();
  const formats = useFormats();
  const [correcting, setCorrecting] = useState(false);
  const sex = useLabels('sex');
  return (
    <RecordScreen
      query={isId ? (isMissing && merged.isPending ? merged : query) : undefined}
      list="/patients"
      words={{
        back: t('record.back'),
        missing: t('record.missingTitle'),
        failed: t('record.errorTitle'),
      }}
      instead={
        merged.data && {
          icon: Merge,
          title: t('merged.title'),
          text: t('merged.text', { name: listName(merged.data) || t('record.nameless') }),
          actions: (
            <Button variant="contained" component={Link} to={`/patients/${merged.data.id}`}>
              {t('merged.open')}
            </Button>
          ),
        }
      }
      title={(person) => listName(person) || t('record.nameless')}
      lead={(person) =>
        [sex.of(person.sex), person.birthDate && formats.dayInWords(person.birthDate)]
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
              <PersonFacts person={person} />
              <History person={person} />
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

/** What people have made of a person, and when. */
function History({ person }: { person: PersonAnswer }) {
  const words = usePatientWords();
  const text = useRecordText(anyRecord(patientPerson), words);
  const may = useMay();
  return (
    <RecordHistory
      record={anyRecord(patientPerson)}
      id={person.id}
      label={words.column}
      text={text}
      mayUndo={may('patients/write') && person.told}
      invalidates={oldPatients}
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

function PersonFacts({ person }: { person: PersonAnswer }) {
  const words = usePatientWords();
  const text = useRecordText(anyRecord(patientPerson), words);
  const identifiers = useIdentifiers();
  const fact = (name: (typeof patientPerson.form)[number]) =>
    [
      words.column(name),
      name === 'phones' || name === 'emails'
        ? contact(name === 'phones' ? 'phone' : 'email', person[name])
        : text(name, person[name]),
    ] as const;
  return (
    <Facts
      facts={[
        ...patientPerson.form.map(fact),
        ...identifiers(person.numbers).map(({ kind, text: number }) => [kind, number] as const),
      ]}
    />
  );
}

/** Nothing if there is none, so that the line is left out. */
const contact = (kind: 'phone' | 'email', values: readonly string[]) =>
  values.length === 0 ? null : <ContactLinks kind={kind} values={values} />;
