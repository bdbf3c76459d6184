// npm run build: only the web client, into web/dist.
import { answerHelp, buildWeb, checkNode, install, refuseOthers } from './prepare.mjs';

answerHelp('Usage: npm run build\n\nBuilds the web client into web/dist.');
refuseOthers();
checkNode();
try {
  await install();
  await buildWeb();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
