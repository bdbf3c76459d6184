import OutlinedInput from '@mui/material/OutlinedInput';
import { type ReactNode, useId, useState } from 'react';
import type { AppError } from '../data/transport.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Field } from '../ui/Field.tsx';

/** Asks for the reason of something before it is done. */
export function ReasonDialog({
  title,
  confirm,
  label,
  lacking,
  busy,
  error,
  onReason,
  onClose,
  children,
}: {
  title: string;
  confirm: string;
  /** Of the field with the reason, and what it says without one. */
  label: string;
  lacking: string;
  busy: boolean;
  error: AppError | null;
  onReason: (reason: string) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const field = useId();
  const [reason, setReason] = useState('');
  const [isLacking, setIsLacking] = useState(false);
  return (
    <ConfirmDialog
      open
      title={title}
      confirm={confirm}
      busy={busy}
      error={error}
      onConfirm={() => (reason.trim() === '' ? setIsLacking(true) : onReason(reason.trim()))}
      onClose={onClose}
    >
      {children}
      <Field id={field} label={label} fault={isLacking ? lacking : undefined} required>
        {({ id, describedBy, invalid }) => (
          <OutlinedInput
            id={id}
            value={reason}
            multiline
            minRows={2}
            error={invalid}
            inputProps={{ maxLength: 500, 'aria-describedby': describedBy, required: true }}
            onChange={({ target }) => {
              setReason(target.value);
              setIsLacking(false);
            }}
          />
        )}
      </Field>
    </ConfirmDialog>
  );
}
