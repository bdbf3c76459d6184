import { patientChallenge, patientSignIn, type SignInAnswer } from '@caseway/contract/session';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../data/api.ts';
import { readRuntimeConfig } from '../../data/runtime-config.ts';
import { AppError, isOutage } from '../../data/transport.ts';
import { typedAhead, useDoorTaken } from '../../loading/door.ts';
import { adoptTokens } from '../../session/session.ts';
import { LanguageMenu } from '../../shell/LanguageMenu.tsx';
import { OfflineBanner } from '../../shell/OfflineBanner.tsx';
import { Mark } from '../../ui/Brand.tsx';
import { CodeForm } from '../../ui/CodeForm.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormFrame } from '../../ui/FormFrame.tsx';
import { isOver, type SignInStep, signInWords } from '../../ui/sign-in-trouble.ts';
import { dayOf, readWho, type Who } from './who.ts';

/** The typed name, and how the code was requested. */
interface Asked {
  who: Who;
  method: 'EMAIL' | 'SMS';
}
type Step =
  | { at: 'who' }
  | ({ at: 'code'; answer: SignInAnswer } & Asked)
  | ({ at: 'birth'; details: string } & Asked);

/** A patient signs in: an address, the code sent there, the birth date. [S4.1, S7.3] */
export function PatientSignIn({ expired }: { expired: boolean }) {
  const { t } = useTranslation(['portal', 'common']);
  const [step, setStep] = useState<Step>({ at: 'who' });
  // Going back keeps the typed text for correction.
  const [typed, setTyped] = useState(typedAhead);
  const [trouble, setTrouble] = useState<AppError | null>(null);
  const [busy, setBusy] = useState(false);
  const begin = useCall(patientSignIn);
  const answerChallenge = useCall(patientChallenge);
  const title = t(step.at === 'birth' ? 'signIn.birthTitle' : 'signIn.title');
  useDoorTaken(setTyped);
  useEffect(() => {
    document.title = `${title} · Caseway`;
  }, [title]);

  /**
   * Runs one request at a time and shows a refusal. Returns whether there was an outage: the typed text is
   * then still valid.
   */
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    if (busy) return false;
    setBusy(true);
    setTrouble(null);
    try {
      await work();
      return false;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      setTrouble(error);
      return isOutage(error);
    } finally {
      setBusy(false);
    }
  };
  const ask = ({ who, method }: Asked) =>
    attempt(async () => {
      const body = { origin: window.location.hostname, ...who, challengeMethod: method };
      setStep({ at: 'code', who, method, answer: await begin.mutateAsync({ body }) });
    });
  const give = (asked: Asked, details: string, secret: string) =>
    attempt(async () => {
      const next = await answerChallenge.mutateAsync({ body: { details, secret } });
      if ('accessToken' in next) await adoptTokens(next);
      else setStep({ at: 'birth', who: asked.who, method: asked.method, details: next.details });
    });
  const again = () => {
    setStep({ at: 'who' });
    setTrouble(null);
  };

  const said = (at: SignInStep): Said | null =>
    trouble && { code: trouble.code, text: signInWords(t, at, trouble) };

  return (
    <Box sx={{ minHeight: '100dvh', display: 'flex', flexDirection: 'column', padding: { xs: 4, sm: 8 } }}>
      <OfflineBanner />
      <Box component="header" sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center' }}>
        <Mark size={32} />
        <LanguageMenu />
      </Box>
      <Box
        component="main"
        sx={{
          flex: 1,
          display: 'grid',
          justifyItems: 'center',
          alignItems: 'start',
          paddingY: { xs: 6, sm: 12 },
        }}
      >
        <Box
          sx={{ width: 'min(420px, 100%)', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}
        >
          <Typography variant="h1">{title}</Typography>
          {expired && step.at === 'who' ? (
            <Alert severity="info">{t('common:error.session-expired')}</Alert>
          ) : null}
          {step.at === 'who' ? (
            <WhoStep typed={typed} busy={busy} trouble={said('name')} onType={setTyped} onAsk={ask} />
          ) : step.at === 'code' ? (
            <CodeStep
              key={step.answer.details}
              step={step}
              busy={busy}
              trouble={said('sent')}
              onEnter={(secret) => give(step, step.answer.details, secret)}
              onResend={() => void ask(step)}
              onBack={again}
            />
          ) : (
            <BirthStep
              busy={busy}
              trouble={said('birth')}
              onEnter={(secret) => give(step, step.details, secret)}
              onResend={() => void ask(step)}
              onBack={again}
            />
          )}
          {step.at === 'who' ? <Begin /> : null}
        </Box>
      </Box>
    </Box>
  );
}

