import type { ComponentType } from 'react';
import { part } from '../loading/part.tsx';

/*
 * The panels the shell opens over the screen. None is in the first load; they are fetched when the browser is
 * idle, so that they are ready when needed.
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
/** A panel that fails to load is retried, after 1 s doubling, because the connection may be back by then. */
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

/** Fetches all of them once the page has been quiet for a moment. A failed one is fetched when opened. */
export function fetchPanelsAhead(): () => void {
  const timer = setTimeout(() => void Promise.allSettled(Object.values(load).map((one) => one())), quietMs);
  return () => clearTimeout(timer);
}
