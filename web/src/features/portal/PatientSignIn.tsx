import { patientChallenge, patientSignIn, type SignInAnswer } from '@caseway/contract/session';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api.ts';
import { readRuntimeConfig } from '../../runtime-config.ts';
import { adoptTokens } from '../../session/session.ts';
import { LanguageMenu } from '../../shell/LanguageMenu.tsx';
import { AppError } from '../../transport.ts';
import { Mark } from '../../ui/Brand.tsx';
import { CodeField, codeLength } from '../../ui/CodeField.tsx';
import { Field } from '../../ui/Field.tsx';
import { dayOf, type Who, whoIs } from './who.ts';

type Step = { at: 'who' } | { at: 'code'; who: Who; answer: SignInAnswer } | { at: 'birth'; details: string };

/** A patient signs in: an address, the code that comes there, the date of birth. [S4.1, S7.3] */
export function PatientSignIn({ expired }: { expired: boolean }) {
  const { t } = useTranslation(['portal', 'common']);
  const [step, setStep] = useState<Step>({ at: 'who' });
  const [trouble, setTrouble] = useState<AppError | null>(null);
  const [busy, setBusy] = useState(false);
  const begin = useCall(patientSignIn);
  const answerChallenge = useCall(patientChallenge);
  useEffect(() => {
    document.title = `${t('signIn.title')} · Caseway`;
  }, [t]);

  /** Does one thing at a time; what the server refuses is shown. */
  const attempt = async (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setTrouble(null);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      setTrouble(error);
    } finally {
      setBusy(false);
    }
  };
  const ask = (who: Who, challengeMethod: 'EMAIL' | 'SMS') =>
    attempt(async () => {
      const body = { origin: window.location.hostname, ...who, challengeMethod };
      setStep({ at: 'code', who, answer: await begin.mutateAsync({ body }) });
    });
  const give = (details: string, secret: string) =>
    attempt(async () => {
      const next = await answerChallenge.mutateAsync({ body: { details, secret } });
      if ('accessToken' in next) await adoptTokens(next);
      else setStep({ at: 'birth', details: next.details });
    });
  const again = () => {
    setStep({ at: 'who' });
    setTrouble(null);
  };

  return (
    <Box sx={{ minHeight: '100dvh', display: 'flex', flexDirection: 'column', padding: { xs: 4, sm: 8 } }}>
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
          <Typography variant="h1">
            {t(step.at === 'birth' ? 'signIn.birthTitle' : 'signIn.title')}
          </Typography>
          {expired && step.at === 'who' ? (
            <Alert severity="info">{t('common:error.session-expired')}</Alert>
          ) : null}
          {trouble ? (
            <Alert severity="error">
              {step.at === 'birth' && trouble.code === 'code-wrong'
                ? t('signIn.noMatch')
                : t(`common:error.${trouble.code}`)}
            </Alert>
          ) : null}
          {step.at === 'who' ? (
            <WhoStep busy={busy} onAsk={ask} />
          ) : step.at === 'code' ? (
            <CodeStep
              key={step.answer.details}
              step={step}
              busy={busy}
              onEnter={(secret) => give(step.answer.details, secret)}
            />
          ) : (
            <BirthStep busy={busy} onEnter={(secret) => give(step.details, secret)} />
          )}
          {step.at === 'who' ? (
            <Begin />
          ) : (
            <Button variant="text" onClick={again} sx={{ justifySelf: 'start', marginX: -2.5 }}>
              {t('signIn.other')}
            </Button>
          )}
        </Box>
      </Box>
    </Box>
  );
}

/** What else there is at the beginning: a word about the demo, and the door of staff. */
function Begin() {
  const { t } = useTranslation('portal');
  const [demo] = useState(() => readRuntimeConfig().demo);
  return (
    <>
      {demo ? (
        <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {t('signIn.demo')}
        </Typography>
      ) : null}
      {/* Another page: whoever goes through the other door leaves everything of this one behind. */}
      <Typography variant="body2">
        <a href="/">{t('signIn.staff')}</a>
      </Typography>
    </>
  );
}

