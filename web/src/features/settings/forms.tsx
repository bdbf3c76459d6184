import { labelIn } from '@caseway/contract/label';
import { diseaseFamilies } from '@caseway/contract/reference';
import { languages } from '@caseway/contract/session';
import { type SettingsAnswer, settingBounds, tenantExperiences } from '@caseway/contract/settings';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { cacheMs, useApi } from '../../api.ts';
import { languageNames } from '../../i18n.ts';
import { TimeZoneField } from '../../TimeZoneField.tsx';
import { SelectField, TextField } from '../../ui/Form.tsx';
import { CheckField } from '../../ui/FormChoices.tsx';
import { ChecksField, LinesField, MonthsField, NumberField } from './fields.tsx';
import { SettingsForm } from './SettingsForm.tsx';

interface FormProps {
  answer: SettingsAnswer;
}
const languageOptions = languages.map((value) => ({ value, label: languageNames[value] }));

const generalFields = [
  'name',
  'experience',
  'timeZone',
  'tenantLanguages',
  'defaultLanguage',
  'externalLanguages',
  'notForProduction',
  'testSenders',
] as const;

/** Name, kind, time zone and languages. */
export function General({ answer }: FormProps) {
  const { t } = useTranslation('settings');
  return (
    <SettingsForm answer={answer} title={t('section.general')} fields={generalFields}>
      <GeneralFields system={answer.system} />
    </SettingsForm>
  );
}

function GeneralFields({ system }: { system: boolean }) {
  const { t } = useTranslation('settings');
  const { watch } = useFormContext();
  const offered = watch('tenantLanguages') as readonly string[];
  const chosen = watch('defaultLanguage') as string;
  const kinds = system ? (['SYSTEM_ADMINISTRATION'] as const) : tenantExperiences;
  return (
    <>
      <TextField name="name" label={t('field.name')} help={t('help.name')} />
      <SelectField
        name="experience"
        label={t('field.experience')}
        help={t('help.experience')}
        disabled={system}
        options={kinds.map((value) => ({ value, label: t(`experience.${value}`) }))}
      />
      <TimeZoneField name="timeZone" label={t('field.timeZone')} help={t('help.timeZone')} />
      <ChecksField
        name="tenantLanguages"
        label={t('field.tenantLanguages')}
        help={t('help.tenantLanguages')}
        options={languageOptions}
      />
      <SelectField
        name="defaultLanguage"
        label={t('field.defaultLanguage')}
        help={t('help.defaultLanguage')}
        options={languageOptions.filter(({ value }) => offered.includes(value) || value === chosen)}
      />
      <ChecksField
        name="externalLanguages"
        label={t('field.externalLanguages')}
        help={t('help.externalLanguages')}
        options={languageOptions}
      />
      <CheckField
        name="notForProduction"
        label={t('field.notForProduction')}
        help={t('help.notForProduction')}
      />
      {watch('notForProduction') ? (
        <LinesField name="testSenders" label={t('field.testSenders')} help={t('help.testSenders')} />
      ) : null}
    </>
  );
}

const privacyFields = [
  'smallCellThreshold',
  'genderIdentityKept',
  'restrictedFamilies',
  'breakGlassMinutes',
] as const;

/** What is withheld from whom. [P17, P18] */
export function Privacy({ answer }: FormProps) {
  const { t, i18n } = useTranslation('settings');
  const { data } = useApi(diseaseFamilies, undefined, { staleTime: cacheMs });
  const options = (data?.diseaseFamilies ?? []).map((family) => ({
    value: family.code,
    label: labelIn(family, i18n.language),
    ...(answer.alwaysRestricted.includes(family.code)
      ? { fixed: true, detail: t('help.alwaysRestricted') }
      : {}),
  }));
  return (
    <SettingsForm answer={answer} title={t('section.privacy')} fields={privacyFields}>
      <NumberField
        name="smallCellThreshold"
        label={t('field.smallCellThreshold')}
        help={t('help.smallCellThreshold')}
        bounds={settingBounds.smallCellThreshold}
        unit={t('unit.people')}
      />
      <CheckField
        name="genderIdentityKept"
        label={t('field.genderIdentityKept')}
        help={t('help.genderIdentityKept')}
      />
      <ChecksField
        name="restrictedFamilies"
        label={t('field.restrictedFamilies')}
        help={t('help.restrictedFamilies')}
        options={options}
      />
      <NumberField
        name="breakGlassMinutes"
        label={t('field.breakGlassMinutes')}
        help={t('help.breakGlassMinutes')}
        bounds={settingBounds.breakGlassMinutes}
        unit={t('unit.minutes')}
      />
    </SettingsForm>
  );
}

const signInFields = ['secondFactorRequired', 'sessionIdleMinutes', 'sessionHours'] as const;

/** How people sign in, and for how long. [P13, P21] */
export function SignInRules({ answer }: FormProps) {
  const { t } = useTranslation('settings');
  return (
    <SettingsForm answer={answer} title={t('section.sign-in')} fields={signInFields}>
      <Box>
        <CheckField
          name="secondFactorRequired"
          label={t('field.secondFactorRequired')}
          help={t('help.secondFactorRequired')}
        />
        <Typography
          variant="caption"
          component="div"
          sx={{ color: 'text.secondary', paddingLeft: 6.25, paddingTop: 1 }}
        >
          {t('help.withoutSecondFactor', { count: answer.withoutSecondFactor })}
        </Typography>
      </Box>
      <NumberField
        name="sessionIdleMinutes"
        label={t('field.sessionIdleMinutes')}
        help={t('help.sessionIdleMinutes')}
        bounds={settingBounds.sessionIdleMinutes}
        unit={t('unit.minutes')}
      />
      <NumberField
        name="sessionHours"
        label={t('field.sessionHours')}
        help={t('help.sessionHours')}
        bounds={settingBounds.sessionHours}
        unit={t('unit.hours')}
      />
    </SettingsForm>
  );
}

const retentionFields = ['rawMessageMonths', 'auditMonths', 'uploadDays'] as const;

/** How long things are kept, each with the reason for its default beside it. */
export function Retention({ answer }: FormProps) {
  const { t } = useTranslation('settings');
  return (
    <SettingsForm answer={answer} title={t('section.retention')} fields={retentionFields}>
      <MonthsField
        name="rawMessageMonths"
        label={t('field.rawMessageMonths')}
        help={t('help.rawMessageMonths')}
        bounds={settingBounds.rawMessageMonths}
        usual={24}
      />
      <MonthsField
        name="auditMonths"
        label={t('field.auditMonths')}
        help={t('help.auditMonths')}
        bounds={settingBounds.auditMonths}
        usual={72}
      />
      <NumberField
        name="uploadDays"
        label={t('field.uploadDays')}
        help={t('help.uploadDays')}
        bounds={settingBounds.uploadDays}
        unit={t('unit.days')}
      />
    </SettingsForm>
  );
}
