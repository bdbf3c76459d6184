import { bare } from '../../platform/grid/search-words.ts';

export interface SearchableCase {
  caseId: string;
  externalId: string | null;
}

/** The keys of a case; it is also found by those of its person. */
export function keysOfCase({ caseId, externalId }: SearchableCase): string[] {
  const keys = new Set([bare(caseId), bare(externalId ?? '')]);
  keys.delete('');
  return [...keys];
}
