import type { FieldVisit } from '@caseway/contract/field-visits';
import { type FormHandlers, RecordForm } from '../../record/RecordForm.tsx';
import { useFormats } from '../../words/formats.ts';
import { fieldVisits } from './visit-words.ts';

/** The person and case of a new visit, as far as known. */
export interface VisitAbout {
  id: string;
  label: string;
  caseId?: string;
}

/** Adds a visit, or changes one. */
export function EditVisit({
  stored,
  about,
  ...handlers
}: FormHandlers<FieldVisit> & {
  /** Null for a new one. */
  stored: FieldVisit | null;
  about?: VisitAbout;
}) {
  const { today } = useFormats();
  return (
    <RecordForm
      of={fieldVisits}
      stored={stored}
      preset={{
        plannedFor: today,
        ...(about && { patient: about.id }),
        ...(about?.caseId !== undefined && { caseRecord: about.caseId }),
      }}
      chosen={about}
      {...handlers}
    />
  );
}
