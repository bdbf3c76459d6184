import Box from '@mui/material/Box';
import InputBase from '@mui/material/InputBase';
import Typography from '@mui/material/Typography';
import { Check, type LucideIcon, Minus, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { theme } from '../theme.ts';
import { useFormats } from '../words/formats.ts';
import { forScreenReaders } from './for-screen-readers.ts';

export interface Command {
  id: string;
  label: string;
  /** A second, quieter line or word. */
  detail?: string;
  /** The heading of its group; commands of a group must be consecutive. */
  group?: string;
  icon?: LucideIcon;
  /** Ticked: currently chosen. */
  selected?: boolean;
  /** The number of its records. */
  count?: number;
  /** More words that find it, in addition to its label. */
  keywords?: string;
}

/** Lowercase, without accents: "Jose" finds "José". */
export const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();

/** Whether the text contains every typed word. */
export function finds(typed: string, text: string): boolean {
  const within = folded(text);
  return folded(typed)
    .split(/\s+/)
    .every((word) => within.includes(word));
}

/** Longer lists show only matches of the typed text. */
const shownAtOnce = 200;

/**
 * A search box over a list: arrows move, Enter chooses, typing filters. The focus stays in the box; screen
 * readers follow the active entry.
 */
export function CommandList({
  commands,
  onChoose,
  onTyped,
  label,
  placeholder,
  emptyText,
  multiple = false,
  autoFocus = true,
  maxHeight = 360,
  status,
  footer,
}: {
  commands: readonly Command[];
  onChoose: (id: string) => void;
  /** Called with the typed text, for callers that add commands from elsewhere. */
  onTyped?: (typed: string) => void;
  /** The accessible name of the box and the list. */
  label: string;
  placeholder: string;
  /** Shown if nothing matches the typed text. */
  emptyText: string;
  /** Several can be chosen; the list stays open and ticks them. */
  multiple?: boolean;
  autoFocus?: boolean;
  maxHeight?: number;
  /** Announced by screen readers when it changes, such as the number of results. */
  status?: string;
  footer?: ReactNode;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const base = useId();
  const list = useRef<HTMLDivElement>(null);

  // Entries chosen when the list opens come first, and stay there while more are chosen.
  const [chosenBefore, setChosenBefore] = useState<ReadonlySet<string> | null>(null);
  if (chosenBefore === null && commands.length > 0)
    setChosenBefore(new Set(multiple ? commands.flatMap(({ id, selected }) => (selected ? [id] : [])) : []));
  const ordered = useMemo(() => {
    const isFirst = ({ id, group }: Command) => group === undefined && chosenBefore?.has(id) === true;
    return [...commands.filter(isFirst), ...commands.filter((command) => !isFirst(command))];
  }, [commands, chosenBefore]);
  const found = useMemo(
    () =>
      typed.trim() === ''
        ? ordered
        : ordered.filter((command) =>
            finds(typed.trim(), [command.label, command.detail, command.keywords].filter(Boolean).join(' ')),
          ),
    [ordered, typed],
  );
  const shown = useMemo(() => found.slice(0, shownAtOnce), [found]);
  const at = Math.min(marked, shown.length - 1);

  useEffect(() => {
    list.current?.querySelector(`[data-index="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const onKeyDown = (event: KeyboardEvent) => {
    const last = shown.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(last, at + 8),
      PageUp: Math.max(0, at - 8),
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setMarked(next);
    } else if (event.key === 'Enter' && shown[at]) {
      event.preventDefault();
      onChoose(shown[at].id);
    }
  };

  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: 0 }}>
      <InputBase
        autoFocus={autoFocus}
        fullWidth
        value={typed}
        placeholder={placeholder}
        onChange={(event) => {
          setTyped(event.target.value);
          onTyped?.(event.target.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
        startAdornment={
          <Box component="span" aria-hidden sx={{ display: 'flex', color: 'text.tertiary', marginRight: 2 }}>
            <Search size={16} />
          </Box>
        }
        inputProps={{
          role: 'combobox',
          'aria-label': label,
          'aria-expanded': true,
          'aria-controls': `${base}-list`,
          'aria-autocomplete': 'list',
          'aria-activedescendant': shown[at] ? `${base}-${at}` : undefined,
          autoComplete: 'off',
          spellCheck: false,
        }}
        sx={{
          padding: '10px 14px',
          borderBottom: 1,
          borderColor: 'divider',
          '& :focus-visible': { outline: 'none' },
          '&.Mui-focused': { boxShadow: (theme) => `inset 0 -2px 0 ${theme.vars.palette.focus}` },
        }}
      />
      <Box
        ref={list}
        id={`${base}-list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={multiple || undefined}
        sx={{ overflowY: 'auto', maxHeight, padding: 1 }}
      >
        {shown.map((command, index) => {
          const Icon = command.icon;
          const heading = command.group !== undefined && command.group !== shown[index - 1]?.group;
          return (
            <Box key={command.id} role="presentation">
              {heading ? (
                <Typography
                  variant="caption"
                  component="div"
                  role="presentation"
                  sx={{ color: 'text.tertiary', fontWeight: 550, padding: '8px 10px 4px' }}
                >
                  {command.group}
                </Typography>
              ) : null}
              <Box
                id={`${base}-${index}`}
                data-index={index}
                role="option"
                aria-selected={multiple ? command.selected === true : index === at}
                onClick={() => onChoose(command.id)}
                onMouseMove={() => setMarked(index)}
                sx={{
                  display: 'flex',
                  alignItems: 'center',
                  gap: 2.5,
                  minHeight: 36,
                  padding: '6px 10px',
                  borderRadius: '6px',
                  cursor: 'pointer',
                  backgroundColor: index === at ? 'raised' : undefined,
                }}
              >
                {multiple ? <Tick on={command.selected === true} /> : null}
                {Icon ? (
                  <Box component="span" aria-hidden sx={{ display: 'flex', color: 'text.secondary' }}>
                    <Icon size={16} />
                  </Box>
                ) : null}
                <Box sx={{ minWidth: 0, flex: 1 }}>
                  <Typography variant="body1" component="div" noWrap>
                    {command.label}
                  </Typography>
                  {command.detail ? (
                    <Typography variant="caption" component="div" noWrap sx={{ color: 'text.secondary' }}>
                      {command.detail}
                    </Typography>
                  ) : null}
                </Box>
                {command.count === undefined ? null : (
                  <Typography
                    variant="body2"
                    component="span"
                    sx={{
                      color: command.count === 0 ? 'text.tertiary' : 'text.secondary',
                      fontVariantNumeric: 'tabular-nums',
                    }}
                  >
                    {formats.count(command.count)}
                  </Typography>
                )}
                {!multiple && command.selected ? (
                  <Box component="span" aria-hidden sx={{ display: 'flex', color: 'primary.main' }}>
                    <Check size={16} />
                  </Box>
                ) : null}
              </Box>
            </Box>
          );
        })}
      </Box>
      {found.length > shown.length ? (
        <Typography variant="caption" role="status" sx={{ color: 'text.secondary', padding: '6px 16px' }}>
          {t('filter.more', {
            count: found.length - shown.length,
            number: formats.count(found.length - shown.length),
          })}
        </Typography>
      ) : null}
      {shown.length === 0 ? (
        <Typography role="status" variant="body1" sx={{ color: 'text.secondary', padding: '12px 16px 16px' }}>
          {emptyText}
        </Typography>
      ) : null}
      {status === undefined ? null : (
        <Box role="status" sx={forScreenReaders}>
          {status}
        </Box>
      )}
      {footer}
    </Box>
  );
}

/** The mark of a chosen entry; `partly` for a group with only some entries chosen. */
export function Tick({ on, partly = false }: { on: boolean; partly?: boolean }) {
  return (
    <span aria-hidden style={on || partly ? tick.marked : tick.empty}>
      {on ? <Check size={14} strokeWidth={2.5} /> : partly ? <Minus size={14} strokeWidth={2.5} /> : null}
    </span>
  );
}

const { palette } = theme.vars;
const box = (border: string, backgroundColor: string) => ({
  display: 'grid',
  placeItems: 'center',
  flex: 'none',
  width: 18,
  height: 18,
  borderRadius: 4,
  border: `1px solid ${border}`,
  backgroundColor,
  color: palette.primary.contrastText,
});
/** Created once, because each row of a list has one. */
const tick = {
  marked: box(palette.primary.main, palette.primary.main),
  empty: box(palette.control, palette.surface),
};
