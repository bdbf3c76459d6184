import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { App } from './app.ts';

/** The folder of files with reference data, the same for everyone. */
export const publicFiles = '/reference/';

const compressions = [
  ['br', promisify(brotliCompress)],
  ['gzip', promisify(gzip)],
] as const;

/**
 * Serves a list that is the same for everyone as a file. Browsers cache it, because its name has a hash of its
 * content. Nothing in it may depend on the reader.
 * @returns its address
 */
export function servePublicFile({ fastify }: App, name: string, content: object): string {
  const text = JSON.stringify(content);
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  const address = `${publicFiles}${name}-${hash}.json`;
  // Compressed once, on first use.
  const smaller = new Map<string, Promise<Buffer>>();
  fastify.get(address, async (request, reply) => {
    reply
      .type('application/json')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding');
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const found = compressions.find(([encoding]) => new RegExp(`\\b${encoding}\\b`).test(accepted));
    if (!found) return reply.send(text);
    const [encoding, compress] = found;
    const made = smaller.get(encoding) ?? compress(text);
    smaller.set(encoding, made);
    return reply.header('content-encoding', encoding).send(await made);
  });
  return address;
}
