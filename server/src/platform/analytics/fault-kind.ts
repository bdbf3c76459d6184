/** DuckDB's name for the kind of an error, such as `Conversion Error`; undefined for other errors. */
export const faultKind = (error: Error): string | undefined =>
  /^([A-Z][A-Za-z ]* Error): /.exec(error.message)?.[1];
