import { type LogoFault, logoFault, logoFaults, logoLimits, logoStart } from '@caseway/contract/logo';
import { changeLogo, readSettings, type SettingsAnswer } from '@caseway/contract/settings';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callApi, keepAnswered, queryClient, useCall } from '../../data/api.ts';
import { refusalsIn } from '../../data/transport.ts';
import { offerUndo } from '../../record/offer-undo.ts';
import { notify } from '../../session/notify.ts';
import { initAgain } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Section } from '../../ui/Section.tsx';
import { TenantLogo } from '../../ui/TenantLogo.tsx';
import { useFormats } from '../../words/formats.ts';

interface LogoProps {
  answer: SettingsAnswer;
}

/** The limits of a logo in words. */
function useLimits() {
  const formats = useFormats();
  const { bytes, side } = logoLimits;
  return {
    size: formats.size(bytes),
    minimum: formats.count(side.minimum),
    maximum: formats.count(side.maximum),
  };
}

/** The logo of the tenant: what it is, another one, and its removal. */
export function Logo({ answer }: LogoProps) {
  const { t } = useTranslation('settings');
  const limits = useLimits();
  const [chosen, setChosen] = useState<string | null>(null);
  const [fault, setFault] = useState<LogoFault | null>(null);
  const [removing, setRemoving] = useState(false);
  const { name } = answer.settings;
  const take = async (file: File) => {
    const found = logoFault(new Uint8Array(await file.slice(0, logoStart).arrayBuffer()), file.size);
    setFault(found ?? null);
    if (!found) setChosen(await base64Of(file));
  };
  return (
    <Section title={t('logo.title')}>
      <Typography variant="body1" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
        {t('logo.lead')}
      </Typography>
      {answer.logo === null ? (
        <Typography variant="body2">{t('logo.none')}</Typography>
      ) : (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
          <TenantLogo address={answer.logo} name={name} height={72} width={240} />
          <Button variant="outlined" size="small" onClick={() => setRemoving(true)}>
            {t('logo.remove')}
          </Button>
        </Box>
      )}
      <FileDrop
        label={t(answer.logo === null ? 'logo.add' : 'logo.replace')}
        help={t('logo.help', limits)}
        accept=".png,image/png"
        multiple={false}
        onFiles={([file]) => void (file && take(file))}
      />
      {fault ? <Alert severity="error">{t(`logo.fault.${fault}`, limits)}</Alert> : null}
      {chosen === null ? null : <NewLogo answer={answer} image={chosen} onClose={() => setChosen(null)} />}
      {removing ? <Remove answer={answer} onClose={() => setRemoving(false)} /> : null}
    </Section>
  );
}

/** A file in base64. */
function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^.*?,/, ''));
    reader.onerror = () => reject(reader.error!);
    reader.readAsDataURL(file);
  });
}

/** The image at an address, null without one; undefined if it cannot be read. */
const imageAt = (address: string | null): Promise<string | null | undefined> =>
  address === null
    ? Promise.resolve(null)
    : fetch(address)
        .then(async (response) => (response.ok ? base64Of(await response.blob()) : undefined))
        .catch(() => undefined);

function keep(saved: SettingsAnswer): void {
  keepAnswered(readSettings, undefined, saved);
  void initAgain();
}

/** Replaces the logo, or removes it, and offers to take that back. `done`: the key of the text. */
function useLogoChange({ answer }: LogoProps, done: string, onDone: () => void) {
  const call = useCall(changeLogo);
  // Its address ends with the change.
  const [earlier] = useState(() => imageAt(answer.logo));
  const change = (image: string | null) =>
    call.mutate(
      { body: { image, before: answer.logo } },
      {
        onSuccess: async (saved) => {
          keep(saved);
          onDone();
          const former = await earlier;
          if (former === undefined) notify('success', done);
          else
            offerUndo(
              done,
              async () => keep(await callApi(changeLogo, { body: { image: former, before: saved.logo } })),
              { undone: 'settings:logo.undone' },
            );
        },
        // When it is opened again, it shows someone else's logo.
        onError: ({ code }) => {
          if (code === 'conflict') void queryClient.invalidateQueries({ queryKey: [readSettings.path] });
        },
      },
    );
  return { ...call, change };
}

/** The new logo as it will be shown, before it is saved. */
function NewLogo({ answer, image, onClose }: LogoProps & { image: string; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { name } = answer.settings;
  const { change, error, isPending } = useLogoChange({ answer }, 'settings:logo.saved', onClose);
  const limits = useLimits();
  const [refused] = refusalsIn(error, logoFaults);
  const address = `data:image/png;base64,${image}`;
  return (
    <FormDialog
      title={t(answer.logo === null ? 'logo.addTitle' : 'logo.replaceTitle')}
      lead={t('logo.previewLead')}
      submit={t('common:action.save')}
      busy={isPending}
      onSubmit={() => change(image)}
      onClose={onClose}
    >
      {error ? (
        <Alert severity="error">
          {refused ? t(`logo.fault.${refused}`, limits) : t(`common:error.${error.code}`)}
        </Alert>
      ) : null}
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: 2,
          padding: 3,
          borderRadius: '8px',
          border: 1,
          borderColor: 'divider',
          backgroundColor: 'canvas',
        }}
      >
        <TenantLogo address={address} name="" height={36} width={104} />
        <Typography variant="body1" sx={{ fontWeight: 650, minWidth: 0, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
      </Box>
      <TenantLogo address={address} name={name} height={96} width={280} />
    </FormDialog>
  );
}

function Remove({ answer, onClose }: LogoProps & { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { change, error, isPending } = useLogoChange({ answer }, 'settings:logo.removed', onClose);
  return (
    <ConfirmDialog
      open
      danger
      title={t('logo.removeTitle', { name: answer.settings.name })}
      confirm={t('logo.remove')}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => change(null)}
    >
      {t('logo.removeText')}
    </ConfirmDialog>
  );
}
