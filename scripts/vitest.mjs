// Vitest for npm test and npm run test:citus.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { node, reportFolder, root, run } from './prepare.mjs';

/**
 * Runs tests, and counts them. A file that could not be read, and an error outside a test, count as failed too.
 * @param {string} name of the report
 * @param {string[]} [args]
 * @param {Record<string, string | undefined>} [env]
 * @param {AbortSignal} [signal] stops them
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runVitest(name, args = [], env = {}, signal = undefined) {
  const report = join(await reportFolder(), `${name}.json`);
  const more = join(await reportFolder(), `${name}-more.json`);
  await Promise.all([report, more].map((path) => rm(path, { force: true })));
  const { code } = await run(
    node,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      `--reporter=${join(root, 'scripts/report-tests.mjs')}`,
      ...args,
    ],
    { env: { ...env, REPORTED_TESTS: more }, signal },
  );
  const counts = await readFile(report, 'utf8').then(JSON.parse, () => undefined);
  if (!counts) return { passed: 0, failed: 1 };
  const broken = counts.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  ).length;
  return settled({ passed: counts.numPassedTests, failed: counts.numFailedTests + broken }, code);
}

/**
 * If the runner ended with an error without counting one, it counts as one failure.
 * @param {{ passed: number, failed: number }} counts
 * @param {number} code
 */
export function settled({ passed, failed }, code) {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}
