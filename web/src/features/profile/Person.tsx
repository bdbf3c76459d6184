import {
  changeProfile,
  type Profile,
  type ProfileFields,
  profileFields,
  readProfile,
} from '@caseway/contract/profile';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { callApi } from '../../data/api.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { useRecordForm } from '../../record/use-record-form.ts';
import { notify } from '../../session/notify.ts';
import { initAgain } from '../../session/session.ts';
import { SelectField, TextField } from '../../ui/Form.tsx';
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
  const versionOf = ({ firstName, middleName, lastName, languageCode, timeZone }: Profile) => ({
    // One's own account is changed by nobody else, so it has no versions.
    version: 0,
    values: { firstName, middleName, lastName, languageCode: languageOf(languageCode) ?? 'en', timeZone },
  });
  const stored = versionOf(profile);
  const editing = useRecordForm<ProfileFields, Profile>(profileFields, 'profile/person', stored, {
    write: (changes) => callApi(changeProfile, { body: changes }),
    read: async () => versionOf(await callApi(readProfile)),
    versionOf,
    onSaved: async ({ languageCode }, before) => {
      notify('success', 'profile:person.saved');
      // A user who chooses a language for their account expects to see it immediately.
      const chosen = languageOf(languageCode);
      if (chosen && chosen !== before.values.languageCode) await chooseLanguage(chosen);
      await Promise.all([profileChanged(), initAgain()]);
    },
  });
  const offered = useOfferedLanguages(stored.values.languageCode);
  const labels = {
    firstName: t('person.firstName'),
    middleName: t('person.middleName'),
    lastName: t('person.lastName'),
    languageCode: t('person.language'),
    timeZone: t('person.timeZone'),
  };

  return (
    <Section title={t('person.title')}>
      <Box
        component="form"
        noValidate
        onSubmit={(event) => void editing.send()(event)}
        sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        <FormBody of={editing} labels={labels}>
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
            <Button type="submit" variant="contained" disabled={!editing.dirty} loading={editing.saving}>
              {t('person.save')}
            </Button>
          </Box>
        </FormBody>
      </Box>
    </Section>
  );
}
