import { styled } from '@mui/material/styles';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

/** One interactive mark in a chart: its text for screen readers, and the address of its records. */
export interface Mark {
  key: string;
  /** The whole statement: `Week of 3 March: 412 tests, 23 positive`. */
  text: string;
  href?: string | undefined;
}

/**
 * Consecutive marks from which a range is selected, by dragging over them or with Shift and the arrow keys.
 */
export interface MarkRange {
  /** The text of the selected range: `Oct 6, 2026 – Oct 19, 2026`. */
  text: (from: number, to: number) => string;
  onChoose: (from: number, to: number) => void;
}

export interface MarkState {
  /** The index of the mark under the keyboard or pointer. */
  active: number | undefined;
  /** The first and last mark of the current selection. */
  chosen: readonly [from: number, to: number] | undefined;
  /** Spread these on a mark's SVG element. */
  markProps: (index: number) => {
    onMouseEnter: () => void;
    onMouseLeave: () => void;
    onClick: (event: MouseEvent) => void;
    onAuxClick: (event: MouseEvent) => void;
    onPointerDown: ((event: PointerEvent) => void) | undefined;
    cursor: string | undefined;
  };
}

const Surface = styled('div')(({ theme }) => ({
  position: 'relative',
  borderRadius: 6,
  '&:focus-visible': { outline: `2px solid ${theme.vars!.palette.focus}`, outlineOffset: 2 },
  '& svg': {
    display: 'block',
    overflow: 'visible',
    fontFamily: theme.typography.fontFamily,
    fontVariantNumeric: 'tabular-nums',
  },
  '@media print': { '& svg[data-chart=drawing]': { width: '100%', height: 'auto' } },
}));
const Readout = styled('div')(({ theme }) => ({
  position: 'relative',
  '@media print': { display: 'none' },
  '& .unseen': {
    position: 'absolute',
    width: 1,
    height: 1,
    overflow: 'hidden',
    clipPath: 'inset(50%)',
  },
  minHeight: 20,
  marginTop: 4,
  fontSize: '0.8125rem',
  color: theme.vars!.palette.text.secondary,
}));

/**
 * The interactive surface of a chart: one tab stop; arrows, Home and End move between marks; Enter opens the
 * records, with Ctrl in a new tab. `columns`: how many marks the up and down arrows move by.
 *
 * For screen readers it is a list with one option: the active mark or, at first, the instructions. Its text
 * is below the chart. Orca does not name an application or pass it arrow keys, and does not read a list
 * without options.
 */
