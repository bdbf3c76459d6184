import { breakGlassKinds, openGlass, openGlassBody, ownGlass } from '@caseway/contract/break-glass';
import { caseRecord } from '@caseway/contract/case-record';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { ShieldAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { queryClient, useCall } from '../../data/api.ts';
import { useMay } from '../../session/permissions.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { ErrorSummary, SelectField, showFaults, TextField, useSchemaForm } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';

/**
 * Opens a record that is hidden, by its number, for a reason. It is offered to everyone who may use it, whether or not
 * anything is hidden, so that it reveals nothing. [P18]
 */
export function OpenGlassButton({ onOpened }: { onOpened?: () => void }) {
  const { t } = useTranslation('break-glass');
  const may = useMay();
  const [asking, setAsking] = useState(false);
  if (!may('break-glass/write')) return null;
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<ShieldAlert size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('open.button')}
      </Button>
      {asking ? <OpenGlass onClose={() => setAsking(false)} {...(onOpened ? { onOpened } : {})} /> : null}
    </>
  );
}

function OpenGlass({ onClose, onOpened }: { onClose: () => void; onOpened?: () => void }) {
  const { t } = useTranslation('break-glass');
  const go = useNavigate();
  const call = useCall(openGlass, { invalidates: [ownGlass] });
  const form = useSchemaForm(openGlassBody, {
    caseNumber: '',
    reasonKind: '' as 'treatment',
    reason: '',
  });
  useUnsaved(form.formState.isDirty && !call.isSuccess);
  const labels = {
    caseNumber: t('field.caseNumber'),
    reasonKind: t('field.kind'),
    reason: t('field.reason'),
  };
  const send = form.handleSubmit((body) =>
    call.mutate({ body }, { onError: ({ faults }) => showFaults(form, faults) }),
  );
  const opened = call.data?.caseReportId;
  // Once nothing is unsaved, so that nobody is asked whether to leave it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each record.
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
      onClose={onClose}
    >
      <Alert severity="warning">{t('open.watched')}</Alert>
      <FormProvider {...form}>
        <ErrorSummary labels={labels} />
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
      </FormProvider>
      {call.data?.caseReportId === null ? <Alert severity="info">{t('open.nothing')}</Alert> : null}
      {call.error && call.error.faults.length === 0 ? (
        <Alert severity="error">
          {t(call.error.code === 'too-many-requests' ? 'open.enough' : `common:error.${call.error.code}`)}
        </Alert>
      ) : null}
    </FormDialog>
  );
}
