import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The newest one-time code mailed to an address after an instant: the line of the message with only six
 * digits.
 */
export const codeFor = (address: string, since: number, dataDir?: string): Promise<string> =>
  mailed(address, since, /^\s*(\d{6})\s*$/m, dataDir);

/** The same for a code that completes or stops an account recovery. */
export const recoveryCodeFor = (address: string, since: number): Promise<string> =>
  mailed(address, since, /^((?:[a-z2-9]{4}-){3}[a-z2-9]{4})$/m);

/** The product's address in someone's invitation. */
export const invitationFor = (address: string, since: number): Promise<string> =>
  mailed(address, since, /(https?:\/\/\S+\/sign-in)/);

/** The first group of a pattern in the newest message to an address after an instant. */
async function mailed(
  address: string,
  since: number,
  pattern: RegExp,
  dataDir = process.env.CASEWAY_E2E_DATA_DIR!,
): Promise<string> {
  const outbox = path.join(dataDir, 'outbox');
  // `2026-02-11T10-30-00.000Z-<id>.eml`
  const from = new Date(since).toISOString().replaceAll(':', '-');
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    const files = (await readdir(outbox).catch(() => []))
      .filter((name) => name.endsWith('.eml') && name >= from)
      .sort()
      .reverse();
    for (const name of files) {
      const text = await readFile(path.join(outbox, name), 'utf8');
      if (!text.includes(address)) continue;
      // A line that ends in `=` continues on the next one.
      const found = pattern.exec(text.replaceAll(/=\r?\n/g, ''))?.[1];
      if (found) return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no code arrived for ${address}`);
}
