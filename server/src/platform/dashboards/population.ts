import type { MeasureValue, PopulationSource } from '@caseway/contract/analytics';
import { type DateRange, daysBetween } from '@caseway/contract/date-range';
import { type Population, populationKinds } from '@caseway/contract/measure';

/*
 * The denominators of rates. Residents are counted in person-years: the residents of a year times the part of the
 * year in the range. So a rate is per year whatever the range, and the rate of a whole year is the published one.
 * Live births are those of the year times the same part. Days after today are not counted.
 */

/** People of a county, of one sex or of both, from one age to below another; `below` null: no upper limit. */
export interface PeopleCount {
  county: string;
  sex: 'F' | 'M' | null;
  from: number;
  below: number | null;
  people: number;
}
/** The import for one year. For each county and sex, the ages follow each other without a gap. */
export interface PopulationSet extends Omit<PopulationSource, 'years'> {
  kind: Population;
  year: number;
  counts: readonly PeopleCount[];
}

export interface Ages {
  from: number;
  below: number | null;
}
/** The people to count; a missing part means all. */
export interface Whom {
  counties?: readonly string[] | undefined;
  sexes?: readonly string[] | undefined;
  ages?: readonly Ages[] | undefined;
}
export type Without = NonNullable<MeasureValue['without']>;
/** Person-years or births, or why they are unknown. */
export type People = { people: number } | { without: Without };

/** The estimates of a year are published later. Until then, those of up to this many years before stand in. */
const oldestYears = 5;

/** The numbers of people behind a reader's rates. */
export class Populations {
  readonly #sets = new Map<string, Map<string, { counts: PeopleCount[]; set: PopulationSet }>>();
  readonly #limit: readonly string[] | undefined;
  readonly #ofPlace: boolean;
  readonly #today: string;
  readonly #known = new Map<string, People>();

  /**
   * Of several sets for a year, the first with a county is used. `counties`: those of a jurisdiction. `ofPlace`: the
   * reader sees the records of one organization or facility, which has no population.
   */
  constructor(
    sets: readonly PopulationSet[],
    { today, counties, ofPlace = false }: { today: string; counties?: readonly string[]; ofPlace?: boolean },
  ) {
    this.#today = today;
    this.#limit = counties;
    this.#ofPlace = ofPlace;
    for (const set of sets) {
      const id = `${set.kind} ${set.year}`;
      const known = this.#sets.get(id) ?? new Map<string, { counts: PeopleCount[]; set: PopulationSet }>();
      this.#sets.set(id, known);
      for (const [county, counts] of Map.groupBy(set.counts, (one) => one.county))
        if (!known.has(county)) known.set(county, { counts, set });
    }
  }

