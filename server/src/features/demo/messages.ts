import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DemoMessage, isNobodys } from '@caseway/contract/demo';
import PostalMime from 'postal-mime';

const shown = 50;

/**
 * The newest messages of an outbox to addresses that belong to nobody, the newest first. A missing folder has none.
 */
export async function newestMessages(outbox: string): Promise<DemoMessage[]> {
  const names = await readdir(outbox).catch((error: NodeJS.ErrnoException) => {
    // There is no folder before the first message.
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const newest = names
    .filter((name) => /^\d.*\.eml$/.test(name))
    .sort()
    .slice(-shown)
    .reverse();
  const messages = await Promise.all(newest.map((name) => readMessage(outbox, name)));
  return messages.filter((message) => message !== undefined && isNobodys(message.to)) as DemoMessage[];
}

/** Undefined if it was swept in the meantime. */
async function readMessage(outbox: string, name: string): Promise<DemoMessage | undefined> {
  const content = await readFile(join(outbox, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!content) return undefined;
  const { to, subject, text, headers } = await PostalMime.parse(content);
  // `2026-02-11T10-30-00.000Z-<id>.eml`
  const [, day, hour, minute, second, id] = /^(.{10})T(..)-(..)-(.+?Z)-(.+)\.eml$/.exec(name)!;
  const plain = (text ?? '').trim();
  return {
    id: id!,
    at: `${day}T${hour}:${minute}:${second}`,
    // A telephone number is not parsed as an email address.
    to: to?.[0]?.address || (headers.find(({ key }) => key === 'to')?.value ?? ''),
    subject: subject ?? '',
    text: plain,
    code: /^\s*(\d{6})\s*$/m.exec(plain)?.[1] ?? null,
  };
}
