import { labelIn } from '@caseway/contract/label';
import { changeProfile, type Profile, type ProfileFields, profileFields } from '@caseway/contract/profile';
import { timeZones } from '@caseway/contract/reference';
import { languages } from '@caseway/contract/session';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId } from 'react';
import { FormProvider, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { cacheMs, useApi, useCall } from '../../api.ts';
import { chooseLanguage, languageNames, languageOf } from '../../i18n.ts';
import { notify } from '../../session/notify.ts';
import { initAgain } from '../../session/session.ts';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorSummary, showFaults, TextField, useSchemaForm } from '../../ui/Form.tsx';
import { Section } from '../../ui/Section.tsx';
import { profileChanged } from './guarded.ts';

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
  const names = ['firstName', 'middleName', 'lastName'] as const;
  const labels = {
    firstName: t('person.firstName'),
    middleName: t('person.middleName'),
    lastName: t('person.lastName'),
    languageCode: t('person.language'),
    timeZone: t('person.timeZone'),
  };

  const submit = form.handleSubmit((values) =>
    save.mutate(
      { body: values },
      {
        onSuccess: async () => {
          form.reset(values);
          notify('success', 'profile:person.saved');
          // Whoever chooses a language for their account wants to see it at once.
          if (values.languageCode !== saved.languageCode) await chooseLanguage(values.languageCode);
          await Promise.all([profileChanged(), initAgain()]);
        },
        onError: (error) => showFaults(form, error.faults),
      },
    ),
  );

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
            {names.map((name) => (
              <TextField
                key={name}
                name={name}
                label={labels[name]}
                required={name !== 'middleName'}
                inputProps={{
                  autoComplete: {
                    firstName: 'given-name',
                    middleName: 'additional-name',
                    lastName: 'family-name',
                  }[name],
                }}
              />
            ))}
            <Language label={labels.languageCode} />
            <TimeZone label={labels.timeZone} />
          </Box>
          <Box>
            <Button
              type="submit"
              variant="contained"
              disabled={!form.formState.isDirty}
              loading={save.isPending}
            >
              {t('person.save')}
            </Button>
          </Box>
        </Box>
      </FormProvider>
    </Section>
  );
}

function Language({ label }: { label: string }) {
  const { t } = useTranslation('profile');
  const id = useId();
  const { field } = useController<ProfileFields, 'languageCode'>({ name: 'languageCode' });
  return (
    <Field id={id} label={label} help={t('person.languageHelp')} required>
      {({ describedBy }) => (
        <NativeSelect
          {...field}
          inputRef={field.ref}
          input={<OutlinedInput fullWidth />}
          inputProps={{ id, 'aria-describedby': describedBy }}
        >
          {languages.map((one) => (
            <option key={one} value={one} lang={one}>
              {languageNames[one]}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}

function TimeZone({ label }: { label: string }) {
  const { i18n } = useTranslation();
  const { field } = useController<ProfileFields, 'timeZone'>({ name: 'timeZone' });
  const { data, isPending } = useApi(timeZones, {}, { staleTime: cacheMs });
  const options = (data?.timeZones ?? []).map((zone) => ({
    id: zone.id,
    label: labelIn(zone, i18n.language),
    detail: zone.id.replaceAll('_', ' '),
  }));
  return (
    <ChoiceField
      label={label}
      value={options.find(({ id }) => id === field.value) ?? { id: field.value, label: field.value }}
      options={options}
      loading={isPending}
      onChange={(chosen) => field.onChange(chosen?.id ?? field.value)}
    />
  );
}
