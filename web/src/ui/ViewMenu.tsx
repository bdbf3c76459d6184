import type { SavedView } from '@caseway/contract/saved-views';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewDeeds } from '../data/saved-views.ts';
import type { Opening } from '../view/opening.ts';

/** An action in the menu of a view. */
export interface ViewItem {
  label: string;
  act: () => void;
}

/** The actions on a view, behind a button. */
export function ViewMenu({ name, items }: { name: string; items: readonly ViewItem[] }) {
  const { t } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <IconButton
        size="small"
        aria-label={t('gridViews.options', { name })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Ellipsis size={16} aria-hidden />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
        {items.map(({ label, act }) => (
          <MenuItem
            key={label}
            onClick={() => {
              close();
              act();
            }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

/** Whether it can be changed now. */
export const isChangeable = ({ changeable, locked }: Pick<SavedView<unknown>, 'changeable' | 'locked'>) =>
  changeable && locked === null;

/** Who locked a view, in words. */
export function useLockWords(): (saved: Pick<SavedView<unknown>, 'locked'> | undefined) => string | null {
  const { t } = useTranslation();
  return (saved) =>
    saved?.locked ? t('gridViews.lockedBy', { who: saved.locked.by || t('gridViews.someone') }) : null;
}

/** The actions that views of lists and dashboards share: the defaults, and the lock. */
export function useViewItems<View>(deeds: ViewDeeds<View>, opening: Opening) {
  const { t } = useTranslation();
  const { opensWith, roleOpensWith } = opening;
  return {
    /**
     * Makes a view the user's default, or no longer. `otherwise`: what the screen opens with unless they
     * choose; `none`: the choice that stands for the screen's own default, if a role has another.
     */
    forMe: (
      { id, name }: { id: string; name: string },
      { counts, otherwise, none }: { counts: string | null; otherwise: string | null; none?: string },
    ): ViewItem[] => {
      const remove = (next: string | null) => ({
        label: t('gridViews.notDefault'),
        act: () => deeds.openWith(next, name, true),
      });
      if (opensWith === id) return [remove(null)];
      if (counts === id) return none && roleOpensWith === id ? [remove(none)] : [];
      const next = id === otherwise ? null : id;
      return [{ label: t('gridViews.makeDefault'), act: () => deeds.openWith(next, name, false) }];
    },
    /** Locks or unlocks a shared view. */
    lock: (saved: SavedView<View> | undefined): ViewItem[] =>
      saved?.shared && deeds.mayShare
        ? [
            {
              label: t(saved.locked ? 'gridViews.unlock' : 'gridViews.lock'),
              act: () => deeds.lock(saved),
            },
          ]
        : [],
    /** Opens the choice of roles for a shared view. */
    forRoles: (saved: SavedView<View> | undefined, act: () => void): ViewItem[] =>
      saved?.shared && deeds.mayOpenForRoles ? [{ label: t('gridViews.forRoles'), act }] : [],
  };
}
