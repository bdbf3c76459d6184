import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');

/** A data folder for one product, and a function that removes it. */
export async function dataFolder(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'caseway-e2e-'));
  // Started by root, the database runs as another account, which needs access.
  await chmod(dataDir, 0o711);
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

/** Creates the demo in a data folder, with a quarter of its results. */
export async function makeSmallDemo(dataDir: string): Promise<void> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'warn' };
  await promisify(execFile)(process.execPath, ['server/test/small-demo.ts'], { cwd: root, env });
}

/** The product as users run it, in a separate process. */
export class Product {
  readonly url: string;
  readonly #server: ChildProcess;
  readonly #exited: Promise<number | null>;
  #output = '';

  private constructor(dataDir: string, port: number, env: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    const server = spawn(process.execPath, ['server/src/main.ts'], {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: '',
        LOG_LEVEL: 'warn',
        WORKERS: '1',
        // Everyone in the stories comes from one network.
        ANONYMOUS_PER_MINUTE: '1000',
        // Other tests run at the same time. How fast a list must be is for dedicated tests.
        LIST_SECONDS: '60',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (data) => {
        this.#output += data;
      });
    this.#exited = new Promise((resolve) => server.once('exit', resolve));
    this.#server = server;
  }

  /** Starts it, and waits until it is ready. */
  static async start(dataDir: string, port: number, env: Record<string, string> = {}): Promise<Product> {
    const product = new Product(dataDir, port, env);
    const deadline = Date.now() + 600_000;
    for (;;) {
      const ready = await fetch(`${product.url}/health/ready`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (ready) return product;
      if (product.#server.exitCode !== null || Date.now() > deadline)
        throw new Error(`the server did not get ready:\n${product.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  /** Kills its process without warning. */
  async kill(): Promise<void> {
    this.#server.kill('SIGKILL');
    await this.#exited;
  }

  /** Stops it as Ctrl-C does. Throws if it did not end cleanly. */
  async stop(): Promise<void> {
    this.#server.kill('SIGTERM');
    const code = await Promise.race([
      this.#exited,
      new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), 120_000)),
    ]);
    if (code === 'late') this.#server.kill('SIGKILL');
    if (code !== 0) throw new Error(`the server ended with ${code}:\n${this.#output}`);
  }
}
