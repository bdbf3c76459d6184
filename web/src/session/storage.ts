/**
 * The browser's two stores. If the browser blocks them (policy, or full), values last as long as the page;
 * callers need not know, because nothing else can be done.
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

/** This tab's, until it is closed. */
export const tabStore = storeOf(() => window.sessionStorage);
/** This browser's, shared by its tabs. */
export const browserStore = storeOf(() => window.localStorage);

/** A stored JSON value; null if missing or unreadable (written by an older version, or edited by hand). */
export function readJson(store: Store, key: string): unknown {
  const text = store.get(key);
  if (text === null) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
