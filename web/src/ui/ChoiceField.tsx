import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type Ref, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useSameObject } from './use-same-object.ts';

export interface Choice {
  id: string;
  label: string;
  /** A second line. */
  detail?: string;
}

/** One of many, found by typing. */
export function ChoiceField({
  label,
  hideLabel = false,
  required = false,
  value,
  options,
  onChange,
  onWords,
  loading = false,
  disabled = false,
  placeholder,
  fault,
  inputRef,
}: {
  label: string;
  /** The label is read aloud but not shown. */
  hideLabel?: boolean;
  /** One is always chosen, so it cannot be cleared. */
  required?: boolean;
  value: Choice | null;
  options: readonly Choice[];
  onChange: (value: Choice | null) => void;
  /** Searches options on the server by these words; absent if all of them are loaded. */
  onWords?: (words: string) => void;
  loading?: boolean;
  disabled?: boolean;
  placeholder?: string;
  /** The fault of the choice, in words. */
  fault?: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
}) {
  const { t } = useTranslation();
  const id = useId();
  const chosen = useSameObject(value);
  return (
    <Autocomplete
      id={id}
      size="small"
      options={[...options]}
      value={chosen}
      disabled={disabled}
      loading={loading}
      disableClearable={required as false}
      // Enter takes the first match.
      autoHighlight
      selectOnFocus
      handleHomeEndKeys
      onChange={(_, next) => onChange(next)}
      {...(onWords
        ? {
            filterOptions: (all: Choice[]) => all,
            onInputChange: (_: unknown, words: string, reason: string) => {
              if (reason === 'input' || reason === 'clear') onWords(words);
            },
          }
        : {})}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      getOptionKey={(option) => option.id}
      noOptionsText={t('filter.none')}
      loadingText={t('state.loading')}
      clearText={t('filter.clearOne')}
      slotProps={{ paper: { variant: 'outlined' }, listbox: { 'aria-label': label } }}
      openText={t('filter.choose')}
      closeText={t('action.close')}
      renderOption={({ key, ...props }, option) => (
        <li key={key} {...props}>
          <Box sx={{ minWidth: 0 }}>
            <Typography variant="body1">{option.label}</Typography>
            {option.detail ? (
              <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                {option.detail}
              </Typography>
            ) : null}
          </Box>
        </li>
      )}
      renderInput={({ slotProps, ...params }) => (
        <Box sx={{ display: 'grid', gap: 1.5 }}>
          {hideLabel ? null : (
            <Typography component="label" htmlFor={id} variant="body2" sx={{ fontWeight: 550 }}>
              {label}
            </Typography>
          )}
          <OutlinedInput
            {...params}
            {...slotProps.input}
            {...(inputRef && { inputRef })}
            error={fault !== undefined}
            inputProps={{
              ...slotProps.htmlInput,
              'aria-label': hideLabel ? label : undefined,
              'aria-invalid': fault !== undefined,
              'aria-describedby': fault === undefined ? undefined : `${id}-fault`,
            }}
            placeholder={placeholder ?? ''}
          />
          {fault === undefined ? null : (
            <Typography id={`${id}-fault`} variant="body2" sx={{ color: 'error.main' }}>
              {fault}
            </Typography>
          )}
        </Box>
      )}
    />
  );
}
