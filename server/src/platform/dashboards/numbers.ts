import type { AnalyticsAnswer, AnalyticsComparison, SeriesRow } from '@caseway/contract/analytics';
import { type AnySeries, type Dashboard, factOfSeries } from '@caseway/contract/dashboard';
import { addDays, type DateRange, startOfMmwrWeek } from '@caseway/contract/date-range';
import { missingKey } from '@caseway/contract/label';
import { sources } from '@caseway/contract/measure';
import type { Ask } from '../analytics/engine.ts';
import { numbersBy } from '../analytics/facts.ts';
import { datedOn } from './conditions.ts';
import { daysLate, type Source } from './counting.ts';
import { baseOf, dayOf, filteredColumns, filtersOf, notNarrowedBy, untilToday } from './filters.ts';
import { type Asking, type At, type Counting, Measuring, type Protection, whole } from './measuring.ts';
import { delaysOver, incompleteFrom, lateness, yearsBeforeRange } from './periods.ts';
import type { FactQuestion } from './picked-rows.ts';
import { readCounts, rollUpFor, rowsEntered, statementOf } from './plan-sql.ts';
import { kindsOfRates } from './population.ts';
import { isCoarse, weeksTogether } from './protect.ts';
import { type KeptCounts, rangeSources } from './rolled.ts';
import { planSeries } from './series.ts';

/** Computes every number of a dashboard from one state of the facts. */
export async function dashboardNumbers(
  ask: Ask,
  counting: Counting,
  asking: Asking,
): Promise<AnalyticsAnswer> {
  const protection = await protectionOf(ask, counting, asking);
  const measuring = new Measuring(counting, asking, protection);
  const finish = plan(measuring);
  for (const fact of factsAsked(measuring)) await readFact(ask, measuring, fact);
  const own: Record<string, SeriesRow[]> = {};
  for (const [name, series] of Object.entries(counting.dashboard.series))
    if (series.form === 'own' && !protection) own[name] = await counting.extras![name]!(ask, asking.query);
  return finish(own);
}

/** The measures over the comparison range of a query; empty for a dashboard without comparisons. */
export async function dashboardComparison(
  ask: Ask,
  counting: Counting,
  asking: Asking,
): Promise<AnalyticsComparison> {
  const measuring = new Measuring(counting, asking, await protectionOf(ask, counting, asking));
  const finish = planComparison(measuring);
  for (const fact of factsAsked(measuring)) await readFact(ask, measuring, fact);
  return finish();
}

/** Rows by day of entry are queried separately, because a replica is ordered by another day. */
async function readFact(ask: Ask, measuring: Measuring, fact: string): Promise<void> {
  const asked = question(measuring, fact);
  for (const [isArrival, counts] of Map.groupBy(asked.counts, ({ place }) => place.source === 'arrivals'))
    await readCounts(ask, {
      ...asked,
      counts,
      kept: keptFor(measuring, fact, isArrival ? arrivals : rangeSources),
    });
}

/** How a reader's numbers are protected: in four-week periods if they see few rows. */
async function protectionOf(
  ask: Ask,
  { dashboard, stored }: Counting,
  { query, today, threshold }: Asking,
): Promise<Protection | undefined> {
  if (threshold === undefined) return undefined;
  const { main } = dashboard;
  const of = { stored: stored[main]!, fact: dashboard.facts[main]!, base: baseOf(dashboard, main, query) };
  const rows = await rowsEntered(ask, of, { start: addDays(today, -364), end: today });
  return { threshold, weeks: weeksTogether(rows) };
}

/** Plans every number once, so that an unanswerable declaration fails before the first question. */
export function planned(counting: Counting): void {
  const { dashboard } = counting;
  const today = '2026-01-01';
  const filters = {
    ...Object.fromEntries(Object.keys(dashboard.filters).map((name) => [name, [missingKey]])),
    ...Object.fromEntries(Object.keys(dashboard.textFilters).map((name) => [name, missingKey])),
  };
  const dates = Object.keys(dashboard.dates);
  for (const eventDate of dates.length > 0 ? dates : [undefined]) {
    const query = {
      dateRangeValue: { start: today, end: today },
      filters,
      ...(eventDate !== undefined && { eventDate }),
    };
    for (const protection of [undefined, { threshold: 11, weeks: 1 }] as const) {
      const asking = { query, today, timeZone: 'UTC', asOf: new Date(0) };
      const measuring = new Measuring(counting, asking, protection);
      plan(measuring);
      planComparison(measuring);
      for (const fact of factsAsked(measuring)) statementOf(question(measuring, fact));
    }
  }
  for (const [name, series] of Object.entries(dashboard.series))
    if (series.form === 'continuum' && new Set(series.steps.map((step) => wholeOf(dashboard, step))).size > 1)
      throw new Error(`the steps of ${name} of ${dashboard.id} are not shares of the same`);
    else if (series.form === 'own' && !counting.extras?.[name])
      throw new Error(`nothing counts ${name} of ${dashboard.id}`);
}

