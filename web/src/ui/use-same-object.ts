import { useMemo } from 'react';

/**
 * The same object in every render while its content is the same. MUI's Autocomplete compares its value by
 * reference, and replaces typed text when it gets another object.
 */
export function useSameObject<Value>(value: Value): Value {
  const content = JSON.stringify(value);
  return useMemo(() => JSON.parse(content) as Value, [content]);
}
