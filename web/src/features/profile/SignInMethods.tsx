import { phoneShown } from '@caseway/contract/codes';
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  makeRecoveryCodes,
  type Profile,
  removePasskey,
  removePhone,
  removeTotp,
  renamePasskey,
} from '@caseway/contract/profile';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Fingerprint, KeyRound, type LucideIcon, Mail, Phone, Smartphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../data/api.ts';
import { makePasskey, PasskeyFailed, passkeysWork } from '../../data/passkeys.ts';
import type { AnswerOf, AppError } from '../../data/transport.ts';
import { notify } from '../../session/notify.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';
import { ContactChange } from './ContactChange.tsx';
import { deviceOf } from './device.ts';
import { profileChanged, useGuarded } from './guarded.ts';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';
import { RenameDialog } from './RenameDialog.tsx';
import { Row } from './Row.tsx';
import { TotpDialog } from './TotpDialog.tsx';

type Own = Profile['passkeys'][number];
type Removal = { kind: 'phone' } | { kind: 'totp' } | { kind: 'passkey'; passkey: Own };

/** The ways to sign in: email, an authenticator app, passkeys, and recovery codes in case they are lost. */
export function SignInMethods({ profile }: { profile: Profile }) {
  const { t } = useTranslation(['profile', 'common']);
  const formats = useFormats();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [totp, setTotp] = useState<AnswerOf<typeof beginTotp> | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [removal, setRemoval] = useState<Removal | null>(null);
  const isUnconfirmed = profile.phone !== null && !profile.phoneConfirmed;
  const phoneText = isUnconfirmed
    ? t('methods.phoneUnconfirmed', { phone: phoneShown(profile.phone!) })
    : profile.phone
      ? phoneShown(profile.phone)
      : t('methods.phoneText');
  const [contact, setContact] = useState<'EMAIL' | 'PHONE' | null>(null);
  const [renaming, setRenaming] = useState<Own | null>(null);
  const begin = useGuarded(beginTotp);
  const beginKey = useGuarded(beginPasskey);
  const addKey = useGuarded(addPasskey);
  const newCodes = useGuarded(makeRecoveryCodes);
  const { totp: app, passkeys } = profile;
  const hasSecond = app !== null || passkeys.length > 0;

  /** Declining to sign in again is not an error. */
  const note = (error: unknown) => {
    if (error instanceof PasskeyFailed) setTrouble(`passkeys.${error.reason}`);
    else if ((error as AppError).code !== 'recent-sign-in-needed')
      setTrouble(`common:error.${(error as AppError).code}`);
  };
  const attempt = async (work: () => Promise<void>) => {
    setTrouble(null);
    try {
      await work();
    } catch (error) {
      note(error);
    }
  };

  const newPasskey = () =>
    attempt(async () => {
      const { details, options } = await beginKey.mutateAsync({ body: {} });
      const response = await makePasskey(options);
      const { browser, system } = deviceOf(navigator.userAgent);
      const name =
        browser && system ? t('sessions.device', { browser, system }) : (system ?? t('passkeys.unnamed'));
      const { recoveryCodes } = await addKey.mutateAsync({ body: { details, name, response } });
      notify('success', 'profile:passkeys.added');
      setCodes(recoveryCodes);
    });

  const used = (lastUsedAt: string | null) =>
    lastUsedAt ? t('methods.used', { when: formats.instant(lastUsedAt) }) : t('methods.unused');

  return (
    <Section title={t('methods.title')}>
      {profile.secondFactorRequired && !hasSecond ? (
        <Alert severity="warning">{t('methods.required')}</Alert>
      ) : null}
      {trouble ? <Alert severity="error">{t(trouble)}</Alert> : null}
      <Box
        component="ul"
        aria-label={t('methods.title')}
        sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid' }}
      >
        <Method icon={Mail} title={t('methods.email')} text={profile.email}>
          <Button
            variant="outlined"
            size="small"
            aria-label={t('contact.title.EMAIL')}
            onClick={() => setContact('EMAIL')}
          >
            {t('methods.change')}
          </Button>
        </Method>
        <Method icon={Phone} title={t('methods.phone')} text={phoneText}>
          <Button
            variant="outlined"
            size="small"
            aria-label={
              isUnconfirmed
                ? t('contact.title.confirm')
                : profile.phone
                  ? t('contact.title.PHONE')
                  : undefined
            }
            onClick={() => setContact('PHONE')}
          >
            {t(isUnconfirmed ? 'methods.confirm' : profile.phone ? 'methods.change' : 'methods.phoneAdd')}
          </Button>
          {profile.phone ? (
            <Button
              variant="text"
              size="small"
              aria-label={t('methods.phoneRemove')}
              onClick={() => setRemoval({ kind: 'phone' })}
            >
              {t('methods.remove')}
            </Button>
          ) : null}
        </Method>
        <Method
          icon={Smartphone}
          title={t('methods.totp')}
          text={app ? t('methods.since', { when: formats.instant(app.createdAt) }) : t('methods.totpText')}
          more={app ? used(app.lastUsedAt) : undefined}
        >
          <Button
            variant="outlined"
            size="small"
            loading={begin.isPending}
            onClick={() => attempt(async () => setTotp(await begin.mutateAsync({ body: {} })))}
          >
            {t(app ? 'methods.totpReplace' : 'methods.totpAdd')}
          </Button>
          {app ? (
            <Button
              variant="text"
              size="small"
              aria-label={t('methods.totpRemove')}
              onClick={() => setRemoval({ kind: 'totp' })}
            >
              {t('methods.remove')}
            </Button>
          ) : null}
        </Method>
        {passkeys.map((passkey) => (
          <Method
            key={passkey.id}
            icon={Fingerprint}
            title={t('passkeys.one', { name: passkey.name })}
            text={`${t('methods.since', { when: formats.instant(passkey.createdAt) })} · ${t(
              passkey.synced ? 'passkeys.synced' : 'passkeys.bound',
            )}`}
            more={used(passkey.lastUsedAt)}
          >
            <Button
              variant="text"
              size="small"
              aria-label={t('passkeys.renameOne', { name: passkey.name })}
              onClick={() => setRenaming(passkey)}
            >
              {t('passkeys.rename')}
            </Button>
            <Button
              variant="text"
              size="small"
              aria-label={t('passkeys.removeOne', { name: passkey.name })}
              onClick={() => setRemoval({ kind: 'passkey', passkey })}
            >
              {t('methods.remove')}
            </Button>
          </Method>
        ))}
        <Method icon={Fingerprint} title={t('passkeys.title')} text={t('passkeys.text')}>
          {passkeysWork() ? (
            <Button
              variant="outlined"
              size="small"
              loading={beginKey.isPending || addKey.isPending}
              onClick={() => void newPasskey()}
            >
              {t('passkeys.add')}
            </Button>
          ) : (
            <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: '28ch' }}>
              {t('passkeys.impossible')}
            </Typography>
          )}
        </Method>
        {hasSecond ? (
          <Method
            icon={KeyRound}
            title={t('recovery.title')}
            text={t('recovery.left', { count: profile.recoveryCodesLeft })}
            more={t('recovery.text')}
          >
            <Button
              variant="outlined"
              size="small"
              loading={newCodes.isPending}
              onClick={() =>
                attempt(async () => setCodes((await newCodes.mutateAsync({ body: {} })).recoveryCodes))
              }
            >
              {t('recovery.make')}
            </Button>
          </Method>
        ) : null}
      </Box>
      {totp ? (
        <TotpDialog
          begun={totp}
          onAdded={(recoveryCodes) => {
            setTotp(null);
            setCodes(recoveryCodes);
            notify('success', 'profile:totp.added');
          }}
          onClose={() => setTotp(null)}
        />
      ) : null}
      {codes ? <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} /> : null}
      {removal ? <RemoveDialog removal={removal} onClose={() => setRemoval(null)} /> : null}
      {contact ? <ContactChange kind={contact} profile={profile} onClose={() => setContact(null)} /> : null}
      {renaming ? <Rename passkey={renaming} onClose={() => setRenaming(null)} /> : null}
    </Section>
  );
}

