import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/Page.tsx';

/** What is done at the sign-in, for who is signed in already and followed the link of a message. */
export function RecoveryScreen({ title, form }: { title: string; form: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Page title={t(title)}>
      <Box sx={{ maxWidth: 480 }}>{form}</Box>
    </Page>
  );
}
