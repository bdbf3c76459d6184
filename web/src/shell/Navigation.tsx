import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { memo, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { isBelow } from '../data/is-below.ts';
import { useWaiting } from '../data/use-waiting.ts';
import { useMay } from '../session/permissions.ts';
import { navigationToggled } from '../session/preferences.ts';
import { useAppDispatch } from '../session/store.ts';
import { frame } from '../theme.ts';
import { BetaTag } from '../ui/BetaTag.tsx';
import { Mark } from '../ui/Brand.tsx';
import { FollowLinks } from '../ui/FollowLinks.tsx';
import { menuIcons } from './menu-icons.ts';
import { isBeta, maySee, menuGroups, type Screen } from './screens.ts';

/**
 * The side navigation: the screens the user may see, in groups. A change of address rerenders only the two
 * affected links.
 */
export const Navigation = memo(function Navigation({
  screens,
  pathname,
  collapsed,
  onGo,
}: {
  screens: readonly Screen[];
  /** The current path. */
  pathname: string;
  /** Icons only. */
  collapsed: boolean;
  /** Called when a link is chosen, which closes a drawer. */
  onGo?: () => void;
}) {
  const { t } = useTranslation();
  const may = useMay();
  const waiting = useWaiting();
  const dispatch = useAppDispatch();
  const seen = screens.filter((screen) => screen.menu && maySee(screen, may));
  return (
    <Box
      component="nav"
      aria-label={t('shell.navigation')}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        height: '100%',
        overflow: 'hidden',
        backgroundColor: 'canvas',
      }}
    >
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 2.5,
          height: frame.topBar,
          flex: 'none',
          paddingX: 4,
        }}
      >
        <Mark />
        {collapsed ? null : (
          <Typography component="span" sx={{ fontSize: '1rem', fontWeight: 650, letterSpacing: '-0.01em' }}>
            Caseway
          </Typography>
        )}
      </Box>
      <Box sx={{ flex: 1, overflowY: 'auto', padding: collapsed ? '8px 10px' : '8px 12px' }}>
        <FollowLinks onFollow={onGo}>
          {menuGroups.map((group) => {
            const entries = seen.filter((screen) => screen.menu?.group === group);
            if (entries.length === 0) return null;
            return (
              <Box key={group} sx={{ marginBottom: 4 }}>
                {collapsed || group === 'work' ? null : (
                  <Typography
                    variant="caption"
                    component="div"
                    id={`nav-${group}`}
                    sx={{ color: 'text.tertiary', fontWeight: 550, padding: '4px 8px' }}
                  >
                    {t(`menu.${group}`)}
                  </Typography>
                )}
                <Box
                  component="ul"
                  aria-label={t(`menu.${group}`)}
                  sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: '2px' }}
                >
                  {entries.map((screen) => (
                    <Entry
                      key={screen.path}
                      screen={screen}
                      count={waiting.beside(screen.path)}
                      collapsed={collapsed}
                      isHere={isBelow(pathname, screen.path)}
                    />
                  ))}
                </Box>
              </Box>
            );
          })}
        </FollowLinks>
      </Box>
      {onGo ? null : (
        <Box sx={{ padding: collapsed ? '8px 10px' : '8px 12px', flex: 'none' }}>
          <ButtonBase
            aria-label={t(collapsed ? 'shell.expand' : 'shell.collapse')}
            {...(collapsed ? { title: t('shell.expand') } : {})}
            onClick={() => dispatch(navigationToggled())}
            sx={{
              width: '100%',
              justifyContent: 'flex-start',
              gap: 2.5,
              minHeight: 36,
              padding: '8px',
              borderRadius: '6px',
              color: 'text.secondary',
              fontSize: '0.8125rem',
              '&:hover': { backgroundColor: 'raised' },
            }}
          >
            {collapsed ? <PanelLeftOpen size={18} aria-hidden /> : <PanelLeftClose size={18} aria-hidden />}
            {collapsed ? null : t('shell.collapse')}
          </ButtonBase>
        </Box>
      )}
    </Box>
  );
});

/** Larger numbers are shown as this plus. */
const most = 99;

const Entry = memo(function Entry({
  screen,
  count,
  collapsed,
  isHere,
}: {
  screen: Screen;
  /** How much is waiting there. */
  count: number;
  collapsed: boolean;
  /** Whether the current address belongs to this screen. */
  isHere: boolean;
}) {
  const { t } = useTranslation();
  const Icon = menuIcons[screen.menu!.icon];
  const label = t(screen.label);
  const described = useId();
  const waits = count > 0 ? t('waiting.beside', { count }) : undefined;
  return (
    <Box component="li" sx={{ position: 'relative' }}>
      <ButtonBase
        href={screen.path}
        {...(isHere && { 'aria-current': 'page' })}
        {...(collapsed ? { 'aria-label': label, title: label } : {})}
        {...(waits ? { 'aria-describedby': described } : {})}
        sx={{
          width: '100%',
          justifyContent: 'flex-start',
          gap: 2.5,
          minHeight: 36,
          padding: '8px',
          // Room for the number.
          ...(waits && !collapsed && { paddingRight: 9 }),
          borderRadius: '6px',
          fontSize: '0.875rem',
          lineHeight: 20 / 14,
          color: 'text.secondary',
          '&:hover': { backgroundColor: 'raised', color: 'text.primary' },
          '&[aria-current]': { backgroundColor: 'tint', color: 'text.primary', fontWeight: 550 },
          '&[aria-current] svg': { color: 'primary.main' },
        }}
      >
        <Icon size={18} strokeWidth={1.75} aria-hidden style={{ flex: 'none' }} />
        {collapsed ? null : label}
        {collapsed || !isBeta(screen) ? null : <BetaTag />}
      </ButtonBase>
      {waits ? (
        <Box
          component="span"
          sx={{
            position: 'absolute',
            insetBlock: 0,
            right: collapsed ? 2 : 10,
            display: 'flex',
            alignItems: collapsed ? 'flex-start' : 'center',
            pointerEvents: 'none',
            color: 'text.secondary',
            fontSize: collapsed ? '0.6875rem' : '0.8125rem',
            fontVariantNumeric: 'tabular-nums',
          }}
        >
          <span aria-hidden>{count > most ? `${most}+` : count}</span>
          <Box component="span" id={described} sx={{ position: 'absolute', clipPath: 'inset(50%)' }}>
            {waits}
          </Box>
        </Box>
      ) : null}
    </Box>
  );
});
