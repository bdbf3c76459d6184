import {
  type ChallengeMethod,
  challenge,
  type FurtherChallenge,
  type Proof,
  type SignInAnswer,
  signIn,
} from '@caseway/contract/session';
import { useEffect, useRef, useState } from 'react';
import { useCall } from '../../data/api.ts';
import { answerWithPasskey, PasskeyFailed } from '../../data/passkeys.ts';
import { AppError, isOutage } from '../../data/transport.ts';
import { adoptTokens } from '../../session/session.ts';
import { AccountStep } from './AccountStep.tsx';
import { CodeStep } from './CodeStep.tsx';
import { SecondStep } from './SecondStep.tsx';

/** What went wrong: the server's refusal, or a passkey that was not used. */
export type Trouble = AppError | PasskeyFailed;

interface Challenged {
  username: string | undefined;
  answer: SignInAnswer;
  /** Set from the second step on. */
  proofs?: Proof[];
}

/**
 * Signing in: first the account, then a code or passkey, then a second factor if there is one. Used by the
 * sign-in screen and, with a known account, over an open screen when someone has to sign in again.
 */
export default function SignInForm({
  username,
  atOnce = false,
  onSignedIn,
  onStep,
}: {
  username?: string;
  /** A demo account: its code is requested when the form appears, and entered when it arrives. */
  atOnce?: boolean;
  onSignedIn: () => void;
  /** Called with the current step. */
  onStep?: (step: 'account' | 'code') => void;
}) {
  const [challenged, setChallenged] = useState<Challenged | null>(null);
  // Going back keeps the typed text for correction.
  const [named, setNamed] = useState(username ?? '');
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState<ChallengeMethod | 'answer' | null>(null);
  const begin = useCall(signIn);
  const answerChallenge = useCall(challenge);
  useEffect(() => onStep?.(challenged ? 'code' : 'account'), [challenged, onStep]);

  /**
   * Runs one request at a time and shows a refusal by the server or the user. Returns whether there was an
   * outage: the typed text is then still valid.
   */
  const attempt = async (what: ChallengeMethod | 'answer', work: () => Promise<void>): Promise<boolean> => {
    if (busy !== null) return false;
    setBusy(what);
    setTrouble(null);
    try {
      await work();
      return false;
    } catch (error) {
      if (!(error instanceof AppError || error instanceof PasskeyFailed)) throw error;
      setTrouble(error);
      return isOutage(error);
    } finally {
      setBusy(null);
    }
  };

  const give = async (details: string, secret: string, account: string | undefined) => {
    const next = await answerChallenge.mutateAsync({ body: { details, secret } });
    if ('accessToken' in next) {
      await adoptTokens(next);
      onSignedIn();
      return;
    }
    const { proofs, ...answer } = next as FurtherChallenge;
    setChallenged({ username: account, answer, proofs });
  };

  const ask = (challengeMethod: ChallengeMethod, account: string | undefined) =>
    attempt(challengeMethod, async () => {
      const body = { origin: window.location.hostname, username: account, challengeMethod };
      const answer = await begin.mutateAsync({ body });
      if (challengeMethod !== 'PASSKEY') setChallenged({ username: account, answer });
      else await give(answer.details, await answerWithPasskey(answer.passkey), account);
    });

  const asked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears.
  useEffect(() => {
    if (!atOnce || asked.current) return;
    asked.current = true;
    void ask('EMAIL', username);
  }, []);

  const back = () => {
    setNamed(challenged?.username ?? '');
    setChallenged(null);
    setTrouble(null);
  };

  if (!challenged) return <AccountStep username={named} busy={busy} trouble={trouble} onAsk={ask} />;
  const { answer, proofs } = challenged;
  const enter = (secret: string) =>
    attempt('answer', () => give(answer.details, secret, challenged.username));
  // A sent code is entered in the same way in both steps.
  if (!proofs || answer.challengeMethod === 'EMAIL' || answer.challengeMethod === 'SMS')
    return (
      <CodeStep
        // A new code is a new challenge: the text typed for the old one is removed.
        key={answer.details}
        answer={answer}
        sentTo={challenged.username}
        atOnce={atOnce && !proofs}
        second={proofs !== undefined}
        busy={busy === 'answer'}
        resending={busy !== null && busy !== 'answer'}
        trouble={trouble}
        onEnter={enter}
        onResend={() => void ask(answer.challengeMethod, challenged.username)}
        onBack={back}
      />
    );
  return (
    <SecondStep
      key={answer.details}
      answer={answer}
      proofs={proofs}
      busy={busy === 'answer'}
      trouble={trouble}
      onEnter={enter}
      onPasskey={() =>
        attempt('answer', async () =>
          give(answer.details, await answerWithPasskey(answer.passkey), challenged.username),
        )
      }
      onBack={back}
    />
  );
}
