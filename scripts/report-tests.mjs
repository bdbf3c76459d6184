// A Vitest reporter for what the JSON report leaves out.
import { writeFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';

export default class ReportTests {
  /**
   * Writes `{ failed, files }` to the file in REPORTED_TESTS: the failures with their differences, and how long each
   * file took, including the time before its first test.
   */
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
    const files = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic();
      return { file: `${module.project.name}: ${module.relativeModuleId}`, ms: collectDuration + duration };
    });
    await writeFile(process.env.REPORTED_TESTS, JSON.stringify({ failed, files }));
  }
}

function said({ message, diff, stacks = [] }) {
  const places = stacks.map(({ file, line, column }) => `at ${file}:${line}:${column}`);
  return stripVTControlCharacters([message, ...(diff ? [diff] : []), ...places].join('\n'));
}
