import type { SignInAnswer } from '@caseway/contract/session';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { CodeForm } from '../../ui/CodeForm.tsx';
import type { Trouble } from './SignInForm.tsx';
import { useTroubleWords } from './TroubleAlert.tsx';

/** Enters a code that was sent, or that an authenticator app shows. */
export function CodeStep({
  answer,
  sentTo,
  atOnce,
  second,
  busy,
  resending,
  trouble,
  onEnter,
  onResend,
  onBack,
}: {
  answer: SignInAnswer;
  /** The typed name, for the demo. */
  sentTo: string | undefined;
  /** Enters the demo's code as soon as it arrives. */
  atOnce: boolean;
  /** It is the second step. */
  second: boolean;
  busy: boolean;
  resending: boolean;
  trouble: Trouble | null;
  onEnter: (secret: string) => Promise<boolean>;
  onResend: () => void;
  onBack: () => void;
}) {
  const { t } = useTranslation(['sign-in', 'common']);
  const { challengeMethod: method, destination } = answer;
  const resends = (method === 'EMAIL' || method === 'SMS') && !second;
  const said = useTroubleWords(resends ? 'sent' : 'app', trouble);
  return (
    <CodeForm
      times={answer}
      trouble={said}
      busy={busy}
      resending={resending}
      words={{ enter: t('common:signIn.enter'), back: t('common:signIn.otherAccount') }}
      sentTo={sentTo}
      atOnce={atOnce}
      onEnter={onEnter}
      onResend={resends ? onResend : undefined}
      onBack={onBack}
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
    </CodeForm>
  );
}
