import { type CodeMapping, routineTarget } from '@caseway/contract/imports';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSingleKeys } from '../../data/use-preferences.ts';
import { framed } from '../../ui/framed.ts';
import { isTyping, Key } from '../../ui/Key.tsx';
import { StickyActions } from '../../ui/StickyActions.tsx';
import { useFormats } from '../../words/formats.ts';
import { type CodeActs, CodeRow, codeColumns } from './CodeRow.tsx';
import type { Decided } from './code-decisions.ts';
import { useSenderCounts } from './parts.tsx';

const none: ReadonlySet<string> = new Set();
const columns = ['code', 'waiting', 'meaning', 'decision'] as const;
/** The keyboard shortcuts, with the names of their texts. */
const keyHints = [
  ['↑ ↓', 'move'],
  ['A', 'accept'],
  ['Enter', 'choose'],
  ['X', 'leaveOut'],
  ['R', 'routine'],
  ['Z', 'undo'],
] as const;

/** Codes by sender, to decide one after another by keyboard, or several at once. */
export function CodeTable({
  rows,
  senders,
  writes,
  decide,
}: {
  /** In an order that stays until others are requested. */
  rows: readonly CodeMapping[];
  senders: readonly { sender: string; codes: number; waiting: number }[];
  writes: boolean;
  decide: (state: CodeMapping['state'], codes: readonly Decided[]) => void;
}) {
  const { t } = useTranslation('imports');
  const singleKeys = useSingleKeys();
  const [at, setAt] = useState<string | null>(null);
  const [chosen, setChosen] = useState(none);
  const [picking, setPicking] = useState<string | null>(null);
  const table = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  const stop = rows.find(({ id }) => id === at) ?? rows[0];
  // The row that should get the focus may be rendered only now.
  useEffect(() => {
    const id = wanted.current;
    if (id === null) return;
    wanted.current = null;
    const row = table.current?.querySelector<HTMLElement>(`[data-code="${id}"]`);
    (row ?? table.current)?.focus();
    row?.scrollIntoView?.({ block: 'nearest' });
  });
  const goTo = (mapping: CodeMapping | undefined) => {
    wanted.current = mapping?.id ?? '';
    setAt(mapping?.id ?? null);
  };
  const chosenRows = rows.filter(({ id }) => chosen.has(id));
  const choose = (ids: readonly string[], on: boolean) =>
    setChosen((before) => new Set(on ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
  /** Decides codes, and moves to the next one left. */
  const settle = (state: CodeMapping['state'], codes: readonly Decided[]) => {
    if (codes.length === 0) return;
    const ids = new Set(codes.map(({ mapping }) => mapping.id));
    const last = rows.findLastIndex(({ id }) => ids.has(id));
    const left = (row: CodeMapping) => !ids.has(row.id);
    goTo(rows.slice(last + 1).find(left) ?? rows.findLast(left));
    setPicking(null);
    choose([...ids], false);
    decide(state, codes);
  };
  const acts: CodeActs | null = writes
    ? {
        map: (mapping, target) => settle('mapped', [{ mapping, target }]),
        accept: (mapping, { target }) => settle('mapped', [{ mapping, target }]),
        leaveOut: (mapping) => settle('ignored', [{ mapping, target: null }]),
        reopen: (mapping) => settle('open', [{ mapping, target: null }]),
        pick: (id) => {
          setPicking(id);
          if (id === null) goTo(stop);
          else setAt(id);
        },
      }
    : null;
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const id = target.closest<HTMLElement>('[data-code]')?.dataset.code;
    if (event.key === 'Escape' && picking !== null) {
      acts?.pick(null);
      return;
    }
    if (target.getAttribute('role') === 'combobox' || (isTyping(target) && !isCheckbox(target))) return;
    const index = rows.findIndex((row) => row.id === id);
    const mapping = rows[index];
    const isRow = target.dataset.code !== undefined;
    const open = mapping?.state === 'open' && acts ? mapping : undefined;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(rows[Math.min(index + 1, rows.length - 1)]),
      ArrowUp: () => goTo(rows[Math.max(index - 1, 0)]),
      ...(isRow && {
        Home: () => goTo(rows[0]),
        End: () => goTo(rows.at(-1)),
        Enter: () => open && acts?.pick(open.id),
        ' ': () => mapping && acts && choose([mapping.id], !chosen.has(mapping.id)),
      }),
      ...(singleKeys && {
        j: () => goTo(rows[Math.min(index + 1, rows.length - 1)]),
        k: () => goTo(rows[Math.max(index - 1, 0)]),
        ...(open && {
          a: () => open.proposal && acts?.accept(open, open.proposal),
          x: () => acts?.leaveOut(open),
          r: () => open.kind === 'test' && acts?.map(open, routineTarget),
        }),
        ...(mapping && mapping.state !== 'open' && acts && { o: () => acts.reopen(mapping) }),
      }),
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!Object.hasOwn(moves, key)) return;
    event.preventDefault();
    moves[key]!();
  };
  const groups = Map.groupBy(rows, ({ sender }) => sender);
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box
        role="treegrid"
        ref={table}
        tabIndex={-1}
        aria-label={t('common:screen.importCodes')}
        aria-multiselectable={writes || undefined}
        onKeyDown={press}
        onFocus={({ target }) => {
          const id = target.closest<HTMLElement>('[data-code]')?.dataset.code;
          if (id !== undefined) setAt(id);
        }}
        sx={{ ...framed, outline: 'none', overflow: 'hidden' }}
      >
        <Box
          role="row"
          sx={{
            display: { xs: 'none', md: 'grid' },
            gridTemplateColumns: codeColumns,
            columnGap: 3,
            padding: '8px 12px',
            color: 'text.secondary',
            typography: 'caption',
          }}
        >
          <Box role="columnheader" aria-label={t('codes.column.chosen')} />
          {columns.map((column) => (
            <Box key={column} role="columnheader">
              {t(`codes.column.${column}`)}
            </Box>
          ))}
        </Box>
        {[...groups].map(([sender, ofSender]) => (
          <Box key={sender} role="rowgroup">
            <SenderRow
              state={ofSender[0]!.state}
              name={sender || t('codes.noSender')}
              counts={senders.find((one) => one.sender === sender)}
              chosen={ofSender.filter(({ id }) => chosen.has(id)).length}
              shown={ofSender.length}
              onChoose={
                writes
                  ? (on) =>
                      choose(
                        ofSender.map(({ id }) => id),
                        on,
                      )
                  : null
              }
            />
            {ofSender.map((mapping) => (
              <CodeRow
                key={mapping.id}
                mapping={mapping}
                acts={acts}
                isChosen={chosen.has(mapping.id)}
                onChoose={(on) => choose([mapping.id], on)}
                isPicking={picking === mapping.id}
                isStop={stop === mapping}
              />
            ))}
          </Box>
        ))}
      </Box>
      {writes && singleKeys && rows[0]?.state === 'open' ? <Keys /> : null}
      {chosenRows.length > 0 ? (
        <Chosen rows={chosenRows} onDecide={settle} onClear={() => setChosen(none)} />
      ) : null}
    </Box>
  );
}

