import type { Drawer, Shelf } from '../kept/shelf.ts';

/** A shelf for tests, because jsdom has no database. */
export function memoryShelf(): Shelf {
  const drawers = new Map<Drawer, Map<string, unknown>>();
  const of = (drawer: Drawer) => {
    const found = drawers.get(drawer) ?? new Map<string, unknown>();
    drawers.set(drawer, found);
    return found;
  };
  return {
    read: async <T>(drawer: Drawer, key: string) => of(drawer).get(key) as T | undefined,
    all: async <T>(drawer: Drawer) => [...of(drawer)].sort(([a], [b]) => (a < b ? -1 : 1)) as [string, T][],
    count: async (drawer) => of(drawer).size,
    async write(writes) {
      for (const { drawer, key, value } of writes) {
        if (key === undefined) of(drawer).clear();
        else if (value === undefined) of(drawer).delete(key);
        else of(drawer).set(key, value);
      }
    },
  };
}
