import {
  beginOwnContactChange,
  confirmOwnContactChange,
  type OwnRecordAnswer,
  readOwnRecord,
} from '@caseway/contract/portal';
import Alert from '@mui/material/Alert';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type ComponentProps, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api.ts';
import { notify } from '../../session/notify.ts';
import type { AnswerOf, AppError } from '../../transport.ts';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { whoIs } from './who.ts';

/** A new address or number: first which, then the codes that came there and to the present one. */
export function ContactChange({
  kind,
  own,
  onClose,
}: {
  kind: 'EMAIL' | 'PHONE';
  own: OwnRecordAnswer;
  onClose: () => void;
}) {
  const { t } = useTranslation(['portal', 'common']);
  const [value, setValue] = useState('');
  const [lost, setLost] = useState(false);
  const [tried, setTried] = useState(false);
  const [newCode, setNewCode] = useState('');
  const [presentCode, setPresentCode] = useState('');
  const [begun, setBegun] = useState<AnswerOf<typeof beginOwnContactChange> | null>(null);
  const begin = useCall(beginOwnContactChange);
  const confirm = useCall(confirmOwnContactChange, { invalidates: [readOwnRecord] });

  const who = whoIs(value);
  const wanted =
    kind === 'EMAIL'
      ? who && 'email' in who
        ? { kind, value: who.email }
        : null
      : who && 'phone' in who
        ? {
            kind,
            value: who.phone,
            presentBy: own.phone === null || lost ? ('EMAIL' as const) : ('SMS' as const),
          }
        : null;
  const required = (text: string) => (tried && text.trim() === '' ? t('common:fault.required') : undefined);

  if (!begun)
    return (
      <FormDialog
        title={t(`contact.title${kind}`)}
        lead={t('contact.lead')}
        submit={t('contact.send')}
        busy={begin.isPending}
        onSubmit={() => {
          setTried(true);
          if (wanted)
            begin.mutate(
              { body: wanted },
              {
                onSuccess: (answer) => {
                  setTried(false);
                  setBegun(answer);
                },
              },
            );
        }}
        onClose={onClose}
      >
        <Trouble error={begin.error} />
        <Line
          label={t(`contact.new${kind}`)}
          fault={tried && !wanted ? t('signIn.wrongWho') : undefined}
          value={value}
          onChange={setValue}
          type={kind === 'PHONE' ? 'tel' : 'email'}
          autoFocus
        />
        {kind === 'PHONE' && own.phone !== null && own.email !== null ? (
          <FormControlLabel
            control={<Checkbox checked={lost} onChange={(event) => setLost(event.target.checked)} />}
            label={t('contact.lost', { phone: own.phone })}
          />
        ) : null}
      </FormDialog>
    );
  return (
    <FormDialog
      title={t(`contact.title${kind}`)}
      submit={t('contact.save')}
      busy={confirm.isPending}
      onSubmit={() => {
        setTried(true);
        if (newCode.trim() === '' || presentCode.trim() === '') return;
        confirm.mutate(
          { body: { details: begun.details, newCode, presentCode } },
          {
            onSuccess: () => {
              notify('success', 'portal:contact.done');
              onClose();
            },
          },
        );
      }}
      onClose={onClose}
    >
      <Typography>{t('contact.lead')}</Typography>
      <Trouble error={confirm.error} />
      <Line
        key="new"
        label={t('contact.codeNew', { place: wanted?.value ?? '' })}
        fault={required(newCode)}
        value={newCode}
        onChange={setNewCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
      />
      <Line
        key="present"
        label={t('contact.codePresent', { place: begun.present.destination })}
        fault={required(presentCode)}
        value={presentCode}
        onChange={setPresentCode}
        autoComplete="off"
        inputMode="numeric"
      />
    </FormDialog>
  );
}

function Trouble({ error }: { error: AppError | null }) {
  const { t } = useTranslation(['portal', 'common']);
  if (!error) return null;
  const code = error.faults[0]?.code;
  return (
    <Alert severity="error">
      {code === 'code-wrong'
        ? t('contact.wrong')
        : code === 'code-expired'
          ? t('contact.expired')
          : t(`common:error.${error.code}`)}
    </Alert>
  );
}

function Line({
  label,
  fault,
  value,
  onChange,
  ...input
}: {
  label: string;
  fault: string | undefined;
  value: string;
  onChange: (value: string) => void;
} & Pick<ComponentProps<'input'>, 'type' | 'autoFocus' | 'autoComplete' | 'inputMode'>) {
  const id = useId();
  const { type = 'text', autoFocus = false, ...rest } = input;
  return (
    <Field id={id} label={label} fault={fault} required>
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
