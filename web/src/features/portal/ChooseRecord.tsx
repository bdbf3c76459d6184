import type { OwnChild } from '@caseway/contract/guardians';
import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useTranslation } from 'react-i18next';

/** Whose record a guardian looks at, in sight on each screen. */
export function ChooseRecord({
  childrenOfOwn,
  shown,
  onChoose,
}: {
  childrenOfOwn: readonly OwnChild[];
  shown: OwnChild | null;
  onChoose: (id: string | null) => void;
}) {
  const { t } = useTranslation('portal');
  const own = '';
  return (
    <Box sx={{ maxWidth: 760, margin: '0 auto', paddingX: { xs: 3, sm: 5 }, paddingY: 2 }}>
      <ToggleButtonGroup
        exclusive
        value={shown?.id ?? own}
        aria-label={t('child.choose')}
        onChange={(_, id: string | null) => {
          if (id !== null) onChoose(id === own ? null : id);
        }}
        sx={{ flexWrap: 'wrap' }}
      >
        {[{ id: own, firstName: t('child.me') }, ...childrenOfOwn].map(({ id, firstName }) => (
          <ToggleButton
            key={id}
            value={id}
            sx={{
              minHeight: 44,
              paddingX: 4,
              fontSize: '1rem',
              textTransform: 'none',
              // Forced colors keep borders, and no backgrounds.
              '&.Mui-selected': { fontWeight: 650, borderBottom: 3, borderBottomColor: 'primary.main' },
            }}
          >
            {firstName ?? t('child.unnamed')}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  );
}
