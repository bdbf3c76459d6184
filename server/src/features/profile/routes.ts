import { endOtherSessions, endSession, listSessions } from '@caseway/contract/profile';
import type { Identity } from '../../platform/auth/identity.ts';
import { callerOf } from '../../platform/auth/sessions.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';

/** What people see and change of their own account. */
export function serveProfile(app: App, { sessions }: Identity): void {
  serve(app, listSessions, async (call) => {
    const { accountId, sessionId } = call.account;
    const list = await call.withScope((tx) => sessions.list(tx, accountId));
    return {
      sessions: list.map(({ createdAt, lastUsedAt, endsAt, ...session }) => ({
        ...session,
        current: session.id === sessionId,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        endsAt: endsAt.toISOString(),
      })),
    };
  });
  serve(app, endSession, async (call) => {
    const { accountId } = call.account;
    const ended = await call.withScope((tx) =>
      sessions.endOf(tx, accountId, { only: call.params.id }, 'ended by its owner', callerOf(call)),
    );
    if (ended === 0) throw new AppError('not-found');
  });
  serve(app, endOtherSessions, async (call) => {
    const { accountId, sessionId } = call.account;
    const ended = await call.withScope((tx) =>
      sessions.endOf(tx, accountId, { except: sessionId }, 'ended by its owner', callerOf(call)),
    );
    return { ended };
  });
}
