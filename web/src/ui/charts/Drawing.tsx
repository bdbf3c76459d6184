import type { ReactNode } from 'react';

/** The drawing of a chart. On paper it takes the available width, in proportion. */
export function Drawing({
  width,
  height,
  top = 0,
  children,
}: {
  width: number;
  height: number;
  /** Where the drawing begins if there is nothing above it. */
  top?: number;
  children: ReactNode;
}) {
  return (
    <svg
      data-chart="drawing"
      width={Math.max(width, 1)}
      height={Math.max(height, 1)}
      viewBox={`0 ${top} ${Math.max(width, 1)} ${Math.max(height, 1)}`}
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}
