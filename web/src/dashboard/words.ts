import { columnOfFilter, type Dashboard, factOfSeries } from '@caseway/contract/dashboard';
import { sources } from '@caseway/contract/measure';
import { useTranslation } from 'react-i18next';
import type { Definition } from '../ui/DefinitionList.tsx';
import { codesOf, columnsOf, filtersOf, labelOfCode } from './labels.ts';
import type { SharedMeasure } from './words.check.ts';

/** Measures whose texts dashboards share, in `analytics.json`; all others are in the dashboard's own file. */
const shared: readonly string[] = ['positivity', 'undated'] satisfies SharedMeasure[];

/** The locale file of a dashboard. */
export const wordsOf = ({ id, words = id }: Dashboard): string => `dashboards/${words}`;

/** The locale files of a dashboard and of the codes it counts by. */
export function wordFilesOf(of: Dashboard): readonly string[] {
  const named = [
    ...Object.values(of.series).flatMap((series) =>
      columnsOf(series).map((column) => [of.facts[factOfSeries(of, series)]!, column] as const),
    ),
    ...filtersOf(of).map((filter) => [of.facts[of.main]!, columnOfFilter(of, filter) ?? ''] as const),
  ];
  const codes = named.flatMap(([fact, column]) =>
    codesOf(fact, column) ? (fact.counting?.records ?? []) : [],
  );
  return [...new Set([wordsOf(of), ...codes])];
}

export interface DashboardWords {
  title: string;
  /** The title of a measure or class. A class is a measure of that name, or a class of its column. */
  measure(name: string): string;
  /** A measure's numerator, denominator, exclusions and source. */
  definition(name: string, isWithin: boolean): Definition;
  /** What a tile opens, if not what it counts. */
  records(name: string): string | undefined;
  series(name: string): { title: string; unit: string | undefined };
  section(name: string): string;
  eventDate(name: string): string;
  /** The name of the day a fact is counted by. */
  day(column: string): string;
  /** A number of a fact's rows in words: `150 tests`. */
  rows(fact: string, count: number, number: string): string;
}

/** A dashboard's texts, by convention. */
export function useDashboardWords(of: Dashboard): DashboardWords {
  const { t } = useTranslation('analytics');
  const own = useTranslation(wordsOf(of));
  const given = (key: string) => (own.i18n.exists(`${wordsOf(of)}:${key}`) ? own.t(key) : undefined);
  const word = (name: string, part: 'title' | 'counted' | 'outOf' | 'leftOut') =>
    shared.includes(name)
      ? own.i18n.exists(`analytics:measure.${name}.${part}`)
        ? t(`measure.${name}.${part}`)
        : undefined
      : given(`measure.${name}.${part}`);
  const eventDate = (name: string) => given(`eventDate.${name}`) ?? t(`eventDate.${name}`);
  return {
    title: of.words === undefined ? own.t('title') : own.t(`titleOf.${of.id}`),
    measure: (name) => {
      if (name in of.measures) return word(name, 'title')!;
      return given(`class.${name}`) ?? labelOfCode(t, of.facts[of.main]!, of.classes!.by, name);
    },
    definition: (name, isWithin) => {
      const { formula, source } = of.measures[name]!;
      const within = isWithin ? given(`measure.${name}.countedWithin`) : undefined;
      const [outOf, leftOut] = [word(name, 'outOf'), word(name, 'leftOut')];
      const from = source && sources[source];
      return {
        numerator: within ?? word(name, 'counted')!,
        ...(outOf !== undefined && { denominator: outOf }),
        ...(formula.form === 'rate' &&
          outOf === undefined && { denominator: t(`population.${formula.population}`) }),
        ...((leftOut !== undefined || formula.form === 'rate') && {
          exclusions: leftOut ?? t('rate.leftOut'),
        }),
        ...(from && { source: `${from.publisher} ${from.title} (${from.year})` }),
      };
    },
    records: (name) => given(`measure.${name}.records`),
    series: (name) => ({ title: own.t(`series.${name}.title`), unit: given(`series.${name}.unit`) }),
    section: (name) => own.t(`section.${name}`),
    day: (column) => {
      const date = Object.keys(of.dates).find((name) => of.dates[name] === column);
      return date === undefined ? own.t(`day.${column}`) : eventDate(date);
    },
    eventDate,
    rows: (fact, count, number) =>
      own.t(fact === of.main ? 'rows.count' : `rowsOf.${fact}.count`, { count, number }),
  };
}
