import type { ContactBegun, ContactChange } from '@caseway/contract/profile';
import Alert from '@mui/material/Alert';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from './Field.tsx';
import { FormDialog } from './FormDialog.tsx';

/**
 * Changes a mail address or telephone number: first which, then the codes that came there and to the present one.
 * Whoever shows it gives the words and makes the calls.
 */
export function ContactDialog({
  kind,
  words,
  lost,
  initial = '',
  read,
  busy,
  trouble,
  onBegin,
  onConfirm,
  onClose,
}: {
  kind: ContactChange['kind'];
  words: {
    title: string;
    lead: string;
    value: string;
    valueHelp?: string | undefined;
    send: string;
    codes: string;
    /** Labels of the code that came to the new place, and of the one that came to the present place. */
    codeNew: (place: string) => string;
    codePresent: (place: string) => string;
    change: string;
  };
  /** The words of somebody who has no longer got the present number; absent where there is none. */
  lost?: string | undefined;
  /** What stands there at first. */
  initial?: string | undefined;
  /** What was typed, as the server takes it; or the words of what is wrong with it. */
  read: (typed: string, isLost: boolean) => { wanted: ContactChange } | { fault: string };
  busy: boolean;
  /** Why the last step failed, if it did. */
  trouble: { begin: string | null; confirm: string | null };
  onBegin: (wanted: ContactChange, onBegun: (answer: ContactBegun) => void) => void;
  onConfirm: (codes: { details: string; newCode: string; presentCode: string }) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(initial);
  const [isLost, setLost] = useState(false);
  const [tried, setTried] = useState(false);
  const [newCode, setNewCode] = useState('');
  const [presentCode, setPresentCode] = useState('');
  const [begun, setBegun] = useState<ContactBegun | null>(null);
  const what = read(typed, isLost);
  const needed = (text: string) => (tried && text.trim() === '' ? t('fault.required') : undefined);

  const submitValue = () => {
    setTried(true);
    if ('fault' in what) return;
    onBegin(what.wanted, (answer) => {
      setTried(false);
      setBegun(answer);
    });
  };
  const submitCodes = (details: string) => {
    setTried(true);
    if (newCode.trim() !== '' && presentCode.trim() !== '') onConfirm({ details, newCode, presentCode });
  };

  if (!begun)
    return (
      <FormDialog
        title={words.title}
        lead={words.lead}
        submit={words.send}
        busy={busy}
        onSubmit={submitValue}
        onClose={onClose}
      >
        <Trouble>{trouble.begin}</Trouble>
        <Line
          label={words.value}
          help={words.valueHelp}
          fault={tried && 'fault' in what ? what.fault : undefined}
          value={typed}
          onChange={setTyped}
          type={kind === 'PHONE' ? 'tel' : 'email'}
          autoFocus
        />
        {lost === undefined ? null : (
          <FormControlLabel
            control={<Checkbox checked={isLost} onChange={(event) => setLost(event.target.checked)} />}
            label={lost}
          />
        )}
      </FormDialog>
    );
  return (
    <FormDialog
      title={words.title}
      submit={words.change}
      busy={busy}
      onSubmit={() => submitCodes(begun.details)}
      onClose={onClose}
    >
      <Typography variant="body1">{words.codes}</Typography>
      <Trouble>{trouble.confirm}</Trouble>
      <Line
        key="new"
        label={words.codeNew('wanted' in what ? what.wanted.value : typed)}
        fault={needed(newCode)}
        value={newCode}
        onChange={setNewCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
      />
      <Line
        key="present"
        label={words.codePresent(begun.present.destination)}
        fault={needed(presentCode)}
        value={presentCode}
        onChange={setPresentCode}
        autoComplete="off"
        inputMode="numeric"
      />
    </FormDialog>
  );
}

function Trouble({ children }: { children: ReactNode }) {
  return children ? <Alert severity="error">{children}</Alert> : null;
}

function Line({
  label,
  help,
  fault,
  value,
  onChange,
  type = 'text',
  autoFocus = false,
  ...input
}: {
  label: string;
  help?: string | undefined;
  fault: string | undefined;
  value: string;
  onChange: (value: string) => void;
} & Pick<ComponentProps<'input'>, 'type' | 'autoFocus' | 'autoComplete' | 'inputMode'>) {
  const id = useId();
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
          inputProps={{ ...input, 'aria-describedby': describedBy, 'aria-invalid': invalid }}
        />
      )}
    </Field>
  );
}