  /** The counties whose people are known for the whole range. */
  counties(kind: Population, range: DateRange): string[] {
    const [first, ...others] = this.#partsOf(kind, range).map(({ of }) => of);
    if (!first || this.#ofPlace) return [];
    return [...first.keys()]
      .filter((county) => others.every((one) => one.has(county)) && (this.#limit?.includes(county) ?? true))
      .sort();
  }

  /** The sources of the numbers for a range. */
  sources(kind: Population, range: DateRange): PopulationSource[] {
    const used = new Map<string, PopulationSource>();
    const counties = this.counties(kind, range);
    for (const { of } of this.#partsOf(kind, range))
      for (const { year, publisher, title, published } of new Set(counties.map((one) => of.get(one)!.set))) {
        const id = JSON.stringify([publisher, title, published]);
        const known = used.get(id) ?? { publisher, title, published, years: [] };
        if (!known.years.includes(year)) known.years.push(year);
        used.set(id, known);
      }
    return [...used.values()];
  }

  /** The number of people over a range; unknown if one of the counties, sexes or ages is. */
  people(kind: Population, range: DateRange, whom: Whom): People {
    if (this.#ofPlace) return { without: 'no-population-of-place' };
    const id = JSON.stringify([kind, range, whom]);
    const known = this.#known.get(id) ?? this.#count(kind, range, whom);
    this.#known.set(id, known);
    return known;
  }

  #count(kind: Population, range: DateRange, { counties, sexes, ages }: Whom): People {
    const of = counties ?? this.counties(kind, range);
    const parts = this.#partsOf(kind, range);
    const asked = ages && joined(ages);
    if (of.length === 0 || parts.length === 0) return { without: 'no-population' };
    let people = 0;
    for (const { part, of: sets } of parts)
      for (const county of new Set(of)) {
        const counts = (this.#limit?.includes(county) ?? true) ? sets.get(county)?.counts : undefined;
        if (!counts) return { without: 'no-population' };
        for (const one of counts) {
          if (sexes && (one.sex === null || !sexes.every((sex) => sex === 'F' || sex === 'M')))
            return { without: 'no-population-by-filter' };
          if (sexes && !sexes.includes(one.sex!)) continue;
          const within = asked?.map((some) => overlapOf(one, some)) ?? ['whole'];
          if (within.includes('part')) return { without: 'no-population-by-age' };
          if (within.includes('whole')) people += part * one.people;
        }
      }
    return { people };
  }

  /** The years of a range, each with its part in the range; none if the people of one year are unknown. */
  #partsOf(kind: Population, { start, end }: DateRange) {
    const last = end < this.#today ? end : this.#today;
    const parts: { part: number; of: ReadonlyMap<string, { counts: PeopleCount[]; set: PopulationSet }> }[] =
      [];
    for (let year = Number(start.slice(0, 4)); year <= Number(last.slice(0, 4)) && start <= last; year++) {
      const [first, after] = [`${year}-01-01`, `${year + 1}-01-01`];
      const from = start > first ? start : first;
      const days = daysBetween(from, last < after ? last : `${year}-12-31`) + 1;
      const of = this.#latest(kind, year);
      if (!of) return [];
      parts.push({ part: days / daysBetween(first, after), of });
    }
    return parts;
  }

  #latest(kind: Population, year: number) {
    for (let back = 0; back <= oldestYears; back++) {
      const found = this.#sets.get(`${kind} ${year - back}`);
      if (found) return found;
    }
    return undefined;
  }
}

/** Whether all, some or none of the ages of a count are requested. */
function overlapOf({ from, below }: Ages, asked: Ages): 'whole' | 'part' | 'none' {
  const [end, askedEnd] = [below ?? Number.POSITIVE_INFINITY, asked.below ?? Number.POSITIVE_INFINITY];
  if (end <= asked.from || from >= askedEnd) return 'none';
  return from >= asked.from && end <= askedEnd ? 'whole' : 'part';
}

/** Merges consecutive ages. */
function joined(ages: readonly Ages[]): Ages[] {
  const done: Ages[] = [];
  for (const { from, below } of ages.toSorted((a, b) => a.from - b.from)) {
    const last = done.at(-1);
    if (!last || (last.below !== null && last.below < from)) done.push({ from, below });
    else last.below = last.below === null || below === null ? null : Math.max(last.below, below);
  }
  return done;
}

/** The ages of a band by its code: `25-29`, `85+`; undefined for the unknown age. */
export function agesOfBand(code: string): Ages | undefined {
  const [, from, to, open] = /^(\d+)(?:-(\d+)|(\+))$/.exec(code) ?? [];
  if (from === undefined || (to === undefined && open === undefined)) return undefined;
  return { from: Number(from), below: to === undefined ? null : Number(to) + 1 };
}

/** The ages in both lists. */
export const bothAges = (some: readonly Ages[], others: readonly Ages[]): Ages[] =>
  some.flatMap((a) =>
    others.flatMap((b) => {
      const from = Math.max(a.from, b.from);
      const end = Math.min(a.below ?? Number.POSITIVE_INFINITY, b.below ?? Number.POSITIVE_INFINITY);
      return from < end ? [{ from, below: Number.isFinite(end) ? end : null }] : [];
    }),
  );

/** The kinds of population that the rates among some measures need. */
export const kindsOfRates = (measures: readonly { formula: { form: string; population?: Population } }[]) =>
  populationKinds.filter((kind) =>
    measures.some(({ formula }) => formula.form === 'rate' && formula.population === kind),
  );
