import type { NamedAction } from '@caseway/contract/audit-action';
import {
  boxCapacity,
  type Contents,
  type Custody,
  noteSpecimen,
  packSpecimens,
  type Shipped,
  scanSpecimen,
  shipmentContents,
  takeOutSpecimen,
} from '@caseway/contract/sample-shipments';
import { passOn } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import { recordId } from '../../platform/db/record-id.ts';
import { insertRows } from '../../platform/db/rows.ts';
import { actIn } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refused } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { readRecord } from '../../platform/records/record-sql.ts';
import { inItsTenant } from '../../platform/records/serve-patient-records.ts';
import { alwaysRestricted } from '../reference/catalog.ts';
import { specimenTypeLabel } from '../reference/specimen-labels.ts';
import { isDiscrepancy, lockShipments, refuseInAnother, shipments } from './shipment-server.ts';

/*
 * The contents of a shipment. Each action is stored separately under the lock of the shipment, so that several
 * people can work on one box and anyone can continue. The service stores it, because a box can hold what its packer
 * does not see. A person who scans a tube that they may not see gets the answer for an unexpected one. [P18]
 */

const nameOf = `nullif(concat_ws(' ', a.first_name, a.last_name), '')`;

/** What the reader sees in a shipment, and its chain of custody. */
export async function readContents(tx: Tx, id: string): Promise<Contents> {
  const rows = await tx.rows<
    Omit<Shipped, 'receivedAt' | 'collectedAt' | 'specimenType'> & {
      receivedAt: Date | null;
      collectedAt: Date | null;
      typeCode: string | null;
      typeText: string | null;
    }
  >(
    `select i.id, i.code, i.how, i.condition, i.received_at as "receivedAt", ${nameOf} as "receivedBy", i.note,
       case when i.specimen_id is null then 'unexpected' when i.received_at is not null then 'received'
         when i.state in ('received', 'reconciled', 'lost') then 'missing'
         when i.state in ('in-transit', 'receiving') then 'awaited' else 'packed' end as reception,
       coalesce(${isDiscrepancy('i.state')}, false) as "isDiscrepancy",
       s.type_code as "typeCode", s.type_text as "typeText", s.collected_at as "collectedAt"
     from shipment_specimen i
     left join account a on a.id = i.received_by
     left join specimen s on s.tenant_id = i.tenant_id and s.id = i.specimen_id
     where i.tenant_id = $1 and i.shipment_id = $2 order by i.specimen_id is null, i.code, i.id`,
    [tx.tenantId, id],
  );
  const moves = await tx.rows<Omit<Custody, 'at'> & { at: Date }>(
    `select m.id, m.at, ${nameOf} as by, m.deed, m.code, m.condition, m.note
     from (select cast(id as text) as id, at, account_id, deed, code, condition, note
         from custody_event where tenant_id = $1 and shipment_id = $2
       union all select concat('v', version), at, account_id, transition, null, null, reason
         from shipment_history where tenant_id = $1 and record_id = $2 and transition is not null) m
     left join account a on a.id = m.account_id
     order by m.at desc, m.id desc`,
    [tx.tenantId, id],
  );
  return {
    specimens: rows.map(({ typeCode, typeText, receivedAt, collectedAt, ...row }) => ({
      ...row,
      receivedAt: receivedAt?.toISOString() ?? null,
      collectedAt: collectedAt?.toISOString() ?? null,
      specimenType: specimenTypeLabel(typeCode, typeText),
    })),
    custody: moves.map((move) => ({ ...move, at: move.at.toISOString() })),
  };
}

interface Item {
  id: string;
  specimen_id: string | null;
  code: string;
}
type Deed = Partial<Pick<Custody, 'condition' | 'note'>> & Item & { deed: string };

