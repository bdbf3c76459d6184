import type { PatientDocument } from '@caseway/contract/documents';
import { useTranslation } from 'react-i18next';
import { answered, EditRecord } from '../../record/EditRecord.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { RecordFields } from '../../record/RecordFields.tsx';
import { useFaultKey } from '../../record/use-fault-key.ts';
import { useRecordText } from '../../record/use-record-text.ts';
import { notify } from '../../session/notify.ts';
import { oldDocuments as old, record, useDocumentWords } from './document-words.ts';
import { FileField } from './FileField.tsx';
import { useCasesOf } from './use-cases-of.ts';

/** What a new document is about: a person, and one of their cases if it belongs to it. */
export interface About {
  patientId: string;
  caseId?: string;
}

const lines = ['file', 'title', ['category', 'documentedOn'], 'note'] as const;
/** Retracting is separate; this form can take it back. */
const ofRetracted = ['state', 'retractReason'] as const;

/** A document's form; `stored` null: a new one. */
export function EditDocument({
  stored,
  about: { patientId, caseId },
  onClose,
}: {
  stored: PatientDocument | null;
  about: About;
  onClose: () => void;
}) {
  const { t } = useTranslation('documents');
  const faultKey = useFaultKey('documents');
  const words = useDocumentWords();
  const text = useRecordText(record, words);
  const cases = useCasesOf(patientId, stored === null && caseId === undefined);
  return (
    <EditRecord
      record={record}
      stored={stored && answered(stored)}
      preset={{ patient: patientId, ...(caseId !== undefined && { caseRecord: caseId }) }}
      title={t(stored ? 'screen.editTitle' : 'screen.addTitle')}
      submit={t(stored ? 'common:action.save' : 'screen.add')}
      words={words}
      text={text}
      old={old}
      faultKey={faultKey}
      onSaved={(_, takeBack) => {
        onClose();
        if (takeBack) offerUndo('documents:done.saved', takeBack, { old });
        else notify('success', 'documents:done.made');
      }}
      onClose={onClose}
    >
      <RecordFields
        record={{
          fields: record.fields,
          form: [
            ...lines,
            ...(cases.length > 0 ? ['caseRecord'] : []),
            ...(stored?.state === 'retracted' ? ofRetracted : []),
          ],
        }}
        isNew={stored === null}
        words={words}
        offered={{ caseRecord: { options: cases, loading: false } }}
        none={(name) => (name === 'caseRecord' ? t('screen.noCase') : undefined)}
        own={{ file: (shown) => <FileField {...shown} patientId={patientId} /> }}
      />
    </EditRecord>
  );
}
