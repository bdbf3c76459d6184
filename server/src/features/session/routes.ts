import {
  challenge,
  initPatient,
  initUser,
  patientChallenge,
  patientSignIn,
  patientSignOut,
  refreshPatientTokens,
  refreshTokens,
  signIn,
  signOut,
  takenAway,
} from '@caseway/contract/session';
import { deviceCookie } from '../../platform/auth/device.ts';
import type { Identity } from '../../platform/auth/identity.ts';
import { callerOf } from '../../platform/auth/sessions.ts';
import { nameOf } from '../../platform/auth/sign-in.ts';
import type { Audience } from '../../platform/auth/signing.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { wordsForPatients } from '../../platform/words/label-overrides.ts';
import { initAnswer, rememberAvailableOrgs } from './init.ts';

/** Signing in and out, the next tokens, and who is signed in. */
export function serveSession(app: App, identity: Identity, { publicUrl }: { publicUrl: string }): void {
  const isSecure = publicUrl.startsWith('https:');
  const { sessions, authorizer, signing } = identity;
  const available = rememberAvailableOrgs();

  serve(
    app,
    signIn,
    ({ body: { username, challengeMethod }, device }) =>
      identity.signIn.begin('staff', { username }, challengeMethod, device),
    { named: ({ username }) => username?.toLowerCase() },
  );
  serve(
    app,
    patientSignIn,
    ({ body: { origin: _, challengeMethod, ...who }, device }) =>
      identity.signIn.begin('patient', who, challengeMethod, device),
    { named: ({ email, phone, username, patientId }) => nameOf({ email, phone, username, patientId }) },
  );
  // Details are signed, so changed letters are another challenge or none.
  const named = ({ details }: { details: string }) => details.slice(-43);
  /** Makes the browser known for the person who signed in there. */
  const remember = async <A extends object>(call: Call, answer: A): Promise<A> => {
    const claims =
      'accessToken' in answer ? await signing.readAccessToken(answer.accessToken as string) : undefined;
    if (claims)
      call.setHeader('set-cookie', await deviceCookie(signing, claims.accountId, call.device, isSecure));
    return answer;
  };
  serve(
    app,
    challenge,
    async (call) => {
      const { details, secret } = call.body;
      const answer = await identity.signIn.answer('staff', details, secret, callerOf(call));
      if (typeof answer === 'string') throw new AppError(answer);
      return remember(call, answer);
    },
    { named },
  );
  serve(
    app,
    patientChallenge,
    async (call) => {
      const { details, secret } = call.body;
      const answer = await identity.signIn.answer('patient', details, secret, callerOf(call));
      if (typeof answer === 'string') throw new AppError(answer);
      return remember(call, answer);
    },
    { named },
  );

  const audiences: { audience: Audience; refresh: typeof refreshTokens; signOut: typeof signOut }[] = [
    { audience: 'staff', refresh: refreshTokens, signOut },
    { audience: 'patient', refresh: refreshPatientTokens, signOut: patientSignOut },
  ];
  for (const { audience, ...endpoints } of audiences) {
    const provenBy = async ({ refreshToken }: { refreshToken: string }) =>
      (await signing.readRefreshToken(refreshToken, { lapsed: true }))?.sessionId;
    serve(
      app,
      endpoints.refresh,
      async (call) => {
        const tokens = await sessions.renew(audience, call.body.refreshToken, callerOf(call));
        if (tokens) return tokens;
        const taken = await sessions.wasTakenAway(audience, call.body.refreshToken);
        throw new AppError('session-expired', {
          ...(taken && { faults: [faultAt('refreshToken', takenAway, 'the session was ended')] }),
        });
      },
      { provenBy },
    );
    serve(
      app,
      endpoints.signOut,
      async (call) => {
        await sessions.end(audience, call.body.refreshToken, callerOf(call));
        return {};
      },
      { provenBy },
    );
  }

  serve(app, initUser, (call) =>
    call.withScope((tx) =>
      initAnswer(tx, { account: call.account, wanted: call.query.org, signing, authorizer, available }),
    ),
  );
  serve(app, initPatient, async (call) => {
    const { tenantId, patientId } = call.patient;
    const [own] = await call.withScope((tx) =>
      tx.rows<{ email: string | null }>('select email from account where id = $1', [call.account.accountId]),
    );
    if (!own) throw new AppError('session-expired');
    return {
      patient: { id: patientId, email: own.email },
      labelOverrides: await wordsForPatients(app.database, tenantId),
    };
  });
}
