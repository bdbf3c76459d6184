import type { AuditRecordKind, NamedAction } from '@caseway/contract/audit-action';
import { todayIn } from '@caseway/contract/date-range';
import { type AnyRecord, accessOf } from '@caseway/contract/record';
import type { TransitionEndpoint } from '@caseway/contract/record-transitions';
import { mayDo, type Workflow } from '@caseway/contract/workflow';
import { v7 } from 'uuid';
import type { Tx } from '../db/database.ts';
import { actIn } from '../http/acting.ts';
import type { App } from '../http/app.ts';
import { AppError, refuse } from '../http/app-error.ts';
import { type Call, serve } from '../http/serve.ts';
import { assertCarriedOut } from './effects.ts';
import {
  changeOfDeed,
  changePatientRecord,
  considerChange,
  lockedRecord,
  makePatientRecord,
  newOne,
  type PatientChange,
  type PatientServer,
  type PatientWriter,
  type Person,
  refuseOther,
  refuseUsedKey,
  undoOfVersion,
} from './patient-record.ts';
import { faultsOfConditions, faultsOfTexts } from './record-faults.ts';
import { readHistory } from './record-history.ts';
import type { AnyRow, Values } from './record-server.ts';
import { readRecord } from './record-sql.ts';

export const patientWriter = (person: Person, tenantId: string, context: unknown): PatientWriter => ({
  tenantId,
  accountId: person.account.accountId,
  hiddenFamilies: [],
  may: (permission) => person.may(permission),
  today: todayIn(person.org.timeZone),
  now: new Date().toISOString(),
  context,
});

/** Runs `work` in the tenant of a record: the reader's own, or the one of a jurisdiction's tenants that has the record. */
export async function inItsTenant<T>(
  call: Call,
  kind: AuditRecordKind,
  id: string,
  work: (tx: Tx, tenantId: string) => Promise<T>,
): Promise<T> {
  return inAnyTenant(call, work, () => call.audit({ recordKind: kind, recordIds: [id] }));
}

/** The same without a log entry, for answers without data of the record's patient. */
export async function inAnyTenant<T>(
  call: Call,
  work: (tx: Tx, tenantId: string) => Promise<T>,
  before: () => void = () => {},
): Promise<T> {
  for (const [index, tenantId] of call.org.tenantIds.entries()) {
    before();
    try {
      return await call.withScope((tx) => work(tx, tenantId), { tenantId });
    } catch (error) {
      const isLast = index === call.org.tenantIds.length - 1;
      if (isLast || !(error instanceof AppError) || error.code !== 'not-found') throw error;
    }
  }
  throw new AppError('not-found');
}

/** The answer about a record; `not-found` if the reader does not see it. */
async function answerAbout(
  tx: Tx,
  server: PatientServer,
  id: string,
  reader: Pick<Call, 'may'>,
): Promise<AnyRow> {
  const answer = await server.answer(tx, id, reader);
  if (!answer) throw new AppError('not-found');
  return answer as AnyRow;
}

/** Reads a record in the reader's own scope, or by emergency access. */
export async function readingRecord<T>(
  app: App,
  { record: { kind }, opened }: Pick<PatientServer, 'opened'> & { record: { kind: AuditRecordKind } },
  call: Call,
  id: string,
  work: (tx: Tx) => Promise<T>,
): Promise<{ answer: T; access?: { id: string } }> {
  try {
    return { answer: await inItsTenant(call, kind, id, work) };
  } catch (error) {
    const hidden = error instanceof AppError && error.code === 'not-found';
    const access = hidden ? await opened?.find(app.database, call, id) : undefined;
    if (!access) throw error;
    call.audit({ recordKind: kind, recordIds: [id], detail: { breakGlass: access.id } });
    return { answer: await call.withScope(work, { glass: access.id }), access };
  }
}

