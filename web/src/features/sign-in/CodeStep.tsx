import type { SignInAnswer } from '@caseway/contract/session';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../formats.ts';
import { CodeField, codeLength } from '../../ui/CodeField.tsx';
import type { Trouble } from './SignInForm.tsx';
import { TroubleAlert } from './TroubleAlert.tsx';

/** Another code can be asked for sooner than this, as long as not too many were. */
const patienceSeconds = 120;

/** Entering a code: one that was sent, or one that an authenticator app shows. */
export function CodeStep({
  answer,
  second,
  busy,
  resending,
  trouble,
  onEnter,
  onResend,
  onBack,
}: {
  answer: SignInAnswer;
  /** It is the second step. */
  second: boolean;
  busy: boolean;
  resending: boolean;
  trouble: Trouble | null;
  onEnter: (secret: string) => Promise<void>;
  onResend: () => void;
  onBack: () => void;
}) {
  const { t } = useTranslation(['sign-in', 'common']);
  const formats = useFormats();
  const [code, setCode] = useState('');
  const [incomplete, setIncomplete] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const now = useNow();
  const expiresIn = secondsUntil(answer.expiresAt, now);
  const resendIn = secondsUntil(answer.resendAt, now);
  // Asked so often that no further message is sent for a while. Whether this one still was, nobody is told.
  const [limited] = useState(() => secondsUntil(answer.resendAt, Date.now()) > patienceSeconds);
  const { challengeMethod: method, destination } = answer;
  const sent = method === 'EMAIL' || method === 'SMS';

  const enter = async (secret: string) => {
    if (secret.length < codeLength) {
      setIncomplete(true);
      field.current?.focus();
      return;
    }
    await onEnter(secret);
    setCode('');
    field.current?.focus();
  };

  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void enter(code);
      }}
      sx={{ display: 'grid', gap: 4 }}
    >
      {second ? (
        <Typography variant="h3" component="h2">
          {t('second.title')}
        </Typography>
      ) : null}
      <Typography variant="body1" sx={{ color: 'text.secondary' }}>
        {method === 'TOTP'
          ? t('common:signIn.authenticator')
          : destination === null
            ? t('sent.SMS')
            : t('common:signIn.sent_EMAIL', { destination })}
      </Typography>
      {limited ? (
        <Alert severity="info">{t('common:signIn.limit', { time: formats.time(answer.resendAt) })}</Alert>
      ) : null}
      <TroubleAlert trouble={trouble} />
      <CodeField
        ref={field}
        value={code}
        fault={
          incomplete && code.length < codeLength ? t('common:fault.code', { length: codeLength }) : undefined
        }
        help={
          expiresIn > 0
            ? t('common:signIn.expiresIn', { time: minutesAndSeconds(expiresIn) })
            : t('common:error.code-expired')
        }
        onChange={(typed) => {
          setCode(typed);
          if (typed.length === codeLength) void enter(typed);
        }}
      />
      <Button type="submit" variant="contained" loading={busy}>
        {t('common:signIn.enter')}
      </Button>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 1, marginX: -2.5 }}>
        <Button variant="text" size="small" type="button" onClick={onBack}>
          {t('common:signIn.otherAccount')}
        </Button>
        {sent && !second ? (
          <Button
            variant="text"
            size="small"
            type="button"
            disabled={resendIn > 0}
            loading={resending}
            onClick={onResend}
          >
            {resendIn > 0
              ? t('common:signIn.resendIn', { time: minutesAndSeconds(resendIn) })
              : t('common:signIn.resend')}
          </Button>
        ) : null}
      </Box>
    </Box>
  );
}

/** The time, every second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const secondsUntil = (instant: string, now: number) =>
  Math.max(0, Math.ceil((Date.parse(instant) - now) / 1000));
const minutesAndSeconds = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
