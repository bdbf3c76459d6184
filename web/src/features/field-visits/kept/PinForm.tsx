import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isWeakPin, pinLength } from '../../../kept/vault.ts';
import { Field } from '../../../ui/Field.tsx';

/** Asks for this device's PIN; for a new one, twice. */
export function PinForm({
  isNew = false,
  submit,
  trouble,
  onEnter,
  children,
}: {
  isNew?: boolean;
  submit: string;
  /** Why the last PIN was not accepted. */
  trouble: ReactNode;
  onEnter: (pin: string) => Promise<unknown>;
  /** Next to the button. */
  children?: ReactNode;
}) {
  const { t } = useTranslation('field-visits');
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const [fault, setFault] = useState<'digits' | 'weak' | 'other' | null>(null);
  const [busy, setBusy] = useState(false);
  const enter = async (event: FormEvent) => {
    event.preventDefault();
    const found =
      pin.length < pinLength
        ? 'digits'
        : isNew && isWeakPin(pin)
          ? 'weak'
          : isNew && pin !== again
            ? 'other'
            : null;
    setFault(found);
    if (found || busy) return;
    setBusy(true);
    try {
      await onEnter(pin);
    } finally {
      setBusy(false);
      setPin('');
      setAgain('');
    }
  };
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event: FormEvent) => void enter(event)}
      sx={{ display: 'grid', gap: 4, maxWidth: 320 }}
    >
      {trouble}
      <Digits
        label={t(isNew ? 'kept.newPin' : 'kept.pin')}
        value={pin}
        onChange={setPin}
        isNew={isNew}
        fault={
          fault === 'digits' || fault === 'weak'
            ? t(`kept.pinFault.${fault}`, { digits: pinLength })
            : undefined
        }
      />
      {isNew ? (
        <Digits
          label={t('kept.pinAgain')}
          value={again}
          onChange={setAgain}
          isNew
          fault={fault === 'other' ? t('kept.pinFault.other') : undefined}
        />
      ) : null}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button type="submit" variant="contained" loading={busy}>
          {submit}
        </Button>
        {children}
      </Box>
    </Box>
  );
}

function Digits({
  label,
  value,
  onChange,
  fault,
  isNew,
}: {
  label: string;
  value: string;
  onChange: (digits: string) => void;
  fault: string | undefined;
  isNew: boolean;
}) {
  const id = useId();
  return (
    <Field id={id} label={label} fault={fault} required>
      {({ describedBy, invalid }) => (
        <OutlinedInput
          id={id}
          type="password"
          value={value}
          onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, '').slice(0, pinLength))}
          error={invalid}
          autoComplete={isNew ? 'new-password' : 'off'}
          inputProps={{ inputMode: 'numeric', 'aria-describedby': describedBy, 'aria-invalid': invalid }}
        />
      )}
    </Field>
  );
}

/** The number of tries left after a wrong PIN. */
export function WrongPin({ left }: { left: number | null }) {
  const { t } = useTranslation('field-visits');
  return left === null ? null : <Alert severity="error">{t('kept.wrongPin', { count: left })}</Alert>;
}
