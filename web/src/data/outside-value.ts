import { useSyncExternalStore } from 'react';

/** A value outside React that components follow. */
export interface OutsideValue<Value> {
  get(): Value;
  /** Sets the value and rerenders the components that use it. */
  set(next: Value): void;
  use(): Value;
}

export function outsideValue<Value>(initial: Value): OutsideValue<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
