import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { RuntimeConfig } from '@caseway/contract/session';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { type App, apiPaths, nonceOf } from './app.ts';
import { AppError } from './app-error.ts';
import { publicFiles } from './public-file.ts';

/** Folders in which a missing file is an error, not a screen of the client. */
const filePaths = ['/assets/', '/locales/', publicFiles];

/** The encodings of the page, the best first. */
const encodings = [
  {
    name: 'br',
    packer: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  },
  { name: 'gzip', packer: () => createGzip() },
];

/** Headers for pages or single answers. */
const ofPages = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
  'x-request-id',
];
/**
 * A part of the program is not a page, so it gets the shortest policy. A screen loads forty parts, and over a slow
 * line the headers of a page took as long as two of the largest.
 */
function asPart(reply: FastifyReply): void {
  for (const name of ofPages) {
    reply.raw.removeHeader(name);
    reply.removeHeader(name);
  }
  reply.header('content-security-policy', "default-src 'none';frame-ancestors 'none'");
}

/**
 * Serves the built web client from `folder`: its files from the root path, compressed if there is a compressed file
 * next to it, and its page for every other path, because the client itself knows its screens. [S2.1, S2.4] Throws
 * one clear sentence if the client is not built.
 */
export async function serveWebClient(app: App, folder: string, runtimeConfig: RuntimeConfig): Promise<void> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => {
    throw new Error(
      `There is no web client in ${folder}. Build it with npm run build, or start with npm start.`,
    );
  });
  const config = escapeAttribute(JSON.stringify(runtimeConfig));
  const prepared = page.replaceAll('__RUNTIME_CONFIG__', () => config);

  await app.fastify.register(fastifyStatic, {
    root: folder,
    index: false,
    // The page is never sent as a plain file, because it has placeholders to fill.
    globIgnore: ['index.html*'],
    // A route for each existing file: no address is ever used as a path on the disk.
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      // Names of files in assets contain a hash of their content.
      const hashed = path.startsWith(join(folder, 'assets'));
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      if (hashed || path.startsWith(join(folder, 'locales'))) asPart(reply);
    },
  });
  app.notFound = (request, reply) => {
    const [path] = request.url.split('?') as [string];
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (reads && path === '/index.html') return reply.redirect('/', 308);
    // A person at an address that looks like a file also needs the page; a program that requests a file does not.
    const wantsPage = !/\.[A-Za-z0-9]+$/.test(path) || (request.headers.accept ?? '').includes('text/html');
    const isScreen =
      reads &&
      wantsPage &&
      ![...apiPaths, ...filePaths].some((reserved) => path.startsWith(reserved) || `${path}/` === reserved);
    if (!isScreen) throw new AppError('not-found');
    const page = prepared.replaceAll('__CSP_NONCE__', nonceOf(reply));
    reply
      .header('cache-control', 'no-store')
      .header('vary', 'accept-encoding')
      .type('text/html; charset=utf-8');
    // The page compresses to a tenth in every language. The hooks that compress answers only apply to routes.
    const accepted = String(request.headers['accept-encoding']);
    const encoding = encodings.find(({ name }) => accepted.includes(name));
    if (!encoding || request.method === 'HEAD') return reply.send(page);
    const packer = encoding.packer();
    packer.end(page);
    return reply.header('content-encoding', encoding.name).send(packer);
  };
}

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
