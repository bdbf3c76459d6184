import type { AnalyticsAnswer, AnalyticsQuery, MeasureValue, SeriesRow } from '@caseway/contract/analytics';
import { daysBetween, previousRange } from '@caseway/contract/date-range';
import {
  answerOfCategory,
  type ResultCategory,
  type TestingSeries,
} from '@caseway/contract/testing-analytics';
import { everyPeriod, incompleteFrom, measuresOf, rowValues, sevenDayMeans } from './measures.ts';
import { type Cell, granularityOf, spanNames, type TestingCounts } from './queries.ts';
import { nothingWithheld, type Withheld, type WithheldTotals } from './suppression.ts';

/** What is withheld from a reader; nothing from one who may see line lists. */
export interface Withholding {
  threshold: number;
  current: WithheldTotals;
  previous: WithheldTotals;
  undated: boolean;
  cells: ReadonlyMap<Cell, Withheld>;
  becauseOfFilters: boolean;
}

export interface AnswerContext {
  query: AnalyticsQuery;
  /** The day it is in `timeZone`, which is the reader's organisation's. */
  today: string;
  timeZone: string;
  asOf: Date;
}

const withheldValue: MeasureValue = { value: null, numerator: null, denominator: null, suppressed: true };

/** The screen's answer: measures of the counts, without what is withheld. */
export function answerOf(
  counts: TestingCounts,
  { query, today, timeZone, asOf }: AnswerContext,
  withholding: Withholding | undefined,
): AnalyticsAnswer {
  const range = query.dateRangeValue;
  const granularity = granularityOf(range);
  const incomplete = incompleteFrom(counts.delays, today);
  const cells = withholding?.cells ?? new Map<Cell, Withheld>();
  const current = withholding?.current ?? nothingWithheld;
  const previous = withholding?.previous ?? nothingWithheld;

  const measures = withholdMeasures(
    measuresOf(counts.current, counts.undated),
    current,
    withholding?.undated ?? false,
  );
  const series = Object.fromEntries(
    (Object.entries(counts.series) as [TestingSeries, Cell[]][]).map(([name, all]): [string, SeriesRow[]] => {
      // The keys themselves would reveal something about the few persons behind them.
      if (current.all) return [name, []];
      if (name !== 'trend') return [name, all.map((cell) => rowOf(name, cell, cells.get(cell) ?? 'nothing'))];
      return [name, trendRows(everyPeriod(all, range, granularity), cells)];
    }),
  );

  function trendRows(periods: Cell[], withheld: ReadonlyMap<Cell, Withheld>): SeriesRow[] {
    const states = periods.map((cell) => withheld.get(cell) ?? 'nothing');
    const means = granularity === 'day' ? sevenDayMeans(periods) : [];
    return periods.map((cell, index): SeriesRow => {
      const row = rowOf('trend', cell, states[index]!);
      const mean = means[index];
      if (mean) {
        // A mean is a sum of its days: if one of them is withheld, the others would reveal it.
        const week = states.slice(index - 6, index + 1);
        row.values.testsMean = week.includes('all') ? withheldValue : mean.tests;
        row.values.positivityMean = week.every((state) => state === 'nothing')
          ? mean.positivity
          : withheldValue;
      }
      const last = granularity === 'day' ? 0 : 6;
      return {
        ...row,
        ...(incomplete !== null && daysBetween(incomplete, cell.key) + last >= 0 && { incomplete: true }),
        ...(granularity === 'week' &&
          (cell.key < range.start || daysBetween(cell.key, range.end) < 6) && { partial: true }),
      };
    });
  }

  const answer: AnalyticsAnswer = {
    asOf: asOf.toISOString(),
    dateRangeValue: range,
    previousRange: previousRange(range),
    timeZone,
    suppressionThreshold: withholding?.threshold ?? null,
    anySuppressed: false,
    ...(withholding?.becauseOfFilters && { withheldBecause: 'filter-splits-withheld' as const }),
    measures,
    previous: withholdMeasures(measuresOf(counts.previous), previous, false),
    series,
    granularity,
    incompleteFrom: incomplete !== null && incomplete <= range.end ? incomplete : null,
  };
  const shown = [
    answer.measures,
    answer.previous,
    ...Object.values(series).flatMap((rows) => rows.map((row) => row.values)),
  ];
  answer.anySuppressed = shown.some((values) => Object.values(values).some(({ suppressed }) => suppressed));
  return answer;
}

function rowOf(series: TestingSeries, cell: Cell, withheld: Withheld): SeriesRow {
  const values = rowValues(cell);
  const kept = Object.entries(values).map(([name, value]): [string, MeasureValue] => {
    const hidden =
      withheld === 'all' || (withheld === 'answers' && (name !== 'tests' || series === 'resultCategory'));
    return [name, hidden ? withheldValue : value];
  });
  return {
    key: cell.key,
    ...(cell.key2 && { key2: cell.key2 }),
    ...(cell.label && { label: cell.label }),
    values: Object.fromEntries(kept),
  };
}

const ofAnswers = ['positive', 'negative', 'other', 'positivity'];

function withholdMeasures(
  measures: Record<string, MeasureValue>,
  withheld: WithheldTotals,
  undated: boolean,
): Record<string, MeasureValue> {
  const isHidden = (name: string): boolean => {
    if (name === 'undated') return undated;
    if (withheld.all) return true;
    if (ofAnswers.includes(name)) return withheld.answers;
    if (name === 'failedShare') return withheld.failed;
    if (name === 'missingDemographicsShare') return withheld.missingDemographics;
    return spanNames.some(
      (span) => withheld.spans[span] && (name === `${span}Median` || name === `${span}P90`),
    );
  };
  return Object.fromEntries(
    Object.entries(measures).map(([name, value]) => [name, isHidden(name) ? withheldValue : value]),
  );
}

/** Failed tests are two of the categories: if one of those is withheld, their sum would reveal it. */
export function withCategories(
  totals: WithheldTotals,
  categories: readonly Cell[],
  cells: ReadonlyMap<Cell, Withheld>,
): WithheldTotals {
  const isWithheld = (cell: Cell) =>
    answerOfCategory[cell.key as ResultCategory] === 'other' && (cells.get(cell) ?? 'nothing') !== 'nothing';
  return { ...totals, failed: totals.failed || categories.some(isWithheld) };
}
