import type { ChallengeMethod } from '@caseway/contract/session';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import { Fingerprint } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { passkeysWork } from '../../data/passkeys.ts';
import { Field } from '../../ui/Field.tsx';
import { FormFrame } from '../../ui/FormFrame.tsx';
import type { Trouble } from './SignInForm.tsx';
import { TroubleAlert } from './TroubleAlert.tsx';

const accountSchema = z.string().trim().max(254).pipe(z.email());

/** Who signs in, and how. */
export function AccountStep({
  username,
  busy,
  trouble,
  onAsk,
}: {
  username: string;
  busy: ChallengeMethod | 'answer' | null;
  trouble: Trouble | null;
  onAsk: (method: ChallengeMethod, username: string | undefined) => void;
}) {
  const { t } = useTranslation(['sign-in', 'common']);
  const id = useId();
  const [typed, setTyped] = useState(username);
  const [tried, setTried] = useState(false);
  const [otherWays, setOtherWays] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const checked = accountSchema.safeParse(typed);
  const ask = (method: ChallengeMethod) => {
    setTried(true);
    if (checked.success) onAsk(method, checked.data);
    else field.current?.focus();
  };
  return (
    <FormFrame onSubmit={() => ask('EMAIL')}>
      <TroubleAlert step="name" trouble={trouble} />
      <Field
        id={id}
        label={t('common:signIn.email')}
        required
        fault={
          tried && !checked.success
            ? t(typed.trim() === '' ? 'common:fault.required' : 'common:fault.email')
            : undefined
        }
      >
        {({ describedBy, invalid }) => (
          <OutlinedInput
            id={id}
            inputRef={field}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            error={invalid}
            type="email"
            autoComplete="username"
            autoFocus
            inputProps={{
              inputMode: 'email',
              spellCheck: false,
              autoCapitalize: 'none',
              'aria-describedby': describedBy,
              'aria-invalid': invalid,
            }}
          />
        )}
      </Field>
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Button type="submit" variant="contained" loading={busy === 'EMAIL'}>
          {t('common:signIn.sendCode')}
        </Button>
        {passkeysWork() ? (
          <Button
            data-offered-with="passkeys"
            variant="outlined"
            startIcon={<Fingerprint size={16} aria-hidden />}
            loading={busy === 'PASSKEY'}
            loadingPosition="start"
            // The passkey itself identifies the account.
            onClick={() => onAsk('PASSKEY', checked.success ? checked.data : undefined)}
          >
            {t('way.PASSKEY')}
          </Button>
        ) : null}
        {otherWays ? (
          <>
            <Button variant="outlined" loading={busy === 'SMS'} onClick={() => ask('SMS')}>
              {t('way.SMS')}
            </Button>
            <Button variant="outlined" loading={busy === 'TOTP'} onClick={() => ask('TOTP')}>
              {t('way.TOTP')}
            </Button>
          </>
        ) : (
          <Button
            variant="text"
            size="small"
            aria-expanded={false}
            onClick={() => setOtherWays(true)}
            sx={{ justifySelf: 'start', marginX: -2.5 }}
          >
            {t('way.others')}
          </Button>
        )}
      </Box>
    </FormFrame>
  );
}