/** Serves reading, changing, history and undo of a record about patients, and making it if people can. */
export function servePatientRecord(app: App, server: PatientServer): void {
  const { endpoints, workflow, about } = server.record;
  if (workflow) assertCarriedOut(server.record);
  if (about) serveMaking(app, server, about);
  else if (server.byService) serveMakingApart(app, server);
  const reading = <T>(call: Call, id: string, work: (tx: Tx) => Promise<T>) =>
    readingRecord(app, server, call, id, work);

  serve(app, endpoints.read, async (call) => {
    const { id } = call.params;
    const { answer, access } = await reading(call, id, (tx) => answerAbout(tx, server, id, call));
    return access ? (server.opened!.answer(answer, access) as AnyRow) : answer;
  });

  serve(app, endpoints.history, async (call) => {
    const { id } = call.params;
    const { before } = call.query;
    const { answer } = await reading(call, id, async (tx) => {
      await readRecord(tx, server, id);
      return readHistory(tx, server, id, { before, hiddenFamilies: [] });
    });
    return answer;
  });

  serve(
    app,
    endpoints.change,
    (call) => {
      const { version, seen, ...given } = call.body as Values & { version: number; seen?: Values };
      return writeChange(app, server, call, call.params.id, () => ({ version, change: { given, seen } }));
    },
    {
      alsoWrong: async (call) => {
        const { id } = call.params;
        const { version: _, seen: __, ...given } = call.body as Values;
        const context = await server.context(call);
        return inItsTenant(call, server.record.kind, id, async (tx, tenantId) => {
          const stored = await readRecord(tx, server, id);
          const changes = Object.fromEntries(
            Object.entries(given).map(([name, to]) => [name, { from: stored[name], to }]),
          );
          const writer = patientWriter(call, tenantId, context);
          return server.faults(tx, writer, { stored, changes });
        });
      },
    },
  );

  if (workflow) serveTransitions(app, server, workflow, endpoints.transition!);

  serve(app, endpoints.undo, async (call) => {
    const { id } = call.params;
    let kept: string[] = [];
    const record = await writeChange(app, server, call, id, async (stored, tx) => {
      const undo = await undoOfVersion(tx, server, stored, call.body.version);
      ({ kept } = undo);
      return { version: stored.version, change: undo.change };
    });
    return { record, kept };
  });
}

/** Serves the transitions of a record's workflow. */
function serveTransitions(
  app: App,
  server: PatientServer,
  { flow }: NonNullable<AnyRecord['workflow']>,
  transition: TransitionEndpoint,
): void {
  serve(app, transition, (call) => {
    const { id, transition: done } = call.params;
    const { version, fields, reason } = call.body;
    refuseForbidden(server.record, flow, done, call);
    const deed = { transition: done, fields, reason };
    return writeChange(app, server, call, id, async (stored, tx, writer) => ({
      version,
      change: await changeOfDeed(tx, server, writer, stored, version, deed),
    }));
  });
}

/** Throws `forbidden` for a transition that the person may not do to any record. */
export function refuseForbidden(
  record: Pick<AnyRecord, 'access'>,
  flow: Workflow,
  transition: string,
  person: Pick<Person, 'may'>,
): void {
  const one = flow.transitions.find(({ id }) => id === transition);
  const { write } = accessOf(record);
  if (one && mayDo(one, write, (permission) => person.may(permission))) return;
  const lacking = [...(one?.mayAlone ? [] : [write]), ...(one?.may ?? [])].find((name) => !person.may(name));
  throw new AppError('forbidden', lacking === undefined ? {} : { permission: lacking });
}

/** The kinds of records whose making has an action in the log. */
type LoggedMaking = { [K in AuditRecordKind]: `${K}/made` extends NamedAction ? K : never }[AuditRecordKind];

/** The log entry for a new record, with the names of the given fields. */
const made = ({ kind }: Pick<AnyRecord, 'kind'>, id: string, given: Values) => ({
  action: `${kind as LoggedMaking}/made` as const,
  recordKind: kind,
  recordIds: [id],
  detail: { fields: Object.keys(given).filter((name) => given[name] !== null) },
});

/**
 * A record about another one is made in that one's tenant, and its writer must see it; a record about no other one
 * is made in the writer's own tenant.
 */
function serveMaking(
  app: App,
  server: PatientServer,
  { or, ...first }: NonNullable<AnyRecord['about']>,
): void {
  const { record } = server;
  const subjects = or ? [first, or] : [first];
  const where = <T>(call: Call, given: Values, work: (tx: Tx, tenantId: string) => Promise<T>) => {
    for (const { field, kind } of subjects) {
      const about = given[field];
      if (typeof about === 'string') return inItsTenant(call, kind, about, work);
    }
    const tenantId = tenantToMakeIn(call);
    call.audit({ recordKind: record.kind, recordIds: [] });
    return call.withScope((tx) => work(tx, tenantId));
  };
  serve(
    app,
    record.endpoints.make,
    async (call) => {
      const { id = v7(), ...given } = call.body as Values & { id?: string };
      const context = await server.context(call);
      return where(call, given, async (tx, tenantId) => {
        const writer = patientWriter(call, tenantId, context);
        if (await makePatientRecord(tx, server, writer, id, given)) call.audit(made(record, id, given));
        return answerAbout(tx, server, id, call);
      });
    },
    {
      alsoWrong: async (call) => {
        const { id = v7(), ...given } = call.body as Values & { id?: string };
        // Without the field, it is unknown whether the record is about another one.
        if (subjects.every(({ field }) => given[field] === undefined)) return [];
        const context = await server.context(call);
        return where(call, given, async (tx, tenantId) => [
          ...faultsOfConditions(record, given, Object.keys(given)).filter(({ code }) => code === 'not-asked'),
          ...(await server.faults(tx, patientWriter(call, tenantId, context), newOne(id, given))),
        ]);
      },
    },
  );
}

