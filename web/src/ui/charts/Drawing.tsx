import type { ReactNode } from 'react';

/** A chart's drawing. On paper it scales to the available width. */
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
