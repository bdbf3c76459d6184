import { addDays } from '@caseway/contract/date-range';
import { guardianRights } from '@caseway/contract/guardian-rules';
import { labelIn } from '@caseway/contract/label';
import { diseaseFamilies } from '@caseway/contract/reference';
import { languages, tenantExperiences } from '@caseway/contract/session';
import {
  type RetentionShortening,
  retentionDelayDays,
  retentionSettings,
  type SettingsAnswer,
  settingBounds,
} from '@caseway/contract/settings';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { cacheMs, useApi } from '../../data/api.ts';
import { SelectField, TextField } from '../../ui/Form.tsx';
import { CheckField } from '../../ui/FormChoices.tsx';
import { TimeZoneField } from '../../ui/TimeZoneField.tsx';
import { useFormats } from '../../words/formats.ts';
import { languageNames } from '../../words/i18n.ts';
import { ChecksField, LinesField, MonthsField, NumberField } from './fields.tsx';
import { Logo } from './Logo.tsx';
import { aSunday, type SettingsField, SettingsForm } from './SettingsForm.tsx';

interface FormProps {
  answer: SettingsAnswer;
}

/** A setting for its control: the field with its texts. */
function useNamed() {
  const { t } = useTranslation('settings');
  const named = (name: SettingsField) => ({ name, label: t(`field.${name}`), help: t(`help.${name}`) });
  const counted = (name: keyof typeof settingBounds) => ({ ...named(name), bounds: settingBounds[name] });
  return { named, counted };
}

const languageOptions = languages.map((value) => ({ value, label: languageNames[value] }));

const generalFields = [
  'name',
  'phone',
  'experience',
  'timeZone',
  'tenantLanguages',
  'defaultLanguage',
  'externalLanguages',
  'patientsBook',
  'notForProduction',
  'testSenders',
] as const;

/** Name, logo, kind, time zone and languages. */
export function General({ answer }: FormProps) {
  const { t } = useTranslation('settings');
  return (
    <>
      <SettingsForm answer={answer} title={t('section.general')} fields={generalFields}>
        <GeneralFields system={answer.system} />
      </SettingsForm>
      <Logo answer={answer} />
    </>
  );
}

function GeneralFields({ system }: { system: boolean }) {
  const { t } = useTranslation('settings');
  const { named } = useNamed();
  const { watch } = useFormContext();
  const offered = watch('tenantLanguages') as readonly string[];
  const chosen = watch('defaultLanguage') as string;
  const kinds = system ? (['SYSTEM_ADMINISTRATION'] as const) : tenantExperiences;
  return (
    <>
      <TextField {...named('name')} />
      <TextField {...named('phone')} />
      <SelectField
        {...named('experience')}
        disabled={system}
        options={kinds.map((value) => ({ value, label: t(`common:experience.${value}`) }))}
      />
      <TimeZoneField {...named('timeZone')} />
      <ChecksField {...named('tenantLanguages')} options={languageOptions} />
      <SelectField
        {...named('defaultLanguage')}
        options={languageOptions.filter(({ value }) => offered.includes(value) || value === chosen)}
      />
      <ChecksField {...named('externalLanguages')} options={languageOptions} />
      <CheckField {...named('patientsBook')} />
      <CheckField {...named('notForProduction')} />
      {watch('notForProduction') ? <LinesField {...named('testSenders')} /> : null}
    </>
  );
}

const calendarFields = ['workdays', 'federalHolidays', 'daysOff'] as const;

/** The days on which deadlines count. */
export function Calendar({ answer }: FormProps) {
  const { t } = useTranslation('settings');
  const { named } = useNamed();
  const formats = useFormats();
  const days = [0, 1, 2, 3, 4, 5, 6].map((day) => ({
    value: day,
    label: formats.weekday(addDays(aSunday, day)),
  }));
  return (
    <SettingsForm answer={answer} title={t('section.calendar')} fields={calendarFields}>
      <ChecksField {...named('workdays')} options={days} />
      <CheckField {...named('federalHolidays')} />
      <LinesField {...named('daysOff')} />
    </SettingsForm>
  );
}

const privacyFields = [
  'smallCellThreshold',
  'genderIdentityKept',
  'restrictedFamilies',
  'breakGlassMinutes',
] as const;

/** What is withheld from which readers. [P17, P18] */
export function Privacy({ answer }: FormProps) {
  const { t, i18n } = useTranslation('settings');
  const { named, counted } = useNamed();
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
      <NumberField {...counted('smallCellThreshold')} unit={t('unit.people')} />
      <CheckField {...named('genderIdentityKept')} />
      <ChecksField {...named('restrictedFamilies')} options={options} />
      <NumberField {...counted('breakGlassMinutes')} unit={t('unit.minutes')} />
    </SettingsForm>
  );
}