const largeInput = { fontSize: '1.0625rem', minHeight: 48 };

function WhoStep({ busy, onAsk }: { busy: boolean; onAsk: (who: Who, method: 'EMAIL' | 'SMS') => void }) {
  const { t } = useTranslation('portal');
  const id = useId();
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const who = whoIs(typed);
  const ask = (method?: 'SMS') => {
    setTried(true);
    if (who) onAsk(who, method ?? ('phone' in who ? 'SMS' : 'EMAIL'));
  };
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        ask();
      }}
      sx={{ display: 'grid', gap: 4 }}
    >
      <Typography sx={{ color: 'text.secondary' }}>{t('signIn.lead')}</Typography>
      <Field
        id={id}
        label={t('signIn.who')}
        help={t('signIn.help')}
        required
        fault={tried && !who ? t('signIn.wrongWho') : undefined}
      >
        {({ describedBy, invalid }) => (
          <OutlinedInput
            id={id}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
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
    </Box>
  );
}

function CodeStep({
  step: { who, answer },
  busy,
  onEnter,
}: {
  step: { who: Who; answer: SignInAnswer };
  busy: boolean;
  onEnter: (code: string) => void;
}) {
  const { t } = useTranslation(['portal', 'common']);
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const sent =
    'email' in who
      ? t('signIn.sentMail', { destination: answer.destination ?? '' })
      : t('phone' in who || answer.challengeMethod === 'SMS' ? 'signIn.sentText' : 'signIn.sentNumber');
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        setTried(true);
        if (code.length === codeLength) onEnter(code);
      }}
      sx={{ display: 'grid', gap: 4 }}
    >
      <Typography sx={{ color: 'text.secondary' }}>{sent}</Typography>
      <CodeField
        value={code}
        help={t('signIn.codeHelp')}
        fault={tried && code.length < codeLength ? t('common:fault.code', { length: codeLength }) : undefined}
        onChange={(typed) => {
          setCode(typed);
          if (typed.length === codeLength) onEnter(typed);
        }}
      />
      <Button type="submit" variant="contained" size="large" loading={busy}>
        {t('signIn.enter')}
      </Button>
    </Box>
  );
}

/** Three fields, which no calendar has to be leafed through for, in the order of the language. */
function BirthStep({ busy, onEnter }: { busy: boolean; onEnter: (day: string) => void }) {
  const { t, i18n } = useTranslation('portal');
  const id = useId();
  const [typed, setTyped] = useState({ month: '', day: '', year: '' });
  const [tried, setTried] = useState(false);
  const born = dayOf(typed.year, typed.month, typed.day);
  const parts =
    i18n.language === 'en' ? (['month', 'day', 'year'] as const) : (['day', 'month', 'year'] as const);
  const wrong = tried && born === null;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        setTried(true);
        if (born) onEnter(born);
      }}
      sx={{ display: 'grid', gap: 4 }}
    >
      <Typography sx={{ color: 'text.secondary' }}>{t('signIn.birthLead')}</Typography>
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
                onChange={(event) =>
                  setTyped({
                    ...typed,
                    [part]: event.target.value.replaceAll(/\D/g, '').slice(0, part === 'year' ? 4 : 2),
                  })
                }
                error={wrong}
                sx={largeInput}
                inputProps={{
                  inputMode: 'numeric',
                  autoComplete: `bday-${part}`,
                  'aria-invalid': wrong,
                  'aria-describedby': wrong ? `${id}-fault` : undefined,
                }}
              />
            )}
          </Field>
        ))}
      </Box>
      {wrong ? (
        <Typography id={`${id}-fault`} role="alert" variant="body2" sx={{ color: 'error.main' }}>
          {t('signIn.wrongBirth')}
        </Typography>
      ) : null}
      <Button type="submit" variant="contained" size="large" loading={busy}>
        {t('signIn.seeResults')}
      </Button>
    </Box>
  );
}
