import type { TestingSeries } from '@caseway/contract/testing-analytics';
import {
  type AnswerName,
  type Answers,
  answerNames,
  type Cell,
  type Span,
  spanNames,
  type Totals,
  testsOf,
} from './queries.ts';

/*
 * Withholding small cells [P17]. A number is small if fewer persons than the threshold, but at least one, are behind
 * it. Withheld numbers must not be computable by subtraction either, so:
 *
 * - Every series splits the same tests. In a table of rows × answers whose margins are known, a row is withheld whole
 *   (its tests and its answers) or in its answers alone, all three; and never one row on its own: rows are added, the
 *   smallest first, until at least two are withheld that together are not small, their persons added up. Then each
 *   withheld cell is on a circle of withheld cells, and no sum or difference of published numbers is equal to it.
 * - What a program type consists of is known, so this holds within each program type as well.
 * - A share of all tests is withheld when its part is small, and when the rest is.
 * - When one of the three answers is small in all, no answer is shown anywhere.
 * - Of a list of values of which some are withheld together, a filter can pick all of those or none: picking some would
 *   separate them.
 *
 * All this is about one answer, and about what differs by the values of one filter. Not covered, because it would take
 * perturbed numbers: the difference of two ranges of dates, and of answers that differ in several filters at once.
 */

/** Persons behind a cell and behind each of its answers; absent where they are surely not few. */
export type People = Partial<Record<'tests' | AnswerName, number>>;

export interface Smallness {
  /** Fewer persons than this are few. */
  threshold: number;
}

/** Whether a number has to be withheld because it is small itself. */
export const isSmall = (tests: number, people: number | undefined, { threshold }: Smallness): boolean =>
  tests > 0 && people !== undefined && people < threshold;

/** The parts of a table's row that matter for suppression. */
export interface Row {
  answers: Answers;
  people: People;
  /** The part of the table whose sum is also known; without parts all rows belong to one. */
  part?: string;
}

/** What is withheld of a row: nothing, its answers, or all of it. */
export type Withheld = 'nothing' | 'answers' | 'all';

/** Which rows of a table are withheld, when the sums of its columns and of its parts are known. */
export function withheldRows(rows: readonly Row[], smallness: Smallness): Withheld[] {
  const result: Withheld[] = rows.map(({ answers, people }) => {
    if (isSmall(testsOf(answers), people.tests, smallness)) return 'all';
    return answerNames.some((name) => isSmall(answers[name], people[name], smallness))
      ? 'answers'
      : 'nothing';
  });
  const parts = [...Map.groupBy(rows.keys(), (index) => rows[index]!.part ?? '').values()];
  // The whole table last: if rows do not fit their parts, it has its own sum. Rows that it adds may make a part
  // incomplete again.
  const groups = parts.length > 1 ? [...parts, [...rows.keys()]] : parts;
  let before: string;
  do {
    before = result.join();
    for (const group of groups) {
      const bySize = group.toSorted((a, b) => testsOf(rows[a]!.answers) - testsOf(rows[b]!.answers));
      const hide = (withheld: Withheld) => (index: number) => {
        result[index] = withheld;
      };
      widen(
        bySize,
        (index) => result[index] === 'all',
        hide('all'),
        (chosen) => isSmallTogether(chosen, 'tests'),
      );
      widen(
        bySize,
        (index) => result[index] !== 'nothing',
        hide('answers'),
        (chosen) => answerNames.some((name) => isSmallTogether(chosen, name)),
      );
    }
  } while (result.join() !== before);
  return result;

  /**
   * Whether the tests of chosen rows have few persons: at most the sum of their persons, as if nobody were in two rows.
   */
  function isSmallTogether(chosen: readonly number[], part: 'tests' | AnswerName): boolean {
    const tests = (index: number) =>
      part === 'tests' ? testsOf(rows[index]!.answers) : rows[index]!.answers[part];
    const persons = (index: number) =>
      Math.min(tests(index), rows[index]!.people[part] ?? Number.POSITIVE_INFINITY);
    return sum(chosen, tests) > 0 && sum(chosen, persons) < smallness.threshold;
  }

  /** Withholds more rows, if any is withheld, until there are two that are not small together. */
  function widen(
    bySize: readonly number[],
    isWithheld: (index: number) => boolean,
    withhold: (index: number) => void,
    isSmallTogether: (chosen: readonly number[]) => boolean,
  ): void {
    const safe = (chosen: readonly number[]) =>
      chosen.length === 0 || (chosen.length >= 2 && !isSmallTogether(chosen));
    for (const index of bySize) {
      if (safe(bySize.filter(isWithheld))) return;
      // A row without tests hides nothing.
      if (!isWithheld(index) && testsOf(rows[index]!.answers) > 0) withhold(index);
    }
  }
}

