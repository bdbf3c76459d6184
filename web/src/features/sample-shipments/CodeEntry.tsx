import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Field } from '../../ui/Field.tsx';
import { CameraScan } from './CameraScan.tsx';

/**
 * One field for scanning and typing, with the camera on a phone: Enter submits the number and clears the
 * field at once. Further numbers wait while one is being stored.
 */
export function CodeEntry({
  label,
  help,
  submit,
  beside,
  onCode,
}: {
  label: string;
  help: string;
  submit: string;
  /** A choice for all that follow. */
  beside?: ReactNode;
  onCode: (code: string) => Promise<unknown>;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  const take = (event: FormEvent) => {
    event.preventDefault();
    const code = typed.trim();
    input.current?.focus();
    if (code === '') return;
    setTyped('');
    inTurn(code);
  };
  const inTurn = (code: string) => {
    turn.current = turn.current.then(() => onCode(code));
  };
  return (
    <Box component="form" noValidate onSubmit={take} sx={{ display: 'grid', gap: 2 }}>
      <Field id={id} label={label} help={help} required>
        {({ describedBy }) => (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            <OutlinedInput
              id={id}
              value={typed}
              autoFocus
              autoComplete="off"
              className="mono"
              inputRef={input}
              onChange={(event) => setTyped(event.target.value)}
              inputProps={{
                maxLength: 200,
                autoCapitalize: 'off',
                spellCheck: false,
                'aria-describedby': describedBy,
              }}
              sx={{ flex: '1 1 200px' }}
            />
            {beside}
            {/* Never disabled, because Enter does nothing with a disabled button. */}
            <Button type="submit" variant="contained">
              {submit}
            </Button>
          </Box>
        )}
      </Field>
      <CameraScan onCode={inTurn} />
    </Box>
  );
}
