// What every script needs first, on the machine's Node: installed packages, and the built web client.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

export const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

/** The Node that this repository pins; the machine's own may be older. */
export const node = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

/**
 * Ends the process after --help or -h with how a script is used.
 * @param {string} usage
 */
export function answerHelp(usage) {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return;
  console.log(usage);
  process.exit();
}

/**
 * Ends the process with one clear sentence if it was given options that it would ignore.
 * @param {string[]} known
 */
export function refuseOthers(known = []) {
  const other = process.argv.slice(2).find((argument) => !known.includes(argument));
  if (other === undefined) return;
  console.error(
    `Unknown ${other.startsWith('-') ? 'option' : 'argument'} '${other}'. --help says what it takes.`,
  );
  process.exit(1);
}

/** Ends the process with one clear sentence if the machine's Node is too old. */
export function checkNode() {
  if (Number(process.versions.node.split('.')[0]) >= 20) return;
  console.error(`Caseway needs Node 20 or newer to start; this is ${process.versions.node}.`);
  process.exit(1);
}

/**
 * Runs a program and waits for its end.
 * @param {string} command
 * @param {string[]} args
 * @param {{ quiet?: boolean, aside?: boolean, cwd?: string, env?: Record<string, string | undefined>,
 *   signal?: AbortSignal }} [options] quiet captures its output, aside sends all of it to standard error, signal
 *   stops it, and it has ended when the promise resolves
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { quiet = false, aside = false, cwd = root, env, signal } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd,
      signal,
      stdio: ['ignore', quiet ? 'pipe' : aside ? 2 : 'inherit', quiet ? 'pipe' : 'inherit'],
      env: {
        ...process.env,
        PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
        ...env,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    // A stopped program also reports an error, before it has ended.
    child.once('error', (error) => child.pid ?? done({ code: 127, output: `${command}: ${error.message}` }));
    child.once('close', (code, signal) => done({ code: code ?? (signal ? 128 : 1), output }));
  });
}

/**
 * Installs the packages if there are none, for a command on a fresh clone, without mixing its output with the
 * command's. Existing ones are not changed, because a server may be using them.
 */
export async function installIfMissing() {
  if (existsSync(join(root, 'node_modules/.package-lock.json'))) return;
  await install({ aside: true });
}

/**
 * Installs the packages of package-lock.json, unless that was already done for this version of the file.
 * @param {{ aside?: boolean }} [options] aside reports it on standard error
 */
export async function install({ aside = false } = {}) {
  const stamp = join(root, 'node_modules/.caseway-installed');
  const wanted = createHash('sha256')
    .update(await readFile(join(root, 'package-lock.json')))
    .digest('hex');
  const installed = await readFile(stamp, 'utf8').catch(() => undefined);
  if (installed === wanted && existsSync(node)) return;
  const say = aside ? console.error : console.log;
  say(installed ? 'Installing the packages that changed …' : 'Installing packages, the first time only …');
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [command, ...args] = [
    ...npm,
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const { code } = await run(command, args, { aside, env: { NODE_ENV: undefined } });
  if (code !== 0) throw new Error('The packages could not be installed; npm says why above.');
  await writeFile(stamp, wanted);
}

const webSources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/package.json',
  'web/vite.config.ts',
  'web/prerender.ts',
  'contract/src',
  'package-lock.json',
];

/** Builds the web client into web/dist, unless that was already done from these sources. */
export async function buildWeb() {
  const stamp = join(root, 'node_modules/.caseway-web');
  const page = join(root, 'web/dist/index.html');
  const wanted = await hashOf(webSources);
  if (existsSync(page) && (await readFile(stamp, 'utf8').catch(() => '')) === wanted) return;
  console.log('Building the web client …');
  const { code, output } = await run(node, [join(root, 'node_modules/vite/bin/vite.js'), 'build'], {
    quiet: true,
    cwd: join(root, 'web'),
  });
  if (code !== 0) throw new Error(`The web client could not be built:\n${output}`);
  await compress(join(root, 'web/dist'));
  await writeFile(stamp, wanted);
}

/** A hash of the names and contents of files; a missing file counts as missing. */
async function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const found = await stat(join(root, path)).catch(() => undefined);
    const files = !found ? [] : found.isDirectory() ? await filesIn(join(root, path)) : [join(root, path)];
    hash.update(`${path}\0`);
    for (const file of files) hash.update(`${file.slice(root.length)}\0`).update(await readFile(file));
  }
  return hash.digest('hex');
}

async function filesIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Writes a compressed form next to each text file, which the server sends unchanged. */
async function compress(folder) {
  const texts = (await filesIn(folder)).filter((file) => /\.(js|css|json|svg|txt|webmanifest)$/.test(file));
  for (const file of texts) {
    const content = await readFile(file);
    if (content.length < 1024) continue;
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}

/** An empty folder for the reports of a run. */
export async function reportFolder() {
  const folder = join(root, 'node_modules/.caseway-reports');
  await mkdir(folder, { recursive: true });
  return folder;
}
