import type { CallCode } from '../data/transport.ts';

/** The step of a sign-in: the name, a code that was sent or that an app shows, the birth date. */
export const signInSteps = ['name', 'sent', 'app', 'birth'] as const;
export type SignInStep = (typeof signInSteps)[number];

/** The key of the text for a refusal: what `code-wrong` and others mean depends on the step. */
export function signInTrouble(step: SignInStep, code: CallCode): string {
  switch (code) {
    case 'code-wrong':
    case 'validation-failed':
    case 'malformed-request':
      // Before a code was requested, it means that the passkey was not accepted.
      if (step === 'name')
        return code === 'code-wrong' ? 'common:signIn.passkeyRefused' : 'common:signIn.unread';
      return step === 'birth' ? 'portal:signIn.noMatch' : 'common:error.code-wrong';
    case 'code-expired':
      if (step === 'birth') return 'portal:signIn.birthOver';
      return step === 'sent' ? 'common:signIn.codeOver' : 'common:signIn.over';
    default:
      return `common:error.${code}`;
  }
}

/** Whether the challenge has expired and a new code is needed. */
export const isOver = (code: string | undefined): boolean => code === 'code-expired';

/** The text itself, with the waiting time if the server gives one. */
export function signInWords(
  t: (key: string, values: Record<string, unknown>) => string,
  step: SignInStep,
  { code, retryAfter }: { code: CallCode; retryAfter?: number | undefined },
): string {
  if (code === 'too-many-requests' && retryAfter !== undefined)
    return t('common:error.wait', { count: Math.ceil(retryAfter / 60) });
  return t(signInTrouble(step, code), {});
}
