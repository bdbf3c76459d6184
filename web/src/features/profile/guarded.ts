import { readProfile } from '@caseway/contract/profile';
import { type Change, callApi, queryClient, useChange } from '../../data/api.ts';
import type { AnyEndpoint } from '../../data/transport.ts';
import { confirmed } from '../../session/confirmation.ts';
import { initAgain } from '../../session/session.ts';

/** Marks the profile's data as stale. */
export const profileChanged = () => queryClient.invalidateQueries({ queryKey: [readProfile.path] });

/**
 * A call that protects the account: a user who has not signed in recently must do so first. Afterwards the
 * profile and the user's permissions are reloaded.
 */
export const useGuarded = <E extends AnyEndpoint>(endpoint: E): Change<E> =>
  useChange<E>((input) => confirmed(callApi, endpoint, input), {
    onSuccess: () => Promise.all([profileChanged(), initAgain()]),
  });