/** The rest of the first step: a note about the demo, and the link to the staff sign-in. */
function Begin() {
  const { t } = useTranslation('portal');
  const [demo] = useState(() => readRuntimeConfig().demo);
  return (
    <>
      {demo ? (
        <Typography
          data-offered-with="demo"
          variant="body2"
          sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
        >
          {t('signIn.demo')}
        </Typography>
      ) : null}
      {/* A separate page, so that nothing of this sign-in is kept in the other one. */}
      <Typography variant="body2">
        <Link href="/">{t('signIn.staff')}</Link>
      </Typography>
    </>
  );
}

const largeInput = { fontSize: '1.0625rem', minHeight: 48 };

/** Why the last step was refused, in words. */
interface Said {
  code: string;
  text: string;
}

function WhoStep({
  typed,
  busy,
  trouble,
  onType,
  onAsk,
}: {
  typed: string;
  busy: boolean;
  trouble: Said | null;
  onType: (typed: string) => void;
  onAsk: (asked: Asked) => void;
}) {
  const { t } = useTranslation('portal');
  const id = useId();
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const read = readWho(typed);
  const who = 'who' in read ? read.who : null;
  const ask = (method?: 'SMS') => {
    setTried(true);
    if (who) onAsk({ who, method: method ?? ('phone' in who ? 'SMS' : 'EMAIL') });
    else field.current?.focus();
  };
  return (
    <FormFrame onSubmit={() => ask()}>
      <Typography sx={{ color: 'text.secondary' }}>{t('signIn.lead')}</Typography>
      {trouble ? <Alert severity="error">{trouble.text}</Alert> : null}
      <Field
        id={id}
        label={t('signIn.who')}
        help={t('signIn.help')}
        required
        fault={tried && 'fault' in read ? t(`signIn.fault.${read.fault}`) : undefined}
      >
        {({ describedBy, invalid }) => (
          <OutlinedInput
            id={id}
            inputRef={field}
            value={typed}
            onChange={(event) => onType(event.target.value)}
            error={invalid}
            autoComplete="username"
            autoFocus
            sx={largeInput}
            inputProps={{
              spellCheck: false,
              autoCapitalize: 'none',
              'aria-describedby': describedBy,
              'aria-invalid': invalid,
            }}
          />
        )}
      </Field>
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Button type="submit" variant="contained" size="large" loading={busy}>
          {t('signIn.send')}
        </Button>
        {who && 'patientId' in who ? (
          <Button variant="outlined" size="large" disabled={busy} onClick={() => ask('SMS')}>
            {t('signIn.byText')}
          </Button>
        ) : null}
      </Box>
    </FormFrame>
  );
}

