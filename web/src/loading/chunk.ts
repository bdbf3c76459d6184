/** [S9.13] */
export const chunkTimeoutMs = 120_000;

/** A part of the program (script or stylesheet) that failed to load. [S2.3] */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/**
 * Loads a part of the program.
 * @throws ChunkLoadError `Loading chunk {name} failed.` if it fails or has not loaded after 120 s [S2.3]
 */
export async function loadChunk<T>(name: string, load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), chunkTimeoutMs);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (cause) {
    throw new ChunkLoadError(`Loading chunk ${name} failed.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}