/** Stores who has done what with specimens of a shipment. */
async function keepCustody(
  tx: Tx,
  { tenantId, id, accountId }: Doing,
  deeds: readonly Deed[],
): Promise<void> {
  await insertRows(
    tx,
    tenantId,
    'custody_event',
    {
      shipment_id: 'uuid', id: 'uuid', specimen_id: 'uuid', deed: 'text', code: 'text', condition: 'text', note: 'text',
      account_id: 'uuid',
    }, // biome-ignore format: a table
    deeds.map(({ specimen_id, deed, code, condition, note }) => ({
      shipment_id: id,
      id: recordId(),
      specimen_id,
      deed,
      code,
      condition: condition ?? null,
      note: note ?? null,
      account_id: accountId,
    })),
    { carriedOf: 'shipment' },
  );
  await passOn(
    tx,
    tenantId,
    'specimen',
    deeds.flatMap(({ specimen_id }) => specimen_id ?? []),
  );
}

interface Doing {
  tenantId: string;
  id: string;
  accountId: string;
  /** The rows of its contents that the person sees. */
  seen: readonly string[];
}

/**
 * Changes the contents of a shipment, and returns them. `states`: the states in which the acting end may do it.
 * `plan` reads as the person; `work` runs in the scope of the service.
 */
async function change<Plan, Done>(
  app: App,
  call: Call<{ id: string }>,
  action: NamedAction,
  states: readonly string[],
  plan: (tx: Tx) => Promise<Plan>,
  work: (tx: Tx, doing: Doing, planned: Plan, state: string) => Promise<Done>,
): Promise<{ done: Done; contents: Contents }> {
  const { id } = call.params;
  const before = await inItsTenant(call, 'shipment', id, async (tx, tenantId) => {
    const { side } = await readRecord(tx, shipments, id);
    const { specimens } = await readContents(tx, id);
    return { tenantId, side, seen: specimens.map((one) => one.id), planned: await plan(tx) };
  });
  const { tenantId, side, seen, planned } = before;
  const doing = { tenantId, id, accountId: call.account.accountId, seen };
  const done = await actIn(app, call, { kind: 'service', tenantId }, tenantId, async (tx, audit) => {
    const [now] = await lockShipments(tx, tenantId, [id]);
    if (!now || !states.includes(now.state))
      throw refused('state', 'not-in-this-state', 'it cannot be done in this state');
    const by = now.state === 'draft' ? 'sender' : 'destination';
    if (side !== 'both' && side !== by) throw refused('state', `not-the-${by}`, 'the other end does it');
    const result = await work(tx, doing, planned, now.state);
    await audit({ action, recordKind: 'shipment', recordIds: [id] });
    return result;
  });
  const contents = await inItsTenant(call, 'shipment', id, (tx) => readContents(tx, id));
  return { done, contents };
}

/** The row of the contents, as the person sees it. */
async function itemOf(tx: Tx, { tenantId, id, seen }: Doing, item: string) {
  const [row] = seen.includes(item)
    ? await tx.rows<Item & { received: boolean }>(
        `select id, specimen_id, code, received_at is not null as received from shipment_specimen
         where tenant_id = $1 and shipment_id = $2 and id = $3`,
        [tenantId, id, item],
      )
    : [];
  if (!row) throw new AppError('not-found');
  return row;
}

interface Found {
  id: string;
  accession: string;
}

/** The specimens that a person wants to pack, as they see them. */
async function specimensOf(tx: Tx, asked: { code: string } | { specimens: string[] }): Promise<Found[]> {
  const free = `not exists (select from shipment_specimen i where i.tenant_id = $1 and i.specimen_id = s.id
    and i.state not in ('reconciled', 'lost', 'cancelled'))`;
  if ('code' in asked) {
    const rows = await tx.rows<Found & { free: boolean }>(
      `select s.id, s.accession, ${free} as free from specimen s
       where s.tenant_id = $1 and s.accession = $2 order by s.collected_at, s.id`,
      [tx.tenantId, asked.code],
    );
    if (rows.length === 0) throw refused('code', 'unknown-specimen', 'there is no such specimen');
    // Several tubes of one order have the same number.
    return [rows.find((row) => row.free) ?? rows[0]!];
  }
  const ids = [...new Set(asked.specimens)];
  const rows = await tx.rows<Found>(
    `select s.id, coalesce(s.accession, '') as accession from specimen s where s.tenant_id = $1 and s.id = any ($2::uuid[])`,
    [tx.tenantId, ids],
  );
  if (rows.length < ids.length) throw refused('specimens', 'unknown-specimen', 'there is no such specimen');
  if (rows.some(({ accession }) => accession === ''))
    throw refused(
      'specimens',
      'without-number',
      'a specimen without a number cannot be found again in a box',
    );
  return rows;
}

