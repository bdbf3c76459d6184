import type { UseQueryResult } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { z } from 'zod';
import { useApi } from '../data/api.ts';
import type { AnswerOf, AnyEndpoint, AppError, InputOf } from '../data/transport.ts';

/** The id in a screen's address, and whether it is a valid record id. */
export function useIdOfAddress(): { id: string; isId: boolean } {
  const { id = '' } = useParams();
  return { id, isId: z.uuid().safeParse(id).success };
}

/** The record in a screen's address; undefined if there is none. */
export function useRecordOfAddress<E extends AnyEndpoint>(
  endpoint: E,
): UseQueryResult<AnswerOf<E>, AppError> | undefined {
  const { id, isId } = useIdOfAddress();
  const query = useApi(endpoint, { params: { id } } as InputOf<E>, { enabled: isId, keepPrevious: false });
  return isId ? query : undefined;
}
