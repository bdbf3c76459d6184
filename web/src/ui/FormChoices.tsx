import Autocomplete, {
  type AutocompleteRenderInputParams,
  createFilterOptions,
} from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type ReactNode, type Ref, useId } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Choice } from './ChoiceField.tsx';
import { Field } from './Field.tsx';
import { useWords } from './Form.tsx';

/** Entries shown at once; words narrow them. */
const shown = createFilterOptions<Choice>({ limit: 100 });

interface ChoiceProps {
  name: string;
  label: string;
  options: readonly Choice[];
  help?: ReactNode;
  required?: boolean;
  loading?: boolean;
}

/** What both fields have of the list they open. */
function useList(options: readonly Choice[], loading: boolean) {
  const { t } = useTranslation();
  return {
    size: 'small' as const,
    options: [...options],
    loading,
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

/** The input of both, told of its help and its fault. */
const inputOf =
  (ref: Ref<HTMLInputElement>, describedBy: string | undefined, invalid: boolean) =>
  ({ slotProps, ...params }: AutocompleteRenderInputParams) => (
    <OutlinedInput
      {...params}
      {...slotProps.input}
      inputRef={ref}
      error={invalid}
      inputProps={{ ...slotProps.htmlInput, 'aria-describedby': describedBy, 'aria-invalid': invalid }}
    />
  );

/** One of many of the form around it, found by words; the empty text is none. */
export function OneOfField({ name, label, options, help, required = true, loading = false }: ChoiceProps) {
  const id = useId();
  const words = useWords();
  const { control } = useFormContext();
  const { field, fieldState } = useController({ name, control });
  const list = useList(options, loading);
  const value = field.value as string;
  const chosen = options.find((option) => option.id === value) ?? null;
  return (
    <Field id={id} label={label} help={help} required={required} fault={words(fieldState.error?.message)}>
      {({ describedBy, invalid }) => (
        <Autocomplete
          {...list}
          id={id}
          value={chosen}
          onChange={(_, option) => field.onChange(option?.id ?? '')}
          onBlur={field.onBlur}
          renderInput={inputOf(field.ref, describedBy, invalid)}
        />
      )}
    </Field>
  );
}

/** Several of many of the form around it. */
export function ManyOfField({ name, label, options, help, required = true, loading = false }: ChoiceProps) {
  const id = useId();
  const words = useWords();
  const { control } = useFormContext();
  const { field, fieldState } = useController({ name, control });
  const list = useList(options, loading);
  const value = field.value as string[];
  const chosen = value.map((one) => options.find((option) => option.id === one) ?? { id: one, label: one });
  return (
    <Field id={id} label={label} help={help} required={required} fault={words(fieldState.error?.message)}>
      {({ describedBy, invalid }) => (
        <Autocomplete
          {...list}
          id={id}
          multiple
          disableCloseOnSelect
          value={chosen}
          onChange={(_, entries) => field.onChange(entries.map((one) => one.id))}
          onBlur={field.onBlur}
          renderInput={inputOf(field.ref, describedBy, invalid)}
        />
      )}
    </Field>
  );
}

/** Yes or no, with what it means. */
export function CheckField({ name, label, help }: { name: string; label: string; help?: ReactNode }) {
  const id = useId();
  const { control } = useFormContext();
  const {
    field: { ref, value, ...field },
  } = useController({ name, control });
  return (
    <Box>
      <FormControlLabel
        label={<Typography variant="body1">{label}</Typography>}
        control={
          <Checkbox
            {...field}
            checked={Boolean(value)}
            slotProps={{ input: { ref, 'aria-describedby': help ? `${id}-help` : undefined } }}
          />
        }
      />
      {help ? (
        <Typography id={`${id}-help`} variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {help}
        </Typography>
      ) : null}
    </Box>
  );
}
