import ButtonBase from '@mui/material/ButtonBase';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppSelector } from '../session/store.ts';
import { Overlay } from './Overlay.tsx';
import { UserPanel } from './panels.ts';

/** The account, the product's appearance, and signing out. */
export function UserMenu({ narrow, onKeys }: { narrow: boolean; onKeys: () => void }) {
  const { t } = useTranslation();
  const user = useAppSelector((state) => state.authentication.user);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (!user) return null;
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
  const initials = `${user.firstName.charAt(0)}${user.lastName.charAt(0)}`.toUpperCase();
  return (
    <>
      <ButtonBase
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        // The accessible name starts with the visible text, so that voice control finds it.
        aria-label={`${initials}, ${t('user.open', { name })}`}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{
          width: 32,
          height: 32,
          marginLeft: 1,
          flex: 'none',
          borderRadius: '999px',
          backgroundColor: 'tint',
          color: 'text.primary',
          fontSize: '0.75rem',
          fontWeight: 650,
        }}
      >
        {initials}
      </ButtonBase>
      {anchor ? (
        <Overlay>
          <UserPanel
            anchor={anchor}
            narrow={narrow}
            user={user}
            onKeys={onKeys}
            onClose={() => setAnchor(null)}
          />
        </Overlay>
      ) : null}
    </>
  );
}
