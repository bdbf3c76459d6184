import { type DemoMessage, demoPatient, demoUsernames } from '@caseway/contract/demo';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { useDemoMessages } from '../../data/demo-messages.ts';
import { readRuntimeConfig } from '../../data/runtime-config.ts';

/** All demo accounts, and the messages the product has sent to them. */
export default function DemoMessages() {
  const { t } = useTranslation('sign-in');
  const { demo, demoMessages } = readRuntimeConfig();
  if (!demo) return <Alert severity="info">{t('demo.none')}</Alert>;
  return (
    <>
      <Accounts />
      {demoMessages ? <Messages /> : <Alert severity="info">{t('demo.elsewhere')}</Alert>}
    </>
  );
}

function Accounts() {
  const { t } = useTranslation('sign-in');
  return (
    <Box component="section" aria-labelledby="demo-accounts">
      <Typography variant="h3" component="h2" id="demo-accounts">
        {t('demo.accounts')}
      </Typography>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {demoUsernames.map((username) => (
          <Box component="li" key={username} sx={{ paddingY: 1.5, borderBottom: 1, borderColor: 'divider' }}>
            <Link component={RouterLink} to="/sign-in" state={{ account: username }}>
              {username}
            </Link>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t(`demo.who.${username.split('.')[0]!.replace('@', '_')}`)}
            </Typography>
          </Box>
        ))}
        <Box component="li" sx={{ paddingY: 1.5 }}>
          {/* A separate page, so that nothing of this sign-in is kept in the other. */}
          <Link href="/patient/sign-in">{demoPatient}</Link>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('demo.who.patient')}
          </Typography>
        </Box>
      </Box>
    </Box>
  );
}

function Messages() {
  const { t } = useTranslation('sign-in');
  const { data, isPending, isError } = useDemoMessages();
  return (
    <Box component="section" aria-labelledby="demo-messages" aria-busy={isPending}>
      <Typography variant="h3" component="h2" id="demo-messages">
        {t('demo.messages')}
      </Typography>
      {isError ? (
        <Alert severity="error" sx={{ marginTop: 2 }}>
          {t('demo.failed')}
        </Alert>
      ) : data?.messages.length === 0 ? (
        <Typography variant="body1" sx={{ color: 'text.secondary', marginTop: 1 }}>
          {t('demo.noMessages')}
        </Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {data?.messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </Box>
      )}
    </Box>
  );
}

function Message({ message: { to, at, subject, text } }: { message: DemoMessage }) {
  const { t, i18n } = useTranslation('sign-in');
  return (
    <Box
      component="li"
      sx={{ paddingY: 2, borderBottom: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}
    >
      <details>
        <Box component="summary" sx={{ cursor: 'pointer' }}>
          <Typography component="span" variant="body1" sx={{ fontWeight: 650 }}>
            {subject === '' ? t('demo.textMessage') : subject}
          </Typography>
          <Typography component="span" variant="body2" sx={{ display: 'block', color: 'text.secondary' }}>
            {to} · {new Date(at).toLocaleString(i18n.language, { dateStyle: 'medium', timeStyle: 'short' })}
          </Typography>
        </Box>
        <Typography variant="body1" translate="no" sx={{ whiteSpace: 'pre-wrap', marginTop: 2 }}>
          {text}
        </Typography>
      </details>
    </Box>
  );
}
