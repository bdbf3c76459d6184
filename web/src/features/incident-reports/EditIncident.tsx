import type { Incident } from '@caseway/contract/incident-reports';
import { type FormHandlers, RecordForm } from '../../record/RecordForm.tsx';
import { useFormats } from '../../words/formats.ts';
import { incidents } from './incident-words.ts';

/** Writes a report, or changes one. */
export function EditIncident({
  stored,
  about,
  ...handlers
}: FormHandlers<Incident> & {
  /** Null: a new one. */
  stored: Incident | null;
  /** The person whom a new one is about, as far as that is known. */
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
