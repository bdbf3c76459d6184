import Autocomplete, {
  type AutocompleteRenderInputParams,
  createFilterOptions,
} from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choice } from './ChoiceField.tsx';
import { Field } from './Field.tsx';
import { useFormField } from './Form.tsx';
import { useSameObject } from './use-same-object.ts';

/** The most entries shown; words filter them, including those of a second line. */
const shown = createFilterOptions<Choice>({
  limit: 100,
  stringify: ({ label, detail = '' }) => `${label} ${detail}`,
});

interface ChoiceProps {
  name: string;
  label: string;
  options: readonly Choice[];
  help?: ReactNode;
  required?: boolean;
  loading?: boolean;
}

/** The list that both fields open. */
function useList(options: readonly Choice[], loading: boolean) {
  const { t } = useTranslation();
  return {
    size: 'small' as const,
    options: [...options],
    loading,
    // Text typed before the choices have loaded would be lost when they arrive.
    disabled: loading,
    filterOptions: shown,
    isOptionEqualToValue: (option: Choice, chosen: Choice) => option.id === chosen.id,
    getOptionKey: (option: Choice) => option.id,
    noOptionsText: t('filter.none'),
    loadingText: t('state.loading'),
    clearText: t('filter.clearOne'),
    openText: t('filter.choose'),
    closeText: t('action.close'),
    slotProps: { paper: { variant: 'outlined' as const } },
  };
}

/** The input of both, with help and fault. */
const inputOf =
  (ref: Ref<HTMLInputElement>, describedBy: string | undefined, invalid: boolean, placeholder?: string) =>
  ({ slotProps, ...params }: AutocompleteRenderInputParams) => (
    <OutlinedInput
      {...params}
      {...slotProps.input}
      inputRef={ref}
      error={invalid}
      placeholder={placeholder}
      inputProps={{ ...slotProps.htmlInput, 'aria-describedby': describedBy, 'aria-invalid': invalid }}
    />
  );

/** A choice of one from many in the surrounding form, found by typing; empty text means none. */
export function OneOfField({
  name,
  label,
  options,
  help,
  required = true,
  loading = false,
  placeholder,
  disabled = false,
  onTyped,
}: ChoiceProps & {
  /** The meaning of none. */
  placeholder?: string;
  disabled?: boolean;
  /** Called with the typed text, if it searches the options. */
  onTyped?: (text: string) => void;
}) {
  const { id, ref, field, fault } = useFormField(name);
  const list = useList(options, loading);
  const value = (field.value ?? '') as string;
  const chosen = useSameObject(options.find((option) => option.id === value) ?? null);
  return (
    <Field id={id} label={label} help={help} required={required} fault={fault}>
      {({ describedBy, invalid }) => (
        <Autocomplete
          {...list}
          id={id}
          disabled={disabled}
          value={chosen}
          onChange={(_, option) => field.onChange(option?.id ?? '')}
          onInputChange={(_, text) => onTyped?.(text)}
          onBlur={field.onBlur}
          renderInput={inputOf(ref, describedBy, invalid, placeholder)}
        />
      )}
    </Field>
  );
}

/** Several of many in the surrounding form. */
export function ManyOfField({ name, label, options, help, required = true, loading = false }: ChoiceProps) {
  const { id, ref, field, fault } = useFormField(name);
  const list = useList(options, loading);
  const value = field.value as string[];
  const { t } = useTranslation();
  // An entry without a label never shows its key.
  const nameless = t(loading ? 'label.loading' : 'label.unknown.other');
  const chosen = useSameObject(
    value.map((one) => options.find((option) => option.id === one) ?? { id: one, label: nameless }),
  );
  return (
    <Field id={id} label={label} help={help} required={required} fault={fault}>
      {({ describedBy, invalid }) => (
        <Autocomplete
          {...list}
          id={id}
          multiple
          disableCloseOnSelect
          value={chosen}
          onChange={(_, entries) => field.onChange(entries.map((one) => one.id))}
          onBlur={field.onBlur}
          renderInput={inputOf(ref, describedBy, invalid)}
        />
      )}
    </Field>
  );
}

/** Yes or no, with its meaning. */
export function CheckField({ name, label, help }: { name: string; label: string; help?: ReactNode }) {
  const {
    id,
    ref,
    field: { value, ...field },
  } = useFormField(name);
  return (
    <Box>
      <FormControlLabel
        label={label}
        control={
          <Checkbox
            {...field}
            checked={Boolean(value)}
            slotProps={{ input: { ref, 'aria-describedby': help ? `${id}-help` : undefined } }}
          />
        }
      />
      {help ? (
        // Aligned with the text, not the box.
        <Typography
          id={`${id}-help`}
          variant="caption"
          component="div"
          sx={{ color: 'text.secondary', paddingLeft: 6.25, maxWidth: '64ch' }}
        >
          {help}
        </Typography>
      ) : null}
    </Box>
  );
}
