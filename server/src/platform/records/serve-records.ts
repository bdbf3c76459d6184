import type { Fault } from '@caseway/contract/error';
import type { LoggedKind } from '@caseway/contract/record';
import { v7 } from 'uuid';
import type { Answering } from '../analytics/readings.ts';
import { askDatabase } from '../grid/ask-database.ts';
import type { RowTexts } from '../grid/export-rows.ts';
import { type Lookups, lookupsChanged } from '../grid/lookups.ts';
import { serveGrid } from '../grid/serve-grid.ts';
import type { App } from '../http/app.ts';
import { type Call, serve } from '../http/serve.ts';
import { readHistory } from './record-history.ts';
import type { AnyReading, AnyRow, AnyServer, Values, Writing } from './record-server.ts';
import { readRecord, readRecords, sourceOf } from './record-sql.ts';
import {
  type Change,
  changeRecord,
  faultsOf,
  fieldsOf,
  makeRecord,
  undoOf,
  type Writer,
} from './save-record.ts';

export const tenantOf = ({ scope }: Call): string => (scope as { tenantId: string }).tenantId;
/** The disease families that the caller may not see. [P18] */
export const hiddenFor = ({ scope }: Call): readonly string[] =>
  'hiddenFamilies' in scope ? scope.hiddenFamilies : [];
const writerOf = (call: Call): Writer => ({
  tenantId: tenantOf(call),
  accountId: call.account.accountId,
  hiddenFamilies: hiddenFor(call),
});

/** How a record of a kind is read and changed. */
export interface Ways {
  read(call: Call, id: string): Promise<AnyRow>;
  /** Writes a change based on a version, and its log entry. */
  change(call: Call, id: string, version: number, change: Change): Promise<AnyRow>;
  /** The faults of the given fields, except those that are invalid by themselves. */
  faults(call: Call, id: string, change: Change, faulty: readonly string[]): Promise<Fault[]>;
}

const newOne = (call: Call, id: string): Writing<Values> => ({
  tenantId: tenantOf(call),
  id,
  before: null,
  hiddenFamilies: hiddenFor(call),
});

/** Reads and writes a record that is a row of its table, in the scope of the caller. */
function waysOf(app: App, server: AnyServer): Ways {
  // `record` accepts only kinds with these words in the log.
  const kind = server.record.kind as LoggedKind;
  const faultsElsewhere = async (call: Call, id: string, given: Values) =>
    (await server.faultsElsewhere?.(app.database, given, { tenantId: tenantOf(call), id })) ?? [];
  return {
    read: (call, id) => call.withScope((tx) => readRecord(tx, server, id)),
    change: async (call, id, version, change) => {
      const writer = writerOf(call);
      const elsewhere = await faultsElsewhere(call, id, change.given);
      const changed = await call.withScope(async (tx) => {
        await server.lock(tx, writer.tenantId);
        const stored = await readRecord(tx, server, id);
        const done = await changeRecord(tx, server, writer, stored, version, change, elsewhere);
        const { before, after, record } = done;
        if (record === stored) return record;
        const deed = after.active === undefined ? 'changed' : after.active ? 'reactivated' : 'deactivated';
        call.audit({
          action: `${kind}/${deed}`,
          recordKind: kind,
          recordIds: [id],
          detail: { before, after },
        });
        return record;
      });
      await lookupsChanged(app, writer.tenantId);
      return changed;
    },
    faults: async (call, id, { given }, faulty) => {
      const elsewhere = await faultsElsewhere(call, id, given);
      return call.withScope(async (tx) => {
        const before = fieldsOf(server, await readRecord(tx, server, id));
        const next: Values = { ...before, ...given };
        for (const name of faulty) delete next[name];
        return [...elsewhere, ...(await faultsOf(tx, server, next, { ...newOne(call, id), before }))];
      });
    },
  };
}

/**
 * Serves the common endpoints of every record: its list, also as a file, and reading, making, changing, history and
 * undo. `texts`: the words of its list in a file.
 */
export function serveRecords(
  app: App,
  lookups: Lookups,
  given: AnyServer<unknown>,
  texts: RowTexts<AnyRow>,
): void {
  const server = given as AnyServer;
  serveRecordsApart(app, lookups, server, waysOf(app, server), { texts });
  serveMaking(app, server);
}

/**
 * The same for a record that is made and written in its own way: its lists, and reading, changing, history and undo.
 */
export function serveRecordsApart(
  app: App,
  lookups: Lookups,
  given: AnyReading<unknown>,
  ways: Ways,
  { ask = askDatabase(app.database), texts }: { ask?: Answering; texts?: RowTexts<AnyRow> } = {},
): void {
  const reading = given as AnyReading;
  const { kind, grids, endpoints } = reading.record;
  for (const grid of Object.values(grids))
    serveGrid<AnyRow>(app, ask, {
      source: sourceOf(reading, grid),
      recordKind: kind,
      orders: (names, call) => lookups.orders(names, call),
      read: (tx, ids) => readRecords(tx, reading, ids),
      ...(texts && { exported: { lookups, ...texts } }),
    });

  serve(app, endpoints.read, (call) => ways.read(call, call.params.id));

  serve(app, endpoints.history, (call) =>
    call.withScope(async (tx) => {
      await readRecord(tx, reading, call.params.id);
      return readHistory(tx, reading, call.params.id, {
        before: call.query.before,
        hiddenFamilies: hiddenFor(call),
      });
    }),
  );

  serve(
    app,
    endpoints.change,
    (call) => {
      const { version, active, ...given } = call.body as Values & { version: number; active?: boolean };
      return ways.change(call, call.params.id, version, { given, active });
    },
    {
      alsoWrong: (call, faulty) => {
        const { version: _, active, ...given } = call.body as Values & { active?: boolean };
        return ways.faults(call, call.params.id, { given, active }, [...faulty]);
      },
    },
  );

  serve(app, endpoints.undo, async (call) => {
    const { id } = call.params;
    const { version } = call.body;
    const { stored, undo } = await call.withScope(async (tx) => {
      const stored = await readRecord(tx, reading, id);
      return { stored, undo: await undoOf(tx, reading, stored, version, hiddenFor(call)) };
    });
    const { given, active, kept } = undo;
    const record = await ways.change(call, id, stored.version, { given, active, undoes: version });
    return { record, kept };
  });
}

function serveMaking(app: App, server: AnyServer): void {
  const kind = server.record.kind as LoggedKind;
  serve(
    app,
    server.record.endpoints.make,
    async (call) => {
      const { id = v7(), ...next } = call.body as Values & { id?: string };
      const record = await call.withScope(async (tx) => {
        const { record, made } = await makeRecord(tx, server, writerOf(call), id, next);
        if (made)
          call.audit({
            action: `${kind}/made`,
            recordKind: kind,
            recordIds: [id],
            detail: { after: fieldsOf(server, record) },
          });
        return record;
      });
      await lookupsChanged(app, tenantOf(call));
      return record;
    },
    {
      alsoWrong: (call) =>
        call.withScope((tx) => {
          const { id: _, ...next } = call.body as Values;
          return faultsOf(tx, server, next, newOne(call, v7()));
        }),
    },
  );
}
