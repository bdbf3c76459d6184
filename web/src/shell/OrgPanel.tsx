import {
  initUser,
  type OrgEntry,
  type OrgType,
  orgKey,
  orgTypes,
  type SelectedOrg,
} from '@caseway/contract/session';
import Box from '@mui/material/Box';
import Popover from '@mui/material/Popover';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../data/api.ts';
import { orgsListed } from '../session/authentication.ts';
import { recentOrgs } from '../session/recent-orgs.ts';
import { chooseOrg } from '../session/session.ts';
import { useAppDispatch, useAppSelector } from '../session/store.ts';
import { type Command, CommandList } from '../ui/CommandList.tsx';
import { Segments } from '../ui/Segments.tsx';
import { orgIcons } from './org-icons.ts';

/** From this many on, recently used ones come first, and the list can be limited to one kind. */
const many = 10;

export default function OrgPanel({
  anchor,
  org,
  onClose,
}: {
  anchor: HTMLElement;
  /** The current one. */
  org: SelectedOrg;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const available = useAppSelector((state) => state.authentication.availableOrgs);
  // Shows the initial list until the current one has loaded.
  const dispatch = useAppDispatch();
  const { data } = useApi(initUser, { query: { org: orgKey(org) } });
  useEffect(() => {
    if (data) dispatch(orgsListed(data.availableOrgs));
  }, [data, dispatch]);
  const userId = useAppSelector((state) => state.authentication.user?.id ?? '');
  const [type, setType] = useState<OrgType | 'all'>('all');
  const kinds = useMemo(
    () => orgTypes.filter((one) => available.some(({ orgType }) => orgType === one)),
    [available],
  );
  const commands = useMemo(() => {
    const command = (one: OrgEntry, group?: string): Command => ({
      id: orgKey(one),
      label: one.name,
      detail: t(`org.type.${one.orgType}`),
      icon: orgIcons[one.orgType],
      selected: orgKey(one) === orgKey(org),
      ...(group === undefined ? {} : { group }),
    });
    const ofType = available.filter(({ orgType }) => type === 'all' || orgType === type);
    if (available.length <= many) return ofType.map((one) => command(one));
    const recent = recentOrgs(userId).flatMap((key) => ofType.find((one) => orgKey(one) === key) ?? []);
    const others = ofType.filter((one) => !recent.includes(one));
    return [
      ...recent.map((one) => command(one, t('org.recent'))),
      ...others.map((one) => command(one, t('org.byName'))),
    ];
  }, [available, org, type, userId, t]);

  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{
        paper: {
          role: 'dialog',
          sx: { width: 'min(440px, calc(100vw - 32px))' },
          'aria-label': t('org.title'),
        },
      }}
    >
      {available.length > many && kinds.length > 1 ? (
        <Box sx={{ padding: '10px 12px 4px' }}>
          <Segments
            label={t('org.kind')}
            hideLabel
            value={type}
            onChange={setType}
            options={[
              { value: 'all', label: t('org.every') },
              ...kinds.map((value) => ({ value, label: t(`org.type.${value}`) })),
            ]}
          />
        </Box>
      ) : null}
      <CommandList
        label={t('org.title')}
        placeholder={t('org.search')}
        emptyText={t('org.none')}
        commands={commands}
        onChoose={(key) => {
          onClose();
          const chosen = available.find((one) => orgKey(one) === key);
          if (chosen && key !== orgKey(org)) void chooseOrg(chosen);
        }}
      />
    </Popover>
  );
}
