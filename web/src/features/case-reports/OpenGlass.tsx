import { breakGlassKinds, openGlass, openGlassBody, ownGlass } from '@caseway/contract/break-glass';
import { caseRecord } from '@caseway/contract/case-record';
import Alert from '@mui/material/Alert';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { queryClient, useCall } from '../../data/api.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { useKeptForm } from '../../record/use-kept-form.ts';
import { SelectField, showFaults, TextField } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';

/** Asks for the number and the reason. [P18] */
export default function OpenGlass({ onClose, onOpened }: { onClose: () => void; onOpened?: () => void }) {
  const { t } = useTranslation('break-glass');
  const go = useNavigate();
  const call = useCall(openGlass, { invalidates: [ownGlass] });
  const editing = useKeptForm(
    openGlassBody,
    'break-glass/open',
    { caseNumber: '', reasonKind: '' as 'treatment', reason: '' },
    call.isSuccess,
  );
  const { form } = editing;
  const labels = {
    caseNumber: t('field.caseNumber'),
    reasonKind: t('field.kind'),
    reason: t('field.reason'),
  };
  const send = form.handleSubmit((body) =>
    call.mutate({ body }, { onError: ({ faults }) => showFaults(form, faults) }),
  );
  const opened = call.data?.caseReportId;
  // Only once nothing is unsaved, so that leaving needs no confirmation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per record.
  useEffect(() => {
    if (!opened) return;
    // It was not found before.
    queryClient.removeQueries({ queryKey: [caseRecord.endpoints.read.path] });
    onClose();
    onOpened?.();
    void go(`/case-reports/${opened}`);
  }, [opened]);
  return (
    <FormDialog
      title={t('open.title')}
      lead={t('open.lead')}
      submit={t('open.submit')}
      busy={call.isPending}
      onSubmit={() => void send()}
      onClose={() => void editing.close(onClose)}
    >
      <Alert severity="warning">{t('open.watched')}</Alert>
      <FormBody of={editing} labels={labels}>
        <TextField
          name="caseNumber"
          label={labels.caseNumber}
          help={t('field.caseNumberHelp')}
          autoComplete="off"
        />
        <SelectField
          name="reasonKind"
          label={labels.reasonKind}
          empty={t('field.choose')}
          options={breakGlassKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
        <TextField
          name="reason"
          label={labels.reason}
          help={t('field.reasonHelp')}
          multiline
          minRows={3}
          autoComplete="off"
        />
      </FormBody>
      {call.data?.caseReportId === null ? <Alert severity="info">{t('open.nothing')}</Alert> : null}
      {call.error && call.error.faults.length === 0 ? (
        <Alert severity="error">
          {t(call.error.code === 'too-many-requests' ? 'open.enough' : `common:error.${call.error.code}`)}
        </Alert>
      ) : null}
    </FormDialog>
  );
}
