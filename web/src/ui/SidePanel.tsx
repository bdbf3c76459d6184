import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forScreenReaders } from './for-screen-readers.ts';
import { framed } from './framed.ts';

/**
 * A record next to its list, which stays usable: J and K in the list move to other records. On a phone it
 * covers the screen. Escape closes it.
 */
export function SidePanel({
  title,
  actions,
  onClose,
  children,
}: {
  title: string;
  actions?: ReactNode;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const id = useId();
  const narrow = useMediaQuery('(max-width: 899.95px)');
  const content = (
    <>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 2,
          padding: '10px 10px 10px 16px',
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Typography id={id} variant="h3" component="h2" noWrap sx={{ flex: 1 }}>
          {title}
        </Typography>
        {actions}
        <IconButton aria-label={t('action.close')} onClick={onClose}>
          <X size={18} />
        </IconButton>
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', padding: 4 }}>{children}</Box>
    </>
  );
  if (narrow)
    return (
      <Dialog open fullScreen onClose={onClose} aria-labelledby={id}>
        {content}
      </Dialog>
    );
  return (
    <Box
      component="aside"
      aria-labelledby={id}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') onClose();
      }}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        flex: 'none',
        width: 'min(480px, 40vw)',
        minHeight: 0,
        ...framed,
        overflow: 'hidden',
        position: 'relative',
      }}
    >
      <Said title={title} />
      {content}
    </Box>
  );
}

/**
 * Announces the panel to screen readers: the focus stays in the list, so nothing else does. Only a change is
 * read aloud.
 */
function Said({ title }: { title: string }) {
  const { t } = useTranslation();
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(title), 100);
    return () => clearTimeout(timer);
  }, [title]);
  return (
    <Box aria-live="polite" sx={forScreenReaders}>
      {said && t('action.besideList', { title: said })}
    </Box>
  );
}
