import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';

/** The messages to an address that lie in the outbox, the oldest first, with whole lines. */
export async function messagesTo({ config }: Pick<TestApp, 'config'>, address: string): Promise<string[]> {
  const outbox = join(config.dataDir, 'outbox');
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')));
  return texts.filter((text) => text.includes(`To: ${address}\n`)).map((text) => text.replaceAll('=\n', ''));
}

/** The newest message to an address, once there is one. */
export async function messageTo(testing: Pick<TestApp, 'config'>, address: string): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(
      async () => {
        found = (await messagesTo(testing, address)).at(-1);
        return found;
      },
      { timeout: 30_000, interval: 50 },
    )
    .toBeDefined();
  return found!;
}
