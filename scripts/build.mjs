// npm run build: the web client alone, into web/dist.
import { buildWeb, checkNode, install } from './prepare.mjs';

checkNode();
try {
  await install();
  await buildWeb();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
