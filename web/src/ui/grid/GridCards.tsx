import type { Column, Grid } from '@caseway/contract/grid';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { openedRow } from '../../view/list-place.ts';
import { ContactLinks } from '../ContactLink.tsx';
import type { Cells } from './GridRow.tsx';
import { type GroupLine, isRow, type Line } from './groups.ts';
import type { GridSelection } from './selection.tsx';
import type { CellTexts, GridWords } from './values.tsx';

/** The number of lines of a card whose grid does not name them. */
const fewLines = 3;

/**
 * What a card shows of a row. If the grid does not say so, it begins with the person or the first column that is no
 * day, because nobody looks for a record by its day, and the next visible columns follow.
 */
export function cardOf(grid: Grid, shown: readonly string[]): Required<NonNullable<Grid['card']>> {
  const names = ['lastName', 'firstName'].filter((field) => shown.includes(field));
  const leading = shown.find((field) => grid.columns[field]?.kind !== 'date') ?? shown[0];
  const own = names.length > 0 ? names : leading === undefined ? [] : [leading];
  const {
    title,
    state = '',
    lines,
  } = grid.card ?? {
    title: own,
    lines: shown.filter((field) => !own.includes(field)).slice(0, fewLines),
  };
  const has = (field: string) => Object.hasOwn(grid.columns, field);
  return { title: title.filter(has), state: has(state) ? state : '', lines: lines.filter(has) };
}

/** The columns on a card. */
export const fieldsOfCard = ({ title, state, lines }: ReturnType<typeof cardOf>, first: string): string[] => [
  ...new Set([...title, ...(state ? [state] : []), ...lines, first]),
];

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** A list's rows on a phone: a card each, with who, what, its state and since when. */
export function GridCards<Row extends { id: string }>({
  grid,
  rows,
  lines,
  headingOf,
  card,
  first,
  label,
  busy,
  words,
  texts,
  cells,
  valueIn,
  href,
  opensBy,
  onOpen,
  onToggleGroup,
  selection,
}: {
  grid: Grid;
  rows: readonly Row[];
  card: ReturnType<typeof cardOf>;
  /** The rows, with the headings of their groups. */
  lines: readonly Line<Row>[];
  headingOf: (line: GroupLine) => ReactNode;
  onToggleGroup: (group: string) => void;
  /** The column that names a row without a title. */
  first: string;
  label: string;
  busy: boolean;
  words: GridWords;
  texts: CellTexts;
  cells: Cells<Row>;
  valueIn: (row: Row, field: string) => unknown;
  href: ((row: Row) => string) | undefined;
  opensBy: string | undefined;
  onOpen: ((row: Row) => void) | undefined;
  selection: (GridSelection & { nameOf: (row: Row) => string }) | undefined;
}) {
  const { t } = useTranslation();
  const chosen = selection ? rows.filter(({ id }) => selection.has(id)).length : 0;
  const shownIn = (row: Row, field: string): ReactNode => {
    const column: Column = grid.columns[field]!;
    const value = valueIn(row, field);
    const own = cells[field];
    if (own) return own(row);
    if (isNothing(value)) return null;
    return column.as === 'phone' ? (
      <ContactLinks kind="phone" values={[String(value)]} />
    ) : (
      texts(field, column, value)
    );
  };
  const titleOf = (row: Row): ReactNode => {
    const parts = card.title.filter((field) => !isNothing(valueIn(row, field)));
    if (parts.length === 0) return shownIn(row, first);
    return parts.map((field, index) => (
      <span key={field}>
        {index > 0 ? ', ' : ''}
        {shownIn(row, field)}
      </span>
    ));
  };
  return (
    <>
      {selection && rows.length > 0 ? (
        <FormControlLabel
          sx={{ margin: 0, paddingX: 1, borderBottom: 1, borderColor: 'divider' }}
          slotProps={{ typography: { variant: 'body2' } }}
          control={
            <Checkbox
              size="small"
              checked={chosen === rows.length}
              indeterminate={chosen > 0 && chosen < rows.length}
              onChange={(event) =>
                selection.toggle(
                  rows.map(({ id }) => id),
                  event.target.checked,
                )
              }
            />
          }
          label={t('grid.selectPage')}
        />
      ) : null}
      <Box
        component="ul"
        aria-label={label}
        aria-busy={busy}
        sx={cardStyles}
        style={{ opacity: busy ? 0.7 : 1 }}
      >
        {lines.map((line) => {
          if (!isRow(line))
            return (
              <li key={`group ${line.group}`} className="group">
                <ButtonBase aria-expanded={!line.isClosed} onClick={() => onToggleGroup(line.group)}>
                  {headingOf(line)}
                </ButtonBase>
              </li>
            );
          const { row, place } = line;
          const isChosen = selection?.has(row.id) ?? false;
          return (
            <li key={row.id} className={isChosen ? 'marked' : undefined}>
              {selection ? (
                <Checkbox
                  size="small"
                  checked={isChosen}
                  onChange={(event) => selection.toggle([row.id], event.target.checked)}
                  slotProps={{
                    input: { 'aria-label': t('grid.selectRow', { name: selection.nameOf(row) }) },
                  }}
                />
              ) : null}
              <div className="body">
                <div className="head">
                  <h2>
                    {onOpen ? (
                      <ButtonBase className="opens" onClick={() => onOpen(row)}>
                        {titleOf(row)}
                      </ButtonBase>
                    ) : href ? (
                      <Link className="opens" to={href(row)} state={openedRow(row, grid.id, place, opensBy)}>
                        {titleOf(row)}
                      </Link>
                    ) : (
                      titleOf(row)
                    )}
                  </h2>
                  {card.state ? <div className="state">{shownIn(row, card.state)}</div> : null}
                </div>
                {card.lines.map((field) => {
                  const shown = shownIn(row, field);
                  if (isNothing(shown)) return null;
                  // A day or number is meaningless without its label.
                  const named = !['text', 'choice'].includes(grid.columns[field]!.kind) || !grid.card;
                  return (
                    <div key={field} className="line">
                      {named ? <span className="name">{words.column(field)}</span> : null}
                      {shown}
                    </div>
                  );
                })}
              </div>
            </li>
          );
        })}
      </Box>
    </>
  );
}

