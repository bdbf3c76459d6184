import { type AnyRecord, columnFor, type Field } from '@caseway/contract/record';
import type { HistoryEntry } from '@caseway/contract/record-history';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { Headers } from './asking.ts';
import { readXlsx } from './xlsx.ts';

type Values = Record<string, unknown>;
export type Stored = { id: string; version: number; active: boolean } & Values;
type Method = 'GET' | 'POST' | 'PATCH';

interface Answered {
  statusCode: number;
  body: string;
  rawPayload: Buffer;
  json<T>(): T;
}

/** PostgreSQL's column type for each kind of field. */
const columnTypes: Readonly<Record<Field['kind'], string>> = {
  text: 'text',
  texts: '_text',
  email: 'text',
  phone: 'text',
  timeZone: 'text',
  choice: 'text',
  choices: '_text',
  families: '_text',
  reference: 'uuid',
  references: '_uuid',
  flag: 'bool',
  count: 'int4',
  day: 'date',
  instant: 'timestamptz',
  rows: 'jsonb',
};

/** What the tests of a record need: the people who send requests, and possible values of its fields. */
export interface RecordWorld {
  record: AnyRecord;
  ask(method: Method, path: string, payload?: object, headers?: Headers): Promise<Answered>;
  sql<Row extends object>(text: string, params?: unknown[]): Promise<Row[]>;
  /** A person of the tenant who may not write, and an administrator of another tenant. */
  others: { without: Headers; elsewhere: Headers };
  /** A person who may write, but may not see some families of a list of families. [P18] */
  blind?: { headers: Headers; hidden: string; seen: readonly [string, string] };
  /** A new record, each time with a new name; made by the request, or already existing if people make none. */
  fresh?(): Promise<Values>;
  make?(): Promise<Stored>;
  /** Another value for each field that can be changed. */
  changed(made: Stored): Values | Promise<Values>;
  /** For one with a workflow: a transition that a new one can do, and the resulting state. */
  deed?: { transition: string; fields?: Values; reason?: string; state: string };
  /** Fields that a record of `fresh` cannot change on its own: it is in another state, or the field does not apply. */
  conditional?: readonly string[];
  /** Columns that remember the past; undo leaves them. */
  remembering?: readonly string[];
  /** For one that is made and written in its own way: where it is stored, and its name in the log. */
  apart?: {
    columns(id: string): Promise<Values>;
    /** Writes it in another way than by its endpoint. */
    raise(id: string): Promise<unknown>;
    logged(made: Stored): { kind: string; id: string; made: string };
  };
  /** A field and three values of it that people set at the same time; by default of the first field that can be changed. */
  rivals?: readonly [field: string, values: readonly [unknown, unknown, unknown]];
  /** For records about patients: who sees which of them. */
  sight?: {
    /** A changed record of a restricted family, and a person who may not see it. [P18] */
    hidden(): Promise<Stored>;
    blind: Headers;
    /** Opens it for that person in an emergency. */
    open(hidden: Stored): Promise<unknown>;
    /** It stays hidden then: emergency access opens the case, not the people around it. */
    staysHidden?: true;
    /** Places, a record that each sees, and one that it does not; both have changed. [P1, P23] */
    places: readonly { name: string; headers: Headers; own(): Promise<Stored>; other(): Promise<Stored> }[];
  };
}

/**
 * Rules for every record: who may call each of its endpoints, that a change is refused only if the same field has
 * changed, that its history names every change, and that undo restores every column.
 */
