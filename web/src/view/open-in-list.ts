import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** The history state that opens a record beside its list. */
export const opensInList = (id: string): object => ({ opens: id });

/** The record open beside a list, and a function to open another; a link can open one too. */
export function useOpenInList(): [id: string | null, open: (id: string | null) => void] {
  const { state, key } = useLocation();
  const asked = (state as { opens?: string } | null)?.opens ?? null;
  const [openId, setOpenId] = useState(asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit counts, also to the same record.
  useEffect(() => {
    if (asked !== null) setOpenId(asked);
  }, [asked, key]);
  return [openId, setOpenId];
}
