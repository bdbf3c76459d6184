// What failed in the newest reports, in a few lines each: the output of a run is too long to be read to its end.
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reportFolder, root } from './prepare.mjs';

const lines = 12;

/**
 * @param {string[]} reports names of JSON reports of Vitest's or Playwright's. One that is not there counts as empty.
 * @returns {Promise<string[]>} for each test that failed its file, its name and the beginning of its error
 */
export async function failures(reports) {
  const found = [];
  for (const name of reports) {
    const path = join(await reportFolder(), `${name}.json`);
    const report = await readFile(path, 'utf8').then(JSON.parse, () => ({}));
    for (const file of report.testResults ?? []) found.push(...ofFile(name, file));
    for (const suite of report.suites ?? []) found.push(...ofSuite(name, suite, []));
    for (const error of report.errors ?? []) found.push(told(name, [], error.message));
  }
  return found;
}

/** One file of Vitest's. A file that could not be read has a message and no test. */
function ofFile(report, { name, status, message, assertionResults }) {
  const failed = assertionResults.filter((one) => one.status === 'failed');
  const file = relative(root, name);
  if (failed.length === 0 && status === 'failed') return [told(report, [file], message)];
  return failed.map((one) => told(report, [file, one.fullName], one.failureMessages.join('\n')));
}

/** A file of Playwright's, or a group of tests in it. */
function ofSuite(report, suite, above) {
  const names = [...above, suite.title];
  const tests = (suite.specs ?? []).flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) =>
        told(
          report,
          [...names, spec.title],
          results
            .flatMap(({ errors }) => errors)
            .map(({ message }) => message)
            .join('\n'),
        ),
      ),
  );
  return [...tests, ...(suite.suites ?? []).flatMap((inner) => ofSuite(report, inner, names))];
}

function told(report, names, message = '') {
  const said = message.split('\n').filter((line) => line.trim());
  const shown = said.slice(0, lines).map((line) => `    ${line}`);
  return [`✗ ${[report, ...names].join(' › ')}`, ...shown].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const failure of await failures(['vitest', 'stories', 'screens', 'citus'])) console.log(failure);
