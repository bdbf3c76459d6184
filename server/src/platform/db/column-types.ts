import pg from 'pg';

type Parse = (text: string) => unknown;

const { arrayParser } = pg.types as unknown as {
  arrayParser: { create(text: string, parse: Parse): { parse(): unknown[] } };
};
const listOf =
  (parse: Parse): Parse =>
  (text) =>
    arrayParser.create(text, (entry) => (entry === null ? null : parse(entry))).parse();

const asText: Parse = (text) => text;
/** A bigint as a number; throws rather than round one that a number cannot represent. */
const asInteger: Parse = (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('a bigint is too large for a number');
  return value;
};

/**
 * Parsers for types that pg reads in a way that would cause errors: a date stays `YYYY-MM-DD` (pg would make it
 * midnight in the server's time zone), a bigint becomes a number, an interval stays text. `db/generate-schema.ts`
 * declares the same types.
 */
const parsers: Record<number, Parse> = {
  20: asInteger, // int8
  1016: listOf(asInteger), // int8[]
  1082: asText, // date
  1182: listOf(asText), // date[]
  1114: asText, // timestamp without time zone
  1186: asText, // interval
};

export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary' = 'text') =>
    (format === 'text' && parsers[oid]) ||
    pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};
