import { challenge, type SignInAnswer, signIn } from '@caseway/contract/session';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCall } from '../../api.ts';
import { useFormats } from '../../formats.ts';
import { adoptTokens } from '../../session/session.ts';
import { AppError } from '../../transport.ts';
import { Field } from '../../ui/Field.tsx';
import { CodeField, codeLength } from './CodeField.tsx';

/** Another code can be asked for sooner than this, as long as not too many were. */
const patienceSeconds = 120;

const accountSchema = z.string().trim().max(254).pipe(z.email());

/**
 * Signing in with a one-time code: first the account, then the code. Used by the sign-in screen and, over an open
 * screen, when a session has expired; then the account is known.
 */
export default function SignInForm({
  username,
  onSignedIn,
  onStep,
}: {
  username?: string;
  onSignedIn: () => void;
  /** Which of the two steps is shown. */
  onStep?: (step: 'account' | 'code') => void;
}) {
  const [sent, setSent] = useState<{ username: string; answer: SignInAnswer } | null>(null);
  const request = useCall(signIn);
  const ask = (account: string) =>
    request.mutate(
      { body: { origin: window.location.hostname, username: account, challengeMethod: 'EMAIL' } },
      {
        onSuccess: (answer) => {
          setSent({ username: account, answer });
          onStep?.('code');
        },
      },
    );
  if (!sent)
    return (
      <AccountStep username={username ?? ''} busy={request.isPending} error={request.error} onAsk={ask} />
    );
  return (
    <CodeStep
      // A new code is a new challenge: what was typed for the old one is gone.
      key={sent.answer.details}
      answer={sent.answer}
      resending={request.isPending}
      resendError={request.error}
      onResend={() => ask(sent.username)}
      onBack={() => {
        request.reset();
        setSent(null);
        onStep?.('account');
      }}
      onSignedIn={onSignedIn}
    />
  );
}

function AccountStep({
  username,
  busy,
  error,
  onAsk,
}: {
  username: string;
  busy: boolean;
  error: AppError | null;
  onAsk: (username: string) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState(username);
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const checked = accountSchema.safeParse(typed);
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        setTried(true);
        if (checked.success) onAsk(checked.data);
        else field.current?.focus();
      }}
      sx={{ display: 'grid', gap: 4 }}
    >
      <Failure error={error} />
      <Field
        id={id}
        label={t('signIn.email')}
        required
        fault={
          tried && !checked.success ? t(typed.trim() === '' ? 'fault.required' : 'fault.email') : undefined
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
      <Button type="submit" variant="contained" loading={busy}>
        {t('signIn.sendCode')}
      </Button>
    </Box>
  );
}

function CodeStep({
  answer,
  resending,
  resendError,
  onResend,
  onBack,
  onSignedIn,
}: {
  answer: SignInAnswer;
  resending: boolean;
  resendError: AppError | null;
  onResend: () => void;
  onBack: () => void;
  onSignedIn: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [code, setCode] = useState('');
  const [error, setError] = useState<AppError | null>(null);
  const [incomplete, setIncomplete] = useState(false);
  const [entering, setEntering] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const answerChallenge = useCall(challenge);
  const now = useNow();
  const expiresIn = secondsUntil(answer.expiresAt, now);
  const resendIn = secondsUntil(answer.resendAt, now);
  // Asked so often that no further message is sent for a while. Whether this one still was, nobody is told.
  const [limited] = useState(() => secondsUntil(answer.resendAt, Date.now()) > patienceSeconds);
  const sentTo = answer.challengeMethod === 'EMAIL' || answer.challengeMethod === 'SMS';

  const enter = async (secret: string) => {
    if (entering) return;
    if (secret.length < codeLength) {
      setIncomplete(true);
      field.current?.focus();
      return;
    }
    setEntering(true);
    setError(null);
    try {
      await adoptTokens(await answerChallenge.mutateAsync({ body: { details: answer.details, secret } }));
      onSignedIn();
    } catch (caught) {
      if (!(caught instanceof AppError)) throw caught;
      setError(caught);
      setCode('');
      field.current?.focus();
    } finally {
      setEntering(false);
    }
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
      <Typography variant="body1" sx={{ color: 'text.secondary' }}>
        {sentTo && answer.destination
          ? t(`signIn.sent_${answer.challengeMethod}`, { destination: answer.destination })
          : t('signIn.authenticator')}
      </Typography>
      {limited ? (
        <Alert severity="info">{t('signIn.limit', { time: formats.time(answer.resendAt) })}</Alert>
      ) : null}
      <Failure error={error ?? resendError} />
      <CodeField
        ref={field}
        value={code}
        fault={incomplete && code.length < codeLength ? t('fault.code', { length: codeLength }) : undefined}
        help={
          expiresIn > 0
            ? t('signIn.expiresIn', { time: minutesAndSeconds(expiresIn) })
            : t('error.code-expired')
        }
        onChange={(typed) => {
          setCode(typed);
          if (typed.length === codeLength) void enter(typed);
        }}
      />
      <Button type="submit" variant="contained" loading={entering}>
        {t('signIn.enter')}
      </Button>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 1, marginX: -2.5 }}>
        <Button variant="text" size="small" type="button" onClick={onBack}>
          {t('signIn.otherAccount')}
        </Button>
        {sentTo ? (
          <Button
            variant="text"
            size="small"
            type="button"
            disabled={resendIn > 0}
            loading={resending}
            onClick={onResend}
          >
            {resendIn > 0 ? t('signIn.resendIn', { time: minutesAndSeconds(resendIn) }) : t('signIn.resend')}
          </Button>
        ) : null}
      </Box>
    </Box>
  );
}

function Failure({ error }: { error: AppError | null }) {
  const { t } = useTranslation();
  return error ? <Alert severity="error">{t(`error.${error.code}`)}</Alert> : null;
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
