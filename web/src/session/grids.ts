import type { GridView } from '@caseway/contract/search-params';
import type { PayloadAction } from '@reduxjs/toolkit';
import { createSlice } from '@reduxjs/toolkit';
import { orgChanged } from './authentication.ts';

/**
 * The state of every grid, by its id; an untouched grid has no entry and shows its defaults. Rows and their count come
 * from the server and are in the query cache: `useGridView` gives both together. [S3.10]
 */
export type GridsState = Record<string, GridView>;

/** Grids whose list filters and range stay when another organisation is chosen. [S4.7] */
const keptGrid = 'field-visits';

const slice = createSlice({
  name: 'grids',
  initialState: {} as GridsState,
  reducers: {
    gridViewSet(state, { payload }: PayloadAction<{ grid: string; view: GridView }>) {
      state[payload.grid] = payload.view;
    },
    gridsRestored: (_, { payload }: PayloadAction<GridsState>) => payload,
  },
  extraReducers: (builder) => {
    builder.addCase(orgChanged, (draft) => {
      for (const [grid, view] of Object.entries(draft))
        if (grid === keptGrid) {
          view.filterModel = { items: [], logicOperator: 'and' };
          view.paginationModel.page = 0;
          view.savedFilter = null;
        } else delete draft[grid];
    });
  },
});

export const { gridViewSet, gridsRestored } = slice.actions;
export const gridsReducer = slice.reducer;
