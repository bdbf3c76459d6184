import {
  type AvailabilityPlan,
  availabilityBounds,
  availabilityPlan,
  exceptionKinds,
  faultsOfPlan,
  findFreeTimes,
  listAvailability,
  type ProviderAvailability,
  setAvailability,
} from '@caseway/contract/availability';
import { weekdays } from '@caseway/contract/calendar';
import { telemedicineVisitTypes } from '@caseway/contract/telemedicine-flow';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { callApi } from '../../data/api.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { refresh } from '../../record/offer-undo.ts';
import { Day } from '../../record/RecordFields.tsx';
import { besideEachOther, Rows } from '../../record/Rows.tsx';
import { SaveButtons } from '../../record/SaveButtons.tsx';
import { useRecordForm } from '../../record/use-record-form.ts';
import { notify } from '../../session/notify.ts';
import { SelectField, showFaults, TextField } from '../../ui/Form.tsx';
import { CheckField, ManyOfField, OneOfField } from '../../ui/FormChoices.tsx';
import { PlainFieldset } from '../../ui/PlainFieldset.tsx';
import { Section } from '../../ui/Section.tsx';
import { TimeZoneField } from '../../ui/TimeZoneField.tsx';
import { useFormats } from '../../words/formats.ts';
import { useVisitWords } from './visit-words.ts';

/** Part of a plan as typed: numbers are text, and none is empty text. */
type Typed<T> = T extends number | null
  ? string
  : T extends boolean
    ? boolean
    : T extends readonly (infer One)[]
      ? One extends object
        ? { [Name in keyof One]: Typed<One[Name]> }[]
        : string[]
      : string;
type TypedPlan = { [Name in keyof AvailabilityPlan]: Typed<AvailabilityPlan[Name]> };

const typedRow = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Array.isArray(value) ? value : String(value ?? '')]),
  );
const typedPlan = ({ rules, exceptions, patients, languages, ...rest }: AvailabilityPlan) =>
  ({
    ...typedRow(rest),
    patients,
    languages,
    rules: rules.map(typedRow),
    exceptions: exceptions.map(typedRow),
  }) as TypedPlan;

const numbers: ReadonlySet<string> = new Set([
  'minutes',
  'bufferMinutes',
  'leadHours',
  'horizonDays',
  'dailyLimit',
]);
/** The typed values as sent; anything that is not a number stays, and is a fault. */
function sent(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => sent(one, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, sent(one, key)]));
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '') return null;
  return numbers.has(name) && /^\d+$/.test(text) ? Number(text) : text;
}

const { shape } = availabilityPlan;
const schema = z.object(
  Object.fromEntries(
    Object.entries(shape).map(([name, part]) => [
      name,
      z.preprocess((value) => sent(value, name), part as z.ZodType),
    ]),
  ),
) as unknown as z.ZodType<unknown, TypedPlan>;
const planOf = (typed: TypedPlan) => availabilityPlan.safeParse(sent(typed)).data;

const newRule = {
  weekdays: weekdays.slice(1, 6),
  from: '09:00',
  to: '12:00',
  minutes: '30',
  visitTypes: [],
  validFrom: '',
  validTo: '',
};
const usual = { bufferMinutes: 0, leadHours: 2, horizonDays: 60, dailyLimit: null, patients: false };

