import { events } from '@caseway/contract/events';
import { refreshTokenPayload } from '@caseway/contract/session';
import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { queryClient } from '../data/api.ts';
import { listen, reopened, type StreamEvent } from '../data/event-stream.ts';
import { AppError } from '../data/transport.ts';
import { lastActivity, watchActivity } from '../session/activity.ts';
import { useConfirmation } from '../session/confirmation.ts';
import { endOnTime, initAgain, renewNow } from '../session/session.ts';
import { type SessionEnd, sessionEnd } from '../session/session-end.ts';
import { store, useAppSelector } from '../session/store.ts';
import { payloadOf } from '../session/tokens.ts';
import { Overlay } from './Overlay.tsx';
import { ConfirmIdentityDialog, SessionEndingDialog, SessionExpiredDialog } from './panels.ts';

/** What the shell needs from the sign-in form, to sign in over an open screen. */
export type SignInForm = ComponentType<{ username?: string; onSignedIn: () => void }>;

/** Milliseconds between checks of the clock, so that a machine that slept does not end a session late. */
const lookMs = 5000;

/**
 * Watches the session: keeps it alive while in use, warns before it ends, ends it if unused, and asks to sign
 * in again over the current screen. [S8.1]
 */
export function SessionWatch({ form }: { form: SignInForm }) {
  const ended = useAppSelector((state) => state.authentication.ended);
  const confirmation = useConfirmation();
  const end = useSessionEnd();
  useStreamOfEnds();

  if (ended === 'refused')
    return (
      <Overlay>
        <SessionExpiredDialog form={form} />
      </Overlay>
    );
  if (confirmation)
    return (
      <Overlay>
        <ConfirmIdentityDialog form={form} confirmation={confirmation} />
      </Overlay>
    );
  if (ended !== null || end === null) return null;
  return (
    <Overlay>
      <SessionEndingDialog end={end} />
    </Overlay>
  );
}

/** How the session ends, once it is time to warn about it. */
function useSessionEnd(): SessionEnd | null {
  const token = useAppSelector((state) => state.authentication.tokens.refreshToken);
  const ended = useAppSelector((state) => state.authentication.ended);
  const [warned, setWarned] = useState<SessionEnd | null>(null);

  useEffect(() => {
    const claims = token === null ? null : payloadOf(token, refreshTokenPayload);
    if (claims === null || ended !== null) {
      setWarned(null);
      return;
    }
    let warning = false;
    const look = () => {
      const end = sessionEnd(claims, lastActivity());
      if (end === null) return;
      const now = Date.now();
      if (now >= end.at) endOnTime();
      warning = now >= end.warnAt;
      setWarned((before) => (warning ? (before?.at === end.at ? before : end) : null));
    };
    const used = () => {
      const end = sessionEnd(claims, lastActivity());
      if (end !== null && Date.now() >= end.renewAt) void renewNow();
    };
    const timer = setInterval(look, lookMs);
    // During the warning only an answer to it is activity, not a key touched by accident.
    const stop = watchActivity(used, () => !warning);
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      clearInterval(timer);
      stop();
      document.removeEventListener('visibilitychange', look);
    };
  }, [token, ended]);

  return warned;
}

const subscribeToVisibility = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
};

/**
 * Keeps the event stream open while the tab is visible. The stream ends with the session, so a session ended
 * elsewhere is noticed within seconds; it also announces changed settings. Not in background tabs, because
 * others need the connections.
 */
function useStreamOfEnds(): void {
  const visible = useSyncExternalStore(subscribeToVisibility, () => document.visibilityState === 'visible');
  const org = useAppSelector((state) => state.authentication.selectedTenantOrg);
  const open = visible && org !== null && !org.secondFactorNeeded;
  useEffect(() => (open ? listen(events, heard) : undefined), [open]);
}

/**
 * The tenant's settings also apply to open screens: its texts, features and days. After a gap in the events,
 * such as a server restart, everything on the screen is reloaded.
 */
function heard({ event }: StreamEvent): void {
  if (event === reopened) void queryClient.invalidateQueries();
  else if (event !== 'settings-changed') return;
  // A tenant may have switched off a feature that a jurisdiction was reading. [S1.6]
  else if (store.getState().authentication.selectedTenantOrg?.orgType === 'PHJ')
    void queryClient.invalidateQueries();
  // Another notice reports an unreachable server; the next start reads the state again.
  initAgain().catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}
