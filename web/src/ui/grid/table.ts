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
/** The row of the header, where body rows are counted from 0. */
export const headerRow = -1;
/** Width of the column in which rows are chosen, in px. */
export const selectionWidth = 44;
