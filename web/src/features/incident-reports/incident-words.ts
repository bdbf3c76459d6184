import { type Incident, incidentRecord, incidentWork } from '@caseway/contract/incident-reports';
import { shownRecord, useRecordWords } from '../../record/shown-record.ts';

/** How reports are shown. */
export const incidents = shownRecord<Incident>(incidentRecord, {
  old: [incidentWork],
  codesOf: (field) => `incident-reports:choice.${field === 'vaccineGroups' ? 'vaccine' : field}`,
});

export const useIncidentWords = () => useRecordWords(incidents);
