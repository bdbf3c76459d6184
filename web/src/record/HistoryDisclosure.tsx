import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** A button that shows and hides a history, which loads only while shown. */
export function HistoryDisclosure({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const panel = useId();
  const [open, setOpen] = useState(false);
  return (
    <Box component="section" sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box>
        <Button
          variant="text"
          size="small"
          aria-expanded={open}
          aria-controls={open ? panel : undefined}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'history.hide' : 'history.show')}
        </Button>
      </Box>
      {open ? (
        <Box id={panel} sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          {children}
        </Box>
      ) : null}
    </Box>
  );
}
