import { type Incident, incidentRecord, incidentWork } from '@caseway/contract/incident-reports';
import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { OpenPerson } from '../../record/OpenRecord.tsx';
import { RecordClocks } from '../../record/RecordClocks.tsx';
import { Lines } from '../../record/shown-field.tsx';
import { useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { WholeRecord } from '../../record/WholeRecord.tsx';
import { EditIncident } from './EditIncident.tsx';
import { incidents, useIncidentWords } from './incident-words.ts';

const { endpoints } = incidentRecord;
type Name = keyof Incident & string;

/** The fields in each part of the screen. */
const happened: readonly Name[] = [
  'occurredOn',
  'narrative',
  'category',
  'event',
  'harm',
  'measures',
  'seriousness',
  'hospitalDays',
  'emergencyVisit',
  'outcome',
  'diedOn',
  'classification',
];
const vaccination: readonly Name[] = [
  'vaccinatedOn',
  'vaccines',
  'reactions',
  'otherReactions',
  'pregnant',
  'medicalHistory',
  'medicines',
  'allergies',
  'tests',
];
const about: readonly Name[] = [
  'receivedOn',
  'reporterRole',
  'reporter',
  'investigator',
  'facility',
  'program',
  'visitType',
  'diseaseFamily',
  'createdOn',
];
const person: readonly Name[] = ['lastName', 'firstName', 'birthDate', 'sex', 'county'];

/** One report: what happened, to whom, and its state. */
export default function IncidentRecord() {
  const { t } = useTranslation('incident-reports');
  const words = useIncidentWords();
  return (
    <WholeRecord
      of={incidents}
      query={useRecordOfAddress(endpoints.read)}
      lead={({ serious }, text) => [
        text('kind'),
        text('stage'),
        serious === 'yes' ? t('record.serious') : '',
      ]}
      notes={(report) => (
        <>
          <RecordClocks work={incidentWork} id={report.id} version={report.version} />
          {report.kind === 'vaccine-adverse-event' ? (
            <Alert severity="info">{t('record.noProof')}</Alert>
          ) : null}
        </>
      )}
      edit={(report, handlers) => <EditIncident stored={report} {...handlers} />}
      none={(name) => t(name === 'investigator' ? 'record.nobody' : 'record.notKnown')}
      parts={(report, { facts, history }) => [
        { title: t('record.what'), content: facts(happened) },
        ...(report.kind === 'vaccine-adverse-event'
          ? [{ title: t('record.vaccine'), content: facts(vaccination) }]
          : []),
        ...(report.vaersId
          ? [
              {
                title: t('record.received'),
                content: facts(
                  ['vaersId'],
                  [[words.column('asReceived'), <Lines key="asReceived" text={report.asReceived ?? ''} />]],
                ),
              },
            ]
          : []),
        history,
        ...(report.patient
          ? [
              {
                aside: true as const,
                title: t('record.person'),
                content: (
                  <>
                    {facts(person)}
                    <OpenPerson id={report.patient} />
                  </>
                ),
              },
            ]
          : []),
        { aside: true, title: t('record.about'), content: facts(about) },
      ]}
    />
  );
}