function CodeStep({
  step: { who, answer },
  busy,
  trouble,
  onEnter,
  onResend,
  onBack,
}: {
  step: { who: Who; answer: SignInAnswer };
  busy: boolean;
  trouble: Said | null;
  onEnter: (code: string) => Promise<boolean>;
  onResend: () => void;
  onBack: () => void;
}) {
  const { t } = useTranslation('portal');
  const sent =
    'email' in who
      ? t('signIn.sentMail', { destination: answer.destination ?? '' })
      : t('phone' in who || answer.challengeMethod === 'SMS' ? 'signIn.sentText' : 'signIn.sentNumber');
  return (
    <>
      <CodeForm
        times={answer}
        sentTo={'email' in who ? who.email : undefined}
        trouble={trouble}
        busy={busy}
        resending={busy}
        large
        words={{ enter: t('signIn.enter'), back: t('signIn.other') }}
        onEnter={onEnter}
        onResend={onResend}
        onBack={onBack}
      >
        <Typography sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>{sent}</Typography>
      </CodeForm>
      {/* We never say that an address is unknown, so this says what to do if no code comes. */}
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('signIn.noCode')}
      </Typography>
    </>
  );
}

/** Three fields in the language's order, instead of a calendar to page through. */
function BirthStep({
  busy,
  trouble,
  onEnter,
  onResend,
  onBack,
}: {
  busy: boolean;
  trouble: Said | null;
  onEnter: (day: string) => Promise<unknown>;
  onResend: () => void;
  onBack: () => void;
}) {
  const { t, i18n } = useTranslation('portal');
  const first = useRef<HTMLInputElement>(null);
  const over = isOver(trouble?.code);
  const id = useId();
  const [typed, setTyped] = useState({ month: '', day: '', year: '' });
  const [tried, setTried] = useState(false);
  // A value being corrected is no longer marked as wrong.
  const [typedSince, setTypedSince] = useState(false);
  const born = dayOf(typed.year, typed.month, typed.day);
  const parts =
    i18n.language === 'en' ? (['month', 'day', 'year'] as const) : (['day', 'month', 'year'] as const);
  const wrong = tried && (born === null || (trouble?.code === 'code-wrong' && !typedSince));
  return (
    <FormFrame
      onSubmit={() => {
        setTried(true);
        setTypedSince(false);
        // The button is disabled during the request, so the focus moves to where the date is corrected.
        if (born) void onEnter(born).then(() => first.current?.focus());
        else first.current?.focus();
      }}
    >
      <Typography sx={{ color: 'text.secondary' }}>{t('signIn.birthLead')}</Typography>
      {trouble ? <Alert severity="error">{trouble.text}</Alert> : null}
      <Box
        role="group"
        aria-label={t('signIn.birthTitle')}
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: '1fr 1fr 1.5fr' }}
      >
        {parts.map((part, index) => (
          <Field key={part} id={`${id}-${part}`} label={t(`signIn.${part}`)} required>
            {() => (
              <OutlinedInput
                id={`${id}-${part}`}
                value={typed[part]}
                autoFocus={index === 0}
                inputRef={index === 0 ? first : undefined}
                onChange={(event) => {
                  setTypedSince(true);
                  setTyped({
                    ...typed,
                    [part]: event.target.value.replaceAll(/\D/g, '').slice(0, part === 'year' ? 4 : 2),
                  });
                }}
                error={wrong}
                sx={largeInput}
                inputProps={{
                  inputMode: 'numeric',
                  autoComplete: `bday-${part}`,
                  'aria-invalid': wrong,
                  'aria-describedby': wrong && born === null ? `${id}-fault` : undefined,
                }}
              />
            )}
          </Field>
        ))}
      </Box>
      {wrong && born === null ? (
        <Typography id={`${id}-fault`} role="alert" variant="body2" sx={{ color: 'error.main' }}>
          {t('signIn.wrongBirth')}
        </Typography>
      ) : null}
      {over ? (
        <Button variant="contained" size="large" loading={busy} onClick={onResend}>
          {t('signIn.retry')}
        </Button>
      ) : (
        <Button type="submit" variant="contained" size="large" loading={busy}>
          {t('signIn.seeResults')}
        </Button>
      )}
      <Button variant="text" type="button" onClick={onBack} sx={{ justifySelf: 'start', marginX: -2.5 }}>
        {t('signIn.other')}
      </Button>
    </FormFrame>
  );
}
