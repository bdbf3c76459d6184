// npm start: installs and builds what is missing, then runs the server until it is asked to end.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerHelp, buildWeb, checkNode, install, refuseOthers, root } from './prepare.mjs';
import { serve } from './serve.mjs';

answerHelp(`Usage: npm start [-- --version]

Installs, builds and serves Caseway at http://localhost:8080 until Ctrl-C or SIGTERM. The settings are variables of the
environment, as PORT=9000 npm start; they are in .env.example.`);
refuseOthers(['--version']);
if (process.argv.includes('--version')) {
  console.log(`Caseway ${JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version}`);
  process.exit();
}
checkNode();
try {
  await install();
  await buildWeb();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
serve();
