// npm run bench [-- NAME …]: measures the figures that the product promises and prints each with its ratio to an
// alternative.
import { analytics } from './analytics.ts';
import { bulk } from './bulk.ts';
import { citus } from './citus.ts';
import { cores } from './cores.ts';
import { print } from './figure.ts';
import { grid } from './grid.ts';
import { importBench } from './import.ts';
import { init } from './init.ts';
import { load } from './load.ts';
import { pages } from './pages.ts';
import { patients } from './patients.ts';
import { policy } from './policy.ts';
import { replica } from './replica.ts';
import { signIn } from './sign-in.ts';
import { start } from './start.ts';
import { strangers } from './strangers.ts';
import { timeline } from './timeline.ts';
import { webSize } from './web-size.ts';

const benches = {
  policy,
  init,
  'sign-in': signIn,
  load,
  cores,
  strangers,
  analytics,
  replica,
  grid,
  patients,
  timeline,
  bulk,
  import: importBench,
  'web-size': webSize,
  pages,
  start,
  citus,
};

const wanted = process.argv.slice(2);
if (wanted.some((argument) => argument === '--help' || argument === '-h')) {
  console.log(
    `Usage: npm run bench [-- NAME …]\n\nNAME is one of ${Object.keys(benches).join(', ')}; all of them unless given.`,
  );
  process.exit();
}
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`,
  );
  process.exit(2);
}
for (const [name, bench] of Object.entries(benches))
  if (wanted.length === 0 || wanted.includes(name)) print(bench.name, await bench.run());
