import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Answered } from '../ui/Answered.tsx';
import { Section } from '../ui/Section.tsx';
import type { RecordQuery } from './RecordPanel.tsx';

/** Records related to the screen's record, and the form of another one for users who may create it. */
export function RecordsOf<Answer, Row extends { id: string }>({
  query,
  rows,
  words,
  one,
  form,
}: {
  query: RecordQuery<Answer>;
  rows: (answer: Answer) => readonly Row[];
  words: { title: string; none: string; add: string };
  /** A line of the list. */
  one: (row: Row) => ReactNode;
  /** Absent for users who cannot create one. */
  form?: ((close: () => void) => ReactNode) | undefined;
}) {
  const [adding, setAdding] = useState(false);
  return (
    <Section title={words.title}>
      <Answered query={query} height={80}>
        {(answer) =>
          rows(answer).length === 0 ? (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {words.none}
            </Typography>
          ) : (
            <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
              {rows(answer).map(one)}
            </Box>
          )
        }
      </Answered>
      {form ? (
        <Button
          size="small"
          variant="outlined"
          startIcon={<Plus size={14} aria-hidden />}
          onClick={() => setAdding(true)}
          sx={{ justifySelf: 'start' }}
        >
          {words.add}
        </Button>
      ) : null}
      {adding ? form?.(() => setAdding(false)) : null}
    </Section>
  );
}
