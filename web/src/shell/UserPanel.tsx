import type { User } from '@caseway/contract/session';
import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import MenuItem from '@mui/material/MenuItem';
import MenuList from '@mui/material/MenuList';
import Popover from '@mui/material/Popover';
import { useColorScheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Keyboard, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { densityChosen } from '../session/preferences.ts';
import { signOut } from '../session/session.ts';
import { useAppDispatch, useAppSelector } from '../session/store.ts';
import { type Density, densities } from '../theme.ts';
import { Segments } from '../ui/Segments.tsx';
import { chooseLanguage, languageNames, languageOf } from '../words/i18n.ts';
import { useOfferedLanguages } from '../words/use-languages.ts';
import { profilePath } from './screens.ts';

const schemes = [
  { value: 'system', icon: Monitor },
  { value: 'light', icon: Sun },
  { value: 'dark', icon: Moon },
] as const;

export default function UserPanel({
  anchor,
  narrow,
  user,
  onKeys,
  onClose,
}: {
  anchor: HTMLElement;
  /** A phone: the languages are here. */
  narrow: boolean;
  user: User;
  onKeys: () => void;
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation();
  const offered = useOfferedLanguages(i18n.language);
  const dispatch = useAppDispatch();
  const tenant = useAppSelector((state) => state.authentication.selectedTenantOrg?.tenant);
  const density = useAppSelector((state) => state.preferences.density);
  const { mode, setMode } = useColorScheme();
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ paper: { role: 'dialog', sx: { width: 304 }, 'aria-label': t('user.title') } }}
    >
      <Box sx={{ padding: '14px 16px 10px' }}>
        <Typography variant="h3" component="p" noWrap>
          {name}
        </Typography>
        <Typography variant="body2" noWrap sx={{ color: 'text.secondary' }}>
          {user.email}
        </Typography>
        {tenant ? (
          <Typography variant="body2" noWrap sx={{ color: 'text.secondary' }}>
            {tenant.name}
          </Typography>
        ) : null}
      </Box>
      <Divider />
      <Box sx={{ display: 'grid', gap: 3, padding: '12px 16px' }}>
        <Segments
          label={t('theme.title')}
          value={mode ?? 'system'}
          onChange={(value) => setMode(value)}
          options={schemes.map(({ value, icon }) => ({ value, icon, label: t(`theme.${value}`) }))}
        />
        <Segments
          label={t('density.title')}
          value={density}
          onChange={(value) => dispatch(densityChosen(value))}
          options={(Object.keys(densities) as Density[]).map((value) => ({
            value,
            label: t(`density.${value}`),
          }))}
        />
      </Box>
      {narrow ? (
        <>
          <Divider />
          <MenuList aria-label={t('language.title')} sx={{ padding: 1 }}>
            {offered.map((one) => (
              <MenuItem
                key={one}
                lang={one}
                role="menuitemradio"
                aria-checked={one === languageOf(i18n.language)}
                selected={one === languageOf(i18n.language)}
                onClick={() => void chooseLanguage(one)}
              >
                {languageNames[one]}
              </MenuItem>
            ))}
          </MenuList>
        </>
      ) : null}
      <Divider />
      <MenuList sx={{ padding: 1 }}>
        <MenuItem component={Link} to={profilePath} onClick={onClose}>
          <UserRound size={16} aria-hidden />
          {t('screen.profile')}
        </MenuItem>
        <MenuItem
          onClick={() => {
            onClose();
            onKeys();
          }}
        >
          <Keyboard size={16} aria-hidden />
          {t('keys.title')}
        </MenuItem>
        <MenuItem onClick={() => void signOut()}>
          <LogOut size={16} aria-hidden />
          {t('user.signOut')}
        </MenuItem>
      </MenuList>
    </Popover>
  );
}
