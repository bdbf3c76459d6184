// npm run NAME, for the commands of the server: installs missing packages first, and uses the Node of this
// repository.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkNode, installIfMissing, node, root } from './prepare.mjs';

const file = resolve(root, process.argv[2] ?? '');
checkNode();
try {
  await installIfMissing();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
if (realpathSync(node) === realpathSync(process.execPath)) {
  process.argv.splice(1, 2, file);
  await import(pathToFileURL(file).href);
} else {
  const child = spawn(node, [file, ...process.argv.slice(3)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => process.exit(code ?? (signal ? 143 : 1)));
}
