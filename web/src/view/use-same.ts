import { replaceEqualDeep } from '@tanstack/react-query';
import { useRef } from 'react';

/** The earlier object as long as its contents are equal, so that what was rendered with it can stay. */
export function useSame<T>(value: T): T {
  const earlier = useRef(value);
  earlier.current = replaceEqualDeep(earlier.current, value);
  return earlier.current;
}
