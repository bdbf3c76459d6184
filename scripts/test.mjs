// npm test: the build and then, in parallel, the checks, every Vitest project, the stories and every screen in a
// real browser. At the end it prints the cost, and the last line sums it up. scripts/full.mjs does the same with the
// full loads.
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { processorTime, slowest } from './cost.mjs';
import { failures } from './failures.mjs';
import { useMemory } from './memory-folder.mjs';
import { answerHelp, buildWeb, checkNode, install, node, reportFolder, root, run } from './prepare.mjs';
import { runVitest, settled } from './vitest.mjs';

answerHelp('Usage: npm test\n\nRuns the checks and every test; the last line sums them up.');
const total = { passed: 0, failed: 0 };
const told = [];
const reports = ['vitest', 'stories', 'screens'];
/** Detected, and installed, once. */
let chromiumThere;
const add = ({ passed, failed }) => {
  total.passed += passed;
  total.failed += failed;
};

checkNode();
// Cached for every process of every runner, which would otherwise compile the same modules again.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node');
// Memory that glibc returned to the system is requested again by DuckDB's next statement, which takes a tenth of its
// time.
process.env.MALLOC_MMAP_THRESHOLD_ ??= String(64 * 2 ** 20);
process.env.MALLOC_TRIM_THRESHOLD_ ??= String(2 ** 30);
try {
  await install();
  add(await step('the web client is built', buildWeb));
  const forget = await useMemory();
  // Each leaves a core idle half of the time. The browser's results are reported when all have ended.
  const browser = ['stories', 'screens'].map(inBrowser);
  for (const counts of await Promise.all([runChecks(), runVitest('vitest'), ...browser])) add(counts);
  await forget();
  for (const output of told) console.log(output);
  for (const failure of await failures(reports)) console.log(failure);
  console.log(await slowest(reports));
} catch (error) {
  console.error(error.message);
  total.failed += 1;
}
const cost = await processorTime();
if (cost) console.log(cost);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

/** A step that counts as one. */
async function step(name, work) {
  try {
    await work();
    console.log(`✓ ${name}`);
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.log(`✗ ${name}\n${error.message}`);
    return { passed: 0, failed: 1 };
  }
}

/** One Playwright project, in the system's Chromium. A story that passes only on a retry has failed. */
async function inBrowser(project) {
  chromiumThere ??= findChromium();
  const chromium = await chromiumThere;
  if (!chromium) {
    console.log(
      `✗ ${project}: Chromium is missing. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.`,
    );
    return { passed: 0, failed: 1 };
  }
  const report = join(await reportFolder(), `${project}.json`);
  await rm(report, { force: true });
  const { code, output } = await run(
    node,
    [
      join(root, 'node_modules/@playwright/test/cli.js'),
      'test',
      '--config',
      'e2e/playwright.config.ts',
      '--project',
      project,
    ],
    { quiet: true, env: { CHROMIUM_PATH: chromium, E2E_JSON: report } },
  );
  told.push(output);
  const counts = await readFile(report, 'utf8').then(JSON.parse, () => undefined);
  if (!counts) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky } = counts.stats;
  return settled({ passed: expected, failed: unexpected + flaky }, code);
}

async function findChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const found = async () => {
    if (process.env.CHROMIUM_PATH && existsSync(process.env.CHROMIUM_PATH)) return process.env.CHROMIUM_PATH;
    for (const name of names) {
      const { code, output } = await run('/bin/sh', ['-c', `command -v ${name}`], { quiet: true });
      if (code === 0) return output.trim();
    }
    return undefined;
  };
  const there = await found();
  if (there || process.getuid?.() !== 0) return there;
  console.log('Installing Chromium …');
  await run(
    '/bin/sh',
    ['-c', 'apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium'],
    { quiet: true },
  );
  return found();
}
