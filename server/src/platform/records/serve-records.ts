import { v7 } from 'uuid';
import { askDatabase } from '../grid/ask-database.ts';
import { type Lookups, lookupsChanged } from '../grid/lookups.ts';
import { serveGrid } from '../grid/serve-grid.ts';
import type { App } from '../http/app.ts';
import { type Call, serve } from '../http/serve.ts';
import { readHistory } from './record-history.ts';
import type { AnyRow, AnyServer, Values, Writing } from './record-server.ts';
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
const hiddenFor = ({ scope }: Call): readonly string[] =>
  'hiddenFamilies' in scope ? scope.hiddenFamilies : [];
const writerOf = (call: Call): Writer => ({
  tenantId: tenantOf(call),
  accountId: call.account.accountId,
  hiddenFamilies: hiddenFor(call),
});

/** Serves everything that every record has: its list, and reading, making, changing, history and undo. */
export function serveRecords(app: App, lookups: Lookups, given: AnyServer<unknown>): void {
  const server = given as AnyServer;
  const { kind, endpoints } = server.record;
  serveGrid<AnyRow>(app, askDatabase(app.database), {
    source: sourceOf(server),
    recordKind: kind,
    orders: (names, call) => lookups.orders(names, call),
    read: (tx, ids) => readRecords(tx, server, ids),
  });

  serve(app, endpoints.read, (call) => call.withScope((tx) => readRecord(tx, server, call.params.id)));

  serve(app, endpoints.history, (call) =>
    call.withScope(async (tx) => {
      await readRecord(tx, server, call.params.id);
      return readHistory(tx, server, call.params.id, {
        before: call.query.before,
        hiddenFamilies: hiddenFor(call),
      });
    }),
  );

  const newOne = (call: Call, id: string): Writing<Values> => ({
    tenantId: tenantOf(call),
    id,
    before: null,
    hiddenFamilies: hiddenFor(call),
  });
  serve(
    app,
    endpoints.make,
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

  /** Writes a change with its line in the log. */
  const write = async (call: Call, id: string, version: number, change: Change): Promise<AnyRow> => {
    const writer = writerOf(call);
    const changed = await call.withScope(async (tx) => {
      await server.lock(tx, writer.tenantId);
      const stored = await readRecord(tx, server, id);
      const { before, after, record } = await changeRecord(tx, server, writer, stored, version, change);
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
  };
  const faultsElsewhere = async (call: Call, id: string, given: Values) =>
    (await server.faultsElsewhere?.(app.database, given, { tenantId: tenantOf(call), id })) ?? [];

  serve(
    app,
    endpoints.change,
    async (call) => {
      const { id } = call.params;
      const { version, active, ...given } = call.body as Values & { version: number; active?: boolean };
      const elsewhere = await faultsElsewhere(call, id, given);
      return write(call, id, version, { given, active, elsewhere });
    },
    {
      alsoWrong: async (call, faulty) => {
        const { id } = call.params;
        const { version: _, active: __, ...given } = call.body as Values;
        const elsewhere = await faultsElsewhere(call, id, given);
        return call.withScope(async (tx) => {
          const before = fieldsOf(server, await readRecord(tx, server, id));
          const next: Values = { ...before, ...given };
          for (const name of faulty) delete next[name];
          return [...elsewhere, ...(await faultsOf(tx, server, next, { ...newOne(call, id), before }))];
        });
      },
    },
  );

  serve(app, endpoints.undo, async (call) => {
    const { id } = call.params;
    const { version } = call.body;
    const { stored, undo } = await call.withScope(async (tx) => {
      const stored = await readRecord(tx, server, id);
      return { stored, undo: await undoOf(tx, server, stored, version, hiddenFor(call)) };
    });
    const { given, active, kept } = undo;
    const elsewhere = await faultsElsewhere(call, id, given);
    const record = await write(call, id, stored.version, { given, active, elsewhere, undoes: version });
    return { record, kept };
  });
}
