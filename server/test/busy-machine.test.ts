import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/*
 * Tests run in parallel and beside a browser, so now and then each gets no processor time for seconds. Waiting for
 * something that only has to happen uses the configured time limit.
 */

const root = join(import.meta.dirname, '..');
const files = globSync(['{src,seeds,test,citus}/**/*.ts', '../{contract,web}/src/**/*.test.{ts,tsx}'], {
  cwd: root,
})
  .filter(
    (path) => /\.test\.tsx?$|^(test|citus)\/|\/test-/.test(path) && !path.endsWith('busy-machine.test.ts'),
  )
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** The places of a pattern whose number `isWrong` refuses. */
function found(pattern: RegExp, isWrong: (number: number) => boolean): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)]
      .filter(([, number = '0']) => isWrong(Number(number.replaceAll('_', ''))))
      .map(({ index, 0: what }) => `${path}:${text.slice(0, index).split('\n').length} ${what}`),
  );
}

it('does not fail tests that wait for something to happen', () => {
  expect(files.length).toBeGreaterThan(200);
  // It gives up after a second.
  expect(found(/vi\.wait(?:For|Until)\(/g, () => true)).toEqual([]);
  // For `expect.poll`, which otherwise waits for two minutes.
  expect(
    found(
      /\{\s*(?:interval: [\d_]+,\s*)?timeout: ([\d_]+),?(?:\s*interval: [\d_]+,?)?\s*\},?\s*\)/g,
      (ms) => ms < 120_000,
    ),
  ).toEqual([]);
  // For a test or a hook.
  expect(found(/^ *\},? ?\n? *([\d_]{4,}),?\n?\);/gm, (ms) => ms < 300_000)).toEqual([]);
});

it('does not fail tests of how long something takes', () => {
  expect(found(/expect[^\n]*\.now\(\) - [^\n]*\.toBeLessThan\(([\d_]+)\)/g, (ms) => ms < 25_000)).toEqual([]);
});
