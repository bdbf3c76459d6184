import Box from '@mui/material/Box';
import { extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { usePaints } from './paint.tsx';

const [width, height] = [120, 28];

/**
 * A small line from zero without an axis: whether a number rises or falls. The chart below has its values.
 */
export function Sparkline({ label, values }: { label: string; values: readonly (number | null)[] }) {
  const paints = usePaints();
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const [, greatest = 0] = extent(known);
  const x = scaleLinear([0, values.length - 1], [2, width - 2]);
  const y = scaleLinear([0, greatest || 1], [height - 2, 3]);
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => x(index))
    .y((value) => y(value!));
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      sx={{ width: '100%', height, marginTop: 'auto' }}
    >
      <path
        d={path(values) ?? undefined}
        fill="none"
        stroke={paints.primary}
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </Box>
  );
}
