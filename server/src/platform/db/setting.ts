import pg from 'pg';

/** Sets values until the end of the transaction. */
export const setting = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set local ${name} = ${literal(value)};`)
    .join('');

/** A string as an SQL literal. SET and COPY take no parameters, and a zero byte would end the text. */
export function literal(value: string): string {
  if (value.includes('\0')) throw new Error('a text for a statement holds a zero byte');
  return pg.escapeLiteral(value);
}