/**
 * People make it in their own tenant, without a parent record; the service stores it. A jurisdiction has no tenant,
 * so it makes none.
 */
function serveMakingApart(app: App, server: PatientServer): void {
  const { record } = server;
  const faultsOf = async (tx: Tx, call: Call, id: string, given: Values, context: unknown) => [
    ...faultsOfTexts(record, {}, given),
    ...(await server.faults(tx, patientWriter(call, tenantToMakeIn(call), context), newOne(id, given))),
  ];
  serve(
    app,
    record.endpoints.make,
    async (call) => {
      const { id = v7(), ...given } = call.body as Values & { id?: string };
      const tenantId = tenantToMakeIn(call);
      const context = await server.context(call);
      const there = await call.withScope(async (tx) => {
        call.audit({ recordKind: record.kind, recordIds: [] });
        const answer = await server.answer(tx, id, call);
        if (answer) await refuseOther(tx, server, call.account.accountId, id, given);
        else refuse(await faultsOf(tx, call, id, given, context));
        return answer;
      });
      if (there) return there as AnyRow;
      await actIn(app, call, { kind: 'service', tenantId }, tenantId, async (tx, audit) => {
        await server.byService!.make(tx, patientWriter(call, tenantId, context), id, given);
        await audit(made(record, id, given));
      }).catch(refuseUsedKey);
      return call.withScope((tx) => {
        call.audit({ recordKind: record.kind, recordIds: [id] });
        return answerAbout(tx, server, id, call);
      });
    },
    {
      alsoWrong: async (call) => {
        const { id = v7(), ...given } = call.body as Values & { id?: string };
        const context = await server.context(call);
        return call.withScope((tx) => faultsOf(tx, call, id, given, context));
      },
    },
  );
}

/** The tenant for a record without a parent record. */
export function tenantToMakeIn({ org, scope }: Pick<Call, 'org' | 'scope'>): string {
  if (org.orgType === 'PHJ' || scope.kind !== 'org') throw new AppError('forbidden');
  return scope.tenantId;
}

type Asked = (
  stored: AnyRow,
  tx: Tx,
  writer: PatientWriter,
) => Promise<{ version: number; change: PatientChange }> | { version: number; change: PatientChange };

/**
 * The same for records that only the service may write: the change is planned as the writer sees the record, stored
 * in a separate transaction, and the answer read as the writer sees it.
 */
async function storeChange(
  app: App,
  server: PatientServer,
  call: Call,
  id: string,
  context: unknown,
  asked: Asked,
): Promise<AnyRow> {
  const { kind } = server.record;
  const { writer, changing } = await inItsTenant(call, kind, id, async (tx, tenantId) => {
    const stored = await readRecord(tx, server, id);
    const writer = patientWriter(call, tenantId, context);
    const { version, change } = await asked(stored, tx, writer);
    return { writer, changing: await considerChange(tx, server, writer, stored, version, change) };
  });
  const fields = Object.keys(changing.changes);
  const { tenantId } = writer;
  if (fields.length > 0)
    await actIn(app, call, { kind: 'service', tenantId }, tenantId, async (tx, audit) => {
      const stays = (await server.byService!.change(tx, writer, [changing])).get(id);
      if (stays) throw stays;
      await audit({ ...changed(fields, changing), recordKind: kind, recordIds: [id] });
    });
  return inItsTenant(call, kind, id, (tx) => answerAbout(tx, server, id, call));
}

/** The log entry for a change, with only the names of the fields. */
const changed = (fields: string[], { undoes, done }: Pick<PatientChange, 'undoes' | 'done'>) => ({
  action: 'change' as const,
  detail: {
    fields,
    ...(undoes !== undefined && { undoes }),
    ...(done && { transition: done.transition }),
  },
});

/** Writes a change and returns the answer. `asked`: plans the change of the stored record. */
export async function writeChange(
  app: App,
  server: PatientServer,
  call: Call,
  id: string,
  asked: Asked,
): Promise<AnyRow> {
  const context = await server.context(call);
  if (server.byService) return storeChange(app, server, call, id, context, asked);
  return inItsTenant(call, server.record.kind, id, async (tx, tenantId) => {
    const stored = await lockedRecord(tx, server, tenantId, id);
    const writer = patientWriter(call, tenantId, context);
    const { version, change } = await asked(stored, tx, writer);
    const fields = await changePatientRecord(tx, server, writer, stored, version, change);
    if (fields.length > 0) call.audit(changed(fields, change));
    return answerAbout(tx, server, id, call);
  });
}
