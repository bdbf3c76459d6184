// Compares the documents' statements about the repository with the repository.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { root } from './prepare.mjs';

const places = ['contract/src', 'server', 'web/src', 'e2e', 'bench', 'scripts'];

/**
 * Tags such as `[S4.9, P3]` name a requirement or a promise, each promise names tests that have its tag, decision
 * records are numbered and titled consistently, links between documents lead somewhere, and steps name existing
 * files.
 * @returns {Promise<{ code: number, output: string }>} One line for each fault.
 */
export async function documents() {
  const faults = [...(await tags()), ...(await decisions()), ...(await links()), ...(await steps())];
  return { code: faults.length > 0 ? 1 : 0, output: faults.join('\n') };
}

/** Letters and a number; this also matches tags that name nothing here, such as numbers of another list. */
const tagged = /\[([A-Z]+\d+(?:\.\d+)?(?:, [A-Z]+\d+(?:\.\d+)?)*)\]/g;

async function tags() {
  const spec = await text('docs/spec/requirements.md');
  const promises = await rowsOf('docs/promises.md');
  const known = new Set([
    ...promises.map(({ promise }) => promise),
    ...numbersIn(spec, /\b(S\d+\.\d+) [=→]/g),
    ...numbersIn(spec, /^## (S\d+)/gm),
  ]);
  /** The tests that have each tag. */
  const tested = new Map();
  const faults = [];
  for (const file of await filesOf(places, /\.(ts|tsx|mjs|sql)$/)) {
    const test = /\.(test|spec)\.tsx?$/.test(file);
    for (const [, list] of (await text(file)).matchAll(tagged))
      for (const tag of list.split(', ')) {
        if (!known.has(tag)) faults.push(`${file}: [${tag}] is not in docs/promises.md or docs/spec`);
        if (test) tested.set(tag, (tested.get(tag) ?? new Set()).add(file));
      }
  }
  for (const { promise, tests, gap } of promises) {
    if (tests.length === 0) faults.push(`docs/promises.md: ${promise} names no test`);
    for (const file of tests)
      if (!tested.get(promise)?.has(file))
        faults.push(`docs/promises.md: there is no test ${file} with [${promise}]`);
    if (!gap) faults.push(`docs/promises.md: ${promise} does not say what no test holds`);
  }
  return faults;
}

/** The promises of a page: a table with number, sentences, tests and what no test covers. */
async function rowsOf(page) {
  return (await text(page)).split('\n').flatMap((line) => {
    const [, promise, , tests = '', gap = ''] = line.split('|').map((cell) => cell.trim());
    return /^P\d+$/.test(promise ?? '')
      ? [{ promise, tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file), gap }]
      : [];
  });
}

async function decisions() {
  const faults = [];
  const taken = new Set();
  for (const name of await readdir(join(root, 'docs/decisions'))) {
    const [first] = (await text(`docs/decisions/${name}`)).split('\n', 1);
    const number = Number(name.slice(0, 4));
    if (taken.has(number)) faults.push(`docs/decisions/${name}: the number ${number} is taken`);
    taken.add(number);
    if (!first.startsWith(`# ${number}. `))
      faults.push(`docs/decisions/${name}: the title begins with "# ${number}. "`);
  }
  return faults;
}

async function links() {
  const faults = [];
  const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...(await filesOf(['docs'], /\.md$/)),
  ];
  for (const page of pages)
    for (const [, target] of (await text(page)).matchAll(/\]\(([^)#\s]+)[^)]*\)/g))
      if (!/^\w+:/.test(target) && !existsSync(join(root, dirname(page), target)))
        faults.push(`${page}: ${target} does not exist`);
  return faults;
}

/** Files that a page of docs/how-to names; `<id>` and `{en,es}` stand for several. */
async function steps() {
  const faults = [];
  for (const page of await filesOf(['docs/how-to'], /\.md$/))
    for (const [, path] of (await text(page)).matchAll(
      /`((?:contract|server|web|docs|scripts)\/[\w./-]+\.\w+)`/g,
    ))
      if (!existsSync(join(root, path))) faults.push(`${page}: ${path} does not exist`);
  return faults;
}

const text = (path) => readFile(join(root, path), 'utf8');

const numbersIn = (page, pattern) => [...page.matchAll(pattern)].map(([, number]) => number);

async function filesOf(folders, pattern) {
  const found = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile() && pattern.test(entry.name))
        .map((entry) => relative(root, join(entry.parentPath, entry.name))),
    ),
  );
  return found.flat().filter((file) => !/(^|\/)(node_modules|dist)\//.test(file));
}
