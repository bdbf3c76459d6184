import { combineReducers, configureStore, type UnknownAction } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { viewsReducer } from '../view/views.ts';
import { authenticationReducer, signedOut } from './authentication.ts';
import { geoReducer } from './geo.ts';
import { notificationsReducer } from './notifications.ts';
import { preferencesReducer, savePreferences } from './preferences.ts';

/** Browser-only state; the server's answers are in the query cache. */
const parts = combineReducers({
  authentication: authenticationReducer,
  preferences: preferencesReducer,
  views: viewsReducer,
  notifications: notificationsReducer,
  geo: geoReducer,
});
export type RootState = ReturnType<typeof parts>;

/** Signing out resets every part to its initial state. [S4.3] */
const root = (state: RootState | undefined, action: UnknownAction): RootState =>
  parts(signedOut.match(action) ? undefined : state, action);

export const store = configureStore({ reducer: root });
export type Dispatch = typeof store.dispatch;

let savedPreferences = store.getState().preferences;
store.subscribe(() => {
  const { preferences } = store.getState();
  if (preferences === savedPreferences) return;
  savedPreferences = preferences;
  savePreferences(preferences);
});

export const useAppSelector = useSelector.withTypes<RootState>();
export const useAppDispatch = useDispatch.withTypes<Dispatch>();
