import { statfs } from 'node:fs/promises';

/** Room on the disk of a folder. */
export interface DiskSpace {
  /** The space that the account of the server may still use. */
  freeBytes: number;
  totalBytes: number;
}

export type ReadDisk = () => Promise<DiskSpace>;

/** Reads the disks of these folders and returns the one with the least space: it fills up first. */
export function diskOf(folders: readonly string[]): ReadDisk {
  return async () => {
    const disks = await Promise.all(folders.map((folder) => statfs(folder)));
    return disks
      .map(({ bavail, bsize, blocks }) => ({ freeBytes: bavail * bsize, totalBytes: blocks * bsize }))
      .reduce((least, one) => (one.freeBytes < least.freeBytes ? one : least));
  };
}
