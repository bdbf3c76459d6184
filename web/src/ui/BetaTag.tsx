import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';

/** Marks the name of a beta feature. */
export function BetaTag() {
  const { t } = useTranslation();
  // The space is for people who hear or copy the name.
  return (
    <>
      {' '}
      <Box
        component="span"
        title={t('screen.betaHint')}
        sx={{
          display: 'inline-block',
          flex: 'none',
          marginLeft: 2,
          padding: '0 6px',
          border: 1,
          borderColor: 'currentColor',
          borderRadius: '999px',
          color: 'primary.main',
          fontSize: '0.75rem',
          fontWeight: 550,
          lineHeight: 1.5,
          whiteSpace: 'nowrap',
          verticalAlign: 'middle',
        }}
      >
        {t('screen.beta')}
      </Box>
    </>
  );
}
