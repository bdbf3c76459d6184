import type { CodedLabel } from '@caseway/contract/reference';
import type { PayloadAction } from '@reduxjs/toolkit';
import { createSlice } from '@reduxjs/toolkit';

const slice = createSlice({
  name: 'geo',
  /** Every country, loaded after sign-in. [S3.12] */
  initialState: { countryList: [] as CodedLabel[] },
  reducers: {
    countriesLoaded(state, { payload }: PayloadAction<CodedLabel[]>) {
      state.countryList = payload;
    },
  },
});

export const { countriesLoaded } = slice.actions;
export const geoReducer = slice.reducer;
