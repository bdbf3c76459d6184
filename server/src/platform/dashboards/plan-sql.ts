import type { DateRange } from '@caseway/contract/date-range';
import type { Ask } from '../analytics/engine.ts';
import { numbersBy } from '../analytics/facts.ts';
import type { Kept, RollUp } from '../analytics/roll-ups.ts';
import type { Param, Question } from '../analytics/visible-facts.ts';
import { conditionSql } from './conditions.ts';
import type { Source } from './counting.ts';
import { FactStatement, halfOf, type Row } from './fact-statement.ts';
import type { FactQuestion } from './picked-rows.ts';
import { keptBy, onlyFilter, rangeSources, widest } from './rolled.ts';

/** Parts of a statement that read roll-ups are numbered from here on. */
const rolledFrom = 1000;

/** The statement for the counts of a fact. Throws if it reads a column that numbers may not read. */
export const statementOf = (question: FactQuestion) => new FactStatement(question);

/** Reads every count of a fact in one statement: from its rows or, as far as a replica has them, from roll-ups. */
export async function readCounts(ask: Ask, question: FactQuestion): Promise<void> {
  const statement = statementOf(question);
  if (statement.parts.length === 0) return;
  const { stored, filters, kept } = question;
  const isFiltered = kept?.sources === rangeSources;
  const filter = kept && (isFiltered ? onlyFilter({ stored, rollUp: kept.rollUp }, filters) : null);
  const isKept = kept && filter !== undefined && JSON.stringify(kept.base) === JSON.stringify(question.base);
  // Another tenant or process has other blocks, but the same parts.
  const rolled = isKept ? new FactStatement(question, { ...kept, filter }) : undefined;
  const from = (blocks: Kept): Question | undefined => {
    const told = new FactStatement(question, { ...kept!, filter: filter!, kept: blocks });
    return told.hasBlocks ? told.sql(rolledFrom) : undefined;
  };
  const rows = await ask<Row>({
    ...statement.sql(),
    ...(rolled && {
      rolled: {
        rollUp: kept!.rollUp,
        day: kept!.day,
        ...(filter && { filter: filter.column }),
        from,
      },
    }),
  });
  for (const row of rows)
    if (row.part < rolledFrom) statement.parts[row.part]!.take(row);
    else rolled!.parts[row.part - rolledFrom]!.take(row);
  for (const { end } of statement.parts) end?.();
  for (const { end } of rolled?.parts ?? []) end?.();
}

/** The roll-up for questions like this one, whatever their filters and range. */
export function rollUpFor(
  question: FactQuestion,
  sources: readonly Source[],
  filters: readonly string[],
): RollUp {
  const { stored, fact, base, counts, day } = question;
  const statement = new FactStatement({ ...question, counts: [] });
  const column = (name: string) => numbersBy(stored, name, 'filtered');
  const { counted } = fact.counting;
  const of = [...(counted === undefined ? [] : [{ [counted]: true }]), ...base];
  const half = question.half ? halfOf(stored) : undefined;
  const dated = `${column(day)} is not null`;
  return {
    stored,
    rows: (place) => [...of.map((one) => conditionSql(fact, column, one, place)), dated].join(' and '),
    splits: widest(counts.flatMap((one) => keptBy(fact, one, sources) ?? [])).map((set) =>
      statement.split([...set]),
    ),
    filters: filters.map(column),
    numbers: [
      { name: 'n', sql: half?.n ?? 'count(*)', together: 'sum(n)' },
      ...(half
        ? [
            { name: 'low', sql: half.low, together: 'bit_or(low)' },
            { name: 'high', sql: half.high, together: 'bit_or(high)' },
          ]
        : []),
    ],
    numbersOf: half?.columns ?? [],
  };
}

/** How many rows of the range the reader sees, by day of entry. */
export async function rowsEntered(
  ask: Ask,
  { stored, fact, base }: Pick<FactQuestion, 'stored' | 'fact' | 'base'>,
  { start, end }: DateRange,
): Promise<number> {
  const params: Param[] = [start, end];
  const { counted, enteredOn } = fact.counting;
  const of = [...(counted === undefined ? [] : [{ [counted]: true }]), ...base];
  const column = (name: string) => numbersBy(stored, name, 'filtered');
  const conditions = of.map((one) => conditionSql(fact, column, one, (value) => `$${params.push(value)}`));
  const rows = await ask<{ n: number }>({
    select: `select count(*) as n from ${stored.table} where ${[...conditions, 'true'].join(' and ')}
      and ${column(enteredOn)} between cast($1 as date) and cast($2 as date)`,
    params,
  });
  // One row for each tenant.
  return rows.reduce((sum, { n }) => sum + n, 0);
}
