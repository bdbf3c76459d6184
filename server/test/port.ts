import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Where the next one is looked for. Ports that the kernel chooses are above all of these, so nobody who asks it for one,
 * or connects to somewhere, gets one of them before its server listens; other processes of the tests begin elsewhere.
 */
let next = process.pid * 41;

/** A port of this machine on which nobody listens, for a server that does so soon. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + (next++ % 10_000);
    const probe = createServer().listen(port);
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
