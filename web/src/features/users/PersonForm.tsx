import { personFields } from '@caseway/contract/users';
import Box from '@mui/material/Box';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { SelectField, TextField } from '../../ui/Form.tsx';
import { TimeZoneField } from '../../ui/TimeZoneField.tsx';
import { languageNames } from '../../words/i18n.ts';
import { useOfferedLanguages } from '../../words/use-languages.ts';

/** The contract's fields in the form: an empty field is an empty text. */
export const personForm = personFields.extend({
  middleName: z
    .string()
    .transform((text) => text.trim() || null)
    .pipe(personFields.shape.middleName),
  phone: z
    .string()
    .transform((text) => text.replaceAll(/[\s().-]/g, '') || null)
    .pipe(personFields.shape.phone),
});
export type PersonValues = z.input<typeof personForm>;

/** Labels of the fields by their names, for the summary of faults. */
export function usePersonLabels(): Record<keyof PersonValues, string> {
  const { t } = useTranslation('users');
  return {
    firstName: t('field.firstName'),
    middleName: t('field.middleName'),
    lastName: t('field.lastName'),
    email: t('field.email'),
    phone: t('field.phone'),
    language: t('field.language'),
    timeZone: t('field.timeZone'),
  };
}

/** The fields of a person, within a form. */
export function PersonFields({
  addresses,
}: {
  /** False: shown, and not to be changed. */ addresses: boolean;
}) {
  const { t } = useTranslation('users');
  const labels = usePersonLabels();
  const { watch } = useFormContext<PersonValues>();
  const offered = useOfferedLanguages(watch('language'));
  return (
    <>
      <Box
        sx={{
          display: 'grid',
          gap: 4,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        <TextField name="firstName" label={labels.firstName} autoComplete="off" />
        <TextField name="middleName" label={labels.middleName} required={false} autoComplete="off" />
        <TextField name="lastName" label={labels.lastName} autoComplete="off" />
        <TextField
          name="phone"
          type="tel"
          label={labels.phone}
          help={t('field.phoneHelp')}
          required={false}
          disabled={!addresses}
          autoComplete="off"
        />
      </Box>
      <TextField
        name="email"
        type="email"
        label={labels.email}
        help={t(addresses ? 'field.emailHelp' : 'edit.addressKept')}
        disabled={!addresses}
        autoComplete="off"
      />
      <Box
        sx={{
          display: 'grid',
          gap: 4,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        <SelectField
          name="language"
          label={labels.language}
          options={offered.map((value) => ({ value, label: languageNames[value] }))}
        />
        <TimeZoneField name="timeZone" label={labels.timeZone} />
      </Box>
    </>
  );
}
