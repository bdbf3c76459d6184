import { readProfile } from '@caseway/contract/profile';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { callApi, queryClient } from '../../api.ts';
import { confirmed } from '../../session/confirmation.ts';
import { initAgain } from '../../session/session.ts';
import type { AnswerOf, AnyEndpoint, AppError, InputOf } from '../../transport.ts';

/** What the profile shows is old. */
export const profileChanged = () => queryClient.invalidateQueries({ queryKey: [readProfile.path] });

/**
 * A call of what protects the account: the person who has not signed in a short while ago is asked to first. Afterwards
 * the profile is read again, and what the organisation now lets them do.
 */
export const useGuarded = <E extends AnyEndpoint>(
  endpoint: E,
): UseMutationResult<AnswerOf<E>, AppError, InputOf<E>> =>
  useMutation({
    mutationFn: (input: InputOf<E>) => confirmed(callApi, endpoint, input),
    onSuccess: async () => {
      await Promise.all([profileChanged(), initAgain()]);
    },
  });
