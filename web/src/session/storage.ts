/**
 * The browser's two stores. If the browser refuses them (blocked by policy, or full), values last as long as the page:
 * nothing else in the product can do more about it, so callers need not know.
 */
export interface Store {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

const storeOf = (open: () => Storage): Store => {
  const memory = new Map<string, string>();
  const attempt = <T>(act: (storage: Storage) => T, otherwise: T): T => {
    try {
      return act(open());
    } catch {
      return otherwise;
    }
  };
  return {
    get: (key) => attempt((storage) => storage.getItem(key), memory.get(key) ?? null),
    set: (key, value) => {
      memory.set(key, value);
      attempt((storage) => storage.setItem(key, value), undefined);
    },
    remove: (key) => {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key), undefined);
    },
  };
};

/** Of this tab, until it is closed. */
export const tabStore = storeOf(() => window.sessionStorage);
/** Of this browser, shared by its tabs. */
export const browserStore = storeOf(() => window.localStorage);

/** A stored JSON value; null if there is none or it is not readable (an older version wrote it, someone edited it). */
export function readJson(store: Store, key: string): unknown {
  const text = store.get(key);
  if (text === null) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
