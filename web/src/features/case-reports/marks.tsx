import type { Classification } from '@caseway/contract/case-reports';
import type { ReactNode } from 'react';
import { theme } from '../../theme.ts';

/**
 * How much of the disc is filled: the more certain, the fuller. Color is never the only sign; the word is
 * next to it.
 */
const discs: Readonly<Record<Classification, ReactNode>> = {
  confirmed: <circle cx="6" cy="6" r="5" fill="currentColor" />,
  probable: (
    <>
      <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 1a5 5 0 0 0 0 10z" fill="currentColor" />
    </>
  ),
  suspect: <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  not_a_case: <path d="M1.5 6h9" stroke="currentColor" strokeWidth="1.5" />,
  unknown: (
    <circle
      cx="6"
      cy="6"
      r="4.25"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeDasharray="2 2"
    />
  ),
};

const { palette } = theme.vars;
const disc = (color: string) => ({ width: 12, height: 12, flex: 'none', color });
/** Created once, because each row of a list has one. */
const styles = {
  mark: { display: 'inline-flex', alignItems: 'center', gap: 6, minWidth: 0 },
  sure: disc(palette.primary.main),
  unsure: disc(palette.text.tertiary),
  word: { overflow: 'hidden', textOverflow: 'ellipsis' },
} as const;

/** A classification with its disc. */
export function CaseMark({ kind, children }: { kind: Classification; children: ReactNode }) {
  return (
    <span style={styles.mark}>
      <svg
        viewBox="0 0 12 12"
        aria-hidden
        style={kind === 'not_a_case' || kind === 'unknown' ? styles.unsure : styles.sure}
      >
        {discs[kind]}
      </svg>
      <span style={styles.word}>{children}</span>
    </span>
  );
}
