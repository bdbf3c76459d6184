import { usePaints } from './paint.tsx';

/** A class of values, by its least and greatest value. */
export interface ValueClass {
  from: number;
  to: number;
}

const mostClasses = 5;
/** Five of the seven steps, so that neighbors differ clearly. */
const steps = [0, 2, 3, 4, 6];
/** With zeros, which take the first step. */
const stepsAboveZero = [1, 2, 3, 4, 6];

/**
 * The classes of a map or heat chart, ascending: zeros, if any, and up to five classes of other values with
 * about equal numbers in each. Values with the same text are in one class, so that the texts of classes do
 * not overlap.
 */
export function classesOf(values: readonly number[], format: (value: number) => string): ValueClass[] {
  const alike = Map.groupBy(
    [...values].sort((a, b) => a - b),
    format,
  );
  const zeros = alike.get(format(0));
  alike.delete(format(0));
  const classes = evenly([...alike.values()], mostClasses);
  return (zeros ? [zeros, ...classes] : classes).map((all) => ({ from: all[0]!, to: all.at(-1)! }));
}

/** Joins neighboring groups until at most this many are left, all about equally large. */
function evenly(groups: readonly number[][], most: number): number[][] {
  const parts: number[][] = [];
  let rest = groups;
  for (let open = Math.min(most, groups.length); open > 0; open--) {
    const share = rest.flat().length / open;
    let part = rest[0]!;
    let taken = 1;
    // Leave a group for each later part.
    while (rest.length - taken >= open && part.length + rest[taken]!.length / 2 <= share) {
      part = [...part, ...rest[taken]!];
      taken++;
    }
    parts.push(part);
    rest = rest.slice(taken);
  }
  return parts;
}

/** The classes of values, with the sequential color of each: `fill`, and `ink` for text on it. */
export function useClassPaints(values: readonly number[], format: (value: number) => string) {
  const { sequential, onSequential } = usePaints();
  const classes = classesOf(values, format);
  const zeros = classes[0] && format(classes[0].from) === format(0) ? 1 : 0;
  const above = classes.length - zeros;
  const stepOf = (index: number) => {
    if (index < zeros) return 0;
    // Fewer classes are as far apart as possible; a single one is neither light nor dark.
    const step = above === 1 ? 3 : Math.round(((index - zeros) / (above - 1)) * (mostClasses - 1));
    return (zeros ? stepsAboveZero : steps)[step]!;
  };
  return {
    paintOf(value: number) {
      const step = stepOf(classes.findLastIndex(({ from }) => value >= from));
      return { fill: sequential[step]!, ink: onSequential[step]! };
    },
    legend: classes.map(({ from, to }, index) => ({
      label: format(from) === format(to) ? format(from) : `${format(from)} – ${format(to)}`,
      fill: sequential[stepOf(index)]!,
    })),
  };
}