const isCheckbox = (target: HTMLElement) => target instanceof HTMLInputElement && target.type === 'checkbox';

/** A sender, with the number of its codes and of messages waiting for them. */
function SenderRow({
  state,
  name,
  counts,
  chosen,
  shown,
  onChoose,
}: {
  state: CodeMapping['state'];
  name: string;
  counts: { codes: number; waiting: number } | undefined;
  chosen: number;
  shown: number;
  onChoose: ((on: boolean) => void) | null;
}) {
  const { t } = useTranslation('imports');
  const countsOf = useSenderCounts(state);
  return (
    <Box
      role="row"
      aria-level={1}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        padding: '6px 12px',
        borderTop: 1,
        borderColor: 'divider',
        backgroundColor: 'background.default',
      }}
    >
      {onChoose ? (
        <Box role="gridcell" sx={{ width: 40, flexShrink: 0 }}>
          <Checkbox
            size="small"
            checked={chosen === shown}
            indeterminate={chosen > 0 && chosen < shown}
            onChange={(_, on) => onChoose(on)}
            slotProps={{ input: { 'aria-label': t('codes.chooseSender', { sender: name }) } }}
            sx={{ padding: '4px' }}
          />
        </Box>
      ) : null}
      <Box role="rowheader" sx={{ minWidth: 0, flex: 1 }}>
        <Typography variant="body1" component="h2" sx={{ fontWeight: 650, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        {counts ? (
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {countsOf(counts)}
          </Typography>
        ) : null}
      </Box>
    </Box>
  );
}

function Keys() {
  const { t } = useTranslation();
  return (
    <Box
      sx={{
        display: { xs: 'none', md: 'flex' },
        flexWrap: 'wrap',
        gap: 4,
        color: 'text.secondary',
        typography: 'caption',
      }}
    >
      {keyHints.map(([key, name]) => (
        <Box key={name} component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
          <Key>{key}</Key> {t(`imports:codes.key.${name}`)}
        </Box>
      ))}
    </Box>
  );
}

/** The actions on the selected codes. */
function Chosen({
  rows,
  onDecide,
  onClear,
}: {
  rows: readonly CodeMapping[];
  onDecide: (state: CodeMapping['state'], codes: readonly Decided[]) => void;
  onClear: () => void;
}) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const open = rows.filter(({ state }) => state === 'open');
  const proposed = open.flatMap((mapping) =>
    mapping.proposal ? { mapping, target: mapping.proposal.target } : [],
  );
  const tests = open.filter(({ kind }) => kind === 'test');
  const without = (mappings: readonly CodeMapping[], target: string | null) =>
    mappings.map((mapping) => ({ mapping, target }));
  return (
    <StickyActions sx={{ paddingX: 3, border: 1, borderColor: 'divider', borderRadius: '10px' }}>
      <Typography variant="body1" role="status" sx={{ fontWeight: 550 }}>
        {t('codes.chosen', { count: rows.length, number: formats.count(rows.length) })}
      </Typography>
      {open.length > 0 ? (
        <>
          {proposed.length > 0 ? (
            <Button variant="contained" size="small" onClick={() => onDecide('mapped', proposed)}>
              {t('codes.acceptSeveral', { count: proposed.length, number: formats.count(proposed.length) })}
            </Button>
          ) : null}
          <Button variant="outlined" size="small" onClick={() => onDecide('ignored', without(open, null))}>
            {t('codes.ignoreSeveral')}
          </Button>
          <Button
            variant="outlined"
            size="small"
            disabled={tests.length === 0}
            onClick={() => onDecide('mapped', without(tests, routineTarget))}
          >
            {t('codes.routineSeveral')}
          </Button>
        </>
      ) : (
        <Button variant="outlined" size="small" onClick={() => onDecide('open', without(rows, null))}>
          {t('codes.undo')}
        </Button>
      )}
      <Button variant="text" size="small" onClick={onClear}>
        {t('codes.clear')}
      </Button>
    </StickyActions>
  );
}
