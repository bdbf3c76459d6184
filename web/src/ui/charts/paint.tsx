import { useTheme } from '@mui/material/styles';

/** The fill of a mark: a theme color and a pattern, so that color is never the only difference. */
export interface Paint {
  color: string;
  pattern: Pattern;
}
export type Pattern = 'solid' | 'pale' | 'diagonal' | 'dots' | 'cross' | 'outline';

const patternOfCategory: Record<string, Pattern> = {
  positive: 'solid',
  // Most results are negative: pale, so that the others stand out.
  negative: 'pale',
  indeterminate: 'diagonal',
  pending: 'dots',
  invalid: 'cross',
  unknown: 'outline',
};

/** The drawn category of each result category; those without their own color join the nearest. */
const drawnAs: Record<string, keyof typeof patternOfCategory> = {
  positive: 'positive',
  'presumptive-positive': 'positive',
  'weak-positive': 'positive',
  negative: 'negative',
  inconclusive: 'indeterminate',
  indeterminate: 'indeterminate',
  equivocal: 'indeterminate',
  other: 'indeterminate',
  pending: 'pending',
  invalid: 'invalid',
  unsatisfactory: 'invalid',
};

/** Chart colors, as CSS variables of the current theme. */
export function usePaints() {
  const { vars } = useTheme();
  const palette = vars!.palette;
  return {
    ofCategory(category: string): Paint {
      const drawn = drawnAs[category] ?? 'unknown';
      return {
        color: palette.category[drawn as keyof typeof palette.category],
        pattern: patternOfCategory[drawn]!,
      };
    },
    categorical: palette.categorical as readonly string[],
    sequential: palette.sequential as readonly string[],
    onSequential: palette.onSequential as readonly string[],
    primary: palette.primary.main,
    tint: palette.tint,
    text: palette.text.primary,
    quiet: palette.text.secondary,
    faint: palette.text.tertiary,
    line: palette.divider,
    axis: palette.control,
    surface: palette.surface,
    empty: palette.noData,
    focus: palette.focus,
  };
}

/** A paint's fill as an SVG `fill` value; patterns are those `Patterns` defines under the same id. */
export const fillOf = (id: string, paint: Paint): string =>
  paint.pattern === 'solid' ? paint.color : `url(#${patternId(id, paint)})`;

const patternId = (id: string, paint: Paint) =>
  `${id}-${paint.pattern}-${paint.color.replace(/[^a-z0-9]/gi, '')}`;
export const suppressedId = (id: string) => `${id}-suppressed`;
export const incompleteId = (id: string) => `${id}-incomplete`;

/**
 * The pattern definitions a chart needs: its paints, the stub of a suppressed number, the veil of incomplete
 * and partial weeks.
 */
export function Patterns({ id, paints }: { id: string; paints: readonly Paint[] }) {
  const { quiet, surface, faint } = usePaints();
  return (
    <defs>
      {paints
        .filter((paint) => paint.pattern !== 'solid')
        .map((paint) => (
          <pattern
            key={patternId(id, paint)}
            id={patternId(id, paint)}
            width={6}
            height={6}
            patternUnits="userSpaceOnUse"
          >
            <rect width={6} height={6} fill={surface} />
            {paint.pattern === 'pale' && <rect width={6} height={6} fill={paint.color} opacity={0.3} />}
            {/* Thin marks alone are too faint on a dark surface. */}
            {(paint.pattern === 'dots' || paint.pattern === 'cross') && (
              <rect width={6} height={6} fill={paint.color} opacity={0.2} />
            )}
            {paint.pattern === 'diagonal' && (
              <path d="M-1 1 L1 -1 M0 6 L6 0 M5 7 L7 5" stroke={paint.color} strokeWidth={2.4} />
            )}
            {paint.pattern === 'dots' && <circle cx={3} cy={3} r={1.8} fill={paint.color} />}
            {paint.pattern === 'cross' && (
              <path d="M0 0 L6 6 M6 0 L0 6" stroke={paint.color} strokeWidth={1.6} />
            )}
            {paint.pattern === 'outline' && (
              <rect x={0.5} y={0.5} width={5} height={5} fill="none" stroke={paint.color} />
            )}
          </pattern>
        ))}
      <pattern id={suppressedId(id)} width={5} height={5} patternUnits="userSpaceOnUse">
        <rect width={5} height={5} fill={surface} />
        <path d="M-1 1 L1 -1 M0 5 L5 0 M4 6 L6 4" stroke={faint} strokeWidth={1.2} />
      </pattern>
      <pattern id={incompleteId(id)} width={5} height={5} patternUnits="userSpaceOnUse">
        <path d="M-1 4 L1 6 M0 0 L5 5 M4 -1 L6 1" stroke={quiet} strokeWidth={1} />
      </pattern>
    </defs>
  );
}
