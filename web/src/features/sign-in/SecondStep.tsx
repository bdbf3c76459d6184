import type { Proof, SignInAnswer } from '@caseway/contract/session';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { Fingerprint } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { passkeysWork } from '../../data/passkeys.ts';
import { CodeField, codeLength } from '../../ui/CodeField.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormFrame } from '../../ui/FormFrame.tsx';
import type { Trouble } from './SignInForm.tsx';
import { TroubleAlert } from './TroubleAlert.tsx';

/** The second factor: a passkey, an authenticator app's code, or a recovery code if neither is available. */
export function SecondStep({
  answer,
  proofs,
  busy,
  trouble,
  onEnter,
  onPasskey,
  onBack,
}: {
  answer: SignInAnswer;
  proofs: readonly Proof[];
  busy: boolean;
  trouble: Trouble | null;
  /** Resolves to whether there was an outage: the typed text then stays and can be sent again. */
  onEnter: (secret: string) => Promise<boolean>;
  onPasskey: () => Promise<unknown>;
  onBack: () => void;
}) {
  const { t } = useTranslation(['sign-in', 'common']);
  const id = useId();
  const ways = proofs.filter((proof) => proof !== 'PASSKEY' || passkeysWork());
  const [way, setWay] = useState<Proof>(
    ways.includes(answer.challengeMethod) ? answer.challengeMethod : ways[0]!,
  );
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const refused = trouble !== null && typed === '';
  const complete = way === 'TOTP' ? typed.length === codeLength : typed.trim() !== '';

  const enter = async (secret: string, whole: boolean) => {
    if (whole) {
      if (!(await onEnter(secret))) setTyped('');
    } else setTried(true);
    field.current?.focus();
  };

  return (
    <FormFrame
      onSubmit={() => {
        if (way === 'PASSKEY') void onPasskey();
        else void enter(typed, complete);
      }}
    >
      <Box sx={{ display: 'grid', gap: 1 }}>
        <Typography variant="h3" component="h2">
          {t('second.title')}
        </Typography>
        <Typography variant="body1" sx={{ color: 'text.secondary' }}>
          {t(`second.${way}`)}
        </Typography>
      </Box>
      <TroubleAlert step="app" trouble={trouble} />
      {way === 'TOTP' ? (
        <CodeField
          ref={field}
          value={typed}
          wrong={refused}
          fault={tried && !complete ? t('common:fault.code', { length: codeLength }) : undefined}
          onChange={(next) => {
            setTyped(next);
            if (next.length === codeLength) void enter(next, true);
          }}
        />
      ) : null}
      {way === 'RECOVERY_CODE' ? (
        <Field
          id={id}
          label={t('second.recoveryCode')}
          required
          fault={tried && !complete ? t('common:fault.required') : undefined}
        >
          {({ describedBy, invalid }) => (
            <OutlinedInput
              id={id}
              inputRef={field}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              error={invalid || refused}
              autoFocus
              placeholder="xxxxx-xxxxx"
              inputProps={{
                autoComplete: 'off',
                spellCheck: false,
                autoCapitalize: 'none',
                'aria-describedby': describedBy,
                'aria-invalid': invalid || refused,
              }}
            />
          )}
        </Field>
      ) : null}
      <Button
        type="submit"
        variant="contained"
        loading={busy}
        {...(way === 'PASSKEY'
          ? { autoFocus: true, startIcon: <Fingerprint size={16} aria-hidden />, loadingPosition: 'start' }
          : {})}
      >
        {t(way === 'PASSKEY' ? 'second.usePasskey' : 'common:signIn.enter')}
      </Button>
      <Box sx={{ display: 'grid', justifyItems: 'start', gap: 1, marginX: -2.5 }}>
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button
              key={other}
              variant="text"
              size="small"
              type="button"
              onClick={() => {
                setWay(other);
                setTyped('');
                setTried(false);
              }}
            >
              {t(`second.instead.${other}`)}
            </Button>
          ))}
        <Button variant="text" size="small" type="button" onClick={onBack}>
          {t('common:signIn.otherAccount')}
        </Button>
      </Box>
    </FormFrame>
  );
}
