import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { Account } from './packaged-binaries.ts';

/* What the packaged PostgreSQL needs from the machine: programs, processes, ports. */

/** Where the packaged PostgreSQL listens. */
export const host = '127.0.0.1';

/** Nothing in this process's environment, especially no PG… variable, affects the database. */
export const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/** Runs a program to its end. */
export function run(
  command: string,
  args: string[],
  account: Account | undefined,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...account,
      cwd: '/',
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr!.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Whether a process with this number exists, of any account. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A port that is free at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Whether nobody listens on a port. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
