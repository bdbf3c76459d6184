import { labelIn } from '@caseway/contract/label';
import { states } from '@caseway/contract/reference';
import { languages, tenantExperiences } from '@caseway/contract/session';
import { createTenant, listTenants, type NewTenant, newTenant } from '@caseway/contract/system';
import { zonesOfState } from '@caseway/contract/time-zone';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useState } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { cacheMs, useApi, useCall } from '../../data/api.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { useKeptForm } from '../../record/use-kept-form.ts';
import { notify } from '../../session/notify.ts';
import { useTimeZone } from '../../session/time-zone.ts';
import { SelectField, showFaults, TextField } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TimeZoneField } from '../../ui/TimeZoneField.tsx';
import { language, languageNames } from '../../words/i18n.ts';
import { Refused } from './parts.tsx';

const { shape } = newTenant;
/** The contract's fields in the form: no state is empty text. */
const form = z
  .strictObject({
    ...shape,
    stateFips: z
      .string()
      .transform((code) => code || null)
      .pipe(shape.stateFips),
  })
  .refine(({ languages: offered, defaultLanguage }) => offered.includes(defaultLanguage), {
    path: ['defaultLanguage'],
    params: { code: 'not-offered' },
  });
type Values = z.input<typeof form>;

/** `Gulfstream Department of Health` → `gulfstream-department-of-health` */
const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9\s-]/g, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40)
    .replace(/-$/, '');

/** A tenant and its first administrator in one step. */
export function NewTenantForm({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation('system');
  const timeZone = useTimeZone();
  const call = useCall(createTenant, { invalidates: [listTenants] });
  const known = useApi(states, {}, { staleTime: cacheMs });
  const editing = useKeptForm<Values>(
    form,
    'system/new-tenant',
    {
      name: '',
      slug: '',
      experience: 'PUBLIC_HEALTH',
      stateFips: '',
      timeZone,
      languages: ['en'],
      defaultLanguage: 'en',
      administrator: { firstName: '', lastName: '', email: '', language: language() },
    },
    call.isSuccess,
  );
  const { form: values, restored } = editing;
  const { dirtyFields } = values.formState;
  const { setValue } = values;
  const name = values.watch('name');
  const [slug] = useState(() => restored && values.getValues('slug') !== slugOf(values.getValues('name')));
  const typedSlug = slug || dirtyFields.slug === true;
  // Until the user types another.
  useEffect(() => {
    if (!typedSlug) setValue('slug', slugOf(name));
  }, [name, typedSlug, setValue]);
  const state = values.watch('stateFips');
  const [zone] = useState(() => restored && values.getValues('timeZone') !== timeZone);
  const chosenZone = zone || dirtyFields.timeZone === true;
  // Until the user chooses another: the zone where most people of the state live.
  useEffect(() => {
    const [most] = zonesOfState(state);
    if (!chosenZone && most !== undefined) setValue('timeZone', most);
  }, [state, chosenZone, setValue]);

  const labels = {
    name: t('field.name'),
    slug: t('field.slug'),
    experience: t('field.experience'),
    stateFips: t('field.state'),
    timeZone: t('field.timeZone'),
    languages: t('field.languages'),
    defaultLanguage: t('field.defaultLanguage'),
    'administrator.firstName': t('field.firstName'),
    'administrator.lastName': t('field.lastName'),
    'administrator.email': t('field.email'),
    'administrator.language': t('field.language'),
  };
  const languageOptions = languages.map((value) => ({ value, label: languageNames[value] }));
  const send = values.handleSubmit((given) =>
    call.mutate(
      { body: given as unknown as NewTenant },
      {
        onSuccess: (tenant) => {
          editing.forget();
          notify('success', 'system:done.made', { values: { tenant: tenant.name } });
          onClose();
        },
        onError: ({ faults }) =>
          showFaults(
            values,
            faults.filter(({ path, code }) => path in labels && code !== 'slug-taken'),
          ),
      },
    ),
  );
  const columns = {
    display: 'grid',
    gap: 4,
    gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  };
  return (
    <FormDialog
      title={t('make.title')}
      lead={t('make.lead')}
      submit={t('make.submit')}
      busy={call.isPending}
      wide
      onSubmit={() => void send()}
      onClose={() => void editing.close(onClose)}
    >
      <FormBody of={editing} labels={labels}>
        <Box sx={columns}>
          <TextField name="name" label={labels.name} autoComplete="off" />
          <TextField name="slug" label={labels.slug} help={t('field.slugHelp')} autoComplete="off" />
          <SelectField
            name="experience"
            label={labels.experience}
            help={t('field.experienceHelp')}
            options={tenantExperiences.map((value) => ({ value, label: t(`common:experience.${value}`) }))}
          />
          <SelectField
            name="stateFips"
            label={labels.stateFips}
            required={false}
            empty={t('field.noState')}
            options={(known.data?.states ?? []).map((state) => ({
              value: state.code,
              label: labelIn(state, i18n.language),
            }))}
          />
          <TimeZoneField name="timeZone" label={labels.timeZone} state={state} />
          <SelectField name="defaultLanguage" label={labels.defaultLanguage} options={languageOptions} />
        </Box>
        <Languages label={labels.languages} />
        <Typography variant="h3">{t('make.administrator')}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', marginTop: -3 }}>
          {t('make.administratorText')}
        </Typography>
        <Box sx={columns}>
          <TextField
            name="administrator.firstName"
            label={labels['administrator.firstName']}
            autoComplete="off"
          />
          <TextField
            name="administrator.lastName"
            label={labels['administrator.lastName']}
            autoComplete="off"
          />
          <TextField
            name="administrator.email"
            type="email"
            label={labels['administrator.email']}
            autoComplete="off"
          />
          <SelectField
            name="administrator.language"
            label={labels['administrator.language']}
            options={languageOptions}
          />
        </Box>
      </FormBody>
      <Refused error={call.error} />
    </FormDialog>
  );
}

function Languages({ label }: { label: string }) {
  const id = useId();
  const { t } = useTranslation('system');
  const { control } = useFormContext<Values>();
  const { field, fieldState } = useController({ name: 'languages', control });
  return (
    <Box component="fieldset" sx={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <Typography component="legend" variant="body2" sx={{ fontWeight: 550, padding: 0 }}>
        {label}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '0 24px' }}>
        {languages.map((one, index) => (
          <Box key={one} sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
            <Checkbox
              id={`${id}-${one}`}
              checked={field.value.includes(one)}
              {...(index === 0 ? { slotProps: { input: { ref: field.ref } } } : {})}
              onChange={(event) =>
                field.onChange(
                  languages.filter((other) =>
                    other === one ? event.target.checked : field.value.includes(other),
                  ),
                )
              }
            />
            <Typography component="label" htmlFor={`${id}-${one}`} variant="body1">
              {languageNames[one]}
            </Typography>
          </Box>
        ))}
      </Box>
      {fieldState.error ? (
        <Typography variant="body2" sx={{ color: 'error.main' }}>
          {t('field.languagesNeeded')}
        </Typography>
      ) : null}
    </Box>
  );
}
