import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ComponentProps, ReactNode } from 'react';
import { Answered } from '../ui/Answered.tsx';

/** The records of a person or a case, one below the other, with a button for a new one. */
export function RecordItems<Answer, Item>({
  query,
  itemsOf,
  none,
  add,
  onAdd,
  children,
}: {
  query: ComponentProps<typeof Answered<Answer>>['query'];
  itemsOf: (answer: Answer) => readonly Item[];
  /** Shown if there are none. */
  none: string;
  add: string;
  /** Absent for users who may not write. */
  onAdd: (() => void) | undefined;
  children: (item: Item) => ReactNode;
}) {
  return (
    <>
      <Answered query={query} height={80}>
        {(answer) => {
          const items = itemsOf(answer);
          return items.length === 0 ? (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {none}
            </Typography>
          ) : (
            <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
              {items.map(children)}
            </Box>
          );
        }}
      </Answered>
      {onAdd ? (
        <Box>
          <Button size="small" variant="outlined" onClick={onAdd}>
            {add}
          </Button>
        </Box>
      ) : null}
    </>
  );
}

/** One of them: its title, struck through if it does not hold, its days, and what follows. */
export function RecordItem({
  title,
  days,
  isVoid,
  children,
}: {
  title: string;
  days: string;
  isVoid: boolean;
  children: ReactNode;
}) {
  return (
    <Box component="li" sx={{ display: 'grid', gap: 1, overflowWrap: 'anywhere' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, alignItems: 'baseline' }}>
        <Typography
          variant="body1"
          sx={{ fontWeight: 550, flex: '1 1 200px', textDecoration: isVoid ? 'line-through' : 'none' }}
        >
          {title}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {days}
        </Typography>
      </Box>
      {children}
    </Box>
  );
}
