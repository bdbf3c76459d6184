import type { AnalyticsAnswer, MeasureValue, SeriesRow } from '@caseway/contract/analytics';
import {
  type AnySeries,
  type Dashboard,
  factOfSeries,
  type SeriesForm,
  shownBy,
} from '@caseway/contract/dashboard';
import type { DateRange } from '@caseway/contract/date-range';
import type { Fact } from '@caseway/contract/fact';
import type { ChosenGranularity } from '@caseway/contract/granularity';
import type { Unit } from '@caseway/contract/measure';
import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useFailedLabels } from '../data/use-labels.ts';
import { notify } from '../session/notify.ts';
import type { ChartTable } from '../ui/charts/export-chart.ts';
import { type Paint, type Pattern, usePaints } from '../ui/charts/paint.tsx';
import { useFormats } from '../words/formats.ts';
import type { NumberMark } from './behind.ts';
import { type ColumnLabels, columnsOf } from './labels.ts';
import { useNumberText, usePerText } from './number-text.ts';
import { usePopulations } from './populations.ts';
import { useUnseen } from './unseen.ts';
import { useDashboardWords } from './words.ts';

/** The input of every part of a dashboard. */
export interface Shown {
  of: Dashboard;
  answer: AnalyticsAnswer;
  /** The measures over the comparison range, once loaded. */
  previous: AnalyticsAnswer['measures'] | undefined;
  labels: ColumnLabels;
  period: string;
  /** The context of every exported chart: the date, the filters, the time. */
  context: readonly string[];
  /** The address of the records behind a number; absent if the reader may not see them. [P17] */
  recordsBehind: ((mark: NumberMark) => string | undefined) | undefined;
  /** Changes the date range. */
  onRange: (range: DateRange) => void;
  /** The chosen trend periods, null for those that suit the range; absent if readers cannot choose. [P17] */
  periods?:
    | { chosen: ChosenGranularity | null; onChoose: (chosen: ChosenGranularity | null) => void }
    | undefined;
  /** The names of the chosen filters that do not apply to a fact. */
  unfiltered(fact: string): readonly string[];
  /** The day a fact is counted by, if not the chosen one. */
  countedBy(fact: string): string | undefined;
}
const ShownContext = createContext<Shown | null>(null);
export const ShownProvider = ShownContext.Provider;
export const useShown = (): Shown => useContext(ShownContext)!;

/** The series of a form. */
export type SeriesOf<F extends SeriesForm> = Extract<AnySeries, { form: F }>;
/** The component's props for a series of a form. */
export interface FormProps<F extends SeriesForm> {
  name: string;
  series: SeriesOf<F>;
}

/** A fact's first measure that counts its rows. */
export const countOf = (of: Dashboard, fact: Fact): string | undefined =>
  Object.keys(of.measures).find(
    (name) => of.measures[name]!.fact === fact && of.measures[name]!.formula.form === 'count',
  );

/** Additional table columns, with cells by row key. */
export interface MoreColumns {
  heads: readonly string[];
  cells(key: string): readonly (string | null)[];
}

const patterns: readonly Pattern[] = ['solid', 'diagonal', 'dots', 'cross', 'outline', 'solid'];

