import { passkeyName } from '@caseway/contract/profile';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import OutlinedInput from '@mui/material/OutlinedInput';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../transport.ts';
import { Field } from '../../ui/Field.tsx';
import { wordsOfIssue } from '../../ui/fault-words.ts';

/** A passkey's name: how its owner tells it from others. */
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
    <Dialog open onClose={onClose} aria-labelledby={`${id}-title`} maxWidth="xs" fullWidth>
      <Box
        component="form"
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          setTried(true);
          if (checked.success) onRename(checked.data);
        }}
      >
        <DialogTitle id={`${id}-title`}>{t('passkeys.renameOne', { name })}</DialogTitle>
        <DialogContent>
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
          {error ? (
            <Alert severity="error" sx={{ marginTop: 3 }}>
              {t(`common:error.${error.code}`)}
            </Alert>
          ) : null}
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" onClick={onClose}>
            {t('common:date.cancel')}
          </Button>
          <Button type="submit" variant="contained" loading={busy}>
            {t('passkeys.rename')}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
