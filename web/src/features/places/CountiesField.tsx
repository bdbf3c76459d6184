import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { inUse, useLookup } from '../../data/use-lookup.ts';
import type { FormValues } from '../../record/form-values.ts';
import type { FieldShown } from '../../record/RecordFields.tsx';
import { Field } from '../../ui/Field.tsx';
import { ManyOfField } from '../../ui/FormChoices.tsx';

/** Counties of the reference data, by state. */
export function CountiesField(shared: FieldShown) {
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
            {state === '' ? <option value="">{t('common:form.choose')}</option> : null}
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
