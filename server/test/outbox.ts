import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';

/** The messages in the outbox as they were sent, oldest first, without those that are still being written. */
export async function sentMessages({ config }: Pick<TestApp, 'config'>): Promise<string[]> {
  const outbox = join(config.dataDir, 'outbox');
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  return Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')));
}

/** The same with unbroken lines, and without images. */
export async function messagesIn(testing: Pick<TestApp, 'config'>): Promise<string[]> {
  return (await sentMessages(testing)).map((text) => {
    const head = text.indexOf('\n\n');
    // Joins broken lines of the body like a mail reader, which shows an image and not its letters.
    const body = text
      .slice(head)
      .replaceAll(/(\nContent-Type: image\/(?:.+\n)+)\n[\w+/=\n]+?(?=\n--)/g, '$1');
    return text.slice(0, head) + body.replaceAll('=\n', '');
  });
}

/** Those to an address. */
export const messagesTo = async (testing: Pick<TestApp, 'config'>, address: string): Promise<string[]> =>
  (await messagesIn(testing)).filter((text) => text.includes(`To: ${address}\n`));

/** The newest message to an address, once there is one; with a text, the newest that contains it. */
export async function messageTo(
  testing: Pick<TestApp, 'config'>,
  address: string,
  withText = '',
): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(
      async () => {
        found = (await messagesTo(testing, address)).findLast((text) => text.includes(withText));
        return found;
      },
      { interval: 50 },
    )
    .toBeDefined();
  return found!;
}
