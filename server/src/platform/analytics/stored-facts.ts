import type { Beside, ColumnKind, MadeColumn, StoredColumn, StoredFact } from './facts.ts';

/*
 * The facts as PostgreSQL has them. Some have columns from other tables, such as search keys and notes. A statement
 * runs on the one server of its tenant only if it gives each table the tenant as a value (decision record 0059). A
 * view cannot take one, so these columns are added here to those of the view.
 */

const besideOf = ({ sql }: StoredFact): readonly Beside[] => sql.beside ?? [];
const namesOf = ({ columns }: Beside) => Object.keys(columns);

/** Folds texts for comparison. */
const folded = (text: string) => `app_fold(${text}) collate "C"`;
/** A column that stands for another one is empty if it has no rows, so that null can mean the other one. */
const filled = ({ columns }: Beside, name: string, text: string) =>
  columns[name]!.unless === undefined ? text : `coalesce(${text}, '') collate "C"`;

/** Whether a question about facts, as SQL, may use a column. PostgreSQL adds only the columns that a question uses. */
export const mayAskFor = (question: string, { beside }: StoredColumn): boolean =>
  beside === undefined || namesOf(beside).some((name) => question.includes(name));

/** Whether a question names a made column. Both engines leave out made columns that it does not name. */
export const asksFor = (question: string, { name }: MadeColumn): boolean => question.includes(name);

/**
 * A fact as a statement reads it. `tenant` gives the SQL of the tenant. Columns from other tables are added only if
 * the question uses them: planning unused ones takes longer than a page of a list.
 */
export function storedFacts(fact: StoredFact, tenant: () => string, question: string): string {
  const { table } = fact;
  if (besideOf(fact).length === 0) return table;
  const sql = tenant();
  const columns = fact.columns
    .filter((column) => mayAskFor(question, column))
    .map(({ name, beside }) => {
      if (!beside) return `c.${name}`;
      const { sql: aggregate } = beside.columns[name]!;
      if (!beside.folded) return `(select ${aggregate} from ${beside.from(sql)}) as ${name}`;
      // Folded inside the subquery, where the text is a column. On a query, the folding would be a function call for
      // each row.
      const text = `(select ${folded('n.text')} from (select ${aggregate} as text from ${beside.from(sql)}) n)`;
      return `${filled(beside, name, text)} as ${name}`;
    });
  return `(select c.tenant_id, ${columns.join(', ')} from ${table} c where c.tenant_id = ${sql}) ${table}`;
}

/** The columns that are copied to a replica: all but the numbers that it makes itself. */
export const copiedColumns = ({ columns }: StoredFact): StoredColumn[] =>
  columns.filter(({ numbers }) => numbers === undefined);

/** Columns of a record that many rows are about, and the stored column with the record's id. */
export interface Shared {
  table: string;
  as: string;
  key: string;
  columns: readonly StoredColumn[];
}

/**
 * A join to the record that each row belongs to by its id: `join other o on o.tenant_id = b.tenant_id and o.id =
 * b.other_id`.
 */
const joinOfOne = /^join (\w+) (\w+) on \2\.tenant_id = (\w+)\.tenant_id and \2\.id = (\3\.\w+)$/;
const aliases = /\b([a-z]\w*)\./g;

/** What rows share. A new replica gets it once for each record, not once for each row. */
export function sharedOf({ sql, columns }: StoredFact): Shared[] {
  const copied = columns.filter(({ numbers, sql }) => numbers === undefined && sql !== undefined);
  return sql.joins.flatMap((join): Shared[] => {
    const [, table, as, base, key] = joinOfOne.exec(join) ?? [];
    const kept = copied.find((column) => column.sql === key);
    if (!table || !as || base !== sql.base.as || !kept) return [];
    const own = copied.filter((column) => {
      const named = new Set([...column.sql!.matchAll(aliases)].map(([, alias]) => alias));
      return named.size === 1 && named.has(as);
    });
    return own.length > 0 ? [{ table, as, key: kept.name, columns: own }] : [];
  });
}

/** The rows for a new replica without what they share. */
export const wholeFacts = (fact: StoredFact, tenant: string): string =>
  copiedFacts(fact, tenant, 'true', sharedOf(fact));

/** The shared values, by the records they belong to. `all`: for every record, which is fast if most have rows. */
export function sharedFacts(
  fact: StoredFact,
  { table, as, key, columns }: Shared,
  tenant: string,
  all: boolean,
) {
  const { base } = fact.sql;
  const of = fact.columns.find(({ name }) => name === key)!.sql!;
  const own = columns.map(({ name, kind, sql }) => `${copied(kind, sql!)} as ${name}`);
  const rows = `select from ${base.table} ${base.as} where ${base.as}.tenant_id = ${tenant} and ${of} = ${as}.id`;
  return `select ${as}.id, ${own.join(', ')} from ${table} ${as} where ${as}.tenant_id = ${tenant}${all ? '' : ` and exists (${rows})`}`;
}

const copied = (kind: ColumnKind, sql: string) =>
  kind === 'ids' ? `'[' || array_to_string(${sql}, ', ') || ']'` : sql;

/**
 * The rows for a replica as a query, with lists as JSON. A text is left out if it equals the one it stands for.
 * `condition` is about columns of the view; `without`: columns to leave out.
 */
export function copiedFacts(
  fact: StoredFact,
  tenant: string,
  condition: string,
  without: readonly Shared[] = [],
): string {
  const groups = besideOf(fact);
  const columns = rowColumns(fact, without).map(({ name, kind, beside }) => {
    if (!beside) return copied(kind, `c.${name}`);
    const text = (one: string) => {
      const aggregate = `c.beside_${groups.indexOf(beside) + 1}[${namesOf(beside).indexOf(one) + 1}]`;
      return beside.folded ? filled(beside, one, folded(aggregate)) : aggregate;
    };
    const { unless } = beside.columns[name]!;
    return unless === undefined ? text(name) : `nullif(${text(name)}, coalesce(${text(unless)}, ''))`;
  });
  const texts = groups.map(({ columns, from }, index) => {
    const all = Object.values(columns).map(({ sql }) => sql);
    return `, (select array[${all.join(', ')}] from ${from(tenant)}) as beside_${index + 1}`;
  });
  // Read as a whole, because each use of a column would query the other tables again.
  return `select ${columns.join(', ')}
    from (select c.*${texts.join('')} from ${fact.table} c where c.tenant_id = ${tenant} and (${condition}) offset 0) c`;
}

/** The columns of a row that are not shared. */
export const rowColumns = (fact: StoredFact, shared: readonly Shared[]): StoredColumn[] =>
  copiedColumns(fact).filter((column) => !shared.some(({ columns }) => columns.includes(column)));
