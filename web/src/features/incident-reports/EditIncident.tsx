import type { Incident } from '@caseway/contract/incident-reports';
import { type FormHandlers, RecordForm } from '../../record/RecordForm.tsx';
import { useFormats } from '../../words/formats.ts';
import { incidents } from './incident-words.ts';

/** Creates or changes a report. */
export function EditIncident({
  stored,
  about,
  ...handlers
}: FormHandlers<Incident> & {
  /** Null for a new one. */
  stored: Incident | null;
  /** The person a new report is about, if known. */
  about?: { id: string; label: string };
}) {
  const { today } = useFormats();
  return (
    <RecordForm
      of={incidents}
      stored={stored}
      preset={{ receivedOn: today, ...(about && { patient: about.id }) }}
      chosen={about}
      {...handlers}
    />
  );
}
