import { passkeyName } from '@caseway/contract/profile';
import Alert from '@mui/material/Alert';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../data/transport.ts';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { wordsOfIssue } from '../../ui/fault-words.ts';

/** A passkey's name, by which its owner recognizes it. */
export function RenameDialog({
  name,
  busy,
  error,
  onRename,
  onClose,
}: {
  name: string;
  busy: boolean;
  error: AppError | null;
  onRename: (name: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['profile', 'common']);
  const id = useId();
  const [typed, setTyped] = useState(name);
  const [tried, setTried] = useState(false);
  const checked = passkeyName.safeParse(typed);
  const words = checked.success ? undefined : wordsOfIssue(checked.error.issues[0]!);
  return (
    <FormDialog
      title={t('passkeys.renameOne', { name })}
      submit={t('passkeys.rename')}
      busy={busy}
      onSubmit={() => {
        setTried(true);
        if (checked.success) onRename(checked.data);
      }}
      onClose={onClose}
    >
      {error ? <Alert severity="error">{t(`common:error.${error.code}`)}</Alert> : null}
      <Field
        id={id}
        label={t('passkeys.name')}
        help={t('passkeys.nameHelp')}
        required
        fault={tried && words ? t(words.key, { ns: 'common', ...words.values }) : undefined}
      >
        {({ describedBy, invalid }) => (
          <OutlinedInput
            id={id}
            value={typed}
            autoFocus
            onChange={(event) => setTyped(event.target.value)}
            error={invalid}
            inputProps={{ 'aria-describedby': describedBy, 'aria-invalid': invalid }}
          />
        )}
      </Field>
    </FormDialog>
  );
}
