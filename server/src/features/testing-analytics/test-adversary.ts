import { addDays, startOfMmwrWeek } from '@caseway/contract/date-range';
import { answerOfCategory, type ResultCategory } from '@caseway/contract/testing-analytics';
import type { Random } from '../../../seeds/demo/random.ts';

/*
 * For tests: an adversary who asks permitted questions, knows how numbers are protected, and works out what is
 * hidden. [P17] Every answer is subtracted from another that differs only by the hidden rows. The most frequent
 * difference is compared with what numbers of each size would give, and the likeliest size is the guess.
 */

/** A column to filter or split an answer by. */
export type By = 'facility' | 'county' | 'race' | 'ethnicity' | 'family' | 'programType' | 'sex';
export const dates = ['collected', 'received', 'resulted', 'reported', 'created'] as const;
export type EventDay = (typeof dates)[number];
export type Class = 'positive' | 'negative' | 'other';

export interface Test {
  person: string;
  half: boolean;
  on: Readonly<Record<EventDay, string | null>>;
  by: Readonly<Record<By, string>>;
  is: Class;
  timed: boolean;
}

/** A test in the adversary's world, made from a person and one of their results. */
export function testOf(
  person: { id: string; half: boolean } & Readonly<
    Record<'race' | 'ethnicity' | 'sex_at_birth', string | null>
  >,
  result: Readonly<Record<`${EventDay}_on`, string | null>> &
    Readonly<Record<'facility_id' | 'county_fips' | 'disease_family' | 'program_type_id', string | null>> & {
      result_category: ResultCategory;
    },
  timed: boolean,
): Test {
  const said = answerOfCategory[result.result_category];
  return {
    person: person.id,
    half: person.half,
    on: {
      collected: result.collected_on,
      received: result.received_on,
      resulted: result.resulted_on,
      reported: result.reported_on,
      created: result.created_on,
    },
    by: {
      facility: result.facility_id ?? 'missing',
      county: result.county_fips ?? 'missing',
      race: person.race ?? 'missing',
      ethnicity: person.ethnicity ?? 'missing',
      family: result.disease_family ?? 'missing',
      programType: result.program_type_id ?? 'missing',
      sex: person.sex_at_birth ?? 'missing',
    },
    is: said === 'positive' || said === 'negative' ? said : 'other',
    timed,
  };
}

export interface Question {
  start: string;
  end: string;
  date: EventDay;
  filters: Readonly<Partial<Record<By, readonly string[]>>>;
}
export type Figure = 'tests' | 'people' | 'timed' | Class;

/** What an answer shows of a number, in total or for one bar; undefined if it shows none. */
export type Show = (of: Figure, bar?: { by: By; key: string }) => number | undefined;
export type Ask = (question: Question) => Promise<Show>;

/** A hidden number: tests of a period with two values, or those of them in one class. */
export interface Target {
  start: string;
  end: string;
  of: 'tests' | 'positive';
  a: { by: By; key: string };
  b: { by: By; key: string };
  rows: readonly Test[];
}

const pairs: readonly [By, By][] = [
  ['facility', 'race'],
  ['facility', 'family'],
  ['county', 'family'],
  ['county', 'race'],
  ['programType', 'race'],
  ['ethnicity', 'county'],
];

/** More tests than this rarely come from fewer than eleven persons. */
const most = 20;

/** Hidden cells in each period, with up to twenty tests, in a seeded order. */
export function hiddenCells(
  tests: readonly Test[],
  periodOf: (day: string) => { start: string; end: string } | undefined,
  random: Random,
): Target[] {
  const cells = new Map<string, Target & { rows: Test[] }>();
  for (const test of tests) {
    const day = test.on.collected;
    const period = day === null ? undefined : periodOf(day);
    if (!period) continue;
    for (const [first, second] of pairs)
      for (const of of test.is === 'positive' ? (['tests', 'positive'] as const) : (['tests'] as const)) {
        const [a, b] = [
          { by: first, key: test.by[first] },
          { by: second, key: test.by[second] },
        ];
        const id = [period.start, of, first, a.key, second, b.key].join('|');
        const known = cells.get(id) ?? { ...period, of, a, b, rows: [] };
        known.rows.push(test);
        cells.set(id, known);
      }
  }
  const hidden = [...cells.values()].filter(
    ({ rows }) => rows.length <= most && new Set(rows.map(({ person }) => person)).size <= 10,
  );
  for (let index = hidden.length - 1; index > 0; index--) {
    const other = random.between(0, index);
    [hidden[index], hidden[other]] = [hidden[other]!, hidden[index]!];
  }
  return hidden;
}

