import { bare } from '../../platform/grid/search-words.ts';

export interface SearchableCase {
  caseId: string;
  externalId: string | null;
}

/** The search keys of a case, which its person's keys also find. */
export function keysOfCase({ caseId, externalId }: SearchableCase): string[] {
  const keys = new Set([bare(caseId), bare(externalId ?? '')]);
  keys.delete('');
  return [...keys];
}
