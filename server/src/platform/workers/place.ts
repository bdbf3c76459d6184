/** The position of this process among those of the server. */
export interface Place {
  /** From 1. The first process does the tasks that are done once. */
  number: number;
  /** The number of processes. */
  of: number;
  /** An id of the server, new at each start. */
  server: string;
  /** An id of this process, new at each of its starts. */
  id: string;
}
