/** The kinds of data a device stores for offline work. */
export type Drawer = 'keys' | 'list' | 'outbox' | 'drafts';
const drawers: readonly Drawer[] = ['keys', 'list', 'outbox', 'drafts'];

/** Puts a value into a drawer, removes one (`undefined`), or empties the drawer (without a key). */
export interface Write {
  drawer: Drawer;
  key?: string;
  value?: unknown;
}

/** The device's storage. */
export interface Shelf {
  read<T>(drawer: Drawer, key: string): Promise<T | undefined>;
  /** Everything in a drawer, in key order. */
  all<T>(drawer: Drawer): Promise<[key: string, value: T][]>;
  count(drawer: Drawer): Promise<number>;
  /** All or nothing; on disk when it resolves. */
  write(writes: readonly Write[]): Promise<void>;
}

const databaseName = 'caseway-kept';

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

let connection: Promise<IDBDatabase> | undefined;

function connect(): Promise<IDBDatabase> {
  connection ??= (async () => {
    const opening = indexedDB.open(databaseName, 1);
    opening.onupgradeneeded = () => {
      for (const drawer of drawers) opening.result.createObjectStore(drawer);
    };
    const database = await done(opening);
    const forget = () => {
      database.close();
      connection = undefined;
    };
    // Another tab is deleting it.
    database.onversionchange = forget;
    database.onclose = forget;
    return database;
  })();
  connection.catch(() => {
    connection = undefined;
  });
  return connection;
}

/** The browser's own database (IndexedDB). */
export const browserShelf: Shelf = {
  async read(drawer, key) {
    const store = (await connect()).transaction(drawer).objectStore(drawer);
    return done(store.get(key));
  },
  async all<T>(drawer: Drawer) {
    const store = (await connect()).transaction(drawer).objectStore(drawer);
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    return keys.map((key, index) => [String(key), values[index] as T]);
  },
  async count(drawer) {
    return done((await connect()).transaction(drawer).objectStore(drawer).count());
  },
  async write(writes) {
    const names = [...new Set(writes.map(({ drawer }) => drawer))];
    // Without `strict`, a browser reports success for writes that a power loss can still undo.
    const transaction = (await connect()).transaction(names, 'readwrite', { durability: 'strict' });
    for (const { drawer, key, value } of writes) {
      const store = transaction.objectStore(drawer);
      if (key === undefined) store.clear();
      else if (value === undefined) store.delete(key);
      else store.put(value, key);
    }
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  },
};

/** Empties the storage, the key first, so that no one can read anything that remains. */
export async function emptyShelf(): Promise<void> {
  await browserShelf.write([{ drawer: 'keys' }]);
  await browserShelf.write(drawers.map((drawer) => ({ drawer })));
  (await connect()).close();
  connection = undefined;
  indexedDB.deleteDatabase(databaseName);
}
