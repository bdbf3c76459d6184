import type { UseQueryResult } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { z } from 'zod';
import { useApi } from '../data/api.ts';
import type { AnswerOf, AnyEndpoint, AppError, InputOf } from '../data/transport.ts';

/** The id in the address of a screen, and whether it can be one of a record. */
export function useIdOfAddress(): { id: string; isId: boolean } {
  const { id = '' } = useParams();
  return { id, isId: z.uuid().safeParse(id).success };
}

/** The record that the address of a screen names; undefined where it names none. */
export function useRecordOfAddress<E extends AnyEndpoint>(
  endpoint: E,
): UseQueryResult<AnswerOf<E>, AppError> | undefined {
  const { id, isId } = useIdOfAddress();
  const query = useApi(endpoint, { params: { id } } as InputOf<E>, { enabled: isId, keepPrevious: false });
  return isId ? query : undefined;
}
