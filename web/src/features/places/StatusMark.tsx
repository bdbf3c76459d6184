import type { PlaceStatus } from '@caseway/contract/places';
import { CircleCheck, CircleHelp, CircleMinus, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconMark } from '../../ui/IconMark.tsx';

const marks: Readonly<Record<PlaceStatus, { icon: LucideIcon; color: string }>> = {
  active: { icon: CircleCheck, color: 'success.main' },
  waiting: { icon: CircleHelp, color: 'warning.main' },
  inactive: { icon: CircleMinus, color: 'text.secondary' },
};

/** A record's status, as a word with its mark. */
export function StatusMark({ status }: { status: PlaceStatus }) {
  const { t } = useTranslation('places');
  return <IconMark {...marks[status]}>{t(`choice.status.${status}`)}</IconMark>;
}
