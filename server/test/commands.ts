import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startChild } from './child.ts';

export const root = resolve(import.meta.dirname, '../..');

/** The lines of `scripts` in the repository's package.json. */
export const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Every command that a script of this repository is; `format` is another program's. */
export const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /^(?:exec )?node (?:scripts\/command\.mjs )?(\S+)$/.exec(line) ?? [];
  return file ? [{ name, file: join(root, file) }] : [];
});

/** The settings of a test's program, if it is given no others. */
export const bare = {
  PATH: process.env.PATH,
  // What is not about several processes starts one: each loads the whole program.
  WORKERS: '1',
  // Compiled modules are cached, as with `npm start`; a program then starts in half the time.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
};

/** Runs a command as npm does, with these settings and no others, and returns its exit code and output. */
export async function runCommand(
  file: string,
  args: string[],
  environment: Record<string, string> = {},
  cwd?: string,
): Promise<{ code: number; out: string; err: string }> {
  const child = startChild(process.execPath, [file, ...args], {
    cwd,
    env: { ...bare, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code: code as number, ...said };
}
