import { totalmem } from 'node:os';

/** The memory that this process may use, in bytes: that of the machine, or the limit of its container. */
export const usableMemory = () =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
