// npm run test:full: npm test with the full loads (server/test/load.ts), before a release and at night.
import { answerHelp } from './prepare.mjs';

answerHelp(
  'Usage: npm run test:full\n\nRuns what npm test runs, with more of everything: all languages, sizes and rounds.',
);
process.env.CASEWAY_TEST_LOAD = 'full';
await import('./test.mjs');
