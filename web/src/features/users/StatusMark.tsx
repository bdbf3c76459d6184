import type { UserStatus } from '@caseway/contract/users';
import { CircleCheck, CircleMinus, CircleSlash, Lock, type LucideIcon, Mail } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconMark } from '../../ui/IconMark.tsx';

const marks: Readonly<Record<UserStatus, { icon: LucideIcon; color: string }>> = {
  active: { icon: CircleCheck, color: 'success.main' },
  invited: { icon: Mail, color: 'info.main' },
  locked: { icon: Lock, color: 'warning.main' },
  inactive: { icon: CircleMinus, color: 'text.secondary' },
  disabled: { icon: CircleSlash, color: 'error.main' },
};

/** A user's status, as a word with its mark. */
export function StatusMark({ status }: { status: UserStatus }) {
  const { t } = useTranslation('users');
  return <IconMark {...marks[status]}>{t(`status.${status}`)}</IconMark>;
}
