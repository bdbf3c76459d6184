import { readProfile } from '@caseway/contract/profile';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { callApi, queryClient, useForgottenEnd } from '../../data/api.ts';
import type { AnswerOf, AnyEndpoint, AppError, InputOf } from '../../data/transport.ts';
import { confirmed } from '../../session/confirmation.ts';
import { initAgain } from '../../session/session.ts';

/** Marks the data of the profile as stale. */
export const profileChanged = () => queryClient.invalidateQueries({ queryKey: [readProfile.path] });

/**
 * A call that protects the account: a person who has not signed in recently is asked to do so first. Afterwards the
 * profile is loaded again, and the person's permissions.
 */
export const useGuarded = <E extends AnyEndpoint>(
  endpoint: E,
): UseMutationResult<AnswerOf<E>, AppError, InputOf<E>> => {
  const call = useMutation<AnswerOf<E>, AppError, InputOf<E>>({
    mutationFn: (input) => confirmed(callApi, endpoint, input),
    onSuccess: async () => {
      await Promise.all([profileChanged(), initAgain()]);
    },
  });
  useForgottenEnd(call);
  return call;
};
