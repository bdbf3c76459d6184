import type { ContactBegun, ContactChange } from '@caseway/contract/profile';
import Alert from '@mui/material/Alert';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FaultSummary, focusOn } from './FaultSummary.tsx';
import { Field } from './Field.tsx';
import { FormDialog } from './FormDialog.tsx';

/**
 * Changes an email address or telephone number: first the new one, then the codes sent to it and to the
 * current one. The caller provides the texts and requests.
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
    /** The labels of the codes sent to the new and to the current address. */
    codeNew: (place: string) => string;
    codePresent: (place: string) => string;
    change: string;
  };
  /** The link for users who no longer have the current number; absent if there is none. */
  lost?: string | undefined;
  /** The initial value. */
  initial?: string | undefined;
  /** The typed value in the server's form, or the text of its fault. */
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
  const id = useId();
  /** How often this step was submitted. */
  const [tries, setTries] = useState(0);
  const tried = tries > 0;
  const [newCode, setNewCode] = useState('');
  const [presentCode, setPresentCode] = useState('');
  const [begun, setBegun] = useState<ContactBegun | null>(null);
  const what = read(typed, isLost);
  const needed = (text: string) => (tried && text.trim() === '' ? t('fault.required') : undefined);

  const submitValue = () => {
    setTries(tries + 1);
    if ('fault' in what) return;
    onBegin(what.wanted, (answer) => {
      setTries(0);
      setBegun(answer);
    });
  };
  const submitCodes = (details: string) => {
    setTries(tries + 1);
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
        <FaultSummary
          faults={tried && 'fault' in what ? [{ name: id, label: words.value, fault: what.fault }] : []}
          sent={tries}
          focus={focusOn}
        />
        <Line
          id={id}
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
  const newLabel = words.codeNew('wanted' in what ? what.wanted.value : typed);
  const presentLabel = words.codePresent(begun.present.destination);
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
      <FaultSummary
        faults={[
          { name: `${id}-new`, label: newLabel, fault: needed(newCode) },
          { name: `${id}-present`, label: presentLabel, fault: needed(presentCode) },
        ].filter(({ fault }) => fault !== undefined)}
        sent={tries}
        focus={focusOn}
      />
      <Line
        key="new"
        id={`${id}-new`}
        label={newLabel}
        fault={needed(newCode)}
        value={newCode}
        onChange={setNewCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
      />
      <Line
        key="present"
        id={`${id}-present`}
        label={presentLabel}
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
  id,
  label,
  help,
  fault,
  value,
  onChange,
  type = 'text',
  autoFocus = false,
  ...input
}: {
  id: string;
  label: string;
  help?: string | undefined;
  fault: string | undefined;
  value: string;
  onChange: (value: string) => void;
} & Pick<ComponentProps<'input'>, 'type' | 'autoFocus' | 'autoComplete' | 'inputMode'>) {
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
