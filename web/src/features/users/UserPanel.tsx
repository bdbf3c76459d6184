import { anyRecord } from '@caseway/contract/record';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import {
  changeUser,
  deactivateUser,
  readUser,
  resendInvitation,
  resetSecondFactor,
  type UserDetail,
  type UserMembership,
  unlockUser,
  users,
} from '@caseway/contract/users';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi, useCall } from '../../data/api.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { RecordHistory } from '../../record/RecordHistory.tsx';
import { PanelPart, RecordPanel } from '../../record/RecordPanel.tsx';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ContactLinks } from '../../ui/ContactLink.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { useFormats } from '../../words/formats.ts';
import { languageNames, languageOf } from '../../words/i18n.ts';
import { AddMembership, EditRoles, EditUser, offerUndoOf, oldUsers } from './EditUser.tsx';
import { fullName, Refused, refusalKeys } from './parts.tsx';
import { StatusMark } from './StatusMark.tsx';
import { useUserWords } from './words.ts';

type Opened =
  | { kind: 'edit' }
  | { kind: 'add' }
  | { kind: 'roles'; membership: UserMembership }
  | { kind: 'deactivate' }
  | { kind: 'reset' };

/** The user open next to the list: name, organizations, roles, and actions. */
export function UserPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('users');
  const query = useApi(readUser, { params: { id } });
  return (
    <RecordPanel query={query} title={(user) => (user ? fullName(user) : t('panel.title'))} onClose={onClose}>
      {(user) => <User user={user} />}
    </RecordPanel>
  );
}

