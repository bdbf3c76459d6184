// A process that makes the demo in the data folder of its settings, with a quarter of its results, or with as many
// as its argument says. A server that starts there afterwards finds the finished demo.
import { fillDemo } from '../seeds/demo/fill.ts';
import { withDatabase } from '../src/commands/command.ts';
import { loadConfig } from '../src/config.ts';

const results = Number(process.argv[2] ?? 15_000);
const most = (number: number) => Math.min(number, results);
await withDatabase(
  ({ database }) =>
    fillDemo(database, {
      demo: { patients: results * 0.4, results, cases: results * 0.4 },
      vendor: { patients: most(400), results: most(1000), cases: most(80) },
    }),
  { config: loadConfig() },
);
