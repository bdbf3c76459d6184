import { statfs } from 'node:fs/promises';

/** Free space on the disk of a folder. */
export interface DiskSpace {
  /** The space that the server's account may still use. */
  freeBytes: number;
  totalBytes: number;
}

export type ReadDisk = () => Promise<DiskSpace>;

/** Reads the disks of these folders and returns the one with the least space, which fills up first. */
export function diskOf(folders: readonly string[]): ReadDisk {
  return async () => {
    const disks = await Promise.all(folders.map((folder) => statfs(folder)));
    return disks
      .map(({ bavail, bsize, blocks }) => ({ freeBytes: bavail * bsize, totalBytes: blocks * bsize }))
      .reduce((least, one) => (one.freeBytes < least.freeBytes ? one : least));
  };
}
