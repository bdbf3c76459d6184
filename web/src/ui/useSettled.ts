import { useEffect, useRef } from 'react';

/**
 * The value of the last time that things were settled. What was asked for and its answer stay together with it while
 * the next answer is on its way: numbers of the former filters never stand under the words of the new ones.
 */
export function useSettled<Value>(value: Value, settled: boolean): Value {
  const last = useRef(value);
  useEffect(() => {
    if (settled) last.current = value;
  }, [value, settled]);
  return settled ? value : last.current;
}
