import { usePaints } from './paint.tsx';

/** The meaning of one fill, or one line. */
export type LegendEntry = { label: string } & (
  | { fill: string; stroke?: string }
  | { line: string; dashed?: boolean }
);

/** The meaning of the fills and lines of a chart. An export includes its entries. */
export function Legend({ entries }: { entries: readonly LegendEntry[] }) {
  const { axis } = usePaints();
  if (entries.length === 0) return null;
  return (
    <ul
      data-chart="legend"
      style={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: '4px 16px',
        margin: 0,
        padding: 0,
        listStyle: 'none',
        fontSize: '0.8125rem',
      }}
    >
      {entries.map((entry) => (
        <li key={entry.label}>
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
        </li>
      ))}
    </ul>
  );
}