function User({ user }: { user: UserDetail }) {
  const { t, i18n } = useTranslation('users');
  const formats = useFormats();
  const writes = useMay()('users/write');
  const [opened, setOpened] = useState<Opened | null>(null);
  const resend = useCall(resendInvitation, { invalidates: oldUsers });
  const end = useCall(deactivateUser, { invalidates: oldUsers });
  const unlock = useCall(unlockUser, { invalidates: oldUsers });
  const reset = useCall(resetSecondFactor, { invalidates: oldUsers });
  const { labels, text } = useUserWords();
  const name = fullName(user);
  const close = () => setOpened(null);
  const active = user.memberships.filter((membership) => membership.active);
  const language = languageOf(user.language);
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Facts
        facts={[
          [t('column.status'), <StatusMark key="status" status={user.status} />],
          [t('panel.lockedSince'), user.lock?.since && formats.instant(user.lock.since)],
          [t('panel.lockedUntil'), user.lock && formats.instant(user.lock.until)],
          [t('column.email'), <ContactLinks key="email" kind="email" values={[user.email]} />],
          [t('column.phone'), user.phone && <ContactLinks key="phone" kind="phone" values={[user.phone]} />],
          [
            t('column.lastSignInAt'),
            user.lastSignInAt ? formats.instant(user.lastSignInAt) : t('panel.never'),
          ],
          [t('column.secondFactor'), t(`secondFactor.${user.secondFactor}`)],
          [t('column.invitedAt'), user.invitedAt && formats.instant(user.invitedAt)],
          [t('column.language'), language ? languageNames[language] : user.language],
          [t('column.timeZone'), nameOfTimeZone(user.timeZone, i18n.language)],
        ]}
      />
      {writes ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          {user.editable === 'nothing' ? null : (
            <Button variant="outlined" size="small" onClick={() => setOpened({ kind: 'edit' })}>
              {t('panel.edit')}
            </Button>
          )}
          {user.status === 'invited' ? (
            <Button
              variant="outlined"
              size="small"
              loading={resend.isPending}
              onClick={() =>
                resend.mutate(
                  { params: { id: user.id } },
                  { onSuccess: () => notify('success', 'users:panel.resent', { values: { name } }) },
                )
              }
            >
              {t('panel.resend')}
            </Button>
          ) : null}
          {user.status === 'locked' && user.editable !== 'nothing' ? (
            <Button
              variant="outlined"
              size="small"
              loading={unlock.isPending}
              onClick={() =>
                unlock.mutate(
                  { params: { id: user.id } },
                  { onSuccess: () => notify('success', 'users:panel.unlocked', { values: { name } }) },
                )
              }
            >
              {t('panel.unlock')}
            </Button>
          ) : null}
          {user.secondFactor === 'yes' && user.editable !== 'nothing' ? (
            <Button variant="outlined" size="small" onClick={() => setOpened({ kind: 'reset' })}>
              {t('panel.reset')}
            </Button>
          ) : null}
          {active.length > 0 && active.every(({ locked }) => locked === null) ? (
            <Button variant="outlined" size="small" onClick={() => setOpened({ kind: 'deactivate' })}>
              {t('panel.deactivate')}
            </Button>
          ) : null}
        </Box>
      ) : null}
      {writes && user.editable === 'nothing' ? (
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('panel.kept')}
          {user.status === 'locked' ? ` ${t('panel.keptLocked')}` : null}
        </Typography>
      ) : null}
      <Refused error={resend.error ?? unlock.error} />

      <PanelPart
        title={t('panel.organizations')}
        actions={
          writes ? (
            <Button variant="text" size="small" onClick={() => setOpened({ kind: 'add' })}>
              {t('panel.add')}
            </Button>
          ) : null
        }
      >
        <Box
          component="ul"
          sx={{
            listStyle: 'none',
            margin: 0,
            padding: 0,
            display: 'grid',
            gap: 3,
            gridTemplateColumns: 'minmax(0, 1fr)',
          }}
        >
          {user.memberships.map((membership) => (
            <Membership
              key={membership.id}
              user={user}
              membership={membership}
              writes={writes}
              onRoles={() => setOpened({ kind: 'roles', membership })}
            />
          ))}
        </Box>
      </PanelPart>

      <RecordHistory
        record={anyRecord(users)}
        id={user.id}
        label={(field) => labels[field] ?? field}
        text={text}
        refusal={(code) => refusalKeys[code]}
        invalidates={oldUsers}
      />

      {opened?.kind === 'edit' ? <EditUser user={user} onClose={close} /> : null}
      {opened?.kind === 'add' ? <AddMembership user={user} onClose={close} /> : null}
      {opened?.kind === 'roles' ? (
        <EditRoles user={user} membership={opened.membership} onClose={close} />
      ) : null}
      <ConfirmDialog
        open={opened?.kind === 'reset'}
        title={t('reset.title', { name })}
        confirm={t('reset.confirm')}
        danger
        busy={reset.isPending}
        error={reset.error}
        onClose={close}
        onConfirm={() =>
          reset.mutate(
            { params: { id: user.id } },
            {
              onSuccess: () => {
                close();
                notify('success', 'users:reset.done', { values: { name } });
              },
            },
          )
        }
      >
        <Typography variant="body1">{t('reset.text', { name })}</Typography>
      </ConfirmDialog>
      <ConfirmDialog
        open={opened?.kind === 'deactivate'}
        title={t('deactivate.title', { name })}
        confirm={t('deactivate.confirm')}
        danger
        busy={end.isPending}
        error={end.error}
        onClose={close}
        onConfirm={() =>
          end.mutate(
            { params: { id: user.id } },
            {
              onSuccess: ({ user: now, ended }) => {
                close();
                offerUndoOf(
                  'users:done.ended',
                  { name },
                  now.memberships.filter((one) => ended.includes(one.id)),
                );
              },
            },
          )
        }
      >
        <Typography variant="body1">{t('deactivate.text', { name, count: active.length })}</Typography>
        <ul>
          {active.map(({ id, orgName }) => (
            <li key={id}>{orgName}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </Box>
  );
}

/** A person's membership in one organization, with its buttons or why there are none. */
function Membership({
  user,
  membership,
  writes,
  onRoles,
}: {
  user: UserDetail;
  membership: UserMembership;
  writes: boolean;
  onRoles: () => void;
}) {
  const { t } = useTranslation('users');
  const formats = useFormats();
  const { options: roles } = useLookup('roles');
  const call = useCall(changeUser, { invalidates: oldUsers });
  const { id, version, orgName: org, active, locked } = membership;
  const label = (roleId: string) => roles.find((role) => role.id === roleId)?.label ?? '';
  const setActive = (next: boolean) =>
    call.mutate(
      { params: { id }, body: { version, active: next } },
      {
        onSuccess: (changed) =>
          offerUndoOf(next ? 'users:done.activated' : 'users:done.ended', { name: fullName(user) }, [
            changed,
          ]),
      },
    );
  return (
    <Box
      component="li"
      sx={{ border: 1, borderColor: 'divider', borderRadius: '10px', padding: 3, display: 'grid', gap: 2 }}
    >
      <Box>
        <Typography variant="body1" sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>
          {org}
        </Typography>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {[
            t(`common:org.type.${membership.orgType}`),
            membership.endedAt ? t('panel.ended', { day: formats.instant(membership.endedAt) }) : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Typography>
      </Box>
      <Typography variant="body2" sx={{ color: active ? 'text.primary' : 'text.secondary' }}>
        {membership.roleIds.map(label).filter(Boolean).join(', ')}
      </Typography>
      {!writes ? null : locked !== null ? (
        <Typography variant="caption" sx={{ color: 'text.secondary', display: 'flex', gap: 1.5 }}>
          <CircleAlert size={14} aria-hidden style={{ flex: 'none', marginTop: 1 }} />
          {t(`refusal.${locked}`)}
        </Typography>
      ) : (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          {active ? (
            <>
              <Button
                size="small"
                variant="outlined"
                aria-label={t('panel.changeRolesOf', { org })}
                onClick={onRoles}
              >
                {t('panel.changeRoles')}
              </Button>
              <Button
                size="small"
                variant="text"
                component={Link}
                to={`/admin/roles/check?user=${id}`}
                aria-label={t('panel.checkOf', { org })}
              >
                {t('panel.check')}
              </Button>
              <Button
                size="small"
                variant="text"
                aria-label={t('panel.endOf', { org })}
                loading={call.isPending}
                onClick={() => setActive(false)}
              >
                {t('panel.end')}
              </Button>
            </>
          ) : (
            <Button
              size="small"
              variant="outlined"
              aria-label={t('panel.activateOf', { org })}
              loading={call.isPending}
              onClick={() => setActive(true)}
            >
              {t('panel.activate')}
            </Button>
          )}
        </Box>
      )}
      <Refused error={call.error} />
    </Box>
  );
}
