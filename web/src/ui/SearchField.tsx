import OutlinedInput from '@mui/material/OutlinedInput';
import { useEffect, useId, useState } from 'react';
import { Field } from './Field.tsx';

/** [S9.4] */
const restMs = 800;

/** A field that searches when typing pauses, or immediately on Enter. */
export function SearchField({ label, onSearch }: { label: string; onSearch: (words: string) => void }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const words = typed.trim();
  useEffect(() => {
    const timer = setTimeout(() => onSearch(words), restMs);
    return () => clearTimeout(timer);
  }, [words, onSearch]);
  return (
    <Field id={id} label={label} required>
      {({ describedBy }) => (
        <OutlinedInput
          id={id}
          type="search"
          fullWidth
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // A surrounding form is saved by its button.
            event.preventDefault();
            onSearch(words);
          }}
          inputProps={{ 'aria-describedby': describedBy, maxLength: 200 }}
        />
      )}
    </Field>
  );
}
