import Button from '@mui/material/Button';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Navigate } from 'react-router';

/** A button that opens the form of a new record, and goes to the record once it is created. */
export function AddRecord({
  label,
  path,
  aside = false,
  form,
}: {
  label: string;
  /** The address of its records; a new one is at its id below. */
  path: string;
  /** Not the screen's primary action. */
  aside?: boolean;
  form: (handlers: { onSaved: (made: { id: string }) => void; onClose: () => void }) => ReactNode;
}) {
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  // Only after the form is gone, which would ask whether to leave it.
  if (made !== null && !adding) return <Navigate to={`${path}/${made}`} />;
  return (
    <>
      <Button
        {...(aside
          ? { variant: 'outlined' as const }
          : { variant: 'contained' as const, startIcon: <Plus size={16} aria-hidden /> })}
        onClick={() => setAdding(true)}
      >
        {label}
      </Button>
      {adding
        ? form({
            onSaved: ({ id }) => {
              setAdding(false);
              setMade(id);
            },
            onClose: () => setAdding(false),
          })
        : null}
    </>
  );
}
