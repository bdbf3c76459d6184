import {
  beginContactChange,
  confirmContactChange,
  contactChange,
  type Profile,
} from '@caseway/contract/profile';
import Alert from '@mui/material/Alert';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type ComponentProps, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../session/notify.ts';
import type { AnswerOf, AppError } from '../../transport.ts';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { wordsOfIssue } from '../../ui/fault-words.ts';
import { useGuarded } from './guarded.ts';

/** A new mail address or telephone number: first which, then the codes that came there and to the present one. */
export function ContactDialog({
  kind,
  profile,
  onClose,
}: {
  kind: 'EMAIL' | 'PHONE';
  profile: Profile;
  onClose: () => void;
}) {
  const { t } = useTranslation(['profile', 'common']);
  const [value, setValue] = useState('');
  const [lost, setLost] = useState(false);
  const [tried, setTried] = useState(false);
  const [newCode, setNewCode] = useState('');
  const [presentCode, setPresentCode] = useState('');
  const [begun, setBegun] = useState<AnswerOf<typeof beginContactChange> | null>(null);
  const begin = useGuarded(beginContactChange);
  const confirm = useGuarded(confirmContactChange);

  const plain = kind === 'PHONE' ? value.replaceAll(/[\s().-]/g, '') : value.trim();
  const presentBy = profile.phone === null || lost ? 'EMAIL' : 'SMS';
  const wanted = contactChange.safeParse(
    kind === 'EMAIL' ? { kind, value: plain } : { kind, value: plain, presentBy },
  );
  const issue = wanted.error?.issues.find(({ path }) => path[0] === 'value');
  const needed = (text: string) => (tried && text.trim() === '' ? t('common:fault.required') : undefined);

  const submitValue = () => {
    setTried(true);
    if (!wanted.success) return;
    setTried(false);
    begin.mutate({ body: wanted.data }, { onSuccess: setBegun });
  };
  const submitCodes = (details: string) => {
    setTried(true);
    if (newCode.trim() === '' || presentCode.trim() === '') return;
    confirm.mutate(
      { body: { details, newCode, presentCode } },
      {
        onSuccess: () => {
          notify('success', `profile:contact.done.${kind}`);
          onClose();
        },
      },
    );
  };

  if (!begun)
    return (
      <FormDialog
        title={t(`contact.title.${kind}`)}
        lead={t('contact.lead')}
        submit={t('contact.send')}
        busy={begin.isPending}
        onSubmit={submitValue}
        onClose={onClose}
      >
        <Trouble error={begin.error} />
        <Line
          label={t(`contact.value.${kind}`)}
          help={kind === 'PHONE' ? t('contact.phoneHelp') : undefined}
          fault={tried && issue ? t(wordsOfIssue(issue).key, { ns: 'common' }) : undefined}
          value={value}
          onChange={setValue}
          type={kind === 'PHONE' ? 'tel' : 'email'}
          autoFocus
        />
        {kind === 'PHONE' && profile.phone !== null ? (
          <FormControlLabel
            control={<Checkbox checked={lost} onChange={(event) => setLost(event.target.checked)} />}
            label={t('contact.lost', { phone: profile.phone })}
          />
        ) : null}
      </FormDialog>
    );
  return (
    <FormDialog
      title={t(`contact.title.${kind}`)}
      submit={t('contact.change')}
      busy={confirm.isPending}
      onSubmit={() => submitCodes(begun.details)}
      onClose={onClose}
    >
      <Typography variant="body1">{t('contact.codes')}</Typography>
      <Trouble error={confirm.error} />
      <Line
        key="new"
        label={t('contact.codeFor', { place: plain })}
        fault={needed(newCode)}
        value={newCode}
        onChange={setNewCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
      />
      <Line
        key="present"
        label={t('contact.codeFor', { place: begun.present.destination })}
        fault={needed(presentCode)}
        value={presentCode}
        onChange={setPresentCode}
        autoComplete="off"
        inputMode="numeric"
      />
    </FormDialog>
  );
}

/** What the server refuses. Whoever gave up signing in again knows why nothing happened. */
function Trouble({ error }: { error: AppError | null }) {
  const { t } = useTranslation(['profile', 'common']);
  if (!error || error.code === 'recent-sign-in-needed') return null;
  const [fault] = error.faults;
  return (
    <Alert severity="error">
      {t(fault ? `contact.fault.${fault.code}` : `common:error.${error.code}`, {
        defaultValue: t(`common:error.${error.code}`),
      })}
    </Alert>
  );
}

function Line({
  label,
  help,
  fault,
  value,
  onChange,
  ...input
}: {
  label: string;
  help?: string | undefined;
  fault: string | undefined;
  value: string;
  onChange: (value: string) => void;
} & Pick<ComponentProps<'input'>, 'type' | 'autoFocus' | 'autoComplete' | 'inputMode'>) {
  const id = useId();
  const { type = 'text', autoFocus = false, ...rest } = input;
  return (
    <Field id={id} label={label} help={help} fault={fault} required>
      {({ describedBy, invalid }) => (
        <OutlinedInput
          id={id}
          value={value}
          type={type}
          autoFocus={autoFocus}
          onChange={(event) => onChange(event.target.value)}
          error={invalid}
          inputProps={{ ...rest, 'aria-describedby': describedBy, 'aria-invalid': invalid }}
        />
      )}
    </Field>
  );
}
