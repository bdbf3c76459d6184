import {
  nextFree,
  type Position,
  positionName,
  rowName,
  type StorageBox,
  type StoredState,
  type Taken,
} from '@caseway/contract/storage';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import {
  Circle,
  CircleCheck,
  CirclePlus,
  EyeOff,
  type LucideIcon,
  Package,
  TriangleAlert,
} from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconMark } from '../../../ui/IconMark.tsx';

/** The mark and the color of each state. Words say it too. */
export const stateMarks: Readonly<Record<StoredState, readonly [LucideIcon, string]>> = {
  stored: [Circle, 'text.primary'],
  received: [CircleCheck, 'success.main'],
  flawed: [TriangleAlert, 'warning.main'],
  packed: [Package, 'info.main'],
  hidden: [EyeOff, 'text.secondary'],
};

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** The positions of a box as a grid: A1 at the top left. `next`: where the next specimen goes. */
export function BoxMap({
  box,
  next,
  chosen,
  onChoose,
}: {
  box: StorageBox;
  next: Position | null;
  chosen: Position | null;
  onChoose: (position: Position) => void;
}) {
  const { t } = useTranslation('storage');
  const helpId = useId();
  const grid = useRef<HTMLDivElement>(null);
  const { rows, columns } = box;
  const taken = new Map(box.taken.map((one) => [positionName(one), one]));
  const [focused, setFocused] = useState<Position>(() => nextFree(box, box.taken) ?? { row: 1, column: 1 });
  const goTo = (row: number, column: number) => {
    const to = {
      row: Math.min(Math.max(row, 1), rows),
      column: Math.min(Math.max(column, 1), columns),
    };
    setFocused(to);
    grid.current?.querySelector<HTMLElement>(`[data-position="${positionName(to)}"]`)?.focus();
  };
  const onKey = (event: KeyboardEvent, { row, column }: Position) => {
    const whole = event.ctrlKey || event.metaKey;
    const ways: Readonly<Record<string, () => void>> = {
      ArrowUp: () => goTo(row - 1, column),
      ArrowDown: () => goTo(row + 1, column),
      ArrowLeft: () => goTo(row, column - 1),
      ArrowRight: () => goTo(row, column + 1),
      Home: () => goTo(whole ? 1 : row, 1),
      End: () => goTo(whole ? rows : row, columns),
      Enter: () => onChoose({ row, column }),
      ' ': () => onChoose({ row, column }),
    };
    const go = ways[event.key];
    if (!go) return;
    event.preventDefault();
    go();
  };
  const nameOf = (position: Position, one: Taken | undefined) => {
    const place = t('map.row', { row: rowName(position.row), column: position.column });
    if (!one) return t(isAt(next, position) ? 'map.next' : 'map.free', { place });
    if (!one.specimen) return t('map.hidden', { place });
    return t('map.taken', { place, code: one.specimen.code, state: t(`state.${one.state}`) });
  };
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 3 }}>
      <Typography id={helpId} variant="body2" sx={{ color: 'text.secondary' }}>
        {t('map.help')}
      </Typography>
      <Box sx={{ overflowX: 'auto', padding: '3px' }}>
        <Box
          ref={grid}
          role="grid"
          aria-label={t('map.title')}
          aria-describedby={helpId}
          aria-rowcount={rows + 1}
          aria-colcount={columns + 1}
          sx={{
            display: 'grid',
            gridTemplateColumns: `minmax(16px, 20px) repeat(${columns}, minmax(26px, 44px))`,
            gap: '2px',
            fontSize: '0.75rem',
          }}
        >
          <Box role="row" sx={{ display: 'contents' }}>
            <Box component="span" role="columnheader" aria-label={t('place.any')} />
            {upTo(columns).map((column) => (
              <Box
                component="span"
                role="columnheader"
                key={column}
                sx={{ textAlign: 'center', color: 'text.secondary' }}
              >
                {column}
              </Box>
            ))}
          </Box>
          {upTo(rows).map((row) => (
            <Box role="row" key={row} sx={{ display: 'contents' }}>
              <Box
                component="span"
                role="rowheader"
                sx={{ alignSelf: 'center', textAlign: 'center', color: 'text.secondary' }}
              >
                {rowName(row)}
              </Box>
              {upTo(columns).map((column) => {
                const position = { row, column };
                const one = taken.get(positionName(position));
                return (
                  <Cell
                    key={column}
                    at={positionName(position)}
                    name={nameOf(position, one)}
                    state={one?.state ?? (isAt(next, position) ? 'next' : 'free')}
                    isChosen={isAt(chosen, position)}
                    isFocused={isAt(focused, position)}
                    onFocus={() => setFocused(position)}
                    onKey={(event) => onKey(event, position)}
                    onChoose={() => onChoose(position)}
                  />
                );
              })}
            </Box>
          ))}
        </Box>
      </Box>
      <Legend states={[...new Set(box.taken.map(({ state }) => state))]} />
    </Box>
  );
}

