// npm run test:citus: the server's tests that show that it works on a distributed database.
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { answerHelp, checkNode, installIfMissing, root, run } from './prepare.mjs';
import { runVitest } from './vitest.mjs';

answerHelp(`Usage: npm run test:citus [-- FILE…]

Runs tests of the server on a distributed database: those in server/citus/files.ts, or any whose path holds one of the
words.

The cluster is the one whose superuser CITUS_URL names, with a database that has the extension and knows the servers.
Without it, the program shared/citus/cluster beside the checkout, or above it, starts one for the run. If there is
neither, nothing is tested, and a line says so.`);

checkNode();
try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function main() {
  const stop = new AbortController();
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  // A killed shell or npm gives no signal.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop.abort(), 500).unref();
  if (process.env.CITUS_URL) return tests(process.env.CITUS_URL, undefined, stop.signal);
  const cluster = program(root);
  if (!cluster)
    return skipped('CITUS_URL is not set, and there is no shared/citus/cluster beside the checkout');
  if (process.getuid?.() !== 0) return skipped(`${cluster} starts servers as root only`);
  const port = await freePorts();
  const folder = join(tmpdir(), `caseway-citus-${process.pid}`);
  const at = [String(port), folder];
  try {
    const { code: unready, output } = await run(cluster, ['up', ...at], { quiet: true });
    if (unready !== 0)
      return skipped(
        `${cluster} starts no servers: ${output.trim().split('\n').at(-1) || 'it does not say why'}`,
      );
    if (stop.signal.aborted) return 130;
    const url = `postgres://postgres@127.0.0.1:${port}/caseway`;
    return await tests(url, `${cluster} ${port} ${folder}`, stop.signal);
  } finally {
    await run(cluster, ['down', ...at], { quiet: true });
    await rm(folder, { recursive: true, force: true });
  }
}

async function tests(url, program, signal) {
  await installIfMissing();
  const began = Date.now();
  const config = join(root, 'server/citus/vitest.config.ts');
  const named = process.argv.slice(2);
  // The tests' files, which a stopped runner leaves behind. PostgreSQL's account enters the folder.
  const scratch = await mkdtemp(join(tmpdir(), 'caseway-citus-tests-'));
  await chmod(scratch, 0o711);
  const { passed, failed } = await runVitest(
    'citus',
    ['--config', config, ...named],
    {
      CITUS_URL: url,
      CITUS_PROGRAM: program,
      CITUS_NAMED: named.length > 0 ? 'yes' : undefined,
      TMPDIR: scratch,
    },
    signal,
  ).finally(() => rm(scratch, { recursive: true, force: true, maxRetries: 10 }));
  if (signal.aborted) return 130;
  console.log(`On Citus, in ${Math.round((Date.now() - began) / 1000)} s:`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

function skipped(why) {
  console.log(`The tests on Citus were skipped: ${why}.`);
  return 0;
}

/** The program that starts a cluster, beside the checkout or beside a folder that contains it. */
function program(folder) {
  const above = dirname(folder);
  if (above === folder) return undefined;
  const path = join(above, 'shared/citus/cluster');
  return existsSync(path) ? path : program(above);
}

/** The first of six free ports: the test that stops servers starts three more after these three. */
async function freePorts() {
  for (let port = 9750; port < 9900; port += 10) {
    const used = await Promise.all(Array.from({ length: 6 }, (_, n) => isUsed(port + n)));
    if (!used.includes(true)) return port;
  }
  throw new Error('There are no free ports for a cluster from 9750 to 9900.');
}

function isUsed(port) {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
