import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { readDraft, removeDraft, saveDraft } from './drafts.ts';

/** What is typed and not sent, null if nothing: kept under this name over a reload and the end of the session. */
export function useDraft<Draft>(
  name: string,
  schema: z.ZodType<Draft>,
): [Draft | null, React.Dispatch<React.SetStateAction<Draft | null>>] {
  const [draft, setDraft] = useState(() => readDraft(name, schema));
  useEffect(() => {
    if (draft === null) removeDraft(name);
    else saveDraft(name, draft);
  }, [draft, name]);
  return [draft, setDraft];
}
