import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { format } from 'node:util';
import { vi } from 'vitest';
import { startChild } from './child.ts';

export const root = resolve(import.meta.dirname, '../..');

/** The lines of `scripts` in the repository's package.json. */
export const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Every command that is a script of this repository; `format` is another program. */
export const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /^(?:exec )?node (?:scripts\/command\.mjs )?(\S+)$/.exec(line) ?? [];
  return file ? [{ name, file: join(root, file) }] : [];
});

/** The default settings of a program in a test. */
export const bare = {
  PATH: process.env.PATH,
  // One process is enough unless the test is about several, because each loads the whole program.
  WORKERS: '1',
  // Compiled modules are cached, as with `npm start`; a program then starts in half the time.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
};

/** Runs a command like npm, with only these settings, and returns its exit code and output. */
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

let runs = 0;

/**
 * Runs a command in the test's own process, which costs a tenth of a separate one. Its output is the same, but only
 * from outside one can see that a process ends and what the log prints. One at a time, because arguments and
 * settings belong to the process.
 */
export async function runHere(
  file: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const { argv, env, exitCode } = process;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const listening = new Set(signals.flatMap((signal) => process.listeners(signal)));
  const said = { out: '', err: '' };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((...given) => {
      said.out += `${format(...given)}\n`;
    }),
    vi.spyOn(console, 'error').mockImplementation((...given) => {
      said.err += `${format(...given)}\n`;
    }),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said.out += String(text);
      return true;
    }),
  ];
  process.argv = [process.execPath, file, ...args];
  process.env = { ...bare, ...environment };
  process.exitCode = undefined;
  try {
    runs += 1;
    // The module is the command, and an imported module is not evaluated again.
    await import(`${file}?run=${runs}`);
    return { code: Number(process.exitCode ?? 0), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const signal of signals)
      for (const listener of process.listeners(signal))
        if (!listening.has(listener)) process.off(signal, listener);
    Object.assign(process, { argv, env, exitCode });
  }
}
