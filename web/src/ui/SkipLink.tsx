import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';

/** The first tab stop: skips what is on every screen. */
export function SkipLink({ to }: { to: string }) {
  const { t } = useTranslation();
  return (
    <Link
      href={`#${to}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
      sx={{
        position: 'fixed',
        top: 8,
        left: 8,
        zIndex: 'tooltip',
        padding: '8px 12px',
        borderRadius: '6px',
        backgroundColor: 'surface',
        '&:not(:focus)': {
          clipPath: 'inset(50%)',
          width: '1px',
          height: '1px',
          overflow: 'hidden',
          padding: 0,
        },
      }}
    >
      {t('shell.skip')}
    </Link>
  );
}