/** The measure that a step of a continuum is a share of. */
function wholeOf({ measures }: Dashboard, name: string): string {
  const { formula, fact } = measures[name]!;
  if (formula.form !== 'share' && formula.form !== 'shareOfPersons')
    throw new Error(`${name} is not a share`);
  return JSON.stringify([fact.name, formula.form, formula.among]);
}

/** The facts that the plan counts. */
const factsAsked = ({ asked, counting }: Measuring): string[] =>
  Object.keys(counting.dashboard.facts).filter((fact) => asked.of(fact).length > 0);

/** The question to one fact, once everything has been planned. */
function question(measuring: Measuring, fact: string): FactQuestion {
  const { dashboard, stored } = measuring.counting;
  const { query, today } = measuring.asking;
  const range = query.dateRangeValue;
  const before = measuring.rangeBefore;
  const day = dayOf(dashboard, fact, query);
  const untilNow = (of: DateRange) => untilToday(dashboard.facts[fact]!, day, of, today);
  const thisWeek = startOfMmwrWeek(today);
  return {
    stored: stored[fact]!,
    fact: dashboard.facts[fact]!,
    day,
    base: baseOf(dashboard, fact, query).map((one) => datedOn(one, today)),
    filters: filtersOf(dashboard, fact, query),
    today,
    ranges: {
      now: untilNow(range),
      ...(before && { before: untilNow(before) }),
      undated: range,
      entered: range,
      arrivals: delaysOver(today),
      years: yearsBeforeRange(range),
      ever: yearsBeforeRange(range),
      late: { start: addDays(thisWeek, -7 * (lateness.over + lateness.past - 1)), end: today },
    },
    counts: measuring.asked.of(fact),
    // Protected readers see no number of rows that are not about persons.
    half: measuring.protection !== undefined && dashboard.facts[fact]!.counting.person,
  };
}

const arrivals: readonly Source[] = ['arrivals'];
const known = new WeakMap<Counting, Map<string, KeptCounts>>();

/**
 * The roll-ups that replicas keep for a fact: the cells of questions without filters, for all readers or for
 * protected ones.
 */
function keptFor(
  { counting, asking, protection }: Measuring,
  fact: string,
  sources: readonly Source[],
): KeptCounts {
  const { dashboard, stored } = counting;
  const keptOf = known.get(counting) ?? new Map<string, KeptCounts>();
  known.set(counting, keptOf);
  const chosen = dayOf(dashboard, fact, asking.query);
  const name = `${fact} ${sources} ${chosen} ${protection?.weeks}`;
  const kept = keptOf.get(name);
  if (kept) return kept;
  const measuring = new Measuring(
    counting,
    {
      ...asking,
      hiddenFamilies: [],
      query: {
        dateRangeValue: asking.query.dateRangeValue,
        filters: {},
        ...(asking.query.eventDate !== undefined && { eventDate: asking.query.eventDate }),
      },
    },
    protection,
  );
  plan(measuring);
  planComparison(measuring);
  const asked = question(measuring, fact);
  const unfiltered =
    sources === arrivals ? Object.keys(dashboard.filters) : (dashboard.unfiltered[fact] ?? []);
  const filters = Object.entries(dashboard.filters).flatMap(([filter, column]) =>
    unfiltered.includes(filter) ? [] : [column],
  );
  const day = sources === arrivals ? dashboard.facts[fact]!.counting.enteredOn : chosen;
  const made = {
    rollUp: rollUpFor(asked, sources, filters),
    base: asked.base,
    sources,
    day: numbersBy(stored[fact]!, day, 'filtered'),
  };
  keptOf.set(name, made);
  return made;
}

/**
 * The series that protected readers do not see: not about persons, split too finely, or made of many small numbers.
 */
