import type { ViewCodec } from '@caseway/contract/search-params';
import type { PayloadAction } from '@reduxjs/toolkit';
import { createSlice } from '@reduxjs/toolkit';
import { orgChanged } from '../session/authentication.ts';

/**
 * What this tab shows in each grid and dashboard, by the codec's id, with what stays of it when another
 * organization is chosen. Untouched ones have no entry and show their defaults. Rows and numbers come from
 * the server and are in the query cache. [S3.10, S3.11]
 */
export type ViewsState = Record<string, { view: object; acrossOrgs: object | null }>;

const slice = createSlice({
  name: 'views',
  initialState: {} as ViewsState,
  reducers: {
    viewSet: {
      reducer(state, { payload }: PayloadAction<{ id: string } & ViewsState[string]>) {
        const { id, ...entry } = payload;
        state[id] = entry;
      },
      prepare: <V extends object>(codec: Pick<ViewCodec<V>, 'id' | 'acrossOrgs'>, view: V) => ({
        payload: { id: codec.id, view, acrossOrgs: codec.acrossOrgs(view) },
      }),
    },
    viewsRestored: (_, { payload }: PayloadAction<ViewsState>) => payload,
  },
  extraReducers: (builder) => {
    builder.addCase(orgChanged, (state) => {
      for (const [id, { acrossOrgs }] of Object.entries(state))
        if (acrossOrgs === null) delete state[id];
        else state[id] = { view: acrossOrgs, acrossOrgs };
    });
  },
});

export const { viewSet, viewsRestored } = slice.actions;
export const viewsReducer = slice.reducer;
