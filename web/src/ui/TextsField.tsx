import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { type FieldError, useController, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { focusOn } from './FaultSummary.tsx';
import { Field } from './Field.tsx';
import { useWords } from './Form.tsx';

/** Several texts in the surrounding form, one per line; there is always a line to type into. */
export function TextsField({
  name,
  label,
  help,
  required = true,
  type = 'text',
  most,
}: {
  name: string;
  label: string;
  help?: ReactNode;
  required?: boolean;
  type?: 'text' | 'tel' | 'email' | undefined;
  /** The most texts. */
  most: number;
}) {
  const { t } = useTranslation();
  const words = useWords();
  const id = useId();
  const { control } = useFormContext();
  const { field, fieldState } = useController({ name, control });
  const added = useRef(false);
  const texts: readonly string[] = field.value.length > 0 ? field.value : [''];
  // One fault for all of them, or a list with one per line.
  const { error } = fieldState;
  const faults = texts.map((_, index) =>
    words((error as readonly (FieldError | undefined)[] | undefined)?.[index]?.message),
  );
  const focused = Math.max(0, faults.findIndex(Boolean));
  const idOf = (index: number) => (index === 0 ? id : `${id}-${index}`);
  return (
    <Field id={id} label={label} help={help} required={required} fault={words(error?.message)}>
      {({ describedBy }) => (
        <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
          {texts.map((text, index) => {
            const fault = faults[index];
            const about = [describedBy, fault && `${idOf(index)}-wrong`].filter(Boolean).join(' ');
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity but its position.
              <Box key={index} sx={{ width: '100%' }}>
                <Box sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
                  <OutlinedInput
                    fullWidth
                    id={idOf(index)}
                    type={type}
                    autoComplete="off"
                    value={text}
                    autoFocus={added.current && index === texts.length - 1}
                    onChange={({ target }) => field.onChange(texts.with(index, target.value))}
                    onBlur={field.onBlur}
                    inputRef={index === focused ? field.ref : undefined}
                    error={fault !== undefined}
                    inputProps={{
                      'aria-label': index === 0 ? undefined : `${label} ${index + 1}`,
                      'aria-describedby': about || undefined,
                      'aria-invalid': fault !== undefined,
                    }}
                  />
                  {text !== '' || texts.length > 1 ? (
                    <IconButton
                      aria-label={t('form.remove', { what: text || `${label} ${index + 1}` })}
                      onClick={() => {
                        field.onChange(texts.toSpliced(index, 1));
                        focusOn(idOf(Math.max(0, index - 1)));
                      }}
                    >
                      <X size={16} aria-hidden />
                    </IconButton>
                  ) : null}
                </Box>
                {fault ? (
                  <Typography
                    id={`${idOf(index)}-wrong`}
                    variant="body2"
                    sx={{ color: 'error.main', marginTop: 1.5 }}
                  >
                    {fault}
                  </Typography>
                ) : null}
              </Box>
            );
          })}
          {texts.length < most && texts.at(-1) !== '' ? (
            <Button
              size="small"
              variant="text"
              startIcon={<Plus size={14} aria-hidden />}
              aria-label={`${t('form.addAnother')}: ${label}`}
              onClick={() => {
                added.current = true;
                field.onChange([...texts, '']);
              }}
            >
              {t('form.addAnother')}
            </Button>
          ) : null}
        </Box>
      )}
    </Field>
  );
}
