/** DuckDB's name for the kind of an error, such as `Conversion Error`; undefined for other errors. */
export const faultKind = (error: Error): string | undefined =>
  /^([A-Z][A-Za-z ]* Error): /.exec(error.message)?.[1];

/** Whether a file cannot be opened because another process has it open. */
export const isHeldElsewhere = (error: unknown): boolean =>
  error instanceof Error && /Conflicting lock is held|Could not set lock/.test(error.message);

/**
 * Whether an error means that a replica's file is unusable. A wrong query is no damage, nor is a file that another
 * process has open and so owns.
 */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  /^(IO|INTERNAL|FATAL|Serialization)\b/.test(error.message) &&
  !isHeldElsewhere(error);

/** Whether DuckDB refused a statement for a reason other than its resources. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  faultKind(error) !== undefined &&
  !/^INTERRUPT\b/.test(error.message) &&
  !isExhaustion(error) &&
  !isHeldElsewhere(error);

/** Whether DuckDB ran out of memory, or of room to spill. */
export const isExhaustion = (error: unknown): boolean =>
  error instanceof Error && /^Out of Memory\b/.test(error.message);
