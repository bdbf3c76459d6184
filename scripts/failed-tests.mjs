// A reporter of Vitest: what failed, and what differed, which its JSON report leaves out.
import { writeFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';

export default class FailedTests {
  /** Writes a list of `{ names, message }` to the file in FAILED_TESTS. */
  async onTestRunEnd(modules, unhandled) {
    const failed = unhandled.map((error) => ({ names: [], message: said(error) }));
    for (const module of modules) {
      const add = (errors, ...names) => {
        for (const error of errors)
          failed.push({ names: [module.relativeModuleId, ...names], message: said(error) });
      };
      add(module.errors());
      for (const suite of module.children.allSuites()) add(suite.errors(), suite.fullName);
      for (const test of module.children.allTests('failed')) add(test.result().errors, test.fullName);
    }
    await writeFile(process.env.FAILED_TESTS, JSON.stringify(failed));
  }
}

function said({ message, diff, stacks = [] }) {
  const places = stacks.map(({ file, line, column }) => `at ${file}:${line}:${column}`);
  return stripVTControlCharacters([message, ...(diff ? [diff] : []), ...places].join('\n'));
}
