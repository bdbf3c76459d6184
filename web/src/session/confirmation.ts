import { outsideValue } from '../data/outside-value.ts';
import { type AnswerOf, type AnyEndpoint, AppError, type InputOf } from '../data/transport.ts';

/** The prompt to sign in again before an action that protects an account. */
export interface Confirmation {
  answer(confirmed: boolean): void;
}

const current = outsideValue<Confirmation | null>(null);

/** Whether the user has signed in again. */
async function confirmIdentity(): Promise<boolean> {
  current.get()?.answer(false);
  const confirmed = await new Promise<boolean>((answer) => current.set({ answer }));
  current.set(null);
  return confirmed;
}

/**
 * Makes a call that needs a recent sign-in. If the sign-in is too old, the user signs in again and the call
 * is repeated.
 * @throws AppError like the call, `recent-sign-in-needed` if the user declines
 */
export async function confirmed<E extends AnyEndpoint>(
  call: (endpoint: E, input: InputOf<E>) => Promise<AnswerOf<E>>,
  endpoint: E,
  input: InputOf<E>,
): Promise<AnswerOf<E>> {
  try {
    return await call(endpoint, input);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'recent-sign-in-needed') throw error;
    if (!(await confirmIdentity())) throw error;
    return call(endpoint, input);
  }
}

/** The current question, if any. */
export const useConfirmation = current.use;
