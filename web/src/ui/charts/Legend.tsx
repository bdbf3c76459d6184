import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { usePaints } from './paint.tsx';

/** The meaning of a fill or line, with its switch if it can be hidden. */
export type LegendEntry = { label: string; isOff?: boolean; onSwitch?: (() => void) | undefined } & (
  | { fill: string; stroke?: string }
  | { line: string; dashed?: boolean }
);

const List = styled('ul')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 16px',
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: '0.8125rem',
  // As high as entries with a switch.
  '& > li': { minHeight: 24, display: 'flex', alignItems: 'center', gap: 4 },
  '@media print': { '& > [data-off]': { display: 'none' } },
});
const Switch = styled('button')(({ theme }) => ({
  font: 'inherit',
  color: 'inherit',
  background: 'none',
  border: 0,
  padding: '2px 0',
  margin: 0,
  minHeight: 24,
  cursor: 'pointer',
  borderRadius: 4,
  '&:hover': { textDecoration: 'underline' },
  '&:focus-visible': { outline: `2px solid ${theme.vars!.palette.focus}`, outlineOffset: 2 },
  '&[aria-pressed=false]': { color: theme.vars!.palette.text.secondary, textDecoration: 'line-through' },
  '&[aria-pressed=false] svg': { opacity: 0.3 },
}));

/** The meaning of a chart's fills and lines. Exports include its entries, except hidden ones. */
export function Legend({ entries }: { entries: readonly LegendEntry[] }) {
  const { axis } = usePaints();
  if (entries.length === 0) return null;
  return (
    <List data-chart="legend">
      {entries.map((entry) => (
        <li key={entry.label} data-off={entry.isOff || undefined}>
          <Entry entry={entry}>
            <svg width={18} height={12} aria-hidden="true">
              {'line' in entry ? (
                <line
                  x1={0}
                  x2={16}
                  y1={6}
                  y2={6}
                  stroke={entry.line}
                  strokeWidth={2}
                  strokeDasharray={entry.dashed ? '5 3' : undefined}
                />
              ) : (
                <rect
                  x={0.5}
                  y={0.5}
                  width={12}
                  height={11}
                  rx={2}
                  fill={entry.fill}
                  stroke={entry.stroke ?? axis}
                  strokeWidth={0.5}
                />
              )}
            </svg>{' '}
            {entry.label}
          </Entry>
        </li>
      ))}
    </List>
  );
}

function Entry({
  entry: { onSwitch, isOff = false },
  children,
}: {
  entry: LegendEntry;
  children: ReactNode;
}) {
  return onSwitch ? (
    <Switch type="button" aria-pressed={!isOff} onClick={onSwitch}>
      {children}
    </Switch>
  ) : (
    children
  );
}
