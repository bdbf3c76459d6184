import Button from '@mui/material/Button';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Navigate } from 'react-router';

/** A button that opens the form of a new record, and leads to that record once it is made. */
export function AddRecord({
  label,
  path,
  aside = false,
  form,
}: {
  label: string;
  /** Where its records are: the new one is at its id below. */
  path: string;
  /** It is not the first thing to do on its screen. */
  aside?: boolean;
  form: (handlers: { onSaved: (made: { id: string }) => void; onClose: () => void }) => ReactNode;
}) {
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  // Once the form is gone, which would ask whether to leave it.
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
