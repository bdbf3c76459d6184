import type { Endpoint } from '@caseway/contract/endpoint';
import { useSyncExternalStore } from 'react';
import { tabStore } from './storage.ts';
import { storageKeys } from './storage-keys.ts';

/*
 * The child whose record a guardian looks at in the portal, by its id; null for one's own. Each tab has its own
 * choice, which outlasts a reload. It is never in the address.
 */

const listeners = new Set<() => void>();

export const chosenChild = (): string | null => tabStore.get(storageKeys.child);

export function chooseChild(id: string | null): void {
  if (id === null) tabStore.remove(storageKeys.child);
  else tabStore.set(storageKeys.child, id);
  for (const tell of listeners) tell();
}

/** The child that a request is about; null if it is about the person who is signed in. */
export const childOf = ({ child }: Pick<Endpoint, 'child'>): string | null =>
  child === undefined ? null : chosenChild();

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => void listeners.delete(tell);
}

export const useChosenChild = (): string | null => useSyncExternalStore(listen, chosenChild);
