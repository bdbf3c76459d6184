import type { DateRange } from '@caseway/contract/date-range';
import { type Granularity, lastDayOf } from '@caseway/contract/granularity';
import { missingKey } from '@caseway/contract/label';
import type { Condition, CountedFact, Population, Test } from '@caseway/contract/measure';
import { belowFirst, chosenDay, chosenWeek, type Key, keysOf } from './counting.ts';
import { type Ages, agesOfBand, bothAges, type People, type Populations, type Whom } from './population.ts';

/*
 * The population behind the rows of a fact: what filters, conditions and chart keys say about the people, as far as
 * populations have the attribute.
 */

/** `isUnknown`: a filter or key for which there is no population. */
type Narrowing = Whom & { isUnknown?: true };

const both = <T>(some: readonly T[] | undefined, others: readonly T[]): readonly T[] =>
  some?.filter((one) => others.includes(one)) ?? others;

/** Narrows further by a column; `isFilter`: for a filter that populations do not have, no population is left. */
function narrowed(
  fact: CountedFact,
  whom: Narrowing,
  column: string,
  test: Test,
  isFilter: boolean,
): Narrowing {
  const { county, sex, ageBand, ageYears, events } = fact.counting.residents!;
  const codes = typeof test === 'string' ? [test] : Array.isArray(test) ? (test as string[]) : undefined;
  const ages = (some: readonly Ages[]): Narrowing => ({
    ...whom,
    ages: whom.ages ? bothAges(whom.ages, some) : some,
  });
  if (column === county && codes) return { ...whom, counties: both(whom.counties, codes) };
  if (column === sex && codes) return { ...whom, sexes: both(whom.sexes, codes) };
  if (column === ageBand && codes) {
    const bands = codes.map(agesOfBand);
    return bands.every((one) => one !== undefined) ? ages(bands) : { ...whom, isUnknown: true };
  }
  if (column === ageYears && typeof test === 'object' && ('atLeast' in test || 'atMost' in test)) {
    const { atLeast = 0, atMost } = test as { atLeast?: number; atMost?: number };
    return ages([{ from: atLeast, below: atMost === undefined ? null : atMost + 1 }]);
  }
  return isFilter && !(events as readonly string[]).includes(column) ? { ...whom, isUnknown: true } : whom;
}

/** The people that are left by the chosen filters and the conditions of a measure and its chart. */
export function narrowingOf(
  fact: CountedFact,
  filters: readonly Condition[],
  conditions: readonly Condition[],
): Narrowing {
  const tests = (some: readonly Condition[], isFilter: boolean) =>
    some.flatMap(({ any: _, ...one }) =>
      Object.entries(one).flatMap(([column, test]) =>
        test === undefined ? [] : [{ column, test: test as Test, isFilter }],
      ),
    );
  return [...tests(filters, true), ...tests(conditions, false)].reduce<Narrowing>(
    (whom, { column, test, isFilter }) => narrowed(fact, whom, column, test, isFilter),
    {},
  );
}

/** The population behind the rows of a group, of all ages or of some. */
export function peopleIn(
  fact: CountedFact,
  keys: readonly Key[],
  whom: Narrowing,
  of: { kind: Population; range: DateRange; populations: Populations },
): (group: string, ages?: Ages) => People {
  return (group, ages) => {
    let found = whom;
    let { range } = of;
    for (const [index, { column, as }] of keys.entries()) {
      const key = keysOf(group)[index]!;
      if (column === chosenDay || column === chosenWeek) range = periodOf(key, as, range);
      else if (typeof as === 'object') found = narrowed(fact, found, column, bucketOf(key, as.from), true);
      else found = narrowed(fact, found, column, key, true);
    }
    if (found.isUnknown || [found.counties, found.sexes].some((codes) => codes?.includes(missingKey)))
      return { without: 'no-population-by-filter' };
    const { isUnknown: _, ...asked } = found;
    // Some ages alone cannot be adjusted to a standard of all ages.
    if (ages && asked.ages) return { without: 'no-population-by-filter' };
    return of.populations.people(of.kind, range, { ...asked, ...(ages && { ages: [ages] }) });
  };
}

/** The days of a period within the range. */
function periodOf(first: string, as: Key['as'], range: DateRange): DateRange {
  const last = lastDayOf(first, as as Granularity);
  return { start: first > range.start ? first : range.start, end: last < range.end ? last : range.end };
}

function bucketOf(key: string, from: readonly number[]): Test {
  if (key === missingKey) return { known: false };
  if (key === belowFirst) return { atMost: from[0]! - 1 };
  const next = from[from.indexOf(Number(key)) + 1];
  return { atLeast: Number(key), ...(next !== undefined && { atMost: next - 1 }) };
}
