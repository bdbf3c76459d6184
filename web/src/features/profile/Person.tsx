import { changeProfile, type Profile, type ProfileFields, profileFields } from '@caseway/contract/profile';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../data/api.ts';
import { notify } from '../../session/notify.ts';
import { initAgain } from '../../session/session.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import {
  ErrorSummary,
  SelectField,
  showFaults,
  TextField,
  takeSaved,
  useSchemaForm,
} from '../../ui/Form.tsx';
import { Section } from '../../ui/Section.tsx';
import { TimeZoneField } from '../../ui/TimeZoneField.tsx';
import { chooseLanguage, languageNames, languageOf } from '../../words/i18n.ts';
import { useOfferedLanguages } from '../../words/use-languages.ts';
import { profileChanged } from './guarded.ts';

/** What the browser may autofill. */
const kinds = { firstName: 'given-name', middleName: 'additional-name', lastName: 'family-name' } as const;

/** Name, language and time zone. */
export function Person({ profile }: { profile: Profile }) {
  const { t } = useTranslation(['profile', 'common']);
  const saved: ProfileFields = {
    firstName: profile.firstName,
    middleName: profile.middleName,
    lastName: profile.lastName,
    languageCode: languageOf(profile.languageCode) ?? 'en',
    timeZone: profile.timeZone,
  };
  const form = useSchemaForm<ProfileFields>(profileFields, saved);
  const save = useCall(changeProfile);
  const offered = useOfferedLanguages(saved.languageCode);
  const { isDirty } = form.formState;
  useUnsaved(isDirty);
  const labels = {
    firstName: t('person.firstName'),
    middleName: t('person.middleName'),
    lastName: t('person.lastName'),
    languageCode: t('person.language'),
    timeZone: t('person.timeZone'),
  };

  const submit = form.handleSubmit((values) => {
    const typed = form.getValues();
    save.mutate(
      { body: values },
      {
        onSuccess: async () => {
          takeSaved(form, values, typed);
          notify('success', 'profile:person.saved');
          // A user who chooses a language for their account expects to see it immediately.
          if (values.languageCode !== saved.languageCode) await chooseLanguage(values.languageCode);
          await Promise.all([profileChanged(), initAgain()]);
        },
        onError: (error) => showFaults(form, error.faults),
      },
    );
  });

  return (
    <Section title={t('person.title')}>
      <FormProvider {...form}>
        <Box
          component="form"
          noValidate
          onSubmit={(event) => void submit(event)}
          sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}
        >
          <ErrorSummary labels={labels} />
          {save.error && save.error.faults.length === 0 ? (
            <Alert severity="error">{t(`common:error.${save.error.code}`)}</Alert>
          ) : null}
          <Box
            sx={{
              display: 'grid',
              gap: 4,
              gridTemplateColumns: 'repeat(auto-fit, minmax(min(200px, 100%), 1fr))',
              alignItems: 'start',
            }}
          >
            {(['firstName', 'middleName', 'lastName'] as const).map((name) => (
              <TextField
                key={name}
                name={name}
                label={labels[name]}
                required={name !== 'middleName'}
                autoComplete={kinds[name]}
              />
            ))}
            <SelectField
              name="languageCode"
              label={labels.languageCode}
              help={t('person.languageHelp')}
              options={offered.map((value) => ({ value, label: languageNames[value] }))}
            />
            <TimeZoneField name="timeZone" label={labels.timeZone} />
          </Box>
          <Box>
            <Button type="submit" variant="contained" disabled={!isDirty} loading={save.isPending}>
              {t('person.save')}
            </Button>
          </Box>
        </Box>
      </FormProvider>
    </Section>
  );
}
