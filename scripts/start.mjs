// npm start: whatever is missing is installed and built, then the server runs until it is asked to end.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildWeb, checkNode, install, node, root } from './prepare.mjs';

checkNode();
try {
  await install();
  await buildWeb();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const server = spawn(node, ['server/src/main.ts'], {
  cwd: root,
  env: {
    ...process.env,
    NODE_ENV: process.env.NODE_ENV ?? 'production',
    // DuckDB's statements hold threads of this pool; files, hashes and names need some at the same time.
    UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? '8',
    // Stripped and compiled modules are kept, which halves the time that a start needs to load the program.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node'),
  },
  // In a group of its own, so that Ctrl-C reaches it once, through here; by the channel it notices if this process dies.
  detached: true,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
server.once('error', (error) => {
  console.error(`The server could not be started: ${error.message}`);
  process.exit(1);
});
server.once('exit', (code, signal) => process.exit(code ?? (signal ? 143 : 1)));

// The terminal and npm both pass Ctrl-C on; what comes within a second is one and the same wish.
let asked = 0;
function pass(signal) {
  if (Date.now() - asked < 1000) return;
  asked = Date.now();
  server.kill(signal);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => pass(signal === 'SIGHUP' ? 'SIGTERM' : signal));

// The shell between npm and this script may not pass a signal on, but it ends by it.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) pass('SIGTERM');
  }, 500).unref();
}