/**
 * Periods of this many weeks before a day. The last weeks are still incomplete, and longer ranges need some before
 * them.
 */
export const periodsBefore =
  (last: string, weeks: number) =>
  (day: string): { start: string; end: string } | undefined => {
    const lastWeek = startOfMmwrWeek(last);
    const age = Math.round((Date.parse(lastWeek) - Date.parse(startOfMmwrWeek(day))) / 604_800_000);
    if (age < 8 || age >= 60) return undefined;
    const end = addDays(lastWeek, -7 * (8 + Math.floor((age - 8) / weeks) * weeks) + 6);
    return { start: addDays(end, 1 - 7 * weeks), end };
  };

/** The most frequent number; undefined for an empty list. */
function mode(numbers: readonly number[]): number | undefined {
  const times = new Map<number, number>();
  for (const one of numbers) times.set(one, (times.get(one) ?? 0) + 1);
  return [...times].sort((x, y) => y[1] - x[1] || x[0] - y[0])[0]?.[0];
}

interface Evidence {
  tests: number | undefined;
  people: number | undefined;
}

/** Asks up to this many questions about a hidden number. Returns the differences, and the number of questions. */
export async function attack(
  ask: Ask,
  { start, end, of, a, b }: Target,
  values: Readonly<Record<By, readonly string[]>>,
  limit: number,
  random: Random,
): Promise<Evidence & { questions: number }> {
  const known = new Map<string, Show>();
  const asked = async (
    filters: Question['filters'],
    range = { start, end },
    date: EventDay = 'collected',
  ) => {
    const id = JSON.stringify([filters, range, date]);
    let shown = known.get(id);
    if (!shown) {
      shown = await ask({ ...range, date, filters });
      known.set(id, shown);
    }
    return shown;
  };
  const tests: number[] = [];
  const people: number[] = [];
  const note = (into: number[], whole: number | undefined, rest: number | undefined = 0) => {
    if (whole !== undefined && rest !== undefined) into.push(whole - rest);
  };
  const others = values[a.by].filter((key) => key !== a.key);
  const classes: readonly Class[] = of === 'tests' ? ['positive', 'negative', 'other'] : ['positive'];

  // The number itself, if it is shown.
  const direct = await asked({ [a.by]: [a.key], [b.by]: [b.key] });
  note(tests, direct(of));
  note(people, of === 'tests' ? direct('people') : undefined);
  // The whole minus all others.
  const [whole, rest] = [await asked({}), await asked({ [a.by]: others })];
  note(tests, whole(of, b), rest(of, b));
  for (let round = 0; known.size + 8 <= limit; round++) {
    // Lists with and without the value.
    const list = others.filter(() => random.chance(0.15 + 0.7 * random.next()));
    const [withIt, without] = [
      await asked({ [a.by]: [a.key, ...list] }),
      await asked({ [a.by]: list.length > 0 ? list : others }),
    ];
    if (list.length > 0) {
      note(tests, withIt(of, b), without(of, b));
      // By its parts.
      const part = (show: Show) => classes.map((one) => show(one, b));
      const [more, less] = [part(withIt), part(without)];
      if (![...more, ...less].includes(undefined))
        note(
          tests,
          more.reduce((sum, n) => sum! + n!, 0),
          less.reduce((sum, n) => sum! + n!, 0),
        );
      const [both, one] = [
        await asked({ [a.by]: [a.key, ...list], [b.by]: [b.key] }),
        await asked({ [a.by]: list, [b.by]: [b.key] }),
      ];
      note(tests, both(of), one(of));
      if (of === 'tests') {
        note(people, both('people'), one('people'));
        note(tests, both('timed'), one('timed'));
      }
    }
    // Ranges that differ by the period.
    const weeks = 1 + Math.floor(round / 2);
    const before = { start: addDays(start, -7 * weeks), end: addDays(start, -1) };
    const filters = { [a.by]: [a.key] };
    note(
      tests,
      (await asked(filters, { start: before.start, end }))(of, b),
      (await asked(filters, before))(of, b),
    );
    // By another day of the same tests: about the same rows.
    const date = dates[round % dates.length]!;
    if (end > addDays(start, 300) && date !== 'collected')
      note(
        tests,
        (await asked({}, { start, end }, date))(of, b),
        (await asked({ [a.by]: others }, { start, end }, date))(of, b),
      );
  }
  return { tests: mode(tests), people: mode(people), questions: known.size };
}

