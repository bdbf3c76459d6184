import type { UserStatus } from '@caseway/contract/users';
import Box from '@mui/material/Box';
import { CircleCheck, CircleMinus, CircleSlash, Lock, type LucideIcon, Mail } from 'lucide-react';
import { useTranslation } from 'react-i18next';

const marks: Readonly<Record<UserStatus, { icon: LucideIcon; color: string }>> = {
  active: { icon: CircleCheck, color: 'success.main' },
  invited: { icon: Mail, color: 'info.main' },
  locked: { icon: Lock, color: 'warning.main' },
  inactive: { icon: CircleMinus, color: 'text.secondary' },
  disabled: { icon: CircleSlash, color: 'error.main' },
};

/** How it stands with a user, as a word with its mark. */
export function StatusMark({ status }: { status: UserStatus }) {
  const { t } = useTranslation('users');
  const { icon: Icon, color } = marks[status];
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
      <Box component="span" aria-hidden sx={{ display: 'inline-flex', color }}>
        <Icon size={15} />
      </Box>
      {t(`status.${status}`)}
    </Box>
  );
}
