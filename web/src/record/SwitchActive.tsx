import type { AnyRecord } from '@caseway/contract/record';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callApi, useCall } from '../data/api.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { type AnyAnswer, answered } from './EditRecord.tsx';
import { offerUndo } from './offer-undo.ts';

/** Deactivates a record, after confirmation, or reactivates it. Both can be undone. */
export function SwitchActive({
  record: { endpoints },
  stored: { id, version, active },
  name,
  labels,
  question,
  done,
  old,
}: {
  record: Pick<AnyRecord, 'endpoints'>;
  stored: AnyAnswer;
  name: string;
  labels: { deactivate: string; activate: string };
  question: { title: string; confirm: string; text: ReactNode };
  /** The keys of the confirming texts. */
  done: { deactivated: string; activated: string };
  old: readonly { path: string }[];
}) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const change = useCall(endpoints.change, { invalidates: old });
  const params = { id };
  const setActive = (next: boolean) =>
    change.mutate(
      { params, body: { version, active: next } },
      {
        onSuccess: (answer) => {
          setAsked(false);
          const body = { version: answered(answer).version };
          const undo = () => callApi(endpoints.undo, { params, body });
          offerUndo(next ? done.activated : done.deactivated, undo, { values: { name }, old });
        },
      },
    );
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        loading={change.isPending && !asked}
        onClick={() => (active ? setAsked(true) : setActive(true))}
      >
        {active ? labels.deactivate : labels.activate}
      </Button>
      {change.error && !asked ? (
        <Alert severity="error" sx={{ flexBasis: '100%' }}>
          {change.error.faults.length > 0
            ? change.error.faults.map(({ code }) => t(`fault.${code}`)).join(' ')
            : t(`error.${change.error.code}`)}
        </Alert>
      ) : null}
      <ConfirmDialog
        open={asked}
        title={question.title}
        confirm={question.confirm}
        danger
        busy={change.isPending}
        error={change.error}
        onClose={() => setAsked(false)}
        onConfirm={() => setActive(false)}
      >
        {question.text}
      </ConfirmDialog>
    </>
  );
}
