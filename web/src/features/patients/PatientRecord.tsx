import { patientPerson } from '@caseway/contract/patients';
import { patientWork } from '@caseway/contract/work-tasks';
import Alert from '@mui/material/Alert';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useIdentifiers } from '../../data/use-identifiers.ts';
import { PersonTimeline } from '../../record/PersonTimeline.tsx';
import { RecordTasks } from '../../record/RecordTasks.tsx';
import { useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { WholeRecord } from '../../record/WholeRecord.tsx';
import { useMay } from '../../session/permissions.ts';
import { EditPatient } from './EditPatient.tsx';
import { useMerged } from './merged-person.tsx';
import { listName, people } from './patient-words.ts';

/** One person: what is known of them, and all their records the reader may see. */
export function PatientRecord({
  access,
  report,
  vaccinations,
  documents,
}: {
  access: (patientId: string) => ReactNode;
  vaccinations: (patientId: string) => ReactNode;
  documents: (patientId: string) => ReactNode;
  /** More actions on the person. */
  report: (person: { id: string; label: string }) => ReactNode;
}) {
  const { t } = useTranslation('patients');
  const may = useMay();
  const identifiers = useIdentifiers();
  const nameOf = (person: Parameters<typeof listName>[0]) => listName(person) || t('record.nameless');
  return (
    <WholeRecord
      of={people}
      {...useMerged(useRecordOfAddress(patientPerson.endpoints.read))}
      title={nameOf}
      lead={(_, text) => [text('sex'), text('birthDate')]}
      actions={(person) => report({ id: person.id, label: nameOf(person) })}
      notes={({ told }) => (told ? null : <Alert severity="info">{t('record.untold')}</Alert>)}
      edit={(person, handlers) => <EditPatient person={person} {...handlers} />}
      mayUndo={({ told }) => told}
      parts={(person, { facts, changes }) => [
        {
          title: t('record.person'),
          content: (
            <>
              {facts(
                patientPerson.form.flat(),
                identifiers(person.numbers).map(({ kind, text }) => [kind, text]),
              )}
              {changes}
            </>
          ),
        },
        ...(may('case-reports/read')
          ? [
              {
                content: (
                  <RecordTasks
                    work={patientWork}
                    id={person.id}
                    version={person.version}
                    patientId={person.id}
                  />
                ),
              },
            ]
          : []),
        ...(may('vaccinations/read')
          ? [{ title: t('common:screen.vaccinations'), content: vaccinations(person.id) }]
          : []),
        ...(may('documents/read')
          ? [{ title: t('common:screen.documents'), content: documents(person.id) }]
          : []),
        ...(may('case-reports/read')
          ? [{ title: t('common:timeline.title'), content: <PersonTimeline patientId={person.id} /> }]
          : []),
        { aside: true, title: t('record.portal'), content: access(person.id) },
      ]}
    />
  );
}
