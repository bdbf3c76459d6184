import type { PlaceStatus } from '@caseway/contract/places';
import Box from '@mui/material/Box';
import { CircleCheck, CircleHelp, CircleMinus, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';

const marks: Readonly<Record<PlaceStatus, { icon: LucideIcon; color: string }>> = {
  active: { icon: CircleCheck, color: 'success.main' },
  waiting: { icon: CircleHelp, color: 'warning.main' },
  inactive: { icon: CircleMinus, color: 'text.secondary' },
};

/** How it stands with a record, as a word with its mark. */
export function StatusMark({ status }: { status: PlaceStatus }) {
  const { t } = useTranslation('places');
  const { icon: Icon, color } = marks[status];
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
      <Box component="span" aria-hidden sx={{ display: 'inline-flex', color }}>
        <Icon size={15} />
      </Box>
      {t(`choice.status.${status}`)}
    </Box>
  );
}
