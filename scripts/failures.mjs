// The failures in the newest reports, in a few lines each, because the output of a run is too long to read to its
// end.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reportFolder } from './prepare.mjs';

const lines = 30;

/**
 * @param {string[]} reports names of Vitest or Playwright reports; a missing one counts as empty.
 * @returns {Promise<string[]>} for each failed test its file, its name and the beginning of its error
 */
export async function failures(reports) {
  const found = [];
  for (const name of reports) {
    const { failed = [] } = await read(`${name}-more`, {});
    for (const { names, message } of failed) found.push(told(name, names, message));
    const { suites = [], errors = [] } = await read(name, {});
    for (const suite of suites) found.push(...ofSuite(name, suite, []));
    for (const error of errors) found.push(told(name, [], error.message));
  }
  return found;
}

const read = async (name, absent) =>
  readFile(join(await reportFolder(), `${name}.json`), 'utf8').then(JSON.parse, () => absent);

/** A Playwright file, or a group of tests in it. */
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
