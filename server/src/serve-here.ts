// A process that answers requests: the application, its port, and a clean end.
import { existsSync } from 'node:fs';
import type { ListenOptions } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FastifyListenOptions } from 'fastify';
import type { Logger } from 'pino';
import { type BuildOptions, buildApp } from './app.ts';
import type { Config } from './config.ts';
import { listenFault } from './listen-fault.ts';

export interface ServeOptions extends Pick<BuildOptions, 'place' | 'crew' | 'drained'> {
  config: Config;
  connection: BuildOptions['connection'];
  log: Logger;
}

/**
 * If the kernel can share a port among processes, it hands out the connections and resets those of a process that
 * dies. Elsewhere the first process does it (`node:cluster`), and a connection that it was just handing to a dying
 * process stays open without an answer.
 */
const sharesPort = ['linux', 'freebsd'].includes(process.platform);

/** Answers requests at the port of the configuration. Returns a function that ends that; running requests finish. */
export async function serveHere(options: ServeOptions): Promise<() => Promise<void>> {
  const { config } = options;
  const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url));
  const app = await buildApp({
    ...options,
    webRoot: existsSync(webRoot) ? webRoot : undefined,
    checkAnswers: process.env.NODE_ENV !== 'production',
    background: (options.place?.number ?? 1) === 1,
  });
  const close = async () => {
    // Requests that take longer are cut off.
    const cutOff = setTimeout(() => app.fastify.server.closeAllConnections(), config.stopSeconds * 1000);
    await app.fastify.close();
    clearTimeout(cutOff);
  };
  try {
    const where: ListenOptions & FastifyListenOptions = { port: config.port, host: config.host };
    if ((options.place?.of ?? 1) > 1 && sharesPort) where.reusePort = true;
    await app.fastify.listen(where);
  } catch (error) {
    await close();
    throw listenFault(error as NodeJS.ErrnoException, config);
  }
  return close;
}
