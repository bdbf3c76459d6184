import { demoUsernames } from '@caseway/contract/demo';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';

/** Some accounts to begin with; the demo page has all. */
const first = demoUsernames.slice(0, 6);

/**
 * The demo accounts: a click signs in. `messages`: the address of the page with all accounts and the messages
 * sent to them.
 */
export function DemoAccounts({
  messages,
  onChoose,
}: {
  messages: string | undefined;
  onChoose: (username: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <Paper
      data-offered-with="demo"
      variant="outlined"
      sx={{ padding: 4, borderRadius: '10px', backgroundColor: 'transparent' }}
    >
      <Typography variant="body2" component="h2" sx={{ fontWeight: 650 }}>
        {t('signIn.demoTitle')}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', marginTop: 1 }}>
        {t('signIn.demo')}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, marginTop: 3 }}>
        {first.map((username) => (
          <Button key={username} size="small" variant="outlined" onClick={() => onChoose(username)}>
            {username.split('@')[0]}
          </Button>
        ))}
      </Box>
      {messages ? (
        <Typography variant="body2" data-offered-with="demoMessages" sx={{ marginTop: 3 }}>
          <Link component={RouterLink} to={messages}>
            {t('signIn.demoAll')}
          </Link>
        </Typography>
      ) : null}
    </Paper>
  );
}
