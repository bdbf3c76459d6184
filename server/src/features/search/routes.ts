import { todayIn } from '@caseway/contract/date-range';
import type { Column, FilterModel, Grid } from '@caseway/contract/grid';
import {
  type FoundGroup,
  type FoundKind,
  type FoundRecord,
  foundAtMost,
  foundKinds,
  recentRecords,
  searchEverything,
} from '@caseway/contract/search';
import { type SearchList, searchLists } from '@caseway/contract/search-lists';
import { firstRows, servedList, tenantsOfList } from '../../platform/grid/asked-lists.ts';
import { searchWords, splitWords } from '../../platform/grid/search-words.ts';
import type { App } from '../../platform/http/app.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { typedNames } from '../patients/similar-names.ts';
import { type Similar, similarIn, someoneSimilar } from './similar.ts';

type Row = { id: string } & Readonly<Record<string, unknown>>;
type Found = { id: string; tenantId: string };

/** How many lists are queried at the same time; each uses a connection. */
const atOnce = 4;
/** Further words are left out. */
const wordsAtMost = 10;

/** The name of a record in a list, from its columns. */
export function recordOf({ grid, title, detail }: SearchList, row: Row, similar = false): FoundRecord {
  const columns: Grid['columns'] = grid.columns;
  const textOf = (name: string) => (typeof row[name] === 'string' ? (row[name] as string) : '');
  return {
    id: row.id,
    title: title.map(textOf).filter(Boolean).join(', '),
    detail: detail.flatMap((name) => {
      const value = textOf(name);
      return value === '' ? [] : [{ as: formOf(columns[name]!), value }];
    }),
    similar,
  };
}

function formOf({ kind, as, options, withTime }: Column): FoundRecord['detail'][number]['as'] {
  if (kind === 'date') return withTime ? 'instant' : 'day';
  if (options === 'conditions') return 'condition';
  return as === 'phone' ? 'phone' : 'text';
}

/** A filter for people with exactly these words as names, in any order. */
const exactly = (words: readonly string[], named: readonly string[]): FilterModel => ({
  items: [],
  logicOperator: 'and',
  groups: words.map((value) => ({
    items: named.map((field) => ({ field, operator: 'equals', value })),
    logicOperator: 'or' as const,
  })),
});

/** The records of one list that match the words, exact names first, and their number. */
async function inList(app: App, call: Call, { grid, named }: SearchList, words: readonly string[]) {
  const filterModel = { items: [], logicOperator: 'and' as const, quickFilterValues: [...words] };
  const asked = { filterModel, filters: {} };
  const { rows, rowCount } = await firstRows(app, grid, call, asked, foundAtMost);
  if (!named || rowCount <= foundAtMost) return { rows, rowCount };
  const exact = { filterModel: exactly(words, named), filters: {} };
  const whole = await firstRows(app, grid, call, exact, foundAtMost);
  const all = new Map([...whole.rows, ...rows].map((row) => [row.id, row]));
  return { rows: [...all.values()].slice(0, foundAtMost), rowCount };
}

/** Reads records like their list, in one transaction for each tenant, with its audit row. */
async function readFound(app: App, call: Call, list: SearchList, found: readonly Found[]): Promise<Row[]> {
  const { read, recordKind } = servedList(app, list.grid);
  const rows = new Map<string, Row>();
  for (const [tenantId, members] of Map.groupBy(found, (one) => one.tenantId)) {
    const ids = members.map(({ id }) => id);
    const taken = await call.withScope(
      async (tx) => {
        const shown = await read(tx, ids, call);
        call.audit({ recordKind, recordIds: shown.map(({ id }) => id) });
        return shown;
      },
      { tenantId },
    );
    for (const row of taken) rows.set(row.id, row as Row);
  }
  return found.flatMap(({ id }) => rows.get(id) ?? []);
}

/** Runs a few queries at a time, and returns the answers in order. */
async function inLanes<One, Answer>(
  all: readonly One[],
  signal: AbortSignal | undefined,
  ask: (one: One) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < all.length; at += atOnce) {
    // People who go on typing do not wait for an earlier answer.
    signal?.throwIfAborted();
    answers.push(...(await Promise.all(all.slice(at, at + atOnce).map(ask))));
  }
  return answers;
}

/** The search over everything: each kind as its own list finds and shows it, and people with similar names. */
export function serveSearch(app: App): void {
  serve(app, searchEverything, async (call) => {
    // A text can hold many words, and each is looked for in every list.
    const words = splitWords(call.body.words).filter(Boolean).slice(0, wordsAtMost);
    // Without a letter or a digit, every record would match.
    if (searchWords(words).length === 0) return { groups: [] };
    const kinds = foundKinds.filter((kind) => tenantsOfList(call, searchLists[kind].grid).length > 0);
    const found = await inLanes(kinds, call.signal, (kind) => inList(app, call, searchLists[kind], words));
    const names = typedNames(words);
    const similar = someoneSimilar(app, call, names, Number(todayIn(call.org.timeZone).slice(0, 4)));
    const groups: FoundGroup[] = [];
    for (const [index, kind] of kinds.entries()) {
      const list = searchLists[kind];
      const { rows, rowCount } = found[index]!;
      const read = await readFound(app, call, list, rows);
      const records = read.map((row) => recordOf(list, row));
      const alike = list.named
        ? await similarOf(app, call, list, similar, {
            names,
            besides: new Set(rows.map(({ id }) => id)),
            most: foundAtMost - records.length,
          })
        : [];
      if (records.length + alike.length > 0)
        groups.push({ kind, count: rowCount > 0 ? rowCount : null, records: [...records, ...alike] });
    }
    return { groups };
  });

  serve(app, recentRecords, async (call) => {
    const { records } = call.body;
    const read = new Map<string, FoundRecord & { kind: FoundKind }>();
    for (const [kind, some] of Map.groupBy(records, (one) => one.kind)) {
      const list = searchLists[kind];
      for (const tenantId of tenantsOfList(call, list.grid))
        for (const row of await readFound(
          app,
          call,
          list,
          some.map(({ id }) => ({ id, tenantId })),
        ))
          read.set(row.id, { ...recordOf(list, row), kind });
    }
    return { records: records.flatMap(({ id }) => read.get(id) ?? []) };
  });
}

async function similarOf(
  app: App,
  call: Call,
  list: SearchList,
  similar: Similar,
  {
    names,
    besides,
    most,
  }: {
    names: readonly string[];
    besides: ReadonlySet<string>;
    most: number;
  },
): Promise<FoundRecord[]> {
  if (most <= 0 || names.length === 0) return [];
  const found: Found[] = [];
  for (const tenantId of tenantsOfList(call, list.grid)) {
    const ids = await similarIn(app, call, tenantId, list.grid.id, await similar(tenantId), names, besides);
    found.push(...ids.slice(0, most).map((id) => ({ id, tenantId })));
  }
  const read = await readFound(app, call, list, found.slice(0, most));
  return read.map((row) => recordOf(list, row, true));
}
