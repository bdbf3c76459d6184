/** What DuckDB calls the kind of an error, such as `Conversion Error`; undefined for an error of anyone else. */
export const faultKind = (error: Error): string | undefined =>
  /^([A-Z][A-Za-z ]* Error): /.exec(error.message)?.[1];
