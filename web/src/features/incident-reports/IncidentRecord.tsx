import { type Incident, incidentRecord, incidentWork } from '@caseway/contract/incident-reports';
import { isAsked } from '@caseway/contract/record';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OpenRecord } from '../../record/OpenRecord.tsx';
import { RecordClocks } from '../../record/RecordClocks.tsx';
import { RecordScreen } from '../../record/RecordScreen.tsx';
import { RecordChanges, RecordSteps } from '../../record/RecordSteps.tsx';
import { useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { useRecordText } from '../../record/use-record-text.ts';
import { useMay } from '../../session/permissions.ts';
import { Facts } from '../../ui/Facts.tsx';
import { EditIncident, incident, oldIncidents } from './EditIncident.tsx';
import { useIncidentWords } from './incident-words.ts';

const { endpoints } = incidentRecord;
type Name = keyof Incident & string;

/** What is in each part of the screen. */
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

/** One report: what happened, to whom, and how far it is. */
export default function IncidentRecord() {
  const { t } = useTranslation('incident-reports');
  const query = useRecordOfAddress(endpoints.read);
  const words = useIncidentWords();
  const text = useRecordText(incident, words);
  const may = useMay();
  const [editing, setEditing] = useState(false);
  const mayWrite = may('incident-reports/write');
  /** The fields that are asked in this report, in words. */
  const shown = (report: Incident, names: readonly Name[]) => (
    <Facts
      facts={names.map((name) => {
        const field = incident.fields[name];
        const said = field && !isAsked(field, report) ? '' : text(name, report[name]);
        return [words.column(name), said && field?.lines ? <Lines key={name} text={said} /> : said] as const;
      })}
    />
  );
  return (
    <RecordScreen
      query={query}
      list="/incident-reports"
      words={{ back: t('record.back'), missing: t('record.missing'), failed: t('record.failed') }}
      title={({ number }) => t('record.title', { number })}
      lead={({ kind, stage, serious }) =>
        [
          words.choice('kind', kind),
          words.choice('stage', stage),
          serious === 'yes' ? t('record.serious') : '',
        ]
          .filter(Boolean)
          .join(' · ')
      }
      actions={(report) => (
        <>
          <Steps report={report} />
          {mayWrite ? (
            <Button variant="outlined" onClick={() => setEditing(true)}>
              {t('edit.change')}
            </Button>
          ) : null}
        </>
      )}
      notes={(report) => (
        <>
          <RecordClocks work={incidentWork} id={report.id} version={report.version} />
          {report.kind === 'vaccine-adverse-event' ? (
            <Alert severity="info">{t('record.noProof')}</Alert>
          ) : null}
          {editing ? (
            <EditIncident
              stored={report}
              onSaved={() => setEditing(false)}
              onClose={() => setEditing(false)}
            />
          ) : null}
        </>
      )}
      parts={(report) => [
        { title: t('record.what'), content: shown(report, happened) },
        ...(report.kind === 'vaccine-adverse-event'
          ? [{ title: t('record.vaccine'), content: shown(report, vaccination) }]
          : []),
        ...(report.vaersId
          ? [
              {
                title: t('record.received'),
                content: (
                  <Facts
                    facts={[
                      [words.column('vaersId'), report.vaersId],
                      [words.column('asReceived'), <Lines key="asReceived" text={report.asReceived ?? ''} />],
                    ]}
                  />
                ),
              },
            ]
          : []),
        {
          title: t('common:history.title'),
          content: (
            <RecordChanges record={incident} row={report} words={words} text={text} old={oldIncidents} />
          ),
        },
        ...(report.patient
          ? [
              {
                aside: true as const,
                title: t('record.person'),
                content: (
                  <>
                    {shown(report, person)}
                    {may('patients/read') ? (
                      <OpenRecord to={`/patients/${report.patient}`} label={t('record.openPerson')} />
                    ) : null}
                  </>
                ),
              },
            ]
          : []),
        { aside: true, title: t('record.about'), content: shown(report, about) },
      ]}
    />
  );
}

/** A text with its lines. */
function Lines({ text }: { text: string }) {
  return <span style={{ whiteSpace: 'pre-line' }}>{text}</span>;
}

/** What can be done with a report in its stage. */
function Steps({ report }: { report: Incident }) {
  const words = useIncidentWords();
  const text = useRecordText(incident, words);
  const { t } = useTranslation('incident-reports');
  return (
    <RecordSteps
      record={incident}
      row={report}
      words={words}
      text={text}
      old={oldIncidents}
      none={(name) => t(name === 'investigator' ? 'record.nobody' : 'record.notKnown')}
    />
  );
}
