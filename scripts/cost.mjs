// The cost of a test run: its slowest files, and processor time per thousand lines of product.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportFolder, root } from './prepare.mjs';

const shown = 10;

/**
 * @param {string[]} reports names of reports of Vitest's or Playwright's
 * @returns {Promise<string>} the files that took longest, in seconds of the wall clock
 */
export async function slowest(reports) {
  const files = (await Promise.all(reports.map(filesOf))).flat();
  const first = files.toSorted((a, b) => b.ms - a.ms).slice(0, shown);
  return [
    `The slowest of ${files.length} files:`,
    ...first.map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`),
  ].join('\n');
}

async function filesOf(name) {
  const read = async (report) =>
    readFile(join(await reportFolder(), `${report}.json`), 'utf8').then(JSON.parse, () => ({}));
  const [{ files = [] }, { suites = [] }] = [await read(`${name}-more`), await read(name)];
  return [...files, ...suites.map((suite) => ({ file: `${name}: ${suite.file}`, ms: timeOf(suite) }))];
}

/** How long the tests of a Playwright file, or of a group in it, took. */
const timeOf = ({ specs = [], suites = [] }) =>
  [
    ...specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
    ...suites.map(timeOf),
  ].reduce((sum, ms) => sum + ms, 0);

/**
 * Processor time of ended child processes, in total and per thousand lines of the product. Other work of the machine
 * changes it little, so that runs of different days can be compared.
 * @returns {Promise<string | undefined>} nothing if the system does not report it
 */
export async function processorTime() {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => undefined);
  if (!stat) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Of ended children, in user and system mode, in hundredths of a second.
  const seconds = (Number(fields[13]) + Number(fields[14])) / 100;
  const lines = await linesOfProduct();
  return `${Math.round(seconds)} s of processor time, ${((1000 * seconds) / lines).toFixed(1)} s for each 1,000 of ${lines} lines of product`;
}

async function linesOfProduct() {
  let lines = 0;
  for (const folder of ['contract/src', 'server/src', 'web/src'])
    for (const name of await readdir(join(root, folder), { recursive: true }))
      if (/\.tsx?$/.test(name) && !/\.test\.tsx?$|(^|\/)test[-/]/.test(name))
        lines += (await readFile(join(root, folder, name), 'utf8')).split('\n').length - 1;
  return lines;
}
