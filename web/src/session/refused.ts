import { useSyncExternalStore } from 'react';

/** The permission that somebody lacked and wants to know more about; null while nobody asks. */
let asked: string | null = null;
const listeners = new Set<() => void>();

/** Opens, over the screen, which permission an action needs and who can grant it; null closes it. */
export function askWhy(permission: string | null): void {
  asked = permission;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useAskedWhy = (): string | null => useSyncExternalStore(subscribe, () => asked);
