import { useEffect, useRef } from 'react';

/**
 * The value of the last settled state. A query and its answer stay together while the next answer is loading,
 * so numbers of the old filters are never labeled with the new ones.
 */
export function useSettled<Value>(value: Value, settled: boolean): Value {
  const last = useRef(value);
  useEffect(() => {
    if (settled) last.current = value;
  }, [value, settled]);
  return settled ? value : last.current;
}
