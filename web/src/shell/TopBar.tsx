import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { frame } from '../theme.ts';
import { commandKey, Key } from '../ui/Key.tsx';
import { LanguageMenu } from './LanguageMenu.tsx';
import { NotificationMenu } from './NotificationMenu.tsx';
import { OrgSwitcher } from './OrgSwitcher.tsx';
import { UserMenu } from './UserMenu.tsx';

/** The same on every screen. A change of address does not rerender it. */
export const TopBar = memo(function TopBar({
  narrow,
  onMenu,
  onSearch,
  onKeys,
}: {
  /** A phone: the navigation is a drawer. */
  narrow: boolean;
  onMenu: () => void;
  onSearch: () => void;
  onKeys: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Box
      component="header"
      className="no-print"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        height: frame.topBar,
        flex: 'none',
        paddingX: { xs: 2, sm: 3 },
        backgroundColor: 'surface',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      {narrow ? (
        <IconButton aria-label={t('shell.openMenu')} onClick={onMenu}>
          <MenuIcon size={20} />
        </IconButton>
      ) : null}
      <Box sx={{ minWidth: 0, display: 'flex' }}>
        <OrgSwitcher />
      </Box>
      <Box sx={{ flex: 1 }} />
      {narrow ? (
        <IconButton aria-label={t('palette.title')} onClick={onSearch}>
          <Search size={18} />
        </IconButton>
      ) : (
        <ButtonBase
          onClick={onSearch}
          aria-keyshortcuts="Control+K Meta+K"
          sx={{
            gap: 2,
            width: 240,
            minHeight: 34,
            padding: '4px 6px 4px 10px',
            marginRight: 1,
            borderRadius: '6px',
            border: 1,
            borderColor: 'divider',
            backgroundColor: 'canvas',
            color: 'text.secondary',
            fontSize: '0.8125rem',
            '&:hover': { borderColor: 'control' },
          }}
        >
          <Search size={16} aria-hidden />
          <Box component="span" sx={{ flex: 1, textAlign: 'left' }}>
            {t('palette.open')}
          </Box>
          <Key>{commandKey()} K</Key>
        </ButtonBase>
      )}
      {narrow ? null : <LanguageMenu />}
      <NotificationMenu />
      <UserMenu narrow={narrow} onKeys={onKeys} />
    </Box>
  );
});