/** A provider's hours and exceptions; read-only for users who may not change them. */
export function EditAvailability({ stored }: { stored: ProviderAvailability }) {
  const { t } = useTranslation('telemedicine');
  const { timeZone, today } = useFormats();
  const words = useVisitWords();
  const facilities = useLookup('facilities');
  const languages = useLookup('languages');
  const { mayChange, provider, name } = stored;
  const versionOf = ({ version, plan }: Pick<ProviderAvailability, 'version' | 'plan'>) => ({
    version,
    values: typedPlan(
      plan ?? { ...usual, facility: null, timeZone, languages: [], rules: [], exceptions: [] },
    ),
  });
  const faultKey = (code: string) => `telemedicine:availability.fault.${code}`;
  const editing = useRecordForm<TypedPlan, ProviderAvailability>(
    schema,
    `availability/${provider}`,
    versionOf(stored),
    {
      write: (changes, version, base) =>
        callApi(setAvailability, {
          params: { provider },
          body: { version, plan: { ...planOf(base)!, ...changes } as AvailabilityPlan },
        }),
      read: async () => {
        const { providers } = await callApi(listAvailability);
        return versionOf(providers.find((one) => one.provider === provider) ?? { version: 0, plan: null });
      },
      versionOf,
      mayBeSent: (typed) => {
        const plan = planOf(typed);
        const faults = plan ? faultsOfPlan(plan) : [];
        showFaults(editing.form, faults, faultKey);
        return faults.length === 0;
      },
      onRefused: ({ faults }) =>
        showFaults(
          editing.form,
          faults.map(({ path, code }) => ({ path: path.replace(/^plan\./, ''), code })),
          faultKey,
        ),
      onSaved: () => {
        void refresh([listAvailability, findFreeTimes]);
        notify('success', 'telemedicine:availability.saved', { values: { name } });
      },
    },
  );
  const field = (key: string) => t(`availability.field.${key}`);
  const named = (key: string) => ({ name: key, label: field(key) });
  const typed = editing.form.watch();
  const label = (list: 'rules' | 'exceptions', row: number, key: string) =>
    t('availability.rowField', {
      row: t(`availability.row.${list}`, { number: row + 1 }),
      field: field(key),
    });
  const labels = Object.fromEntries([
    ...Object.keys(shape).map((key) => [key, field(key)]),
    ...(['rules', 'exceptions'] as const).flatMap((list) =>
      typed[list].flatMap((row, place) =>
        Object.keys(row).map((key) => [`${list}.${place}.${key}`, label(list, place, key)]),
      ),
    ),
  ]) as Record<string, string>;
  const typeOptions = telemedicineVisitTypes.map((id) => ({ id, label: words.choice('visitType', id) }));
  const dayOptions = weekdays.map((id) => ({ id, label: words.choice('weekday', id) }));
  const { bufferMinutes, leadHours, horizonDays, dailyLimit } = availabilityBounds;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => void editing.send()(event)}
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      {mayChange ? null : <Alert severity="info">{t('availability.readOnly')}</Alert>}
      <FormBody
        of={editing}
        labels={labels}
        text={(_, value) =>
          Array.isArray(value)
            ? t('availability.entries', { count: value.length })
            : typeof value === 'boolean'
              ? words.choice('interpreter', value ? 'yes' : 'no')
              : String(value ?? '')
        }
      >
        <PlainFieldset disabled={!mayChange}>
          <Section title={t('availability.hours')}>
            <Rows
              name="rules"
              title={field('rules')}
              most={availabilityBounds.rules}
              disabled={!mayChange}
              newRow={() => newRule}
            >
              {(index) => {
                const at = (key: string) => ({ name: `rules.${index}.${key}`, label: field(key) });
                return (
                  <>
                    <div className="wide">
                      <ManyOfField {...at('weekdays')} options={dayOptions} />
                    </div>
                    <Clock {...at('from')} />
                    <Clock {...at('to')} />
                    <TextField {...at('minutes')} inputMode="numeric" autoComplete="off" />
                    <ManyOfField
                      {...at('visitTypes')}
                      help={t('availability.help.visitTypes')}
                      options={typeOptions}
                      required={false}
                    />
                    <Day {...at('validFrom')} required={false} disabled={!mayChange} />
                    <Day {...at('validTo')} required={false} disabled={!mayChange} />
                  </>
                );
              }}
            </Rows>
          </Section>
          <Section title={t('availability.days')}>
            <Rows
              name="exceptions"
              title={field('exceptions')}
              most={availabilityBounds.exceptions}
              disabled={!mayChange}
              newRow={() => ({
                kind: 'shut',
                firstDay: today,
                lastDay: today,
                from: '',
                to: '',
                minutes: '',
              })}
            >
              {(index) => <Exception at={`exceptions.${index}`} field={field} disabled={!mayChange} />}
            </Rows>
          </Section>
          <Section title={t('availability.booking')}>
            <Box sx={besideEachOther}>
              <TimeZoneField {...named('timeZone')} />
              <OneOfField
                {...named('facility')}
                help={t('availability.help.facility')}
                required={false}
                options={facilities.options.filter(({ inactive, id }) => !inactive || id === typed.facility)}
                loading={facilities.loading}
              />
              <ManyOfField
                {...named('languages')}
                help={t('availability.help.languages')}
                required={false}
                options={languages.options}
                loading={languages.loading}
              />
              <TextField {...named('bufferMinutes')} inputMode="numeric" help={bounds(bufferMinutes)} />
              <TextField {...named('leadHours')} inputMode="numeric" help={bounds(leadHours)} />
              <TextField {...named('horizonDays')} inputMode="numeric" help={bounds(horizonDays)} />
              <TextField
                {...named('dailyLimit')}
                inputMode="numeric"
                required={false}
                help={bounds(dailyLimit)}
              />
              <div className="wide">
                <CheckField {...named('patients')} help={t('availability.help.patients')} />
              </div>
            </Box>
          </Section>
        </PlainFieldset>
      </FormBody>
      {mayChange ? <SaveButtons of={editing} /> : null}
    </Box>
  );
}

const bounds = ({ least, most }: { least: number; most: number }) => `${least}–${most}`;

/** A time of day in the surrounding form. */
function Clock({ name, label, required = true }: { name: string; label: string; required?: boolean }) {
  return <TextField name={name} label={label} required={required} type="time" inputProps={{ step: 300 }} />;
}

/** Days on which the provider is away, or works extra hours. */
function Exception({
  at,
  field,
  disabled,
}: {
  at: string;
  field: (key: string) => string;
  disabled: boolean;
}) {
  const { t } = useTranslation('telemedicine');
  const isExtra = useFormContext().watch(`${at}.kind`) === 'extra';
  const of = (key: string) => ({ name: `${at}.${key}`, label: field(key) });
  return (
    <>
      <SelectField
        {...of('kind')}
        options={exceptionKinds.map((value) => ({ value, label: t(`availability.kind.${value}`) }))}
      />
      <Day {...of('firstDay')} required disabled={disabled} />
      <Day {...of('lastDay')} required disabled={disabled} />
      <Clock {...of('from')} required={isExtra} />
      <Clock {...of('to')} required={isExtra} />
      {isExtra ? <TextField {...of('minutes')} inputMode="numeric" autoComplete="off" /> : null}
    </>
  );
}