/** What subtraction gives for some rows under a way of protecting numbers. */
export type Gives = (rows: readonly Test[], random: Random) => Evidence;
/** True numbers, some of which are withheld. */
export const truth: Gives = (rows) => ({
  tests: rows.length,
  people: new Set(rows.map(({ person }) => person)).size,
});
/** A random half of the persons, counted double. */
export const anyHalf: Gives = (rows, random) => {
  const drawn = new Map<string, boolean>();
  for (const { person } of rows) if (!drawn.has(person)) drawn.set(person, random.chance(0.5));
  return {
    tests: 2 * rows.filter(({ person }) => drawn.get(person)).length,
    people: 2 * [...drawn.values()].filter(Boolean).length,
  };
};

/** How likely each size is, given what numbers of known size would have shown. */
export class Guesser {
  readonly #seen = new Map<string, number[]>();

  constructor(cells: readonly Target[], gives: Gives, random: Random) {
    const none = () => Array<number>(most + 1).fill(0);
    const [all, drawn] = [none(), none()];
    for (const { rows } of cells) all[rows.length]!++;
    for (const { rows, of } of cells) {
      if (drawn[rows.length]! >= 400) continue;
      drawn[rows.length]!++;
      for (let round = 0; round < 8; round++) {
        const { tests, people } = gives(rows, random);
        for (const id of [`${tests} ${of === 'tests' ? people : undefined}`, `${tests}`]) {
          const sizes = this.#seen.get(id) ?? none();
          this.#seen.set(id, sizes);
          sizes[rows.length]!++;
        }
      }
    }
    // As if each size up to ten were equally frequent; larger ones are as rare as in the data.
    const weight = drawn.map((n, size) => (n === 0 ? 0 : (size <= 10 ? 1 : all[size]! / all[10]!) / n));
    // A rarely seen difference proves nothing.
    for (const [id, sizes] of this.#seen)
      if (sizes.reduce((sum, n) => sum + n, 0) < 30) this.#seen.delete(id);
    for (const sizes of this.#seen.values())
      sizes.forEach((n, size) => {
        sizes[size] = n * weight[size]!;
      });
  }

  /** The likeliest size, and its certainty; random if nothing is known. */
  guess({ tests, people }: Evidence): { size: number; sure: number } {
    const sizes = this.#seen.get(`${tests} ${people}`) ?? this.#seen.get(`${tests}`);
    if (!sizes) return { size: 1, sure: 0.1 };
    const all = sizes.reduce((sum, one) => sum + one, 0);
    const size = sizes.indexOf(Math.max(...sizes));
    return { size, sure: sizes[size]! / all };
  }
}

export interface Outcome {
  targets: number;
  questions: number;
  /** Shares of the targets: found exactly, and those with a guess that was at least 90 % sure. */
  exact: number;
  sure: number;
}

/** Attacks equally many hidden numbers of each size from 1 to 10. Guessing finds one in ten. */
export async function adversary(
  ask: Ask,
  cells: readonly Target[],
  { each, questions, gives, random }: { each: number; questions: number; gives: Gives; random: Random },
): Promise<Outcome> {
  const all = [...new Set(cells)];
  const values = Object.fromEntries(
    (['facility', 'county', 'race', 'ethnicity', 'family', 'programType', 'sex'] as const).map((by) => [
      by,
      [...new Set(all.flatMap(({ rows }) => rows.map((row) => row.by[by])))].sort(),
    ]),
  ) as unknown as Record<By, string[]>;
  const targets = Array.from({ length: 10 }, (_, index) =>
    all.filter(({ rows }) => rows.length === index + 1).slice(0, each),
  ).flat();
  const guesser = new Guesser(
    all.filter((cell) => !targets.includes(cell)),
    gives,
    random,
  );
  const outcome = { targets: targets.length, questions: 0, exact: 0, sure: 0 };
  for (const target of targets) {
    const { questions: asked, ...evidence } = await attack(ask, target, values, questions, random);
    const { size, sure } = guesser.guess(evidence);
    outcome.questions += asked;
    if (size === target.rows.length) outcome.exact += 1 / targets.length;
    if (sure >= 0.9) outcome.sure += 1 / targets.length;
  }
  return outcome;
}
