import {
  listedFaults,
  type PopulationFault,
  type PopulationProblem,
  type PopulationTableBody,
} from '@caseway/contract/population';
import { type Info, parse } from 'csv-parse/sync';
import type { Ages, PeopleCount } from '../../platform/dashboards/population.ts';
import { countyNamed, currentCounty, stateOf } from '../reference/places.ts';

/*
 * Reads a table of the population: one line for each county, year, sex and age, or a column for each sex and age, as
 * the Census Bureau publishes them. Totals beside their parts are left out.
 */

export interface PopulationTable {
  lines: number;
  faults: PopulationFault[];
  faultCount: number;
  /** Numbers that stand for years. */
  yearCodes: string[];
  years: Map<number, PeopleCount[]>;
}

const mostLines = 300_000;
const mostPeople = 100_000_000;

/** A column with numbers of people, and which people. */
interface NumberColumn extends Partial<Ages> {
  index: number;
  sex?: 'F' | 'M' | null;
}
interface Columns {
  fips?: number;
  state?: number;
  county?: number;
  year?: number;
  sex?: number;
  age?: number;
  ageFrom?: number;
  ageTo?: number;
  ageGroup?: number;
  numbers: NumberColumn[];
}

const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
/** Names of columns, without blanks and punctuation; the first one that exists counts. */
const named = {
  fips: ['fips', 'countyfips', 'fipscode', 'countycode', 'geoid', 'fips5'],
  state: ['state', 'statefips', 'stname', 'statename', 'stateabbreviation'],
  county: ['county', 'ctyname', 'countyname'],
  year: ['year', 'yr'],
  sex: ['sex', 'gender'],
  age: ['age', 'ageband', 'agerange', 'ages'],
  ageFrom: ['agefrom', 'agestart', 'agemin'],
  ageTo: ['ageto', 'ageend', 'agemax'],
  ageGroup: ['agegrp'],
} as const;
const numberNames: readonly [readonly string[], 'F' | 'M' | null | undefined][] = [
  [['population', 'people', 'residents', 'births', 'livebirths', 'pop', 'count'], undefined],
  [['totmale', 'popestmale', 'male', 'males'], 'M'],
  [['totfemale', 'popestfem', 'female', 'females'], 'F'],
  [['totpop', 'popestimate', 'total'], null],
];
const sexOfWord = { tot: null, male: 'M', fem: 'F' } as const;
const sexes: Readonly<Record<string, 'F' | 'M' | null>> = {
  ...{ f: 'F', female: 'F', females: 'F', women: 'F', w: 'F', m: 'M', male: 'M', males: 'M', men: 'M' },
  ...{ both: null, total: null, all: null, t: null, '': null },
};

/** `AGE04` is 0 to 4, `AGE1014` 10 to 14, `AGE85PLUS` 85 and over. */
function agesOfColumn(name: string): { ages: Ages; sex: 'F' | 'M' | null } | undefined {
  const [, digits = '', plus, word] = /^age(\d{2,4})(plus)?(tot|male|fem)$/.exec(name) ?? [];
  if (word === undefined) return undefined;
  const sex = sexOfWord[word as keyof typeof sexOfWord];
  if (plus) return { ages: { from: Number(digits), below: null }, sex };
  const split = Math.floor(digits.length / 2);
  return { ages: { from: Number(digits.slice(0, split)), below: Number(digits.slice(split)) + 1 }, sex };
}

/** Of the columns by age, the narrowest groups that follow each other from 0 to the end; none if there is a gap. */
function followingAges(
  columns: readonly (Ages & { index: number; sex: 'F' | 'M' | null })[],
): NumberColumn[] {
  const found: (Ages & { index: number; sex: 'F' | 'M' | null })[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const next = columns
      .filter((one) => one.from === from)
      .sort((a, b) => (a.below ?? Number.POSITIVE_INFINITY) - (b.below ?? Number.POSITIVE_INFINITY))[0];
    if (!next) return [];
    found.push(next);
    from = next.below;
  }
  return found;
}

function columnsOf(header: readonly string[]): Columns {
  const names = header.map(plain);
  const at = (words: readonly string[]) => {
    const index = words.map((word) => names.indexOf(word)).find((found) => found >= 0);
    return index === undefined ? undefined : index;
  };
  const byAge = names.flatMap((name, index) => {
    const found = agesOfColumn(name);
    return found ? [{ ...found.ages, sex: found.sex, index }] : [];
  });
  const ofSex = (sex: 'F' | 'M' | null) => followingAges(byAge.filter((one) => one.sex === sex));
  const [women, men] = [ofSex('F'), ofSex('M')];
  const ages = women.length > 0 && men.length > 0 ? [...women, ...men] : ofSex(null);
  const whole = numberNames.flatMap(([words, sex]) => {
    const index = at(words);
    return index === undefined ? [] : [{ index, ...(sex !== undefined && { sex }) }];
  });
  const found = Object.entries(named).map(([name, words]) => [name, at(words)] as const);
  return {
    ...Object.fromEntries(found.filter(([, index]) => index !== undefined)),
    numbers: ages.length > 0 ? ages : whole,
  };
}

