import { addTotp, type beginTotp } from '@caseway/contract/profile';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerOf } from '../../data/transport.ts';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useGuarded } from './guarded.ts';
import { QrCode } from './QrCode.tsx';

/** Adds an authenticator app: it reads the picture or the typed secret, and shows its first code. */
export function TotpDialog({
  begun: { details, secret, address },
  onAdded,
  onClose,
}: {
  begun: AnswerOf<typeof beginTotp>;
  /** Shows recovery codes if it is the first second factor. */
  onAdded: (recoveryCodes: string[] | null) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['profile', 'common']);
  const id = useId();
  const [code, setCode] = useState('');
  const [incomplete, setIncomplete] = useState(false);
  const add = useGuarded(addTotp);
  const wrong = add.error?.faults.some(({ path }) => path === 'code') ?? false;
  const fault = incomplete ? t('common:fault.code', { length: 6 }) : wrong ? t('totp.wrong') : undefined;

  const submit = () => {
    setIncomplete(code.length !== 6);
    if (code.length === 6)
      add.mutate(
        { body: { details, code } },
        { onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes), onError: () => setCode('') },
      );
  };

  return (
    <FormDialog
      title={t('methods.totpAdd')}
      submit={t('totp.add')}
      busy={add.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Box
        component="ol"
        sx={{ margin: 0, paddingLeft: 5, display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        <li>
          <Typography variant="body1">{t('totp.scan')}</Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 4, alignItems: 'center', marginTop: 3 }}>
            <QrCode text={address} label={t('totp.picture')} />
            <Box sx={{ flex: '1 1 180px', minWidth: 0 }}>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {t('totp.type')}
              </Typography>
              <Typography variant="mono" component="p" sx={{ marginTop: 2, overflowWrap: 'anywhere' }}>
                {secret.match(/.{1,4}/g)?.join(' ')}
              </Typography>
            </Box>
          </Box>
        </li>
        <li>
          <Field id={id} label={t('totp.code')} help={t('totp.codeHelp')} fault={fault} required>
            {({ describedBy, invalid }) => (
              <OutlinedInput
                id={id}
                value={code}
                autoFocus
                onChange={(event) => setCode(event.target.value.replaceAll(/\D/g, '').slice(0, 6))}
                error={invalid}
                sx={{ maxWidth: 160 }}
                inputProps={{
                  inputMode: 'numeric',
                  autoComplete: 'one-time-code',
                  'aria-describedby': describedBy,
                  'aria-invalid': invalid,
                }}
              />
            )}
          </Field>
        </li>
      </Box>
      {add.error && !wrong && add.error.code !== 'recent-sign-in-needed' ? (
        <Alert severity="error">{t(`common:error.${add.error.code}`)}</Alert>
      ) : null}
    </FormDialog>
  );
}
