/** Which of the processes of a server this is. */
export interface Place {
  /** From 1; the first does what is done once. */
  number: number;
  /** How many there are. */
  of: number;
  /** An id of the server, another one at each start. */
  server: string;
  /** An id of this process, another one at each of its starts. */
  id: string;
}