/** The latest case of its specimens, of an unrestricted family. */
export const noteCase = (tx: Tx, { tenantId, id }: Pick<Doing, 'tenantId' | 'id'>) =>
  tx.run(
    `update shipment h set case_id = (select max(k.case_id)
       from shipment_specimen i
       join result r on r.tenant_id = $1 and r.specimen_id = i.specimen_id
       join case_result c on c.tenant_id = $1 and c.result_id = r.id
       join case_report k on k.tenant_id = $1 and k.id = c.case_report_id
       join tenant t on t.id = $1
       where i.tenant_id = $1 and i.shipment_id = $2 and k.disease_family <> all ($3::text[] || t.restricted_families))
     where h.tenant_id = $1 and h.id = $2`,
    [tenantId, id, alwaysRestricted],
  );

/** Adds packed or found specimens. */
const addItems = (
  tx: Tx,
  { tenantId, id }: Doing,
  items: readonly Item[],
  found: object = {},
): Promise<void> =>
  insertRows(
    tx,
    tenantId,
    'shipment_specimen',
    {
      shipment_id: 'uuid', id: 'uuid', specimen_id: 'uuid', code: 'text', received_at: 'timestamptz', received_by: 'uuid',
      how: 'text', condition: 'text',
    }, // biome-ignore format: a table
    items.map((item) => ({ ...item, ...found, shipment_id: id })),
    { carriedOf: 'shipment' },
  );

async function pack(tx: Tx, doing: Doing, found: readonly Found[], path: string): Promise<void> {
  const { tenantId, id } = doing;
  const [{ there }] = (await tx.rows<{ there: number }>(
    `select cast(count(*) as integer) as there from shipment_specimen where tenant_id = $1 and shipment_id = $2`,
    [tenantId, id],
  )) as [{ there: number }];
  if (there + found.length > boxCapacity) throw refused(path, 'full', `a box holds ${boxCapacity} specimens`);
  const items = found.map((one): Item => ({ id: recordId(), specimen_id: one.id, code: one.accession }));
  await addItems(tx, doing, items);
  await keepCustody(
    tx,
    doing,
    items.map((item) => ({ ...item, deed: 'packed' })),
  );
  await noteCase(tx, doing);
}

/** Receives a specimen by its number. A received one is not received twice. */
async function scan(
  tx: Tx,
  doing: Doing,
  {
    code,
    how,
    condition,
  }: { code: string; how: 'scanned' | 'ticked'; condition: 'good' | 'damaged' | 'leaked' },
): Promise<{ outcome: 'received' | 'already' | 'unexpected'; item: string }> {
  const { tenantId, id, accountId, seen } = doing;
  const rows = await tx.rows<Item & { received: boolean }>(
    `select id, specimen_id, code, received_at is not null as received from shipment_specimen
     where tenant_id = $1 and shipment_id = $2 and code = $3 and id = any ($4::uuid[])
     order by specimen_id is null, received_at is not null, packed_at, id`,
    [tenantId, id, code, await seenNow(tx, doing, seen)],
  );
  const [first] = rows;
  if (first && (first.received || first.specimen_id === null)) return { outcome: 'already', item: first.id };
  if (first) {
    await tx.run(
      `update shipment_specimen set received_at = now(), received_by = $4, how = $5, condition = $6
       where tenant_id = $1 and shipment_id = $2 and id = $3`,
      [tenantId, id, first.id, accountId, how, condition],
    );
    await keepCustody(tx, doing, [{ ...first, deed: how, condition }]);
    return { outcome: 'received', item: first.id };
  }
  const found: Item = { id: recordId(), specimen_id: null, code };
  await addItems(tx, doing, [found], {
    received_at: new Date().toISOString(),
    received_by: accountId,
    how,
    condition,
  });
  await keepCustody(tx, doing, [{ ...found, deed: 'unexpected', condition }]);
  return { outcome: 'unexpected', item: found.id };
}