export function Marks({
  label,
  marks,
  columns = 1,
  range,
  children,
}: {
  label: string;
  marks: readonly Mark[];
  columns?: number;
  range?: MarkRange | undefined;
  children: (state: MarkState) => ReactNode;
}) {
  const { t } = useTranslation('charts');
  const navigate = useNavigate();
  const [within, setWithin] = useState(false);
  const [focused, setFocused] = useState<number>();
  const [hovered, setHovered] = useState<number>();
  /** Where the selection began, and whether with the pointer. */
  const [begun, setBegun] = useState<{ at: number; drawn: boolean }>();
  /** Ignores the click that follows the end of a drag. */
  const hasDrawn = useRef(false);
  const help = useId();
  const id = useId();
  const active = begun?.drawn === false ? focused : (hovered ?? focused);
  const chosen =
    range && begun && active !== undefined && active !== begun.at
      ? ([Math.min(begun.at, active), Math.max(begun.at, active)] as const)
      : undefined;
  const reading = chosen
    ? t(begun!.drawn ? 'chart.range-drawn' : 'chart.range-keys', { range: range!.text(...chosen) })
    : active === undefined
      ? undefined
      : marks[active]?.text;
  const move = (index: number, chooses: boolean) => {
    const next = Math.max(0, Math.min(marks.length - 1, index));
    setBegun(chooses && range ? (begun ?? { at: focused ?? next, drawn: false }) : undefined);
    setFocused(next);
  };
  const choose = () => {
    setBegun(undefined);
    hasDrawn.current = chosen !== undefined && begun?.drawn === true;
    if (chosen) range!.onChoose(...chosen);
  };

  const open = (index: number | undefined, isElsewhere: boolean) => {
    const href = index === undefined ? undefined : marks[index]?.href;
    if (href === undefined) return;
    if (isElsewhere) window.open(href, '_blank', 'noopener');
    else void navigate(href);
  };

  const isDrawing = begun?.drawn === true;
  const latest = useRef(choose);
  useEffect(() => {
    latest.current = choose;
  });
  useEffect(() => {
    if (!isDrawing) return;
    const end = () => latest.current();
    const cancel = () => setBegun(undefined);
    const onEscape = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // It closes nothing else, and the pointer's release opens no records.
      event.stopPropagation();
      hasDrawn.current = true;
      cancel();
    };
    window.addEventListener('keydown', onEscape, true);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', cancel);
    return () => {
      window.removeEventListener('keydown', onEscape, true);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', cancel);
    };
  }, [isDrawing]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (marks.length === 0) return;
    const at = focused ?? -1;
    const { shiftKey } = event;
    if (event.key === 'ArrowRight') move(at + 1, shiftKey);
    else if (event.key === 'ArrowLeft') move(at - 1, shiftKey);
    else if (event.key === 'ArrowDown') move(at + columns, shiftKey);
    else if (event.key === 'ArrowUp') move(at - columns, shiftKey);
    else if (event.key === 'Home') move(0, shiftKey);
    else if (event.key === 'End') move(marks.length - 1, shiftKey);
    else if (event.key === 'Enter' && chosen) choose();
    else if (event.key === 'Enter') open(focused, event.ctrlKey || event.metaKey);
    else if (event.key === 'Escape' && begun) setBegun(undefined);
    else if (event.key === 'Escape') setFocused(undefined);
    else return;
    event.preventDefault();
  };

  /** A new id for each text, so that the next one is read aloud too. */
  const option =
    within && focused !== undefined && active === focused
      ? `${id}-${focused}${chosen ? '-range' : ''}`
      : undefined;
  const helpText = [
    t(marks.some(({ href }) => href !== undefined) ? 'chart.help-open' : 'chart.help-read'),
    ...(range ? [t('chart.help-range')] : []),
  ].join(' ');
  return (
    <>
      <Surface
        role="listbox"
        aria-roledescription={t('chart.role')}
        aria-label={label}
        aria-describedby={help}
        aria-owns={option === undefined ? id : option}
        aria-activedescendant={option}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => setWithin(true)}
        onBlur={() => {
          setWithin(false);
          setFocused(undefined);
          setBegun(undefined);
        }}
      >
        {children({
          active,
          chosen,
          markProps: (index) => ({
            onMouseEnter: () => setHovered(index),
            // While dragging, the last mark counts until the next.
            onMouseLeave: () => {
              if (!isDrawing) setHovered(undefined);
            },
            onClick: (event) => {
              if (!hasDrawn.current) open(index, event.ctrlKey || event.metaKey);
            },
            // The middle button.
            onAuxClick: (event) => {
              if (event.button === 1) open(index, true);
            },
            onPointerDown: range
              ? (event) => {
                  hasDrawn.current = false;
                  // A finger scrolls.
                  if (event.button !== 0 || event.pointerType === 'touch') return;
                  // Otherwise the page's text would be selected.
                  event.preventDefault();
                  setHovered(index);
                  setBegun({ at: index, drawn: true });
                }
              : undefined,
            cursor: marks[index]?.href === undefined ? undefined : 'pointer',
          }),
        })}
      </Surface>
      <Readout>
        {option === undefined ? (
          <>
            {reading && <span>{reading}</span>}
            <span
              id={id}
              role="option"
              tabIndex={-1}
              aria-selected="false"
              aria-setsize={marks.length}
              className={within && !reading ? undefined : 'unseen'}
            >
              {helpText}
            </span>
          </>
        ) : (
          <span
            key={option}
            id={option}
            role="option"
            tabIndex={-1}
            aria-selected="true"
            aria-posinset={focused! + 1}
            aria-setsize={marks.length}
          >
            {reading}
          </span>
        )}
      </Readout>
      <span id={help} hidden>
        {helpText}
      </span>
    </>
  );
}
