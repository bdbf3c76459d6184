import Box from '@mui/material/Box';
import { type ReactNode, type Ref, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from './Field.tsx';

/** Digits of a one-time code. [P11] */
export const codeLength = 6;

/**
 * One input that looks like six: typing, pasting (with spaces or text around the code) and the phone's own
 * suggestion all work, and screen readers find a single field.
 */
export function CodeField({
  ref,
  value,
  onChange,
  help,
  fault,
  wrong = false,
}: {
  ref?: Ref<HTMLInputElement>;
  value: string;
  onChange: (digits: string) => void;
  help?: ReactNode;
  fault: string | undefined;
  /** The last code was not accepted; the reason is shown elsewhere. */
  wrong?: boolean;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [focused, setFocused] = useState(false);
  const invalid = wrong || fault !== undefined;
  return (
    <Field id={id} label={t('signIn.code')} help={help} fault={fault} required>
      {({ describedBy }) => (
        <Box sx={{ position: 'relative' }}>
          <Box
            aria-hidden
            sx={{ display: 'grid', gridTemplateColumns: `repeat(${codeLength}, 1fr)`, gap: 2 }}
          >
            {Array.from({ length: codeLength }, (_, index) => (
              <Box
                // biome-ignore lint/suspicious/noArrayIndexKey: six fixed positions.
                key={index}
                sx={{
                  display: 'grid',
                  placeItems: 'center',
                  height: 48,
                  borderRadius: '6px',
                  border: 1,
                  borderColor: invalid
                    ? 'error.main'
                    : focused && index === Math.min(value.length, codeLength - 1)
                      ? 'primary.main'
                      : 'control',
                  backgroundColor: 'surface',
                  typography: 'h2',
                  outline: (theme) =>
                    focused && index === Math.min(value.length, codeLength - 1)
                      ? `2px solid ${theme.vars.palette.focus}`
                      : 'none',
                  outlineOffset: '2px',
                }}
              >
                {value[index] ?? ''}
              </Box>
            ))}
          </Box>
          <Box
            component="input"
            ref={ref}
            id={id}
            value={value}
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            aria-describedby={describedBy}
            aria-invalid={invalid}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onChange={(event: React.ChangeEvent<HTMLInputElement>) =>
              onChange(event.target.value.replaceAll(/\D/g, '').slice(0, codeLength))
            }
            onPaste={(event: React.ClipboardEvent) => {
              event.preventDefault();
              onChange(codeIn(event.clipboardData.getData('text')));
            }}
            sx={{
              position: 'absolute',
              inset: 0,
              width: '100%',
              height: '100%',
              border: 0,
              padding: 0,
              margin: 0,
              opacity: 0,
              font: 'inherit',
            }}
          />
        </Box>
      )}
    </Field>
  );
}

/** The code in a pasted text: six digits in a row, otherwise all digits. */
export const codeIn = (text: string): string =>
  /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0] ?? text.replaceAll(/\D/g, '').slice(0, codeLength);
