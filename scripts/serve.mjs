import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { node, root } from './prepare.mjs';

/**
 * Runs the server until it ends, and ends with its exit code. Every signal is passed on; the server handles repeated
 * ones. Under npm, the server also ends when npm has ended.
 */
export function serve() {
  const server = spawn(node, ['server/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: process.env.NODE_ENV ?? 'production',
      // DuckDB's statements occupy threads of this pool, and files, hashes and names need some at the same time.
      UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? '8',
      // Stripped and compiled modules are cached, which halves the time to load the program at a start.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node'),
    },
    // In its own process group, so that Ctrl-C reaches it once, through here. The channel tells it if this process
    // dies.
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  server.once('error', (error) => {
    console.error(`The server could not be started: ${error.message}`);
    process.exit(1);
  });
  server.once('exit', (code, signal) => process.exit(code ?? (signal ? 143 : 1)));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));

  // npm passes signals on, but it may be killed without one.
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      server.kill('SIGTERM');
    }, 500);
    watch.unref();
  }
}
