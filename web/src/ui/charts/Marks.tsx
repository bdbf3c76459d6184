import { styled } from '@mui/material/styles';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** One interactive mark in a chart: its text for screen readers, and what opens its records. */
export interface Mark {
  key: string;
  /** The whole statement: `Week of 3 March: 412 tests, 23 positive`. */
  text: string;
  onOpen?: () => void;
}

export interface MarkState {
  /** The mark under the keyboard or pointer, as an index into the marks. */
  active: number | undefined;
  /** Spread these on the SVG element of a mark. */
  markProps: (index: number) => {
    onMouseEnter: () => void;
    onMouseLeave: () => void;
    onClick: (() => void) | undefined;
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
  '@media print': { display: 'none' },
  minHeight: 20,
  marginTop: 4,
  fontSize: '0.8125rem',
  color: theme.vars!.palette.text.secondary,
}));

/**
 * The interactive surface of a chart: one tab stop, arrows between marks, Home and End, Enter opens the records. The
 * text of the mark is below the chart and is announced. `columns` is how many marks the up and down arrows move by.
 */
export function Marks({
  label,
  marks,
  columns = 1,
  children,
}: {
  label: string;
  marks: readonly Mark[];
  columns?: number;
  children: (state: MarkState) => ReactNode;
}) {
  const { t } = useTranslation('charts');
  const [within, setWithin] = useState(false);
  const [focused, setFocused] = useState<number>();
  const [hovered, setHovered] = useState<number>();
  const help = useId();
  const active = hovered ?? focused;
  const reading = active === undefined ? undefined : marks[active]?.text;
  const move = (index: number) => setFocused(Math.max(0, Math.min(marks.length - 1, index)));

  const onKeyDown = (event: KeyboardEvent) => {
    if (marks.length === 0) return;
    const at = focused ?? -1;
    if (event.key === 'ArrowRight') move(at + 1);
    else if (event.key === 'ArrowLeft') move(at - 1);
    else if (event.key === 'ArrowDown') move(at + columns);
    else if (event.key === 'ArrowUp') move(at - columns);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(marks.length - 1);
    else if (event.key === 'Enter' && focused !== undefined) marks[focused]?.onOpen?.();
    else if (event.key === 'Escape') setFocused(undefined);
    else return;
    event.preventDefault();
  };

  const helpText = t(marks.some((mark) => mark.onOpen) ? 'chart.help-open' : 'chart.help-read');
  return (
    <>
      <Surface
        role="application"
        aria-roledescription={t('chart.role')}
        aria-label={label}
        aria-describedby={help}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => setWithin(true)}
        onBlur={() => {
          setWithin(false);
          setFocused(undefined);
        }}
      >
        {children({
          active,
          markProps: (index) => ({
            onMouseEnter: () => setHovered(index),
            onMouseLeave: () => setHovered(undefined),
            onClick: marks[index]?.onOpen,
            cursor: marks[index]?.onOpen ? 'pointer' : undefined,
          }),
        })}
      </Surface>
      <Readout>
        <span aria-live="polite">{reading}</span>
        {/* Screen readers say it with the chart. */}
        {within && !reading ? <span aria-hidden>{helpText}</span> : null}
      </Readout>
      <span id={help} hidden>
        {helpText}
      </span>
    </>
  );
}
