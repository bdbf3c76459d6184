import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../ui/Field.tsx';
import { useFormField } from '../../ui/Form.tsx';

interface AmountProps {
  name: string;
  label: string;
  help?: ReactNode;
  bounds: { minimum: number; maximum: number };
}

/** An integer with its unit. `empty` is the value of an empty field. */
function AmountInput({
  field: { id, ref, field, fault },
  label,
  help,
  bounds,
  unit,
  empty,
  disabled = false,
}: Omit<AmountProps, 'name'> & {
  field: ReturnType<typeof useFormField>;
  unit: string;
  empty: null | '';
  disabled?: boolean;
}) {
  const { value, onChange, ...rest } = field;
  return (
    <Field id={id} label={label} help={help} required fault={fault}>
      {({ describedBy, invalid }) => (
        <OutlinedInput
          {...rest}
          type="number"
          disabled={disabled}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? empty : Number(target.value))}
          inputRef={ref}
          id={id}
          error={invalid}
          endAdornment={
            <Typography component="span" variant="body2" sx={{ color: 'text.secondary', paddingLeft: 2 }}>
              {unit}
            </Typography>
          }
          inputProps={{
            min: bounds.minimum,
            max: bounds.maximum,
            'aria-describedby': describedBy,
            'aria-invalid': invalid,
          }}
          sx={{ maxWidth: 200 }}
        />
      )}
    </Field>
  );
}

/** An integer field in the surrounding form. */
export function NumberField({ name, ...words }: AmountProps & { unit: string }) {
  return <AmountInput {...words} field={useFormField(name)} empty={null} />;
}

/**
 * Months for which something is kept, or forever: then the value is null. `usual` is offered when "forever"
 * is switched off.
 */
export function MonthsField({ name, usual, ...words }: AmountProps & { usual: number }) {
  const { t } = useTranslation('settings');
  const field = useFormField(name);
  const { value, onChange } = field.field;
  const forEver = value === null;
  return (
    <Box>
      {/* An empty field is a fault, and does not mean forever. */}
      <AmountInput {...words} field={field} unit={t('unit.months')} empty="" disabled={forEver} />
      <FormControlLabel
        control={
          <Checkbox
            checked={forEver}
            onChange={({ target }) => onChange(target.checked ? null : usual)}
            slotProps={{ input: { 'aria-label': `${words.label}: ${t('field.forEver')}` } }}
          />
        }
        label={t('field.forEver')}
      />
    </Box>
  );
}

/** Texts in the surrounding form, one per line; empty lines are removed when the field loses focus. */
export function LinesField({ name, label, help }: { name: string; label: string; help?: ReactNode }) {
  const {
    id,
    ref,
    field: { value, onChange, onBlur },
    fault,
  } = useFormField(name);
  return (
    <Field id={id} label={label} help={help} fault={fault}>
      {({ describedBy, invalid }) => (
        <OutlinedInput
          multiline
          minRows={3}
          value={(value as readonly string[]).join('\n')}
          onChange={({ target }) => onChange(target.value === '' ? [] : target.value.split('\n'))}
          onBlur={() => {
            onChange((value as readonly string[]).map((line) => line.trim()).filter(Boolean));
            onBlur();
          }}
          inputRef={ref}
          id={id}
          error={invalid}
          inputProps={{ 'aria-describedby': describedBy, 'aria-invalid': invalid }}
        />
      )}
    </Field>
  );
}

export interface CheckOption {
  value: string | number;
  label: string;
  detail?: string;
  /** It cannot be deselected. */
  fixed?: boolean;
}

/** A choice of several, in the options' order. Chosen values that are not options are kept. */
export function ChecksField({
  name,
  label,
  help,
  options,
}: {
  name: string;
  label: string;
  help?: ReactNode;
  options: readonly CheckOption[];
}) {
  const {
    id,
    ref,
    field: { value, onChange, onBlur },
    fault,
  } = useFormField(name);
  const chosen = value as readonly (string | number)[];
  const described = [help ? `${id}-help` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ');
  const toggle = (one: string | number, on: boolean) => {
    const next = on ? [...chosen, one] : chosen.filter((other) => other !== one);
    const order = options.map((option) => option.value);
    onChange(next.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  };
  return (
    <Box
      component="fieldset"
      aria-describedby={described || undefined}
      sx={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}
    >
      <Typography component="legend" variant="body2" sx={{ padding: 0, fontWeight: 550 }}>
        {label}
      </Typography>
      {help ? (
        <Typography id={`${id}-help`} variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {help}
        </Typography>
      ) : null}
      <Box
        sx={{
          display: 'grid',
          marginTop: 1,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(240px, 100%), 1fr))',
        }}
      >
        {options.map((option, index) => (
          <FormControlLabel
            key={option.value}
            disabled={option.fixed ?? false}
            control={
              <Checkbox
                checked={option.fixed === true || chosen.includes(option.value)}
                onChange={(event) => toggle(option.value, event.target.checked)}
                onBlur={onBlur}
                slotProps={{ input: index === 0 ? { ref } : {} }}
              />
            }
            label={
              <>
                {option.label}
                {option.detail ? (
                  <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                    {option.detail}
                  </Typography>
                ) : null}
              </>
            }
            sx={{ alignItems: option.detail ? 'flex-start' : 'center' }}
          />
        ))}
      </Box>
      {fault ? (
        <Typography id={`${id}-fault`} variant="body2" sx={{ color: 'error.main' }}>
          {fault}
        </Typography>
      ) : null}
    </Box>
  );
}
