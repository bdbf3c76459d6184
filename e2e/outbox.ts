import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The newest one-time code mailed to an address after an instant: the line of the message that is six digits alone. */
export async function codeFor(
  address: string,
  since: number,
  dataDir = process.env.CASEWAY_E2E_DATA_DIR!,
): Promise<string> {
  const outbox = path.join(dataDir, 'outbox');
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const files = (await readdir(outbox).catch(() => []))
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse();
    for (const name of files) {
      const text = await readFile(path.join(outbox, name), 'utf8');
      const date = Date.parse(/^Date: (.*)$/m.exec(text)?.[1] ?? '');
      // A mail's date has whole seconds.
      if (!text.includes(address) || date < Math.floor(since / 1000) * 1000) continue;
      const code = /^\s*(\d{6})\s*$/m.exec(text)?.[1];
      if (code) return code;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no code arrived for ${address}`);
}
