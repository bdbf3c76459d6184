import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Where the search for the next port starts. Ports that the kernel chooses are above all of these, so nobody who
 * asks it for one, or connects to somewhere, gets one of them before its server listens. Other processes of the
 * tests begin elsewhere.
 */
let next = process.pid * 41;

/** A free port of this machine, for a server that listens on it soon. */
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
