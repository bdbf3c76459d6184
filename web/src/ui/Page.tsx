import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useFailedLabels } from '../data/use-labels.ts';

const Below = createContext<HTMLElement | null>(null);

/**
 * Part of a single-list screen, placed right below the heading wherever it is rendered; on other screens, in
 * its own place.
 */
export function BelowHeading({ children }: { children: ReactNode }) {
  const place = useContext(Below);
  return place ? createPortal(children, place) : children;
}

/** A screen: its heading, which is also the document's title, its primary action and its content. */
export function Page({
  title,
  tag,
  lead,
  actions,
  fill = false,
  children,
}: {
  title: string;
  /** Next to the heading. */
  tag?: ReactNode;
  /** One sentence below the heading. */
  lead?: ReactNode;
  /** To the right of the heading; at most one primary button. */
  actions?: ReactNode;
  /** The content takes the remaining height, and scrolls separately: a grid. */
  fill?: boolean;
  children: ReactNode;
}) {
  const [below, setBelow] = useState<HTMLElement | null>(null);
  useEffect(() => {
    document.title = `${title} · Caseway`;
  }, [title]);
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: 'column',
        gap: 4,
        padding: { xs: 3, sm: 5 },
        '@media print': { padding: 0 },
        ...(fill
          ? { height: { xs: 'auto', sm: '100%' }, minHeight: 480 }
          : {
              maxWidth: 1440,
              margin: '0 auto',
              width: '100%',
              // The end of the screen can be scrolled out from under notifications.
              paddingBottom: { xs: 3, sm: 'calc(20px + var(--cw-notifications, 0px))' },
            }),
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 3 }}>
        <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
          <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
            {title}
            {tag}
          </Typography>
          {lead ? (
            <Typography variant="body1" sx={{ color: 'text.secondary', marginTop: 1, maxWidth: '72ch' }}>
              {lead}
            </Typography>
          ) : null}
        </Box>
        {actions ? (
          <Box className="no-print" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            {actions}
          </Box>
        ) : null}
      </Box>
      <Box ref={setBelow} sx={{ display: 'grid', gap: 3, '&:empty': { display: 'none' } }} />
      <MissingNames />
      <Below value={fill ? below : null}>{children}</Below>
    </Box>
  );
}

/** Says that labels on the screen could not be loaded, and reloads them. */
function MissingNames() {
  const { t } = useTranslation();
  const { failed, retry } = useFailedLabels();
  if (!failed) return null;
  return (
    <Alert
      severity="warning"
      className="no-print"
      action={
        <Button size="small" variant="text" color="inherit" onClick={retry}>
          {t('action.retry')}
        </Button>
      }
    >
      {t('label.failedTitle')}
    </Alert>
  );
}