/** One way to sign in, with its actions. */
function Method({
  icon,
  title,
  text,
  more,
  children,
}: {
  icon: LucideIcon;
  title: string;
  text: string;
  more?: string | undefined;
  children: ReactNode;
}) {
  return (
    <Row icon={icon} actions={children}>
      <Typography variant="body1" sx={{ fontWeight: 550 }}>
        {title}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {text}
      </Typography>
      {more ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {more}
        </Typography>
      ) : null}
    </Row>
  );
}

function RemoveDialog({ removal, onClose }: { removal: Removal; onClose: () => void }) {
  const { t } = useTranslation(['profile', 'common']);
  const removeNumber = useGuarded(removePhone);
  const removeApp = useGuarded(removeTotp);
  const removeKey = useGuarded(removePasskey);
  const done = {
    onSuccess: () => {
      onClose();
      notify('success', 'profile:methods.removed');
    },
  };
  const { error, isPending } = { phone: removeNumber, totp: removeApp, passkey: removeKey }[removal.kind];
  return (
    <ConfirmDialog
      open
      danger
      title={
        removal.kind === 'passkey'
          ? t('passkeys.removeOne', { name: removal.passkey.name })
          : t(`methods.${removal.kind}Remove`)
      }
      confirm={t('methods.remove')}
      busy={isPending}
      error={error?.code === 'recent-sign-in-needed' ? null : error}
      onConfirm={() => {
        if (removal.kind === 'passkey') removeKey.mutate({ params: { id: removal.passkey.id } }, done);
        else if (removal.kind === 'totp') removeApp.mutate({}, done);
        else removeNumber.mutate({}, done);
      }}
      onClose={onClose}
    >
      <Typography variant="body1">{t(`methods.removeText.${removal.kind}`)}</Typography>
    </ConfirmDialog>
  );
}

function Rename({ passkey, onClose }: { passkey: Own; onClose: () => void }) {
  const rename = useCall(renamePasskey);
  return (
    <RenameDialog
      name={passkey.name}
      busy={rename.isPending}
      error={rename.error}
      onRename={(name) =>
        rename.mutate(
          { params: { id: passkey.id }, body: { name } },
          {
            onSuccess: async () => {
              await profileChanged();
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
