import type { PayloadAction } from '@reduxjs/toolkit';
import { createSlice } from '@reduxjs/toolkit';

/** [S8.5] */
export type NotificationKind = 'success' | 'warning' | 'info' | 'error';

export interface Notification {
  id: number;
  kind: NotificationKind;
  /** Key of its text, so that it follows the language. */
  message: string;
  values?: Record<string, string | number>;
  /** Key of the label of its action (undo); see `notify`. */
  action?: string;
  /** Epoch milliseconds. */
  at: number;
}

/** At most this many are shown at a time, each for this long in milliseconds. [S9.5] */
export const maximumShown = 3;
export const shownForMs = 5000;
const maximumKept = 50;

interface State {
  nextId: number;
  /** Shown and waiting, oldest first; the first three are shown. */
  open: Notification[];
  /** All of this session, newest first, for reading again. */
  past: Notification[];
  unread: number;
}

const initialState: State = { nextId: 1, open: [], past: [], unread: 0 };

const slice = createSlice({
  name: 'notifications',
  initialState,
  reducers: {
    notified(state, { payload }: PayloadAction<Omit<Notification, 'id'>>) {
      // Repeated texts (ten requests refused at once) become one notification.
      const same = (other: Notification) =>
        other.kind === payload.kind &&
        other.message === payload.message &&
        JSON.stringify(other.values) === JSON.stringify(payload.values);
      if (!payload.action && state.open.some(same)) return;
      const notification = { ...payload, id: state.nextId };
      state.nextId += 1;
      state.open.push(notification);
      state.past = [notification, ...state.past].slice(0, maximumKept);
      state.unread += 1;
    },
    dismissed(state, { payload }: PayloadAction<number>) {
      state.open = state.open.filter(({ id }) => id !== payload);
    },
    /** Its action was run, and is not offered again. */
    acted(state, { payload }: PayloadAction<string>) {
      for (const one of [...state.open, ...state.past]) if (one.action === payload) delete one.action;
    },
    allRead(state) {
      state.unread = 0;
    },
  },
});

export const { notified, dismissed, acted, allRead } = slice.actions;
export const notificationsReducer = slice.reducer;
