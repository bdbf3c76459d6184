import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimeConfig } from '@caseway/contract/session';
import fastifyStatic from '@fastify/static';
import { type App, apiPaths, nonceOf } from './app.ts';
import { AppError } from './app-error.ts';

/** Folders whose missing files are missing, and not screens of the client. */
const filePaths = ['/assets/', '/locales/'];

/**
 * Serves the built web client from `folder`: its files from the root path, each in the compressed form that lies beside
 * it where there is one, and its page for every other path, since the client itself knows its screens. [S2.1, S2.4]
 * Throws one clear sentence when the client is not built.
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
    // The page is never sent as the file it is: it has placeholders to be filled.
    globIgnore: ['index.html*'],
    // A route for each file there is: no address is ever taken for a path on the disk.
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      // Names of files in assets hold a hash of their content.
      const hashed = path.startsWith(join(folder, 'assets'));
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.notFound = (request, reply) => {
    const [path] = request.url.split('?') as [string];
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (reads && path === '/index.html') return reply.redirect('/', 308);
    // A person at an address that looks like a file's wants the page too; a program that asks for a file does not.
    const wantsPage = !/\.[A-Za-z0-9]+$/.test(path) || (request.headers.accept ?? '').includes('text/html');
    const isScreen =
      reads &&
      wantsPage &&
      ![...apiPaths, ...filePaths].some((reserved) => path.startsWith(reserved) || `${path}/` === reserved);
    if (!isScreen) throw new AppError('not-found');
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(prepared.replaceAll('__CSP_NONCE__', nonceOf(reply)));
  };
}

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
