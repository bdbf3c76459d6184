import type { Ask } from './roles.ts';

/** The TypeScript type that `column-types.ts` reads for each PostgreSQL type, and the type that may be written. */
const types: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  float4: 'number',
  float8: 'number',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  jsonb: 'Json',
  numeric: 'string',
  text: 'string',
  timestamptz: 'Timestamp',
  tsvector: 'string',
  uuid: 'string',
};

interface Column {
  table: string;
  column: string;
  type: string;
  is_array: boolean;
  not_null: boolean;
  has_default: boolean;
}

/**
 * The text of `schema.ts`: every table and view of a migrated database. Columns of views count as nullable, because
 * PostgreSQL does not know better. Throws if a column has an unmapped type.
 */
export async function generateSchema(ask: Ask): Promise<string> {
  const { rows } = await ask(`
    select c.relname as table, a.attname as column, coalesce(e.typname, t.typname) as type,
      e.oid is not null as is_array, a.attnotnull as not_null,
      a.atthasdef or a.attidentity <> '' as has_default
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_type t on t.oid = a.atttypid
    left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
      and not c.relispartition and a.attnum > 0 and not a.attisdropped
    order by c.relname collate "C", a.attnum`);
  const tables = Map.groupBy(rows as unknown as Column[], ({ table }) => table);
  const lines = [...tables].flatMap(([table, columns]) => [
    `  ${table}: {`,
    ...columns.map((column) => `    ${column.column}: ${typeOf(column)};`),
    '  };',
  ]);
  return `// Written by \`npm run db:types\` from the migrated database; a test fails when it is not current.
import type { ColumnType } from 'kysely';

/** A column that may be left out when a row is inserted. */
type Defaulted<T> = [T] extends [ColumnType<infer Select, infer Insert, infer Update>]
  ? ColumnType<Select, Insert | undefined, Update>
  : ColumnType<T, T | undefined, T>;
/** Written as JSON text, since pg would write a list as a PostgreSQL array. */
type Json = ColumnType<unknown, string, string>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** The tables and views of the database with their columns. */
export interface Schema {
${lines.join('\n')}
}
`;
}

function typeOf({ table, column, type, is_array, not_null, has_default }: Column): string {
  const known = types[type];
  if (!known)
    throw new Error(
      `${table}.${column} is of type ${type}; say in generate-schema.ts and column-types.ts how it arrives.`,
    );
  const whole = `${known}${is_array ? '[]' : ''}${not_null ? '' : ' | null'}`;
  return has_default ? `Defaulted<${whole}>` : whole;
}
