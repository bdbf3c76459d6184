import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { AppError } from '../../data/transport.ts';
import { TextField, useSchemaForm } from '../../ui/Form.tsx';
import { FormFrame } from '../../ui/FormFrame.tsx';

const codeForm = z.strictObject({ code: z.string().trim().min(1).max(60) });

/** A form for the code in a recovery message, and its action. */
export function CodeForm({
  submit,
  busy,
  error,
  onSend,
}: {
  /** The action, as a verb. */
  submit: string;
  busy: boolean;
  error: AppError | null;
  onSend: (code: string) => void;
}) {
  const { t } = useTranslation('recovery');
  const form = useSchemaForm(codeForm, { code: '' });
  return (
    <FormProvider {...form}>
      <FormFrame onSubmit={() => void form.handleSubmit(({ code }) => onSend(code))()}>
        {error ? (
          <Alert severity="error">
            {t(
              error.code === 'code-wrong' || error.code === 'code-expired' || error.code === 'conflict'
                ? `code.${error.code}`
                : `common:error.${error.code}`,
            )}
          </Alert>
        ) : null}
        <TextField
          name="code"
          label={t('code.label')}
          help={t('code.help')}
          placeholder="xxxx-xxxx-xxxx-xxxx"
          inputProps={{ autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' }}
        />
        <Button type="submit" variant="contained" loading={busy}>
          {submit}
        </Button>
      </FormFrame>
    </FormProvider>
  );
}
