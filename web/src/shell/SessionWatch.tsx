import { refreshTokenPayload } from '@caseway/contract/session';
import { type ComponentType, useEffect, useState } from 'react';
import { useAppSelector } from '../session/store.ts';
import { payloadOf } from '../session/tokens.ts';
import { Overlay } from './Overlay.tsx';
import { SessionEndingDialog, SessionExpiredDialog } from './panels.ts';

/** What the shell needs of the sign-in form when a session has ended over an open screen. */
export type SignInForm = ComponentType<{ username?: string; onSignedIn: () => void }>;

/** So long before the refresh token lapses one is asked whether to stay. */
const warningMs = 5 * 60_000;

/**
 * Watches the session: warns before it ends for want of use, and when it has ended has one sign in again over the
 * screen as it stands. [S8.1]
 */
export function SessionWatch({ form }: { form: SignInForm }) {
  const token = useAppSelector((state) => state.authentication.tokens.refreshToken);
  const ended = useAppSelector((state) => state.authentication.ended);
  const [ending, setEnding] = useState<string | null>(null);
  const endsAt = token === null ? undefined : payloadOf(token, refreshTokenPayload)?.exp;

  useEffect(() => {
    if (endsAt === undefined) return;
    const wait = endsAt * 1000 - Date.now() - warningMs;
    // A timer holds 24.8 days at most; a session that long needs no warning yet.
    if (wait > 2 ** 31 - 1) return;
    const timer = setTimeout(() => setEnding(token), Math.max(0, wait));
    return () => clearTimeout(timer);
  }, [endsAt, token]);

  if (ended === 'refused')
    return (
      <Overlay>
        <SessionExpiredDialog form={form} />
      </Overlay>
    );
  if (ending === null || ending !== token || ended !== null) return null;
  return (
    <Overlay>
      <SessionEndingDialog onClose={() => setEnding(null)} />
    </Overlay>
  );
}
