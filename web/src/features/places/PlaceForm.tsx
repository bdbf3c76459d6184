import { labelIn } from '@caseway/contract/label';
import { programTypes } from '@caseway/contract/places';
import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { cacheMs, useApi } from '../../data/api.ts';
import { inUse, type Option, useLookup } from '../../data/use-lookup.ts';
import type { FormValues } from '../../record/form-values.ts';
import { Field } from '../../ui/Field.tsx';
import { SelectField, TextField } from '../../ui/Form.tsx';
import { CheckField, ManyOfField, OneOfField } from '../../ui/FormChoices.tsx';
import { TimeZoneField } from '../../ui/TimeZoneField.tsx';
import type { FieldPlan, PlaceKind } from './kinds.ts';
import { usePlaceWords } from './words.ts';

const noLookup = '';

/** The fields of a record, within a form. */
export function PlaceForm({
  kind,
  labels,
  isNew,
}: {
  kind: PlaceKind;
  labels: Readonly<Record<string, string>>;
  isNew: boolean;
}) {
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 4,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        '& > .whole': { gridColumn: '1 / -1' },
      }}
    >
      {kind.fields
        .filter(({ onlyNew }) => isNew || !onlyNew)
        .map((plan) => (
          <div key={plan.name} className={plan.half ? undefined : 'whole'}>
            <PlaceField kind={kind} plan={plan} label={labels[plan.name]!} />
          </div>
        ))}
    </Box>
  );
}

function PlaceField({ kind, plan, label }: { kind: PlaceKind; plan: FieldPlan; label: string }) {
  const { t, i18n } = useTranslation('places');
  const { name, as } = plan;
  const shared = {
    name,
    label,
    required: kind.record.fields[name]!.needed && as !== 'many',
    ...(i18n.exists(`places:help.${name}`) ? { help: t(`help.${name}`) } : {}),
  };
  if (as === 'check') return <CheckField name={name} label={shared.label} help={shared.help} />;
  if (as === 'timeZone') return <TimeZone {...shared} />;
  if (as === 'counties') return <Counties {...shared} />;
  if (as === 'one' || as === 'many' || as === 'select') return <Chosen plan={plan} shared={shared} />;
  return <TextField {...shared} type={as} autoComplete="off" />;
}

interface Shared {
  name: string;
  label: string;
  required: boolean;
  help?: string;
}

function Chosen({ plan, shared }: { plan: FieldPlan; shared: Shared }) {
  const { t } = useTranslation('places');
  const { watch } = useFormContext<FormValues>();
  const { options, loading } = usePlanOptions(plan);
  const value = watch(plan.name);
  // Counties of the state, as soon as one is chosen.
  const state = watch('state');
  const offered = options
    .filter(({ within }) => plan.name !== 'county' || !state || within?.states === state)
    .filter((option) => !option.inactive || value === option.id || (value as string[]).includes(option.id));
  if (plan.as === 'one') return <OneOfField {...shared} options={offered} loading={loading} />;
  if (plan.as === 'many') return <ManyOfField {...shared} options={offered} loading={loading} />;
  return (
    <SelectField
      {...shared}
      options={offered.map(({ id, label }) => ({ value: id, label }))}
      {...(value === '' ? { empty: t('form.choose') } : {})}
    />
  );
}

/** The choices of a field. */
function usePlanOptions({ name, options }: FieldPlan): { options: readonly Option[]; loading: boolean } {
  const { i18n } = useTranslation();
  const words = usePlaceWords();
  const named = typeof options === 'string' && name !== 'programType' ? options : noLookup;
  const lookup = useLookup(named, { enabled: named !== noLookup });
  const types = useApi(programTypes, {}, { enabled: name === 'programType', staleTime: cacheMs });
  if (name === 'programType')
    return {
      options: (types.data?.types ?? []).map((type) => ({
        id: type.id,
        label: labelIn(type, i18n.language),
      })),
      loading: types.isPending,
    };
  if (typeof options === 'string') return lookup;
  return { options: (options ?? []).map((id) => ({ id, label: words.choice(name, id) })), loading: false };
}

function TimeZone(shared: Shared) {
  const { t } = useTranslation('places');
  const { watch } = useFormContext<FormValues>();
  return (
    <TimeZoneField
      {...shared}
      state={(watch('state') as string | null) ?? ''}
      placeholder={t('form.tenantTimeZone')}
    />
  );
}

/** Counties of the reference data, by their state. */
function Counties(shared: Shared) {
  const { t } = useTranslation('places');
  const id = useId();
  const { watch } = useFormContext<FormValues>();
  const { options: states } = useLookup('states');
  const { options: counties, loading } = useLookup('counties');
  const chosen = watch(shared.name) as string[];
  // The counties of the tenant's own state, if it has one, are first and name no state.
  const [first] = counties;
  const own = first && !/, [A-Z]{2}$/.test(first.label) ? first.within?.states : undefined;
  const [picked, setPicked] = useState<string | null>(null);
  const state = picked ?? chosen[0]?.slice(0, 2) ?? own ?? '';
  const offered = inUse(counties).filter(
    (county) => county.within?.states === state || chosen.includes(county.id),
  );
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Field id={id} label={t('form.state')} required>
        {({ describedBy }) => (
          <NativeSelect
            value={state}
            onChange={(event) => setPicked(event.target.value)}
            input={<OutlinedInput fullWidth />}
            inputProps={{ id, 'aria-describedby': describedBy }}
          >
            {state === '' ? <option value="">{t('form.choose')}</option> : null}
            {states.map((one) => (
              <option key={one.id} value={one.id}>
                {one.label}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <ManyOfField {...shared} options={offered} loading={loading} />
    </Box>
  );
}