/** `25-29`, `85+`, `<1`, `Under 1`, `17`, `All`; undefined for any other text. */
function agesOf(written: string): Ages | undefined {
  const text = written
    .toLowerCase()
    .replace(/\byears?\b|\s/g, '')
    .replace(/[–—]|to/g, '-');
  if (['', 'all', 'total', 'allages'].includes(text)) return { from: 0, below: null };
  const [, under] = /^(?:<|under)(\d{1,3})$/.exec(text) ?? [];
  if (under !== undefined) return { from: 0, below: Number(under) };
  const [, from, to, open] = /^(\d{1,3})(?:-(\d{1,3})|(\+|andover|plus))?$/.exec(text) ?? [];
  if (from === undefined) return undefined;
  const below = open === undefined ? Number(to ?? from) + 1 : null;
  return below !== null && below <= Number(from) ? undefined : { from: Number(from), below };
}

/** The Census Bureau's numbers for five-year groups; 0 is all ages. */
function agesOfGroup(written: string): Ages | undefined {
  const group = Number(written);
  if (!/^\d{1,2}$/.test(written) || group > 18) return undefined;
  if (group === 0) return { from: 0, below: null };
  return { from: (group - 1) * 5, below: group === 18 ? null : group * 5 };
}

/** The numbered lines of a file; a fault if it is not a table. */
function linesOf(text: string): { record: string[]; line: number }[] | undefined {
  const [first = ''] = text.split(/\r?\n/, 1);
  const delimiter = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length)[0]!;
  try {
    const rows = parse(text, {
      delimiter,
      bom: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
    }) as unknown as { record: string[]; info: Info }[];
    return rows.map(({ record, info }) => ({ record, line: info.lines }));
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/**
 * Reads a table. `yearCodes`: the year that a number stands for. `leaveOutUnknown`: lines of former or future
 * counties are not faults.
 */
export function readPopulationTable(
  text: string,
  {
    yearCodes = {},
    leaveOutUnknown = false,
  }: Partial<Pick<PopulationTableBody, 'yearCodes' | 'leaveOutUnknown'>> = {},
): PopulationTable {
  const faults: PopulationFault[] = [];
  let faultCount = 0;
  const fault = (line: number, code: PopulationProblem, column?: string, value?: string) => {
    faultCount++;
    if (faults.length < listedFaults)
      faults.push({
        line,
        code,
        ...(column !== undefined && { column }),
        ...(value !== undefined && { value: value.slice(0, 60) }),
      });
  };
  const rows = linesOf(text);
  const [header, ...lines] = rows ?? [];
  const columns = columnsOf(header?.record ?? []);
  const hasCounty = columns.fips !== undefined || columns.county !== undefined;
  if (!rows) fault(1, 'unreadable');
  else if (!hasCounty) fault(1, 'no-county-column');
  else if (columns.year === undefined) fault(1, 'no-year-column');
  else if (columns.numbers.length === 0) fault(1, 'no-number-column');
  else if (lines.length > mostLines) fault(1, 'too-many-lines');
  const codes = new Set<string>();
  const found = new Map<string, { line: number; year: number; counts: (PeopleCount & { line: number })[] }>();
  if (faultCount === 0)
    for (const { record, line } of lines) {
      const cell = (index: number | undefined) => (index === undefined ? '' : (record[index] ?? '').trim());
      const nameOf = (index: number) => header!.record[index]!;
      const written = cell(columns.year);
      const isCode = /^\d{1,3}$/.test(written);
      if (isCode) codes.add(written);
      if (isCode && yearCodes[written] === undefined) continue;
      const year = isCode ? yearCodes[written]! : Number(written);
      if (!isCode && !/^(19|20|21)\d\d$/.test(written)) {
        fault(line, 'unknown-year', nameOf(columns.year!), written);
        continue;
      }
      const [countyColumn, county] = countyOf(columns, cell);
      if (county === undefined) {
        if (!leaveOutUnknown) fault(line, 'unknown-county', nameOf(countyColumn), cell(countyColumn));
        continue;
      }
      const sex = columns.sex === undefined ? undefined : sexes[cell(columns.sex).toLowerCase()];
      if (columns.sex !== undefined && sex === undefined) {
        fault(line, 'unknown-sex', nameOf(columns.sex), cell(columns.sex));
        continue;
      }
      const [ageColumn, ages] = agesIn(columns, cell);
      if (ages === undefined) {
        fault(line, 'unknown-age', nameOf(ageColumn!), cell(ageColumn));
        continue;
      }
      const id = `${county} ${year}`;
      const known = found.get(id) ?? { line, year, counts: [] };
      found.set(id, known);
      for (const column of columns.numbers) {
        const number = cell(column.index);
        const people = Number(number.replaceAll(',', ''));
        if (['', '-', '–', '—', 'NR', 'X', '*'].includes(number))
          fault(line, 'no-number', nameOf(column.index), number);
        else if (!/^(\d+|\d{1,3}(,\d{3})+)$/.test(number) || people > mostPeople)
          fault(line, 'not-a-number', nameOf(column.index), number);
        else
          known.counts.push({
            county,
            line,
            people,
            sex: column.sex === undefined ? (sex ?? null) : column.sex,
            from: column.from ?? ages.from,
            below: column.from === undefined ? ages.below : column.below!,
          });
      }
    }
  const years = new Map<number, PeopleCount[]>();
  // Missing numbers are reported once all lines can be read.
  const complete = faultCount === 0;
  for (const { line, year, counts } of found.values()) {
    const parts = withoutTotals(counts);
    if (complete) for (const one of flawsOf(line, parts)) fault(one.line, one.code);
    years.set(year, [...(years.get(year) ?? []), ...parts.map(({ line: _, ...one }) => one)]);
  }
  const sorted = [...years].sort(([a], [b]) => a - b);
  return {
    lines: lines.length,
    faults,
    faultCount,
    yearCodes: [...codes].sort((a, b) => Number(a) - Number(b)),
    years: new Map(sorted),
  };
}

/** A county by its code, by the codes of state and county, or by the names of both; with the column that has it. */
function countyOf(
  { fips, state, county }: Columns,
  cell: (index: number | undefined) => string,
): [column: number, county: string | undefined] {
  const column = fips ?? county!;
  const written = cell(column);
  if (/^\d{4,5}$/.test(written)) return [column, currentCounty(written.padStart(5, '0'))?.fips];
  const ofState = cell(state);
  if (/^\d{1,3}$/.test(written)) {
    const known = stateOf(ofState.padStart(/^\d$/.test(ofState) ? 2 : 0, '0'))?.fips;
    return [column, known === undefined ? undefined : currentCounty(known + written.padStart(3, '0'))?.fips];
  }
  const inState = stateOf(ofState);
  return [column, inState && countyNamed(inState.fips, written)?.fips];
}

function agesIn(
  { age, ageFrom, ageTo, ageGroup }: Columns,
  cell: (index: number | undefined) => string,
): [column: number | undefined, ages: Ages | undefined] {
  if (ageGroup !== undefined) return [ageGroup, agesOfGroup(cell(ageGroup))];
  if (ageFrom !== undefined) {
    const [from, to] = [cell(ageFrom), cell(ageTo)];
    return [ageFrom, agesOf(to === '' ? `${from}+` : `${from}-${to}`)];
  }
  return [age, age === undefined ? { from: 0, below: null } : agesOf(cell(age))];
}

type Counted = PeopleCount & { line: number };

/** Removes both sexes together if they are also separate, and all ages together if they are also separate. */
function withoutTotals(counts: readonly Counted[]): Counted[] {
  const apart = counts.filter(({ sex }) => sex !== null);
  const kept = apart.length > 0 ? apart : counts;
  const isWhole = ({ from, below }: Ages) => from === 0 && below === null;
  return kept.filter(
    (one) => !isWhole(one) || !kept.some((other) => other.sex === one.sex && !isWhole(other)),
  );
}

/** The faults in the numbers of a county and year: its ages have to follow each other from 0 to the end. */
function flawsOf(first: number, counts: readonly Counted[]): { line: number; code: PopulationProblem }[] {
  const bySex = Map.groupBy(counts, ({ sex }) => sex);
  const flaws: { line: number; code: PopulationProblem }[] = [];
  if (!bySex.has(null) && bySex.size === 1) flaws.push({ line: first, code: 'one-sex' });
  for (const some of bySex.values()) {
    let end: number | null = 0;
    for (const { from, below, line } of some.toSorted((a, b) => a.from - b.from || a.line - b.line)) {
      const isTwice = some.some((one) => one.from === from && one.below === below && one.line < line);
      if (isTwice) flaws.push({ line, code: 'repeated' });
      else if (end === null || from < end) flaws.push({ line, code: 'ages-overlap' });
      else if (from > end) flaws.push({ line, code: 'ages-incomplete' });
      end = end === null || below === null ? null : Math.max(end, below);
    }
    if (end !== null) flaws.push({ line: first, code: 'ages-incomplete' });
  }
  return flaws;
}
