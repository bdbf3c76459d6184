import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppSelector } from '../session/store.ts';
import { TenantLogo } from '../ui/TenantLogo.tsx';
import { Overlay } from './Overlay.tsx';
import { orgIcons } from './org-icons.ts';
import { OrgPanel } from './panels.ts';

const switcher = {
  display: 'flex',
  alignItems: 'center',
  gap: 2,
  minWidth: 0,
  minHeight: 36,
  padding: '4px 10px',
  borderRadius: '6px',
  textAlign: 'left',
} as const;

/** The current organization, always visible, and the switch to another. [S2.5] */
export function OrgSwitcher() {
  const { t } = useTranslation();
  const org = useAppSelector((state) => state.authentication.selectedTenantOrg);
  const several = useAppSelector((state) => state.authentication.availableOrgs.length > 1);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (!org) return null;
  const Icon = orgIcons[org.orgType];
  const name = (
    <>
      <Box component="span" aria-hidden sx={{ display: 'flex', color: 'primary.main' }}>
        {org.logo && org.orgType === 'T' ? (
          <TenantLogo address={org.logo} name="" height={28} width={72} instead={<Icon size={18} />} />
        ) : (
          <Icon size={18} />
        )}
      </Box>
      <Typography variant="body1" component="span" noWrap sx={{ minWidth: 0, fontWeight: 550 }}>
        {org.name}
      </Typography>
    </>
  );
  // A user with one organization has nothing to switch.
  if (!several) return <Box sx={switcher}>{name}</Box>;
  return (
    <>
      <ButtonBase
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-label={t('org.switch', { name: org.name })}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ ...switcher, '&:hover': { backgroundColor: 'raised' } }}
      >
        {name}
        <Box component="span" aria-hidden sx={{ display: 'flex', color: 'text.tertiary' }}>
          <ChevronsUpDown size={14} />
        </Box>
      </ButtonBase>
      {anchor ? (
        <Overlay>
          <OrgPanel anchor={anchor} org={org} onClose={() => setAnchor(null)} />
        </Overlay>
      ) : null}
    </>
  );
}
