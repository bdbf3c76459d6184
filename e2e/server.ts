import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** A port nobody listens on right now. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Starts the product as a user would have it, with its demo, in a data folder of its own; returns how to end it. */
export default async function startServer(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'caseway-e2e-'));
  // The database runs as another account when root starts it, and has to get through.
  await chmod(dataDir, 0o711);
  const port = await freePort();
  const server = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (output += data));
  const exited = new Promise<number | null>((resolve) => server.once('exit', resolve));

  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 120_000;
  for (;;) {
    const ready = await fetch(`${url}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) break;
    if (server.exitCode !== null || Date.now() > deadline)
      throw new Error(`the server did not get ready:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  process.env.CASEWAY_E2E_URL = url;
  process.env.CASEWAY_E2E_DATA_DIR = dataDir;

  return async () => {
    server.kill('SIGTERM');
    const code = await Promise.race([
      exited,
      new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), 20_000)),
    ]);
    if (code === 'late') server.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`the server ended with ${code}:\n${output}`);
  };
}