const guardianFields = [
  'ownAccountAge',
  'guardianUntilAge',
  'guardianRights',
  'guardianFamilies',
  'guardianFamiliesUntilAge',
] as const;

/** From which age people have an account of their own, and what guardians of younger ones see. */
export function Guardians({ answer }: FormProps) {
  const { t, i18n } = useTranslation('settings');
  const { named, counted } = useNamed();
  const { data } = useApi(diseaseFamilies, undefined, { staleTime: cacheMs });
  const options = (data?.diseaseFamilies ?? [])
    .filter(({ code }) => answer.sensitiveForGuardians.includes(code))
    .map((family) => ({ value: family.code, label: labelIn(family, i18n.language) }));
  return (
    <SettingsForm answer={answer} title={t('section.guardians')} fields={guardianFields}>
      <NumberField {...counted('ownAccountAge')} unit={t('unit.years')} />
      <NumberField {...counted('guardianUntilAge')} unit={t('unit.years')} />
      <ChecksField
        {...named('guardianRights')}
        options={guardianRights.map((value) => ({ value, label: t(`guardianRight.${value}`) }))}
      />
      <ChecksField {...named('guardianFamilies')} options={options} />
      <NumberField {...counted('guardianFamiliesUntilAge')} unit={t('unit.years')} />
    </SettingsForm>
  );
}

const signInFields = ['secondFactorRequired', 'sessionIdleMinutes', 'sessionHours'] as const;

/** How people sign in, and for how long. [P13, P21] */
export function SignInRules({ answer }: FormProps) {
  const { t } = useTranslation('settings');
  const { named, counted } = useNamed();
  return (
    <SettingsForm answer={answer} title={t('section.sign-in')} fields={signInFields}>
      <Box>
        <CheckField {...named('secondFactorRequired')} />
        <Typography
          variant="caption"
          component="div"
          sx={{ color: 'text.secondary', paddingLeft: 6.25, paddingTop: 1 }}
        >
          {t('help.withoutSecondFactor', { count: answer.withoutSecondFactor })}
        </Typography>
      </Box>
      <NumberField {...counted('sessionIdleMinutes')} unit={t('unit.minutes')} />
      <NumberField {...counted('sessionHours')} unit={t('unit.hours')} />
    </SettingsForm>
  );
}

/** How long things are kept, each setting with the reason for its default. */
export function Retention({ answer }: FormProps) {
  const { t } = useTranslation('settings');
  const { counted } = useNamed();
  return (
    <SettingsForm answer={answer} title={t('section.retention')} fields={retentionSettings}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('retention.delay', { count: retentionDelayDays })}
      </Typography>
      <MonthsField {...counted('rawMessageMonths')} usual={24} />
      <MonthsField {...counted('auditMonths')} usual={72} />
      <NumberField {...counted('uploadDays')} unit={t('unit.days')} />
      <Shortenings all={answer.shortenings} />
    </SettingsForm>
  );
}

/** Who shortened what: decisions that can still be undone, and earlier ones. */
function Shortenings({ all }: { all: readonly RetentionShortening[] }) {
  const { t } = useTranslation('settings');
  const formats = useFormats();
  const said = (key: string, { setting, before, after, at, heldUntil, by }: RetentionShortening) => {
    const time = (n: number | null) =>
      n === null
        ? t('retention.forEver')
        : t(setting === 'uploadDays' ? 'retention.days' : 'retention.months', {
            count: n,
            number: formats.count(n),
          });
    return t(key, {
      by,
      field: t(`field.${setting}`),
      before: time(before),
      after: time(after),
      at: formats.instant(at),
      until: formats.instant(heldUntil),
    });
  };
  const past = all.filter(({ pending }) => !pending);
  return (
    <>
      {all
        .filter(({ pending }) => pending)
        .map((one) => (
          <Alert key={`${one.setting} ${one.at}`} severity="warning">
            {said('retention.pending', one)}
          </Alert>
        ))}
      {past.length > 0 ? (
        <Box>
          <Typography variant="body1" component="h3">
            {t('retention.history')}
          </Typography>
          <Box component="ul" sx={{ margin: 0, paddingLeft: 5 }}>
            {past.map((one) => (
              <Typography key={`${one.setting} ${one.at}`} component="li" variant="body2">
                {said('retention.entry', one)}
              </Typography>
            ))}
          </Box>
        </Box>
      ) : null}
    </>
  );
}