const sum = (indices: readonly number[], of: (index: number) => number) =>
  indices.reduce((total, index) => total + of(index), 0);

/** Persons behind the totals of one range. */
export interface TotalPeople extends People {
  failed?: number;
  notFailed?: number;
  missingDemographics?: number;
  knownDemographics?: number;
  spans: Record<Span, { timed?: number; untimed?: number }>;
}

/** Which totals of a range are withheld. */
export interface WithheldTotals {
  all: boolean;
  answers: boolean;
  failed: boolean;
  missingDemographics: boolean;
  spans: Record<Span, boolean>;
}

export const everythingWithheld: WithheldTotals = {
  all: true,
  answers: true,
  failed: true,
  missingDemographics: true,
  spans: { collectedToReceived: true, receivedToResulted: true, collectedToResulted: true },
};

/** The totals of a range that are withheld because they are small, or because the rest of the tests is small. */
export function withheldTotals(totals: Totals, people: TotalPeople, smallness: Smallness): WithheldTotals {
  const tests = testsOf(totals);
  if (isSmall(tests, people.tests, smallness)) return everythingWithheld;
  const either = (part: number, ofPart: number | undefined, ofRest: number | undefined) =>
    isSmall(part, ofPart, smallness) || isSmall(tests - part, ofRest, smallness);
  const timed = (span: Span) =>
    sum([...totals.durations[span].keys()], (tenths) => totals.durations[span].get(tenths)!);
  return {
    all: false,
    answers: answerNames.some((name) => isSmall(totals[name], people[name], smallness)),
    failed: either(totals.failed, people.failed, people.notFailed),
    missingDemographics: either(
      totals.missingDemographics,
      people.missingDemographics,
      people.knownDemographics,
    ),
    spans: Object.fromEntries(
      spanNames.map((span) => [
        span,
        either(timed(span), people.spans[span].timed, people.spans[span].untimed),
      ]),
    ) as Record<Span, boolean>,
  };
}

export type CellPeople = ReadonlyMap<Cell, People>;

/** What is withheld of each cell of each series, given the withheld totals. */
export function withheldSeries(
  series: Readonly<Record<TestingSeries, readonly Cell[]>>,
  people: CellPeople,
  totals: WithheldTotals,
  smallness: Smallness,
): Map<Cell, Withheld> {
  const result = new Map<Cell, Withheld>();
  const decide = (cells: readonly Cell[], partOf: (cell: Cell) => string | undefined = () => undefined) => {
    const rows = cells.map((cell) => ({ answers: cell, people: people.get(cell) ?? {}, part: partOf(cell) }));
    withheldRows(rows, smallness).forEach((withheld, index) => {
      result.set(
        cells[index]!,
        totals.all ? 'all' : totals.answers && withheld === 'nothing' ? 'answers' : withheld,
      );
    });
  };
  for (const [name, cells] of Object.entries(series) as [TestingSeries, Cell[]][]) {
    // A row of a category has one answer, whose sum is among the totals.
    if (name === 'resultCategory') decide(cells, (cell) => answerNames.find((answer) => cell[answer] > 0));
    else if (name === 'program') decide(cells, (cell) => cell.within);
    else decide(cells);
  }
  // If the answers are withheld, the rows of categories would reveal them.
  if (totals.answers) for (const cell of series.resultCategory) result.set(cell, 'all');
  // A withheld program type must not be computable from its programs, so they are withheld too; and a program with its
  // type.
  const hiddenTypes = new Map(series.programType.map((cell) => [cell.key, result.get(cell)!]));
  for (const cell of series.program) {
    const ofType = hiddenTypes.get(cell.within ?? '') ?? 'nothing';
    if (rank[ofType] > rank[result.get(cell)!]) result.set(cell, ofType);
  }
  return result;
}

const rank: Record<Withheld, number> = { nothing: 0, answers: 1, all: 2 };

/**
 * What a filter withholds of all numbers, given the withheld rows of its own list: 'all' if it picks some but not all
 * of the fully withheld rows, 'answers' if it does so with rows whose answers are withheld.
 */
export function withheldByFilter(
  rows: readonly { key: string; withheld: Withheld }[],
  picked: readonly string[],
): Withheld {
  const splits = (of: readonly { key: string }[]) => {
    const inside = of.filter(({ key }) => picked.includes(key)).length;
    return inside > 0 && inside < of.length;
  };
  if (splits(rows.filter(({ withheld }) => withheld === 'all'))) return 'all';
  return splits(rows.filter(({ withheld }) => withheld !== 'nothing')) ? 'answers' : 'nothing';
}