function leftOut(measuring: Measuring): string[] {
  if (!measuring.protection) return [];
  const { dashboard } = measuring.counting;
  const filtered = filteredColumns(dashboard, measuring.asking.query);
  return Object.entries(dashboard.series).flatMap(([name, series]) =>
    series.form === 'own' ||
    !dashboard.facts[factOfSeries(dashboard, series)]!.counting.person ||
    series.form === 'box' ||
    series.form === 'pairs' ||
    !isCoarse(filtered, splitBy(series))
      ? [name]
      : [],
  );
}

/** Plans every number. Returns a function that makes the answer once the counts have been read. */
function plan(measuring: Measuring): (own: Readonly<Record<string, SeriesRow[]>>) => AnalyticsAnswer {
  const { dashboard } = measuring.counting;
  const { query, today, timeZone, asOf } = measuring.asking;
  const range = query.dateRangeValue;
  const protection = measuring.protection;
  const unseen = leftOut(measuring);
  const now = measuring.measures.map(([name, one]) => [name, measuring.value(one, at('now'))] as const);
  const main = dashboard.facts[dashboard.main]!;
  const delays = measuring.want(main, at('arrivals'), { of: 'values', column: daysLate });
  const series = Object.entries(dashboard.series).map(
    ([name, one]) =>
      [name, one.form === 'own' || unseen.includes(name) ? undefined : planSeries(measuring, one)] as const,
  );
  return (own) => {
    const late = new Map<number, number>();
    for (const [days, times] of delays.histogram(whole))
      late.set(Math.max(0, days), (late.get(Math.max(0, days)) ?? 0) + times);
    const incomplete = incompleteFrom(late, today);
    const rows: AnalyticsAnswer['series'] = {};
    const overlays: NonNullable<AnalyticsAnswer['overlays']> = {};
    for (const [name, finish] of series) {
      const { rows: found, overlay } = finish?.(incomplete) ?? {
        rows: own[name] ?? [],
        overlay: undefined,
      };
      rows[name] = found;
      if (overlay) overlays[name] = overlay;
    }
    const facts = Object.keys(dashboard.facts);
    const rates = kindsOfRates(measuring.measures.map(([, measure]) => measure)).map(
      (kind) => [kind, measuring.populations.sources(kind, range)] as const,
    );
    const said = measuring.measures.flatMap(([name, { source }]) =>
      source === undefined ? [] : [[name, sources[source]] as const],
    );
    const answer: AnalyticsAnswer = {
      asOf: asOf.toISOString(),
      dateRangeValue: range,
      timeZone,
      suppressionThreshold: protection?.threshold ?? null,
      anySuppressed: false,
      ...(protection && { half: true }),
      ...(unseen.length > 0 && { leftOut: unseen }),
      measures: Object.fromEntries(now.map(([name, value]) => [name, value(whole)])),
      series: rows,
      overlays,
      countedBy: Object.fromEntries(facts.map((fact) => [fact, dayOf(dashboard, fact, query)])),
      unfiltered: Object.fromEntries(
        facts.flatMap((fact) => {
          const filters = notNarrowedBy(dashboard, fact, query);
          return filters.length > 0 ? [[fact, filters]] : [];
        }),
      ),
      sources: Object.fromEntries(said),
      ...(rates.length > 0 && { populations: Object.fromEntries(rates) }),
      granularity: measuring.granularity,
      incompleteFrom: incomplete !== null && incomplete <= range.end ? incomplete : null,
    };
    const shown = [answer.measures, ...Object.values(rows).flatMap((all) => all.map((row) => row.values))];
    answer.anySuppressed = shown.some((values) => Object.values(values).some(({ suppressed }) => suppressed));
    return answer;
  };
}

/** Plans the comparison: the same measures over another range. Rows without the chosen date are in no range. */
function planComparison(measuring: Measuring): () => AnalyticsComparison {
  const { query, asOf } = measuring.asking;
  const range = query.dateRangeValue;
  const before = measuring.rangeBefore;
  const earlier = measuring.measures.flatMap(([name, one]) =>
    before === undefined || one.formula.form === 'undated'
      ? []
      : [[name, measuring.value(one, at('before'))] as const],
  );
  return () => ({
    asOf: asOf.toISOString(),
    previousRange: before ?? range,
    measures: Object.fromEntries(earlier.map(([name, value]) => [name, value(whole)])),
  });
}

const at = (source: Source): At => ({ source, keys: [], where: [] });

/** The columns that a series is split by, except weeks. */
const splitBy = (series: AnySeries): string[] =>
  [
    'by' in series ? series.by : undefined,
    'across' in series ? series.across : undefined,
    'sides' in series ? series.sides : undefined,
  ].filter((column) => column !== undefined);