/** Set once for the list. Anything clickable in a card is above the link that covers it. */
const cardStyles = {
  flex: 1,
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& li': {
    position: 'relative',
    display: 'flex',
    alignItems: 'flex-start',
    gap: 1,
    padding: '10px 12px',
    borderBottom: 1,
    borderColor: 'divider',
  },
  '& li.group': { padding: 0, backgroundColor: 'raised' },
  '& li.group button': {
    flex: 1,
    justifyContent: 'flex-start',
    minHeight: 44,
    paddingX: 3,
    font: 'inherit',
    fontSize: '0.8125rem',
    textAlign: 'left',
  },
  '& li.marked': { backgroundColor: 'tint' },
  '& .body': { flex: 1, minWidth: 0, display: 'grid', gap: 0.5, overflowWrap: 'anywhere' },
  '& .head': { display: 'flex', alignItems: 'baseline', gap: 2 },
  '& h2': { flex: 1, minWidth: 0, margin: 0, fontSize: '0.9375rem', lineHeight: 20 / 15, fontWeight: 650 },
  '& .opens': {
    font: 'inherit',
    textAlign: 'left',
    color: 'primary.main',
    textDecoration: 'none',
    position: 'static',
  },
  // High enough to press next to another control.
  '& a.opens': { paddingY: '4px' },
  '& .opens::after': { content: '""', position: 'absolute', inset: 0 },
  '& .opens:focus-visible': { outline: 'none' },
  '& .opens:focus-visible::after': {
    outline: '2px solid',
    outlineColor: 'var(--cw-palette-focus)',
    outlineOffset: '-2px',
  },
  '& .state': { fontSize: '0.8125rem', color: 'text.secondary', textAlign: 'right' },
  '& .line': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: 2,
    fontSize: '0.8125rem',
    lineHeight: 20 / 13,
  },
  '& .name': { color: 'text.secondary' },
  '& .MuiCheckbox-root, & .line a, & .line button, & .state a, & .state button': {
    position: 'relative',
    zIndex: 1,
  },
  '& .MuiCheckbox-root': { margin: '-6px 0 0 -6px' },
} as const;
