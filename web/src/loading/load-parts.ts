import { chunkTimeoutMs } from './chunk.ts';

/**
 * Loads a part of the program, instead of the bundler's own preloading (vite.config.ts).
 *
 * A browser remembers the address of a module that failed to load, and never requests it again until the page
 * is reloaded. So this fetches the files first, and imports the module only when all of them are in the
 * cache: a failure is then a failed fetch, which can be retried.
 */

/** Files loaded or loading, by address. Failed ones are removed. */
const fetched = new Map<string, Promise<void>>();

/**
 * @param load imports the part
 * @param files paths from the root of every script and stylesheet it needs that the bundler knows of
 * @throws TypeError or DOMException if a file cannot be fetched or has not loaded after 120 s; the next call
 * retries [S2.3]
 */
export async function loadParts<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  await Promise.all(files.map(fetchOnce));
  return load();
}

function fetchOnce(file: string): Promise<void> {
  const address = `/${file}`;
  let wanted = fetched.get(address);
  if (!wanted) {
    wanted = isInPage(address) ? Promise.resolve() : fetchPart(address);
    fetched.set(address, wanted);
    wanted.catch(() => fetched.delete(address));
  }
  return wanted;
}

async function fetchPart(address: string): Promise<void> {
  const late = new AbortController();
  // Otherwise the next attempt would wait for a request that hangs.
  const timer = setTimeout(() => late.abort(), chunkTimeoutMs);
  try {
    const response = await fetch(address, { signal: late.signal });
    if (!response.ok) throw new TypeError(`${address} was answered with ${response.status}`);
    // Only a response read to its end is in the browser's cache.
    await response.arrayBuffer();
  } finally {
    clearTimeout(timer);
  }
  if (address.endsWith('.css')) await addStylesheet(address);
}

/** Files named in the page were loaded before the program's first line ran. */
const isInPage = (address: string) =>
  document.querySelector(
    `link[rel="modulepreload"][href="${address}"], link[rel="stylesheet"][href="${address}"], script[src="${address}"]`,
  ) !== null;

function addStylesheet(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new TypeError(`${address} did not load`));
    };
    document.head.append(link);
  });
}
