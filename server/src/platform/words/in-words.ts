import { awayServer } from '../db/away-server.ts';

/** Why a file or folder cannot be used, by the operating system's error code. */
const ofFiles: Record<string, string> = {
  ENOENT: 'it is not there',
  EEXIST: 'there is something else of that name',
  ENOTDIR: 'a part of its path is a file and no folder',
  EISDIR: 'it is a folder',
  EACCES: 'this account may not use it',
  EPERM: 'this account may not use it',
  EROFS: 'its disk can only be read',
  ENOSPC: 'there is no room left on its disk',
  EDQUOT: 'this account has no room left on its disk',
  EFBIG: 'it would be larger than its disk, or this account, may have it',
  EIO: 'its disk cannot be read or written',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'this process has too many files open',
  ENFILE: 'this machine has too many files open',
};

/** The meaning of a code of the database (SQLSTATE) or of its connection, and what to do. */
const ofDatabase: [RegExp, string][] = [
  [/^53100$/, 'The disk of the database is full. Make room there, and try again.'],
  [/^53300$/, 'The database takes no more connections. Try again, or raise its max_connections.'],
  [
    /^(57P0\d|08\w{3}|ECONNRESET|ECONNREFUSED|EPIPE)$/,
    'The connection to the database was lost. See that it runs, and try again.',
  ],
  [/^25006$/, 'The database can only be read: it is a standby, or was set so. Set DATABASE_URL to another.'],
  [/^(55P03|57014|40P01)$/, 'Something else holds the database for too long. Try again later.'],
];

interface Said {
  code?: string;
  path?: string;
  message: string;
}

/** Why a file or folder cannot be used, as the end of a sentence; undefined for any other error. */
const fileFault = (error: unknown): string | undefined => ofFiles[(error as Said).code ?? ''];

/** Why a data folder cannot be used, in one sentence. */
export const dataFolderFault = (dataDir: string, error: unknown): Error =>
  new Error(
    `The data folder ${dataDir} cannot be used: ${fileFault(error) ?? (error as Error).message}. Set DATA_DIR to a folder that this account can write to.`,
    { cause: error },
  );

/** Adds the name of an open file to an error, because Node leaves it out. */
export async function naming<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (fileFault(error) !== undefined && (error as Said).path === undefined)
      Object.assign(error as Error, { path });
    throw error;
  }
}

/** The text of an error for the person at the terminal, in words written for them rather than Node's. */
export function inWords(error: unknown): string {
  const { code = '', path, message } = error as Said;
  const ofFile = fileFault(error);
  if (ofFile !== undefined && path !== undefined)
    return code === 'ENOENT'
      ? `There is no file ${path}, or no folder for it.`
      : `${path} cannot be used: ${ofFile}.`;
  if (/^Connection terminated/.test(message)) return ofDatabase[2]![1];
  const away = awayServer(error);
  if (away)
    return `The coordinator does not reach the database server ${away.server}${away.reason ? `: ${away.reason}` : ''}. See that it runs and lets the coordinator log in (docs/scale-out.md), and try again.`;
  const found = ofDatabase.find(([codes]) => codes.test(code));
  if (found) return found[1];
  if (code === '42501')
    return `The role that the command works with may not do this in the database (${message}).`;
  // For these errors, Node adds advice about positional arguments.
  if (code.startsWith('ERR_PARSE_ARGS'))
    return `${message.split(/\.\s|\n/, 1)[0]!.replace(/\.$/, '')}. --help says what it takes.`;
  return message;
}
