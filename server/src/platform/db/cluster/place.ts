import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { dataFolderFault } from '../../words/in-words.ts';

/** The stored state of a cluster, in a file next to it that only its owner can read. */
const clusterState = z.object({
  /** The folder of the cluster: its name in the data folder, or an absolute path outside it. */
  cluster: z.string().min(1),
  /** Where the data folder was when it was last used. */
  folder: z.string().optional(),
  port: z.number().int(),
  superuserPassword: z.string().min(1),
  ownerPassword: z.string().min(1),
  appPassword: z.string().min(1),
  /** Set once initdb has finished. From then on, a missing cluster is a fault and never recreated. */
  created: z.boolean().optional(),
  /** Set once the roles and the database exist. */
  provisioned: z.boolean().optional(),
});
export type ClusterState = z.infer<typeof clusterState>;

export const within = 'postgres';
const stateFile = 'postgres.json';
const elsewhereFile = 'DATABASE-IS-ELSEWHERE.txt';

/**
 * The state file of a data folder; undefined if there is none. Throws one sentence that names it if it cannot be used.
 */
export async function readState(dataDir: string): Promise<ClusterState | undefined> {
  const path = join(dataDir, stateFile);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw dataFolderFault(dataDir, error);
  }
  let state: ClusterState;
  try {
    state = clusterState.parse(JSON.parse(text));
  } catch {
    throw new Error(
      `${path} is damaged. It holds the passwords of the database: put it back from a backup, or choose another DATA_DIR.`,
    );
  }
  // Earlier versions wrote the whole path, which is wrong once the folder has been moved or copied.
  if (isAbsolute(state.cluster) && basename(state.cluster) === within) {
    const before = dirname(state.cluster);
    if (before === dataDir || (await exists(join(dataDir, within))))
      return { ...state, cluster: within, folder: state.folder ?? before };
  }
  return state;
}

/** Writes the state file so that a crash leaves a complete old or new one. */
export async function writeState(dataDir: string, state: ClusterState): Promise<void> {
  const path = join(dataDir, stateFile);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(state, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  const folder = await open(dataDir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export const pathOf = (dataDir: string, { cluster }: ClusterState): string =>
  isAbsolute(cluster) ? cluster : join(dataDir, cluster);

/**
 * Throws if this data folder is a copy that must not run: its database is outside and belongs to the original, or
 * its files were copied while the database ran.
 */
export async function assertOwn(dataDir: string, state: ClusterState): Promise<void> {
  const cluster = pathOf(dataDir, state);
  const outside = isAbsolute(state.cluster);
  const owner = outside ? ((await ownerOf(cluster)) ?? state.folder) : state.folder;
  if (owner === undefined || owner === dataDir || !(await isTwin(owner, dataDir, state))) return;
  if (outside)
    throw new Error(
      `${dataDir} is a copy of ${owner}, and the database of both lies in ${cluster}. Only ${owner} may run it. To have a second one, make a backup there and restore it here with npm run restore.`,
    );
  if (await exists(join(cluster, 'postmaster.pid')))
    throw new Error(
      `${dataDir} is a copy of ${owner} that was made while its database ran, so its files may not fit together. Stop Caseway there and copy it again, or use npm run backup and npm run restore. If it is a snapshot of one moment, remove ${join(cluster, 'postmaster.pid')}.`,
    );
}

/** Whether another folder still has the same state: then this one is a copy, and was not moved. */
async function isTwin(other: string, dataDir: string, state: ClusterState): Promise<boolean> {
  const [there, here] = await Promise.all([stat(other).catch(() => undefined), stat(dataDir)]);
  if (!there || (there.ino === here.ino && there.dev === here.dev)) return false;
  const found = await readState(other).catch(() => undefined);
  return found?.superuserPassword === state.superuserPassword;
}

/** Writes the owner next to a cluster outside its data folder, and the cluster's place in the data folder. */
export async function noteOwner(dataDir: string, cluster: string): Promise<void> {
  await writeFile(
    `${cluster}.owner.json`,
    `${JSON.stringify({ dataFolder: dataDir, what: 'The database files of a Caseway, which hold patient data.' })}\n`,
    { mode: 0o600 },
  );
  await writeFile(
    join(dataDir, elsewhereFile),
    `The database of this folder is not in it, because PostgreSQL does not run as root and only root can enter this folder.
It is in ${cluster}
It holds patient data. Whoever deletes or copies this folder has to think of it: npm run backup takes both.
To have it in here, let other accounts pass through this folder before the first start, or choose a DATA_DIR that they can enter.
`,
    { mode: 0o600 },
  );
}

const ownerOf = async (cluster: string): Promise<string | undefined> => {
  const text = await readFile(`${cluster}.owner.json`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return (JSON.parse(text) as { dataFolder?: string }).dataFolder;
  } catch {
    return undefined;
  }
};

/**
 * Warns about database files in a place that belong to a deleted data folder: patient data that nobody is
 * responsible for. If the files are gone too, the note of their owner is removed without a warning.
 */
export async function warnOfOrphans(place: string, log: Logger): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    if (!name.endsWith('.owner.json')) continue;
    const cluster = join(place, name.slice(0, -'.owner.json'.length));
    const dataFolder = await ownerOf(cluster);
    // While a database is being created, its data folder already has its state file.
    const gone = dataFolder !== undefined && !(await exists(join(dataFolder, stateFile)));
    if (!gone) continue;
    if (!(await exists(cluster))) await rm(join(place, name), { force: true });
    else
      log.warn(
        { cluster, dataFolder },
        'database files with patient data belong to a data folder that is gone; delete them when they are not needed',
      );
  }
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