export function describeRecord({
  record,
  ask,
  sql,
  others,
  blind,
  changed,
  conditional = [],
  remembering = [],
  apart,
  rivals,
  sight,
  deed,
  ...world
}: RecordWorld): void {
  const { id: path, kind, table, fields, endpoints, ofPatients, workflow } = record;
  const fresh = () => world.fresh!();
  const names = (set: Field['set']) =>
    Object.entries(fields).flatMap(([name, field]) => (field.set === set ? [name] : []));
  const changeable = names('always').filter((name) => !conditional.includes(name));

  async function ok<T = Stored>(method: Method, at: string, payload?: object, headers?: Headers): Promise<T> {
    const answer = await ask(method, at, payload, headers);
    expect([method, at, answer.statusCode, answer.json()]).toEqual([method, at, 200, expect.anything()]);
    return answer.json<T>();
  }
  /** The status, and the faults with their places and codes. */
  async function refused(method: Method, at: string, payload: object, headers?: Headers) {
    const answer = await ask(method, at, payload, headers);
    const { faults = [] } = answer.json<{ faults?: { path: string; code: string }[] }>();
    return [answer.statusCode, ...faults.map((fault) => `${fault.path} ${fault.code}`)];
  }
  const make = world.make ?? (async () => ok('POST', path, await fresh()));
  /** A record that people make has its first version in the history; others only their changes. */
  const isMade = !ofPatients || record.about !== undefined || world.fresh !== undefined;
  const first = isMade ? 1 : 0;
  /** The versions in the history of a record that has changed once. */
  const versions = ({ version }: Stored) => (first === 1 ? [version, 1] : [version]);
  const withActive = (values: Values): Values => (ofPatients ? values : { ...values, active: false });
  /** What people have changed, without values set by the server and the resulting state. */
  const byPeople = (changes: HistoryEntry['changes']) =>
    Object.fromEntries(
      Object.entries(changes).filter(([name]) => fields[name]?.set !== 'server' && name !== workflow?.of),
    );
  const change = (made: Stored, values: Values, headers?: Headers) =>
    ok('PATCH', `${path}/${made.id}`, { version: made.version, ...values }, headers);
  const read = ({ id }: Stored, headers?: Headers) => ok('GET', `${path}/${id}`, undefined, headers);
  const history = async ({ id }: Stored, headers?: Headers) =>
    (await ok<{ entries: HistoryEntry[] }>('GET', `${path}/${id}/history`, undefined, headers)).entries;
  /** Checks that it is in its person's timeline, if its declaration says how. */
  async function expectOnTimeline({ id }: Stored, headers: Headers, isThere: boolean): Promise<void> {
    if (!record.timeline) return;
    const [its] = await sql<{ patient: string }>(`select patient_id as patient from ${table} where id = $1`, [
      id,
    ]);
    const answer = await ask('GET', `patients/${its!.patient}/timeline`, undefined, headers);
    const { entries = [] } = answer.json<{ entries?: { id: string }[] }>();
    expect(entries.some((entry) => entry.id === id)).toBe(isThere);
  }
  /** Its columns, except those that say how often it was written. */
  const columns = async ({ id }: Stored) =>
    apart?.columns(id) ??
    (
      await sql<{ row: Values }>(
        `select to_jsonb(t) - 'version' - $2::text[] as row from ${table} t where id = $1`,
        [id, remembering],
      )
    )[0]!.row;
  const raise = async ({ id }: Stored) =>
    apart?.raise(id) ?? sql(`update ${table} set version = version + 1 where id = $1`, [id]);
  const logged = (made: Stored) => apart?.logged(made) ?? { kind, id: made.id, made: `${kind}/made` };
  /** Without versions, also of records shown with it. */
  const without = (shown: Stored) =>
    ofPatients
      ? Object.fromEntries(Object.keys(fields).map((name) => [name, shown[name]]))
      : (JSON.parse(
          JSON.stringify(shown, (name, value) => (name === 'version' ? undefined : value)),
        ) as Values);

  async function rivalsOf(made: Stored): Promise<[string, unknown[]]> {
    const [name] = changeable;
    const value = (await changed(made))[name!];
    return [name!, [value, `${value} 2`, `${value} 3`]];
  }

  describe(`${path}, like every record`, () => {
    test('[S6.4] each endpoint refuses signed-out requests, those without the permission, and other tenants', async () => {
      const made = await make();
      for (const { method, path: at } of Object.values(endpoints)) {
        const address = at
          .replace('/api/web/', '')
          .replace(':id', made.id)
          .replace(':transition', workflow?.flow.transitions[0]?.id ?? '');
        const payload = method === 'GET' ? undefined : { version: 1 };
        const status = async (headers: Headers) =>
          (await ask(method as Method, address, payload, headers)).statusCode;
        expect([address, await status({})]).toEqual([address, 401]);
        expect([address, await status(others.without)]).toEqual([address, 403]);
        if (at.includes(':id')) expect([address, await status(others.elsewhere)]).toEqual([address, 404]);
      }
      const { rows } = await ok<{ rows: Stored[] }>(
        'POST',
        `grid/${record.grid.id}/search`,
        { paginationModel: { page: 0, pageSize: 200 } },
        others.elsewhere,
      );
      expect(rows.map(({ id }) => id)).not.toContain(made.id);
      expect(await read(made)).toEqual(made);
    });

    if (!ofPatients && record.grid.exportable)
      test('its list is also a file, for people who may read it; the log names the records in it [P15]', async () => {
        const made = await make();
        const payload = { query: {}, columns: Object.keys(record.grid.columns) };
        const at = `grid/${record.grid.id}/export`;
        const [line, elsewhere, refusal] = [
          await ask('POST', at, payload),
          await ask('POST', at, payload, others.elsewhere),
          await ask('POST', at, payload, others.without),
        ];
        const called = String(made[record.name]);
        expect([line.statusCode, line.body.includes(called)]).toEqual([200, true]);
        // Every title and code has words.
        expect(line.body).not.toMatch(/undefined|\[object|choice\.|field\./);
        expect([elsewhere.statusCode, elsewhere.body.includes(called)]).toEqual([200, false]);
        expect(refusal.statusCode).toBe(403);
        const workbook = await ask('POST', at, { ...payload, format: 'xlsx', ids: [made.id] });
        const [sheet] = readXlsx(workbook.rawPayload);
        expect(sheet!.rows.map((cells) => cells.some((cell) => cell?.text === called))).toEqual([
          false,
          true,
        ]);
        const events = await sql(
          `select from audit_event where action = 'export' and record_kind = $1 and $2 = any (record_ids)`,
          [kind, made.id],
        );
        expect(events).toHaveLength(2);
      });

    const { bulk: [many] = [] } = record as { bulk?: readonly string[] };
    if (many !== undefined)
      test('an action on many of them is only for its owner, and begins only with the expected number', async () => {
        const made = await make();
        const action = v7();
        const asked = { id: action, change: { [many]: (await changed(made))[many] } };
        const selection = { ids: [made.id] };
        expect(await ok<object>('POST', `${path}/bulk`, { ...asked, selection, expected: 2 })).toEqual({
          counted: 1,
          action: null,
        });
        expect((await refused('POST', `${path}/bulk`, { ...asked, selection: { query: {} } }))[0]).toBe(422);
        const { action: begun } = await ok<{ action: object }>('POST', `${path}/bulk`, {
          ...asked,
          selection,
          expected: 1,
        });
        expect(begun).toMatchObject({ id: action, total: 1, state: 'running', changed: 0 });
        for (const at of [`${path}/bulk/${action}`, `${path}/bulk/${action}/refused`])
          expect((await ask('GET', at, undefined, others.elsewhere)).statusCode).toBe(404);
      });

    test('each field that is a column is in the table, with its type, and nullable only if it may be empty', async () => {
      const stored = await sql<{ name: string; type: string; nullable: boolean; view: boolean }>(
        `select column_name as name, udt_name as type, is_nullable = 'YES' as nullable, is_insertable_into = 'NO' as view
         from information_schema.columns join information_schema.tables using (table_schema, table_name)
         where table_schema = 'public' and table_name = $1`,
        [table],
      );
      const byName = new Map(stored.map(({ view, ...column }) => [column.name, column]));
      // Nothing is known about the columns of a view.
      const isView = stored.some(({ view }) => view);
      for (const [name, field] of Object.entries(fields)) {
        if (field.in === 'elsewhere') continue;
        const column = columnFor(name, field);
        expect([column, byName.get(column)]).toEqual([
          column,
          { name: column, type: columnTypes[field.kind], nullable: isView || !field.needed },
        ]);
      }
    });

    test('values set by the server are in no request, and values set only in a new record stay', async () => {
      const valid = world.fresh && (await fresh());
      const made = valid ? await ok('POST', path, valid) : await make();
      for (const name of [...names('server'), ...names('transitions')]) {
        if (valid)
          expect([name, (await refused('POST', path, { ...valid, [name]: made[name] }))[0]]).toEqual([
            name,
            400,
          ]);
        expect([name, (await refused('PATCH', `${path}/${made.id}`, { version: 1, [name]: 1 }))[0]]).toEqual([
          name,
          400,
        ]);
      }
      for (const name of names('creation')) {
        const { options, kind: of } = fields[name]!;
        const other = of === 'count' ? 1 : v7();
        const another = Array.isArray(options) ? options.find((code) => code !== made[name]) : other;
        const change = { version: 1, [name]: another };
        expect(await refused('PATCH', `${path}/${made.id}`, change)).toContain(`${name} kept`);
      }
      expect(await read(made)).toEqual(made);
    });

    test.runIf(world.fresh && !apart)('[P5] a repeated request to make one makes no second one', async () => {
      const valid = { ...(await fresh()), id: v7() };
      const made = await ok('POST', path, valid);
      expect(made.id).toBe(valid.id);
      expect(await ok('POST', path, valid)).toEqual(made);
      expect(await history(made)).toHaveLength(1);
      const [name] = changeable;
      const other = { ...valid, [name!]: (await changed(made))[name!] };
      expect(await refused('POST', path, other)).toEqual([422, 'id key-used']);
    });

    test('[P15] each change is in the history and in the log, with its author and the values before and after', async () => {
      const made = await make();
      const values = await changed(made);
      expect(Object.keys(values).sort()).toEqual([...changeable].sort());
      let last = made;
      for (const [name, value] of Object.entries(values)) {
        const next = await change(last, { [name]: value });
        expect([name, next.version]).toEqual([name, last.version + 1]);
        const [newest] = await history(made);
        expect(newest).toMatchObject({
          version: next.version,
          undoes: null,
          by: { name: expect.any(String) },
        });
        expect(byPeople(newest!.changes)).toEqual({ [name]: { from: last[name] ?? null, to: next[name] } });
        last = next;
      }
      expect(await history(made)).toHaveLength(changeable.length + first);
      const inLog = logged(made);
      const log = await sql<{ action: string; detail: { after?: Values; fields?: string[] } }>(
        `select action, detail from audit_event where $1 = any (record_ids) and record_kind = $2
           and (action like $3 || '/%' or action = 'change') order by at, id`,
        [inLog.id, inLog.kind, kind],
      );
      expect(log.map(({ action }) => action)).toEqual(
        ofPatients
          ? [...(isMade ? [inLog.made] : []), ...changeable.map(() => 'change')]
          : [inLog.made, ...changeable.map(() => `${kind}/changed`)],
      );
      const named = log
        .slice(first)
        .map(({ detail }) => (ofPatients ? detail.fields! : Object.keys(detail.after!)));
      expect(named.map((all) => all.filter((name) => changeable.includes(name)))).toEqual(
        Object.keys(values).map((name) => [name]),
      );
      // For patients, the log has no values.
      if (ofPatients)
        expect(log.flatMap(({ detail }) => Object.keys(detail))).toEqual(log.map(() => 'fields'));
    });

    test('two people who change different fields both succeed; for the same field, the second is refused', async () => {
      const made = await make();
      const values = withActive(await changed(made));
      const [first, second = 'active'] = changeable as [string, ...string[]];
      const mine = await change(made, { [first]: values[first] });
      expect(await change(made, { [second]: values[second] })).toMatchObject({
        version: 3,
        [first]: mine[first],
        [second]: values[second],
      });
      const before = await read(made);
      expect(await refused('PATCH', `${path}/${made.id}`, { version: 1, [first]: made[first] })).toEqual([
        409,
        `${first} changed-since`,
      ]);
      expect(await read(made)).toEqual(before);
      // The same value is no conflict, and nothing to write.
      expect(await change(made, { [first]: mine[first] })).toEqual(before);
      // Written in another way in between, so what has changed is unknown.
      await raise(made);
      expect(await refused('PATCH', `${path}/${made.id}`, { version: 1, [second]: made[second] })).toEqual([
        409,
      ]);
    });

    test('of three who change the same field at the same time, one succeeds', async () => {
      const made = await make();
      const [name, values] = rivals ?? (await rivalsOf(made));
      const answers = await Promise.all(
        values.map((value) => ask('PATCH', `${path}/${made.id}`, { version: 1, [name!]: value })),
      );
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
      const kept = answers.find(({ statusCode }) => statusCode === 200)!.json<Stored>();
      expect(await read(made)).toEqual(kept);
    });

    test('undo restores every column, and leaves what has changed again', async () => {
      const made = await make();
      const values = withActive(await changed(made));
      let last = made;
      for (const [name, value] of Object.entries(values)) {
        const before = await columns(last);
        const next = await change(last, { [name]: value });
        const undone = await ok<{ record: Stored; kept: string[] }>('POST', `${path}/${made.id}/undo`, {
          version: next.version,
        });
        expect(undone.kept).toEqual([]);
        expect([name, without(undone.record)]).toEqual([name, without(last)]);
        expect([name, await columns(last)]).toEqual([name, before]);
        const [newest] = await history(made);
        expect(newest).toMatchObject({ undoes: next.version });
        last = undone.record;
      }
      const [first, second = 'active'] = changeable as [string, ...string[]];
      const both = await change(last, { [first]: values[first], [second]: values[second] });
      const again = await change(both, { [first]: made[first] });
      const { record: partly, kept } = await ok<{ record: Stored; kept: string[] }>(
        'POST',
        `${path}/${made.id}/undo`,
        { version: both.version },
      );
      expect([kept, partly[first], partly[second]]).toEqual([[first], again[first], made[second]]);
      expect(await refused('POST', `${path}/${made.id}/undo`, { version: both.version })).toEqual([409]);
      expect(await refused('POST', `${path}/${made.id}/undo`, { version: 1 })).toEqual([404]);
    });

    if (workflow && deed)
      test('[P15] a transition is done once, with its permission; the history has its name, reason and changes; undo reverses all of it', async () => {
        const made = await make();
        const { of, flow } = workflow;
        const { transition, state, ...more } = deed;
        const at = `${path}/${made.id}/transitions/${transition}`;
        const asked = { version: made.version, ...more };
        const done = await ok('POST', at, asked);
        expect([done.version, done[of]]).toEqual([made.version + 1, state]);
        const [newest] = await history(made);
        expect(newest).toMatchObject({
          version: done.version,
          transition,
          reason: more.reason ?? null,
          by: { name: expect.any(String) },
          changes: { [of]: { from: made[of], to: state } },
        });
        const log = await sql<{ detail: Values }>(
          `select detail from audit_event where $1 = any (record_ids) and action = 'change' and detail ? 'transition'`,
          [made.id],
        );
        expect(log).toEqual([{ detail: { fields: Object.keys(newest!.changes), transition } }]);
        // The answer was lost, and the request is sent again.
        expect(await ok('POST', at, asked)).toEqual(done);
        // Transitions for people who may do nothing else are not for this one.
        for (const { id } of flow.transitions.filter((one) => one.id !== transition && !one.mayAlone))
          expect([id, await refused('POST', `${path}/${made.id}/transitions/${id}`, asked)]).toEqual([
            id,
            [409, `${of} changed-since`],
          ]);
        const undone = await ok<{ record: Stored; kept: string[] }>('POST', `${path}/${made.id}/undo`, {
          version: done.version,
        });
        expect([undone.kept, without(undone.record)]).toEqual([[], without(made)]);
        expect((await history(made))[0]).toMatchObject({ undoes: done.version, transition: null });
      });

    if (sight) {
      test(`[P18] one of a restricted family is hidden with its history; ${
        sight.staysHidden
          ? 'also while its case is opened in an emergency'
          : 'opened in an emergency, both are read, and not changed'
      }`, async () => {
        const hidden = await sight.hidden();
        const { blind: headers } = sight;
        const at = `${path}/${hidden.id}`;
        const asked = async () => {
          const statuses: number[] = [];
          for (const [method, to, payload] of [
            ['GET', at, undefined],
            ['GET', `${at}/history`, undefined],
            ['PATCH', at, { version: hidden.version, [changeable[0]!]: hidden[changeable[0]!] }],
            ['POST', `${at}/undo`, { version: hidden.version }],
          ] as const)
            statuses.push((await ask(method, to, payload, headers)).statusCode);
          return statuses;
        };
        expect(await asked()).toEqual([404, 404, 404, 404]);
        await expectOnTimeline(hidden, headers, false);
        await sight.open(hidden);
        if (sight.staysHidden) {
          expect(await asked()).toEqual([404, 404, 404, 404]);
          return;
        }
        await expectOnTimeline(hidden, headers, true);
        expect(await asked()).toEqual([200, 200, 404, 404]);
        expect((await history(hidden, headers)).map(({ version }) => version)).toEqual(versions(hidden));
        const looks = await sql<{ deed: string }>(
          `select deed from audit_event where $1 = any (record_ids) and record_kind = $2 and detail ? 'breakGlass' order by at, id`,
          [hidden.id, kind],
        );
        expect(looks.map(({ deed }) => deed).filter((deed) => deed === 'read')).toHaveLength(3);
      });

      test.each(sight.places)(
        '[P1] $name reads only its own records, in their history and the timeline of a person',
        async (place) => {
          const own = await place.own();
          expect((await history(own, place.headers)).map(({ version }) => version)).toEqual(versions(own));
          await expectOnTimeline(own, place.headers, true);
          const other = await place.other();
          expect((await ask('GET', `${path}/${other.id}/history`, undefined, place.headers)).statusCode).toBe(
            404,
          );
          await expectOnTimeline(other, place.headers, false);
        },
      );
    }

    if (blind === undefined) return;
    const lists = Object.entries(fields).flatMap(([name, { kind: of }]) => (of === 'families' ? [name] : []));

    test.each(lists)(
      '[P18] a hidden family is never in %s, and stays when others change it',
      async (name) => {
        const { headers, hidden, seen } = blind;
        const [one, other] = seen;
        const valid = { ...(await fresh()), [name]: [one] };
        const made = await ok('POST', path, valid, headers);
        const withHidden = await change(made, { [name]: [one, hidden] });
        expect(withHidden[name]).toEqual([one, hidden]);
        // Another person's change of it is neither shown nor a conflict.
        expect((await read(made, headers))[name]).toEqual([one]);
        expect(JSON.stringify(await history(made, headers))).not.toContain(hidden);
        const mine = await ok('PATCH', `${path}/${made.id}`, { version: 1, [name]: [other] }, headers);
        expect(mine[name]).toEqual([other]);
        expect((await read(made))[name]).toEqual([other, hidden]);
        expect(JSON.stringify(await history(made, headers))).not.toContain(hidden);
        const undone = await ok<{ record: Stored }>('POST', `${path}/${made.id}/undo`, {
          version: mine.version,
        });
        expect(undone.record[name]).toEqual([one, hidden]);
        const found = await ok<{ rowCount: number }>(
          'POST',
          `grid/${path}/search`,
          { filterModel: { items: [{ field: name, operator: 'is', value: hidden }] } },
          headers,
        );
        expect(found.rowCount).toBe(0);
      },
    );
  });
}
