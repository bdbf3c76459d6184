import {
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
} from '@tanstack/react-table';

/** What the grid uses from the table library. */
export const features = tableFeatures({
  columnSizingFeature,
  columnResizingFeature,
  columnPinningFeature,
  columnOrderingFeature,
  columnVisibilityFeature,
});

/** Height of the header row in px. */
export const headerHeight = 40;
/** The header's row number; body rows count from 0. */
export const headerRow = -1;
/** Width of the checkbox column, in px. */
export const selectionWidth = 44;
