import { useEffect, useState } from 'react';

/**
 * False at first, true once the component has been shown for this many ms, so that skeletons do not flicker.
 */
export function useAfter(ms: number): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return passed;
}
