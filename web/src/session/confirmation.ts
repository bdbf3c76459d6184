import { useSyncExternalStore } from 'react';
import { type AnswerOf, type AnyEndpoint, AppError, type InputOf } from '../transport.ts';

/** Somebody is asked to sign in again, because what they are about to do wants it. */
export interface Confirmation {
  answer(confirmed: boolean): void;
}

let current: Confirmation | null = null;
const listeners = new Set<() => void>();

function set(next: Confirmation | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Whether the person has signed in again. */
async function confirmIdentity(): Promise<boolean> {
  current?.answer(false);
  const confirmed = await new Promise<boolean>((answer) => set({ answer }));
  set(null);
  return confirmed;
}

/**
 * Does what protects an account and is for those alone who have signed in a short while ago; others are asked to, and
 * then it is done.
 * @throws AppError as the call does, `recent-sign-in-needed` when the person does not want to sign in
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

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** What is being asked at present. */
export const useConfirmation = (): Confirmation | null => useSyncExternalStore(subscribe, () => current);