/** What the person has seen, and tubes found in the box since, which belong to no person. */
async function seenNow(tx: Tx, { tenantId, id }: Doing, seen: readonly string[]): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    'select id from shipment_specimen where tenant_id = $1 and shipment_id = $2 and specimen_id is null',
    [tenantId, id],
  );
  return [...seen, ...rows.map((row) => row.id)];
}

async function takeOut(tx: Tx, doing: Doing, item: string, state: string): Promise<void> {
  const { tenantId, id } = doing;
  const row = await itemOf(tx, doing, item);
  if (state !== 'draft' && !row.received) throw refused('state', 'not-received', 'it was not received');
  const at = [tenantId, id, item];
  if (state === 'draft' || row.specimen_id === null)
    await tx.run('delete from shipment_specimen where tenant_id = $1 and shipment_id = $2 and id = $3', at);
  else
    await tx.run(
      `update shipment_specimen set received_at = null, received_by = null, how = null, condition = null
       where tenant_id = $1 and shipment_id = $2 and id = $3`,
      at,
    );
  await keepCustody(tx, doing, [{ ...row, deed: state === 'draft' ? 'unpacked' : 'taken-back' }]);
  if (state === 'draft') await noteCase(tx, doing);
}

/** The contents of shipments: packed, received by scanning, explained. */
export function serveContents(app: App): void {
  const nothing = async () => undefined;
  serve(app, shipmentContents, (call) =>
    inItsTenant(call, 'shipment', call.params.id, async (tx) => {
      await readRecord(tx, shipments, call.params.id);
      return readContents(tx, call.params.id);
    }),
  );
  serve(app, packSpecimens, async (call) => {
    const path = 'code' in call.body ? 'code' : 'specimens';
    const { contents } = await change(
      app,
      call,
      'shipment/packed',
      ['draft'],
      (tx) => specimensOf(tx, call.body),
      (tx, doing, found) => pack(tx, doing, found, path),
    ).catch(refuseInAnother(path));
    return contents;
  });
  serve(app, scanSpecimen, async (call) => {
    const { done, contents } = await change(
      app,
      call,
      'shipment/scanned',
      ['receiving'],
      nothing,
      (tx, doing) => scan(tx, doing, call.body),
    );
    return {
      outcome: done.outcome,
      specimen: contents.specimens.find(({ id }) => id === done.item)!,
      contents,
    };
  });
  serve(app, noteSpecimen, async (call) => {
    const { note } = call.body;
    const { contents } = await change(
      app,
      call,
      'shipment/noted',
      ['receiving', 'received'],
      nothing,
      async (tx, doing) => {
        const row = await itemOf(tx, doing, call.params.specimen);
        await tx.run(
          'update shipment_specimen set note = $4 where tenant_id = $1 and shipment_id = $2 and id = $3',
          [doing.tenantId, doing.id, row.id, note],
        );
        await keepCustody(tx, doing, [{ ...row, deed: 'noted', note }]);
      },
    );
    return contents;
  });
  serve(app, takeOutSpecimen, async (call) => {
    const { contents } = await change(
      app,
      call,
      'shipment/taken-out',
      ['draft', 'receiving'],
      nothing,
      (tx, doing, _, state) => takeOut(tx, doing, call.params.specimen, state),
    );
    return contents;
  });
}
