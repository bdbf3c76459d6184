import { orgKey, type SelectedOrg } from '@caseway/contract/session';
import Popover from '@mui/material/Popover';
import { useTranslation } from 'react-i18next';
import { chooseOrg } from '../session/session.ts';
import { useAppSelector } from '../session/store.ts';
import { CommandList } from '../ui/CommandList.tsx';
import { orgIcons } from './org-icons.ts';

export default function OrgPanel({
  anchor,
  org,
  onClose,
}: {
  anchor: HTMLElement;
  /** The one acted for at present. */
  org: SelectedOrg;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const available = useAppSelector((state) => state.authentication.availableOrgs);
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{
        paper: {
          role: 'dialog',
          sx: { width: 'min(400px, calc(100vw - 32px))' },
          'aria-label': t('org.title'),
        },
      }}
    >
      <CommandList
        label={t('org.title')}
        placeholder={t('org.search')}
        emptyText={t('org.none')}
        commands={available.map((one) => ({
          id: orgKey(one),
          label: one.name,
          detail: t(`org.type.${one.orgType}`),
          icon: orgIcons[one.orgType],
          selected: orgKey(one) === orgKey(org),
        }))}
        onChoose={(key) => {
          onClose();
          const chosen = available.find((one) => orgKey(one) === key);
          if (chosen && key !== orgKey(org)) void chooseOrg(chosen);
        }}
      />
    </Popover>
  );
}