/** Everything that charts of series share. */
export function useSeries(name: string, series: AnySeries) {
  const { t } = useTranslation(['analytics', 'charts', 'common']);
  const formats = useFormats();
  const names = useFailedLabels();
  const cell = useNumberText();
  const perText = usePerText();
  const unseen = useUnseen();
  const populations = usePopulations();
  const paints = usePaints();
  const { of, answer, labels, period, context, recordsBehind, unfiltered, countedBy } = useShown();
  const words = useDashboardWords(of);

  const factName = factOfSeries(of, series);
  const fact: Fact = of.facts[factName]!;
  const rows: readonly SeriesRow[] = answer.series[name] ?? [];
  const declared = shownBy(of, series);
  // A measure that no row has, always for the same reason, says so once, and the next one replaces it.
  // Whether an empty row is also withheld does not matter.
  const lacking = new Map(
    declared.flatMap((measure) => {
      const without = rows.find((row) => row.values[measure]?.without)?.values[measure]?.without;
      return without &&
        rows.every(({ values: { [measure]: value } }) => value?.suppressed || value?.without === without)
        ? [[measure, without] as const]
        : [];
    }),
  );
  const there = declared.filter((measure) => !lacking.has(measure));
  const measures = there.length > 0 ? there : declared;
  const first = measures[0] ?? countOf(of, fact)!;
  const { classes } = of;
  const classNames =
    classes && factName === of.main
      ? [...new Set([...Object.keys(classes.are), classes.rest])].filter((one) =>
          rows.some((row) => one in row.values),
        )
      : [];
  const columns = columnsOf(series);
  const unitOf = (measure: string): Unit => of.measures[measure]?.unit ?? 'count';
  const perOf = (measure: string) => {
    const formula = of.measures[measure]?.formula;
    return formula && perText(formula);
  };
  const { title, unit: declaredUnit } = words.series(name);
  const unit = measures[0] === declared[0] ? declaredUnit : words.measure(first);
  // The fact's number of rows; a series with its own rows has no such number.
  const main = countOf(of, fact);
  const n = series.of || main === undefined ? undefined : answer.measures[main]?.value;
  const rowsInWords = (count: number) => words.rows(factName, count, formats.count(count));
  const subtitle = (...more: readonly (string | undefined)[]) =>
    [
      unit,
      ...more,
      period,
      n === null || n === undefined ? undefined : t('screen.n', { rows: rowsInWords(n) }),
    ]
      .filter((part) => part !== undefined)
      .join(' · ');
  const notNarrowing = unfiltered(factName);
  const date = countedBy(factName);
  const { against } = answer.overlays?.[name] ?? {};
  const years = against?.flatMap((week) => (week.value === null ? [] : week.years)) ?? [];
  const undated = answer.overlays?.[name]?.undated;
  const day = answer.countedBy?.[factName];
  const notes = [
    // Notes about the drawn numbers.
    ...(against === undefined || rows.length === 0
      ? []
      : years.length === 0
        ? [t('screen.againstNone')]
        : [t('screen.againstYears', { fromYear: Math.min(...years), toYear: Math.max(...years) })]),
    ...(undated?.numerator && day !== undefined
      ? [
          t('screen.undated', {
            date: words.day(day),
            n: formats.count(undated.numerator),
            rows: rowsInWords(undated.denominator!),
          }),
        ]
      : []),
    ...(date === undefined ? [] : [t('screen.by', { date })]),
    ...(notNarrowing.length > 0 ? [t('screen.notNarrowed', { filters: notNarrowing.join(', ') })] : []),
    ...unseen.by(columns),
    ...(there.length === 0
      ? []
      : [...lacking].map(([measure, without]) =>
          t('mark.values', { name: words.measure(measure), values: t(`common:tile.without.${without}`) }),
        )),
    ...(rows.some(({ values }) => Object.values(values).some(({ rough }) => rough))
      ? [t('screen.rough')]
      : []),
    // The subtitle already says what the first measure is per.
    ...(rows.length === 0
      ? []
      : [...Map.groupBy(there.slice(there[0] === declared[0] ? 1 : 0), perOf)].flatMap(([per, rates]) =>
          per === undefined
            ? []
            : [t('mark.values', { name: rates.map(words.measure).join(', '), values: per })],
        )),
    ...(rows.length === 0 ? [] : populations(of, answer, measures)),
  ];

  const paintOfClass = (one: string): Paint => {
    if (classes?.by === 'resultCategory') return paints.ofCategory(one);
    // A class that no row has is drawn like the last one.
    const index = Math.max(0, classNames.indexOf(one));
    return { color: paints.categorical[index % 6]!, pattern: patterns[index % 6]! };
  };

  return {
    fact,
    factName,
    rows,
    first,
    measures,
    classNames,
    columns,
    unitOf,
    title,
    subtitle,
    notes,
    rowsInWords,
    cell,
    /** The accessible name of the chart. */
    label: (...more: readonly (string | undefined)[]) => `${title}. ${subtitle(...more)}`,
    titleOf: words.measure,
    labelOf: (column: string, key: string) => labels.of(fact, column, key),
    paintOfClass,
    /** The same for a code of the class column. */
    paintOfCode: (code: string): Paint =>
      classes?.by === 'resultCategory'
        ? paints.ofCategory(code)
        : paintOfClass(
            Object.keys(classes!.are).find((one) => classes!.are[one]!.includes(code)) ?? classes!.rest,
          ),
    /** The chart's frame; `named` lists the columns whose values it labels. */
    frame: (table: ChartTable, more: { notes?: readonly string[]; subtitle?: string } = {}) => ({
      title,
      subtitle: more.subtitle ?? subtitle(),
      context,
      notes: [...notes, ...(more.notes ?? [])],
      fileName: `${of.id}-${name}-${answer.dateRangeValue.start}-${answer.dateRangeValue.end}`,
      onFailure: (message: string) =>
        notify('error', 'analytics:screen.exportFailed', { values: { message } }),
      names: labels.state(fact, columns),
      onRetryNames: names.retry,
      table,
      ...(rows.length === 0
        ? { empty: t(answer.leftOut?.includes(name) ? 'screen.leftOutProtected' : 'screen.noneHere') }
        : {}),
    }),
    /** A row as a sentence: its name, and its numbers with their titles. */
    sentence: (of: string, row: SeriesRow): string => {
      if (row.values[first]?.suppressed) return t('mark.withheld', { name: of });
      const values = [...new Set([first, ...classNames, ...measures])].flatMap((measure) => {
        const value = cell(row.values[measure], unitOf(measure), true);
        if (value === null) return [];
        const per = typeof row.values[measure]?.value === 'number' ? perOf(measure) : undefined;
        return [
          [t('mark.value', { title: words.measure(measure), value }), per]
            .filter((part) => part !== undefined)
            .join(' '),
        ];
      });
      return t('mark.values', { name: of, values: values.join(', ') });
    },
    /** A table of all rows: one column for the name, one per number. */
    tableOf: (
      head: string,
      nameOf: (row: SeriesRow) => string | { shown: string; stored: string },
      remarkOn: (row: SeriesRow) => string = () => '',
      more: MoreColumns = { heads: [], cells: () => [] },
      classed: readonly string[] = classNames,
    ): ChartTable => {
      const shown = [...new Set([first, ...classed, ...measures])];
      const hasRemarks = rows.some((row) => remarkOn(row) !== '');
      return {
        columns: [
          head,
          ...shown.map(words.measure),
          ...more.heads,
          ...(hasRemarks ? [t('screen.remark')] : []),
        ],
        rows: rows.map((row) => [
          nameOf(row),
          ...shown.map((measure) => cell(row.values[measure], unitOf(measure))),
          ...more.cells(row.key),
          ...(hasRemarks ? [remarkOn(row)] : []),
        ]),
      };
    },
    /** The address of a mark's records; absent if the reader may not see them. */
    hrefOf: recordsBehind?.({ series: name, key: '' })
      ? ({ key, key2 }: { key: string; key2?: string | undefined }) =>
          recordsBehind({ series: name, key, key2 })
      : undefined,
    /**
     * Largest first. Rough and unstable values follow by name, because their order would mean nothing; then
     * withheld ones, whose place must not reveal their size.
     */
    ranked: (nameOf: (row: SeriesRow) => string) => {
      const kindOf = ({ rest, values }: SeriesRow) =>
        rest ? 3 : isWithheld(values[first]) ? 2 : values[first]?.rough || values[first]?.unstable ? 1 : 0;
      const size = ({ values }: SeriesRow) => values[first]?.value ?? -1;
      return rows.toSorted(
        (a, b) =>
          kindOf(a) - kindOf(b) ||
          (kindOf(a) === 0 ? size(b) - size(a) : nameOf(a).localeCompare(nameOf(b))) ||
          (a.key < b.key ? -1 : 1),
      );
    },
  };
}

export const isWithheld = (value: MeasureValue | undefined): boolean => value?.suppressed ?? false;
