import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { calledFrom } from './called-from.ts';

/* Checks a command's files before the database, so that a wrong name is reported immediately. */

/** The path of a file to read. Throws one clear sentence if it cannot be read. */
export async function fileToRead(name: string): Promise<string> {
  const path = resolve(calledFrom, name);
  const found = await stat(path);
  if (found.isDirectory()) throw new Error(`${path} is a folder; name a file.`);
  await access(path, constants.R_OK);
  return path;
}

/**
 * The path of a file to write. Throws one clear sentence if something already exists there, or it cannot be written.
 */
export async function fileToWrite(name: string): Promise<string> {
  const path = resolve(calledFrom, name);
  const found = await stat(path).catch(ifMissing);
  if (found?.isDirectory()) throw new Error(`${path} is a folder; name a file.`);
  await assertFolder(dirname(path));
  await access(found ? path : dirname(path), constants.W_OK);
  return path;
}

/** The path of a file to write that must not exist yet. */
export async function newFile(name: string): Promise<string> {
  const path = resolve(calledFrom, name);
  if (await stat(path).catch(ifMissing)) throw new Error(`${path} is there already; choose another name.`);
  return fileToWrite(path);
}

/** The path of a folder to write into, which is created when something is written. */
export async function folderToWrite(name: string): Promise<string> {
  const path = resolve(calledFrom, name);
  let above = path;
  while (!(await stat(above).catch(ifMissing)) && above !== dirname(above)) above = dirname(above);
  if (!(await stat(above)).isDirectory()) throw new Error(`${above} is no folder; name another.`);
  await access(above, constants.W_OK);
  return path;
}

async function assertFolder(path: string): Promise<void> {
  const found = await stat(path).catch(ifMissing);
  if (!found?.isDirectory()) throw new Error(`There is no folder ${path}.`);
}

/** If a part of the path is a file, the file is missing too. */
function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
