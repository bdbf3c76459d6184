import type { ComponentType } from 'react';
import { part } from '../loading/part.tsx';

/*
 * The panels that the shell opens over the screen. None is needed at the start, so none is in the first load; they are
 * fetched when the browser is idle, so that they are there when needed.
 */
const load = {
  palette: () => import('./Palette.tsx'),
  keys: () => import('./KeysDialog.tsx'),
  orgs: () => import('./OrgPanel.tsx'),
  languages: () => import('./LanguagePanel.tsx'),
  notifications: () => import('./NotificationPanel.tsx'),
  user: () => import('./UserPanel.tsx'),
  expired: () => import('./SessionExpiredDialog.tsx'),
  ending: () => import('./SessionEndingDialog.tsx'),
  leave: () => import('./LeaveDialog.tsx'),
  confirm: () => import('./ConfirmIdentityDialog.tsx'),
  why: () => import('./WhyDialog.tsx'),
};

const attempts = 5;
/** A panel is fetched again, after 1 s doubling, if it fails to load: the connection may be back by then. */
const opened = <Props extends object>(
  name: string,
  fetch: () => Promise<{ default: ComponentType<Props> }>,
) =>
  part(name, async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await fetch();
      } catch (error) {
        if (attempt === attempts) throw error;
        await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
      }
    }
  });

export const Palette = opened('palette', load.palette);
export const KeysDialog = opened('keys', load.keys);
export const OrgPanel = opened('orgs', load.orgs);
export const LanguagePanel = opened('languages', load.languages);
export const NotificationPanel = opened('notifications', load.notifications);
export const UserPanel = opened('user', load.user);
export const SessionExpiredDialog = opened('expired', load.expired);
export const SessionEndingDialog = opened('ending', load.ending);
export const LeaveDialog = opened('leave', load.leave);
export const ConfirmIdentityDialog = opened('confirm', load.confirm);
export const WhyDialog = opened('why', load.why);

const quietMs = 1500;

/** Fetches them all once the page has been quiet for a moment. One that fails is fetched when it is opened. */
export function fetchPanelsAhead(): () => void {
  const timer = setTimeout(() => void Promise.allSettled(Object.values(load).map((one) => one())), quietMs);
  return () => clearTimeout(timer);
}
