import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/Page.tsx';

/** The sign-in's forms, for signed-in users who followed the link of a message. */
export function RecoveryScreen({ title, form }: { title: string; form: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Page title={t(title)}>
      <Box sx={{ maxWidth: 480 }}>{form}</Box>
    </Page>
  );
}
