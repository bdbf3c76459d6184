// npm run check: all checks of the code that do not run it. Each check counts as one.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { documents } from './documents.mjs';
import { answerHelp, checkNode, install, node, refuseOthers, root, run } from './prepare.mjs';

/** Licences that packages in the product may have. */
const licences = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'CC-BY-4.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'PostgreSQL',
  'MPL-2.0',
];

const tool =
  (path, ...args) =>
  () =>
    run(node, [join(root, 'node_modules', path), ...args], { quiet: true });
// By default four checkers share the files, and each instantiates most of the types again: three times the total
// work.
const compiler = (workspace, ...args) =>
  tool('typescript/bin/tsc', '-p', workspace, '--checkers', '1', ...args);
const types = (workspace) => [`types of ${workspace}`, compiler(workspace)];

/** How many types the contract may instantiate. Declarations that infer too much make every check and editor slow. */
const typeBudget = 513_000;

/** Checks the types of the contract and their number. */
async function contractTypes() {
  const { code, output } = await compiler('contract', '--extendedDiagnostics')();
  if (code !== 0) return { code, output };
  const instantiated = Number(/^Instantiations:\s+(\d+)$/m.exec(output)?.[1] ?? Number.NaN);
  if (instantiated <= typeBudget) return { code, output };
  return {
    code: 1,
    output: `the types of the contract instantiate ${instantiated}, more than ${typeBudget}: write out a type that is inferred, or raise typeBudget in scripts/check.mjs and say why in the commit`,
  };
}

/** @type {[name: string, check: () => Promise<{ code: number, output: string }>][]} */
export const checks = [
  ['types of contract', contractTypes],
  ...['server', 'web', 'e2e'].map(types),
  ['format and lint', tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.')],
  [
    'import law',
    tool(
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err',
      'contract',
      'server',
      'web/src',
      'e2e',
    ),
  ],
  ['dead code', tool('knip/bin/knip.js', '--no-progress')],
  [
    'licences',
    tool(
      'license-checker-rseidelsohn/bin/license-checker-rseidelsohn.js',
      '--production',
      '--excludePrivatePackages',
      '--onlyAllow',
      licences.join(';'),
      '--summary',
    ),
  ],
  ['lock file', lockFile],
  ['migrations', migrations],
  ['documents', documents],
];

/** People who clone the repository install from their own registry. */
async function lockFile() {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const bound = Object.entries(lock.packages).filter(([, { resolved }]) => /^\w+:/.test(resolved ?? ''));
  return {
    code: bound.length > 0 ? 1 : 0,
    output: bound.map(([name]) => `${name} names the host it came from`).join('\n'),
  };
}

/** Work that lands side by side can use the same migration number, and then no server would start. */
function migrations() {
  const read = "import('./server/src/platform/db/migrate.ts').then((it) => it.readMigrations())";
  return run(node, ['-e', read], { quiet: true });
}

/** Runs every check, prints the results, and the output of failing ones. Returns how many passed and failed. */
export async function runChecks() {
  const count = { passed: 0, failed: 0 };
  for (const [name, check] of checks) {
    const begun = Date.now();
    // A check that cannot run has failed, and the others still run.
    const { code, output } = await check().catch(({ message }) => ({ code: 1, output: message }));
    console.log(`${code === 0 ? '✓' : '✗'} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    if (code === 0) count.passed += 1;
    else {
      count.failed += 1;
      console.log(output.trimEnd().replace(/^/gm, '  '));
    }
  }
  return count;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  answerHelp(
    'Usage: npm run check\n\nChecks types, formatting, lint, import law, dead code, licences, migrations and what the documents refer to.',
  );
  refuseOthers();
  checkNode();
  await install();
  const { passed, failed } = await runChecks();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
