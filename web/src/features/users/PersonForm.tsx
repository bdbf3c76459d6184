import { users } from '@caseway/contract/users';
import Box from '@mui/material/Box';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SelectField, TextField } from '../../ui/Form.tsx';
import { TimeZoneField } from '../../ui/TimeZoneField.tsx';
import { languageNames, languageOf } from '../../words/i18n.ts';
import { useOfferedLanguages } from '../../words/use-languages.ts';

/** The form's lines with personal details; the roles have their own form. */
const lines = users.form.flatMap((line) =>
  line === 'roles' ? [] : [typeof line === 'string' ? [line] : line],
);
type PersonField = Exclude<(typeof users.form)[number], 'roles' | readonly unknown[]>;
export const personNames = lines.flat() as readonly PersonField[];

/** The fields' labels by name, for the fault summary. */
export function usePersonLabels(): Record<string, string> {
  const { t } = useTranslation('users');
  return Object.fromEntries(personNames.map((name) => [name, t(`field.${name}`)]));
}

/** A person's fields, within a form. */
export function PersonFields({
  addresses,
}: {
  /** Whether the addresses can be edited; otherwise they are read-only. */
  addresses: boolean;
}) {
  return lines.map((names) => (
    <Box
      key={names[0]}
      sx={{
        display: 'grid',
        gap: 4,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: `repeat(${names.length}, minmax(0, 1fr))` },
      }}
    >
      {names.map((name) => (
        <PersonField key={name} name={name} addresses={addresses} />
      ))}
    </Box>
  ));
}

function PersonField({ name, addresses }: { name: keyof typeof users.fields; addresses: boolean }) {
  const { t } = useTranslation('users');
  const { watch } = useFormContext();
  const offered = useOfferedLanguages(languageOf(watch('language')));
  const { kind, needed } = users.fields[name];
  const label = t(`field.${name}`);
  if (kind === 'timeZone') return <TimeZoneField name={name} label={label} />;
  if (name === 'language')
    return (
      <SelectField
        name={name}
        label={label}
        options={offered.map((value) => ({ value, label: languageNames[value] }))}
      />
    );
  const help = {
    email: t(addresses ? 'field.emailHelp' : 'edit.addressKept'),
    phone: t('field.phoneHelp'),
  }[name as string];
  return (
    <TextField
      name={name}
      label={label}
      help={help}
      type={kind === 'email' ? 'email' : kind === 'phone' ? 'tel' : 'text'}
      required={needed}
      disabled={!addresses && (kind === 'email' || kind === 'phone')}
      autoComplete="off"
    />
  );
}
