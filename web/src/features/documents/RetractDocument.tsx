import { documentRecord, type PatientDocument } from '@caseway/contract/documents';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { callApi, useCall } from '../../data/api.ts';
import { offerUndo } from '../../record/offer-undo.ts';
import { ReasonDialog } from '../../record/ReasonDialog.tsx';
import { oldDocuments as old, useDocumentWords } from './document-words.ts';

const { endpoints } = documentRecord;
const undo = ({ id, version }: Pick<PatientDocument, 'id' | 'version'>) =>
  callApi(endpoints.undo, { params: { id }, body: { version } });

/** Asks why a document is retracted, and retracts it. */
export function RetractDocument({
  of: { id, version, title },
  onClose,
}: {
  of: PatientDocument;
  onClose: () => void;
}) {
  const { t } = useTranslation('documents');
  const words = useDocumentWords();
  const change = useCall(endpoints.change, { invalidates: old });
  const retract = (retractReason: string) =>
    change.mutate(
      { params: { id }, body: { version, state: 'retracted', retractReason } },
      {
        onSuccess: (changed) => {
          offerUndo('documents:done.retracted', () => undo(changed as PatientDocument), { old });
          onClose();
        },
      },
    );
  return (
    <ReasonDialog
      title={t('screen.retractTitle')}
      confirm={t('screen.retract')}
      label={words.column('retractReason')}
      lacking={t('fault.required')}
      busy={change.isPending}
      error={change.error}
      onReason={retract}
      onClose={onClose}
    >
      <Typography sx={{ fontWeight: 550 }}>{title}</Typography>
      <Typography>{t('screen.retractText')}</Typography>
    </ReasonDialog>
  );
}
