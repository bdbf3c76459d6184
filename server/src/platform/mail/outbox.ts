import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Leaves a message as a file `<time>-<id>.eml` in the outbox, for its owner alone. Whoever watches the folder sees a
 * whole message or none; the same message again is the same file. [S10.2]
 */
export async function putIntoOutbox(
  folder: string,
  { id, at, content }: { id: string; at: Date; content: string | Buffer },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${at.toISOString().replaceAll(':', '-')}-${id}.eml`;
  const unfinished = join(folder, `.${name}.unfinished`);
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(folder, name));
}
