import { isNobodys } from '@caseway/contract/demo';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readRuntimeConfig } from '../data/runtime-config.ts';
import { part } from '../loading/part.tsx';
import { CodeField, codeLength } from './CodeField.tsx';
import { FormFrame } from './FormFrame.tsx';
import { forScreenReaders } from './for-screen-readers.ts';
import { isOver } from './sign-in-trouble.ts';
import { useNow } from './useNow.ts';

/** Another code is normally available sooner than this; a longer wait means too many requests. */
const patienceSeconds = 120;
const TooManyCodes = part('too-many-codes', () => import('./TooManyCodes.tsx'));
const DemoCode = part('demo-code', () => import('./DemoCode.tsx'));

/**
 * A form for a code that was sent or that an authenticator app shows, with a way forward if it no longer
 * works.
 */
export function CodeForm({
  children,
  times: { expiresAt, resendAt },
  trouble,
  busy,
  resending,
  large = false,
  words,
  sentTo,
  atOnce = false,
  onEnter,
  onResend,
  onBack,
}: {
  /** The text above the field. */
  children: ReactNode;
  times: { expiresAt: string; resendAt: string };
  /** Why the last code was not accepted, in words. */
  trouble: { code: string | undefined; text: string } | null;
  busy: boolean;
  resending: boolean;
  large?: boolean;
  words: { enter: string; back: string };
  /** The recipient: the demo shows the codes of invented people. */
  sentTo?: string | undefined;
  /** Enters that code as soon as it arrives. */
  atOnce?: boolean;
  /** Resolves to whether there was an outage: the code then stays and can be sent again. */
  onEnter: (code: string) => Promise<boolean>;
  /** Undefined if no code is sent. */
  onResend: (() => void) | undefined;
  onBack: () => void;
}) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [incomplete, setIncomplete] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const now = useNow(1);
  const expiresIn = secondsUntil(expiresAt, now);
  const resendIn = secondsUntil(resendAt, now);
  // Requested so often that no more messages are sent for a while. The answer does not reveal whether this
  // one was sent.
  const [limited] = useState(() => secondsUntil(resendAt, Date.now()) > patienceSeconds);
  const [demo] = useState(() => readRuntimeConfig().demoMessages && isNobodys(sentTo ?? ''));
  const over = isOver(trouble?.code) || expiresIn <= 0;
  const size = large ? 'large' : 'medium';

  const enter = async (secret: string) => {
    if (secret.length < codeLength) {
      setIncomplete(true);
      field.current?.focus();
      return;
    }
    if (!(await onEnter(secret))) setCode('');
    setIncomplete(false);
    field.current?.focus();
  };
  const use = (secret: string) => {
    setCode(secret);
    void enter(secret);
  };
  const resend = onResend ? (
    <Button
      variant={over ? 'contained' : 'text'}
      size={over ? size : large ? 'medium' : 'small'}
      type="button"
      disabled={resendIn > 0}
      loading={resending}
      onClick={onResend}
    >
      {resendIn > 0 ? t('signIn.resendIn', { time: minutesAndSeconds(resendIn) }) : t('signIn.resend')}
    </Button>
  ) : null;

  return (
    <FormFrame onSubmit={() => void enter(code)}>
      {children}
      {limited && onResend ? (
        <Suspense fallback={null}>
          <TooManyCodes until={resendAt} />
        </Suspense>
      ) : null}
      {demo && onResend && !over ? (
        <Suspense fallback={null}>
          <DemoCode to={sentTo!} now={atOnce} onUse={use} />
        </Suspense>
      ) : null}
      {trouble ? <Alert severity="error">{trouble.text}</Alert> : null}
      <CodeField
        ref={field}
        value={code}
        wrong={trouble !== null && code === ''}
        fault={incomplete && code.length < codeLength ? t('fault.code', { length: codeLength }) : undefined}
        help={over ? t(onResend ? 'signIn.codeOver' : 'signIn.over') : <Expires seconds={expiresIn} />}
        onChange={(typed) => {
          setCode(typed);
          if (typed.length === codeLength) void enter(typed);
        }}
      />
      {over && resend ? (
        resend
      ) : (
        <Button type="submit" variant="contained" size={size} loading={busy}>
          {words.enter}
        </Button>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 1, marginX: -2.5 }}>
        <Button variant="text" size={large ? 'medium' : 'small'} type="button" onClick={onBack}>
          {words.back}
        </Button>
        {over ? null : resend}
      </Box>
    </FormFrame>
  );
}

/** Screen readers reread a text whenever it changes, so theirs changes once a minute. */
function Expires({ seconds }: { seconds: number }) {
  const { t } = useTranslation();
  return (
    <Box component="span" sx={{ position: 'relative' }}>
      <span aria-hidden>{t('signIn.expiresIn', { time: minutesAndSeconds(seconds) })}</span>
      <Box component="span" sx={forScreenReaders}>
        {t('signIn.expiresWithin', { count: Math.ceil(seconds / 60) })}
      </Box>
    </Box>
  );
}

const secondsUntil = (instant: string, now: number) =>
  Math.max(0, Math.ceil((Date.parse(instant) - now) / 1000));
const minutesAndSeconds = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
