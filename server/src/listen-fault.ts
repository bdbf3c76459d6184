import { createServer } from 'node:net';
import type { Config } from './config.ts';

type Where = Pick<Config, 'port' | 'host'>;

/** Reports immediately that the port is in use, rather than after starting the database and making the demo. */
export function assertPortFree(where: Where): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error) => reject(listenFault(error, where)));
    probe.listen(where.port, where.host, () => probe.close(() => resolve()));
  });
}

/** Why the server cannot listen, in one sentence. */
export function listenFault({ code, message }: NodeJS.ErrnoException, { port, host }: Where): Error {
  if (code === 'EADDRINUSE')
    return new Error(
      `Port ${port} is taken by another program. Stop that program, or choose another port: PORT=${port < 65535 ? port + 1 : 8081} npm start.`,
    );
  if (code === 'EACCES')
    return new Error(`Port ${port} may be opened by root alone. Choose another port: PORT=8080 npm start.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Error(`HOST=${host} is no address of this machine.`);
  return new Error(`The server cannot listen on port ${port}: ${message}.`);
}