export const isAt = (one: Position | null, { row, column }: Position): boolean =>
  one !== null && one.row === row && one.column === column;

function Cell({
  at,
  name,
  state,
  isChosen,
  isFocused,
  onFocus,
  onKey,
  onChoose,
}: {
  at: string;
  name: string;
  state: StoredState | 'next' | 'free';
  isChosen: boolean;
  isFocused: boolean;
  onFocus: () => void;
  onKey: (event: KeyboardEvent) => void;
  onChoose: () => void;
}) {
  const [Icon, color] =
    state === 'free'
      ? [null, 'text.secondary']
      : state === 'next'
        ? [CirclePlus, 'primary.main']
        : stateMarks[state];
  return (
    <Box
      role="gridcell"
      data-position={at}
      aria-label={name}
      aria-selected={isChosen}
      title={name}
      tabIndex={isFocused ? 0 : -1}
      onFocus={onFocus}
      onKeyDown={onKey}
      onClick={onChoose}
      sx={{
        display: 'grid',
        placeItems: 'center',
        aspectRatio: '1',
        minHeight: 26,
        cursor: 'pointer',
        border: 1,
        borderStyle: state === 'free' || state === 'next' ? 'dashed' : 'solid',
        borderColor: isChosen ? 'primary.main' : 'divider',
        borderRadius: '4px',
        backgroundColor: state === 'free' || state === 'next' ? 'transparent' : 'raised',
        boxShadow: isChosen ? 'inset 0 0 0 1px currentColor' : 'none',
        color,
        '&:focus-visible': {
          outline: (theme) => `2px solid ${theme.vars!.palette.focus}`,
          outlineOffset: '1px',
        },
        '@media (forced-colors: active)': {
          color: 'CanvasText',
          borderColor: isChosen ? 'Highlight' : 'CanvasText',
          borderWidth: isChosen ? '3px' : '1px',
        },
      }}
    >
      {Icon ? <Icon size={14} aria-hidden /> : null}
    </Box>
  );
}

/** What the marks mean, of the states that are in the box. */
function Legend({ states }: { states: readonly StoredState[] }) {
  const { t } = useTranslation('storage');
  return (
    <Box
      component="ul"
      aria-label={t('map.legend')}
      sx={{
        listStyle: 'none',
        margin: 0,
        padding: 0,
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 4,
        rowGap: 1,
      }}
    >
      {states.map((state) => (
        <Typography component="li" variant="body2" key={state}>
          <IconMark icon={stateMarks[state][0]} color={stateMarks[state][1]}>
            {t(`state.${state}`)}
          </IconMark>
        </Typography>
      ))}
      <Typography component="li" variant="body2">
        <IconMark icon={CirclePlus} color="primary.main">
          {t('state.next')}
        </IconMark>
      </Typography>
    </Box>
  );
}
