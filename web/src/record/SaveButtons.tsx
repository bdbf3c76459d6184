import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** The buttons of a form that is always open: they save or discard changes. */
export function SaveButtons({
  of: { dirty, saving, discard },
  children,
}: {
  of: { dirty: boolean; saving: boolean; discard: () => void };
  /** More buttons. */
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
      <Button type="submit" variant="contained" disabled={!dirty} loading={saving}>
        {t('action.save')}
      </Button>
      <Button variant="outlined" disabled={!dirty || saving} onClick={discard}>
        {t('action.discard')}
      </Button>
      {children}
    </Box>
  );
}
