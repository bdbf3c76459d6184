import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The running version of Caseway: the version of its package, and its commit. */
export const product: { readonly version: string; readonly build: string } = {
  version: (
    JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
  ).version,
  build: process.env.CASEWAY_BUILD || commitOf(fileURLToPath(new URL('../../../..', import.meta.url))),
};

/** The commit of a checkout, read from its files because git may not be installed; `unknown` if there is none. */
export function commitOf(checkout: string): string {
  try {
    const git = join(checkout, '.git');
    const folder = statSync(git).isDirectory()
      ? git
      : resolve(
          checkout,
          readFileSync(git, 'utf8')
            .replace(/^gitdir: /, '')
            .trim(),
        );
    const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim();
    return (head.startsWith('ref: ') ? readRef(folder, head.slice(5)) : head).slice(0, 12);
  } catch {
    return 'unknown';
  }
}

function readRef(folder: string, ref: string): string {
  const shared = (() => {
    try {
      return resolve(folder, readFileSync(join(folder, 'commondir'), 'utf8').trim());
    } catch {
      return folder;
    }
  })();
  try {
    return readFileSync(join(shared, ref), 'utf8').trim();
  } catch {
    const packed = readFileSync(join(shared, 'packed-refs'), 'utf8');
    const line = packed.split('\n').find((one) => one.endsWith(` ${ref}`));
    if (!line) throw new Error('the branch has no commit');
    return line;
  }
}
