// A process that makes the demo in the data folder of its settings, with a quarter of its results: a server that starts
// there afterwards finds it made.
import { fillDemo } from '../seeds/demo/fill.ts';
import { withDatabase } from '../src/commands/command.ts';
import { loadConfig } from '../src/config.ts';

await withDatabase(
  ({ database }) =>
    fillDemo(database, {
      demo: { patients: 6000, results: 15_000, cases: 6000 },
      vendor: { patients: 400, results: 1000, cases: 80 },
    }),
  { config: loadConfig() },
);
