import { type Incident, incidentRecord, incidentWork } from '@caseway/contract/incident-reports';
import { anyRecord } from '@caseway/contract/record';
import { readTimeline } from '@caseway/contract/timeline';
import { useTranslation } from 'react-i18next';
import { answered, EditRecord } from '../../record/EditRecord.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { PersonField } from '../../record/PersonField.tsx';
import { RecordFields } from '../../record/RecordFields.tsx';
import { useRecordText } from '../../record/use-record-text.ts';
import { notify } from '../../session/notify.ts';
import { useFormats } from '../../words/formats.ts';
import { useIncidentWords } from './incident-words.ts';

export const incident = anyRecord(incidentRecord);
const { endpoints } = incidentRecord;
/** What a change of a report makes old. */
export const oldIncidents = [endpoints.read, endpoints.history, endpoints.search, incidentWork, readTimeline];

/** The form in lines: what is short shares one. */
const lines = {
  fields: incident.fields,
  form: [
    'kind',
    'patient',
    ['receivedOn', 'occurredOn'],
    'narrative',
    ['category', 'event'],
    ['harm', 'vaccinatedOn'],
    'measures',
    'vaccines',
    'reactions',
    'otherReactions',
    'seriousness',
    ['hospitalDays', 'emergencyVisit'],
    ['outcome', 'diedOn'],
    'pregnant',
    'medicalHistory',
    'medicines',
    'allergies',
    'tests',
    ['facility', 'program'],
    ['visitType', 'diseaseFamily'],
    ['reporterRole', 'reporter'],
  ],
};
const helped: ReadonlySet<string> = new Set([
  'patient',
  'facility',
  'diseaseFamily',
  'otherReactions',
  'seriousness',
]);

/** Writes a report, or changes one. */
export function EditIncident({
  stored,
  about,
  onSaved,
  onClose,
}: {
  /** Null: a new one. */
  stored: Incident | null;
  /** The person whom a new one is about, as far as that is known. */
  about?: { id: string; label: string };
  onSaved: (saved: Incident) => void;
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation('incident-reports');
  const words = useIncidentWords();
  const text = useRecordText(incident, words);
  const { today } = useFormats();
  const faultKey = (code: string) =>
    i18n.exists(`incident-reports:fault.${code}`) ? `incident-reports:fault.${code}` : `fault.${code}`;
  return (
    <EditRecord
      record={incident}
      stored={stored && answered(stored)}
      preset={{ receivedOn: today, ...(about && { patient: about.id }) }}
      title={stored ? t('edit.changeTitle', { number: stored.number }) : t('edit.add')}
      submit={t(stored ? 'edit.save' : 'edit.add')}
      wide
      words={words}
      text={text}
      old={oldIncidents}
      faultKey={faultKey}
      onSaved={(answer, undo) => {
        const saved = answer as unknown as Incident;
        const values = { number: saved.number };
        if (undo)
          offerUndo('incident-reports:edit.saved', undo, {
            undone: 'incident-reports:edit.undone',
            old: oldIncidents,
          });
        else notify('success', 'incident-reports:edit.made', { values });
        onSaved(saved);
      }}
      onClose={onClose}
    >
      <RecordFields
        record={lines}
        isNew={stored === null}
        words={words}
        help={(name) => (helped.has(name) ? t(`edit.help.${name}`) : undefined)}
        own={{ patient: (shown) => <PersonField {...shown} {...(about && { chosen: about })} /> }}
      />
    </EditRecord>
  );
}
