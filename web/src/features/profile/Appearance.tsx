import Box from '@mui/material/Box';
import { useColorScheme } from '@mui/material/styles';
import { Monitor, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { densityChosen } from '../../session/preferences.ts';
import { useAppDispatch, useAppSelector } from '../../session/store.ts';
import { type Density, densities } from '../../theme.ts';
import { Section } from '../../ui/Section.tsx';
import { Segments } from '../../ui/Segments.tsx';

const schemes = [
  { value: 'system', icon: Monitor },
  { value: 'light', icon: Sun },
  { value: 'dark', icon: Moon },
] as const;

/** How the product looks in this browser. */
export function Appearance() {
  const { t } = useTranslation(['profile', 'common']);
  const dispatch = useAppDispatch();
  const density = useAppSelector((state) => state.preferences.density);
  const { mode, setMode } = useColorScheme();
  return (
    <Section title={t('appearance.title')}>
      <Box sx={{ display: 'grid', gap: 4, maxWidth: 400 }}>
        <Segments
          label={t('common:theme.title')}
          value={mode ?? 'system'}
          onChange={(value) => setMode(value)}
          options={schemes.map(({ value, icon }) => ({ value, icon, label: t(`common:theme.${value}`) }))}
        />
        <Segments
          label={t('common:density.title')}
          value={density}
          onChange={(value) => dispatch(densityChosen(value))}
          options={(Object.keys(densities) as Density[]).map((value) => ({
            value,
            label: t(`common:density.${value}`),
          }))}
        />
      </Box>
    </Section>
  );
}
