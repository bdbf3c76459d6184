import { acted, dismissed, type NotificationKind, notified } from './notifications.ts';
import { store } from './store.ts';

const actions = new Map<string, () => void>();
let nextAction = 1;

/**
 * Shows the user a message at the bottom left for five seconds. [S9.5]
 * @param message key of the text
 * @param more values for the text, an action (key of its label, and its function), and the message it
 * replaces
 * @returns the id for a later message that replaces this one
 */
export function notify(
  kind: NotificationKind,
  message: string,
  more: {
    values?: Record<string, string | number>;
    action?: { label: string; run: () => void };
    replaces?: number | null;
  } = {},
): number {
  let action: string | undefined;
  if (more.action) {
    action = `${nextAction}|${more.action.label}`;
    nextAction += 1;
    actions.set(action, more.action.run);
  }
  if (typeof more.replaces === 'number') store.dispatch(dismissed(more.replaces));
  const id = store.getState().notifications.nextId;
  store.dispatch(
    notified({
      kind,
      message,
      at: Date.now(),
      ...(more.values ? { values: more.values } : {}),
      ...(action === undefined ? {} : { action }),
    }),
  );
  return id;
}

/** Key of the label of a notification's action. */
export const actionLabel = (action: string): string => action.slice(action.indexOf('|') + 1);

/** Runs a notification's action, once. */
export function runAction(action: string): void {
  const run = actions.get(action);
  actions.delete(action);
  store.dispatch(acted(action));
  run?.();
}
