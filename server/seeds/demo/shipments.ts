import { addDays } from '@caseway/contract/date-range';
import type { Moved } from '@caseway/contract/milestones';
import { endedStates, type ShipmentState, shipmentFlow } from '@caseway/contract/shipment-flow';
import { noteCase } from '../../src/features/sample-shipments/contents.ts';
import { passOn } from '../../src/platform/carried/carried.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { calendarOf } from '../../src/platform/records/effects.ts';
import { checkSign } from '../../src/platform/records/record-number.ts';
import { timesStored } from '../../src/platform/records/transitions-kept.ts';
import { loadRows } from './load.ts';
import { demoId } from './tenant-parts.ts';

interface Story {
  name: string;
  /** The characters of its number. */
  signs: string;
  state: ShipmentState;
  temperature: string;
  carrier: string | null;
  tracking: string | null;
  /** The number of its specimens. */
  holds: number;
  /** The transitions, and how many days before today they were done. */
  steps: readonly (readonly [transition: string, days: number, reason?: string])[];
}

/** A box that is being packed, one on its way, one with a tube that did not arrive, and one that never arrived. */
const stories: readonly Story[] = [
  {
    name: 'draft',
    signs: '7K3Q9M',
    state: 'draft',
    temperature: 'refrigerated',
    carrier: null,
    tracking: null,
    holds: 4,
    steps: [],
  },
  {
    name: 'on its way',
    signs: '4TB8WJ',
    state: 'in-transit',
    temperature: 'refrigerated',
    carrier: 'FedEx',
    tracking: '794644120183',
    holds: 6,
    steps: [
      ['pack', 1],
      ['send', 1],
    ],
  },
  {
    name: 'received',
    signs: '9HD2VR',
    state: 'received',
    temperature: 'frozen',
    carrier: 'UPS',
    tracking: '1Z4F12X90391',
    holds: 8,
    steps: [
      ['pack', 6],
      ['send', 6],
      ['receive', 4],
      ['complete', 4],
    ],
  },
  {
    name: 'lost',
    signs: '6CZM3P',
    state: 'lost',
    temperature: 'refrigerated',
    carrier: 'Clinic courier',
    tracking: null,
    holds: 3,
    steps: [
      ['pack', 20],
      ['send', 20],
      ['lose', 5, 'The courier has looked in the van and at the depot. The box was never scanned there.'],
    ],
  },
];

/** Shipments from a clinic to the state's laboratory, with what was found in the one that arrived. */
export async function seedShipments(tx: Tx, today: string): Promise<void> {
  const { tenantId } = tx;
  const [ends] = await tx.rows<{ origin: string; organization: string | null; destination: string }>(
    `select f.id as origin, f.organization_id as organization, l.id as destination from facility f, facility l
     where f.tenant_id = $1 and l.tenant_id = $1 and f.name = $2 and l.name = $3`,
    [tenantId, 'Mangrove Community Clinic Ybor City', 'Gulfstream State Public Health Laboratory'],
  );
  if (!ends) return;
  const free = await tx.rows<{ id: string; accession: string }>(
    `select s.id, s.accession from specimen s
     where s.tenant_id = $1 and s.accession is not null and s.seen_at ? $2 and not s.seen_at -> '*' ? 'hiv'
     order by s.collected_at desc, s.id limit $3`,
    [tenantId, ends.origin, stories.reduce((sum, { holds }) => sum + holds, 0)],
  );
  const sender = demoId('account/facility@demo.caseway.test');
  const laboratory = demoId('account/lab@demo.caseway.test');
  const { calendar } = await calendarOf(tx, tenantId);
  const at = (days: number, time: string) => `${addDays(today, -days)}T${time}Z`;
  const shipments: { id: string }[] = [];
  const history: object[] = [];
  const transitions: object[] = [];
  const contents: object[] = [];
  const custody: object[] = [];
  for (const { name, signs, state, temperature, carrier, tracking, holds, steps } of stories) {
    const id = demoId(`shipment/${tenantId}/${name}`);
    const own = free.splice(0, holds);
    if (own.length < holds) break;
    const done = new Map(steps.map(([transition, days]) => [transition, addDays(today, -days)]));
    const first = steps[0]?.[1] ?? 0;
    const row = {
      tenant_id: tenantId,
      id,
      version: 1 + steps.length,
      number: `SS-${today.slice(2, 4)}-${signs}${checkSign(signs)}`,
      state,
      flow_version: shipmentFlow.version,
      origin_id: ends.origin,
      origin_organization_id: ends.organization,
      destination_id: ends.destination,
      temperature,
      carrier,
      tracking_number: tracking,
      packed_on: done.get('pack') ?? null,
      sent_on: done.get('send') ?? null,
      expected_on: done.has('send') ? addDays(done.get('send')!, 2) : null,
      received_on: done.get('complete') ?? null,
      created_on: addDays(today, -first),
      ended_at: (endedStates as readonly string[]).includes(state) ? at(5, '16:00:00') : null,
    };
    shipments.push(row);
    let from: string = 'draft';
    const earlier: Moved[] = [];
    for (const [place, [transition, days, reason]] of ([['', first], ...steps] as const).entries()) {
      const to = shipmentFlow.transitions.find((one) => one.id === transition)?.to ?? 'draft';
      const isAtLaboratory = ['receive', 'complete'].includes(transition);
      history.push({
        tenant_id: tenantId,
        record_id: id,
        version: place + 1,
        version_within: place + 1,
        at: at(days, `1${4 + place}:30:00`),
        account_id: isAtLaboratory ? laboratory : sender,
        changes: JSON.stringify({ state: place === 0 ? { to } : { from, to } }),
        transition: transition || null,
        reason: reason ?? null,
        flow_version: shipmentFlow.version,
      });
      if (place > 0) {
        const on = addDays(today, -days);
        const moved = { from, to, on };
        transitions.push({
          tenant_id: tenantId,
          id: demoId(`shipment-transition/${id}/${place}`),
          record_id: id,
          version: place + 1,
          last_version: place + 1,
          from_state: from,
          to_state: to,
          on_day: on,
          ...timesStored(shipmentFlow, { made: row.created_on, earlier }, moved, calendar),
        });
        earlier.push(moved);
      }
      from = to;
    }
    const isReceived = state === 'received';
    for (const [place, { id: specimen_id, accession: code }] of own.entries()) {
      const item = { tenant_id: tenantId, shipment_id: id, specimen_id, code };
      // The last is missing, the one before has leaked.
      const isThere = isReceived && place < holds - 1;
      const condition = isThere ? (place === holds - 2 ? 'leaked' : 'good') : null;
      contents.push({
        ...item,
        id: demoId(`shipped/${id}/${place}`),
        packed_at: at(first, '15:00:00'),
        received_at: isThere ? at(4, `17:${40 + place}:00`) : null,
        received_by: isThere ? laboratory : null,
        how: isThere ? (place === 2 ? 'ticked' : 'scanned') : null,
        condition,
        note: condition === 'leaked' ? 'The cap was loose. The clinic is asked for another specimen.' : null,
      });
      const event = (deed: string, when: string, account_id: string, more: object = {}) => ({
        ...{ ...item, id: demoId(`custody/${id}/${place}/${deed}`), deed, at: when, account_id },
        ...{ condition: null, note: null, ...more },
      });
      custody.push(event('packed', at(first, '15:00:00'), sender));
      if (isThere)
        custody.push(
          event(place === 2 ? 'ticked' : 'scanned', at(4, `17:${40 + place}:00`), laboratory, { condition }),
        );
    }
    if (isReceived)
      contents.push({
        ...{ tenant_id: tenantId, shipment_id: id, specimen_id: null, code: 'PX-20418' },
        ...{
          id: demoId(`shipped/${id}/unexpected`),
          packed_at: at(4, '17:55:00'),
          received_at: at(4, '17:55:00'),
        },
        ...{ received_by: laboratory, how: 'scanned', condition: 'good', note: null },
      });
  }
  await loadRows(tx, 'shipment', shipments);
  await loadRows(tx, 'shipment_history', history, 'shipment');
  await loadRows(tx, 'shipment_transition', transitions, 'shipment');
  await loadRows(tx, 'shipment_specimen', contents, 'shipment');
  await loadRows(tx, 'custody_event', custody, 'shipment');
  await passOn(tx, tenantId, 'specimen', 'all', ['shipment_specimen', 'custody_event']);
  for (const { id } of shipments) await noteCase(tx, { tenantId, id });
}
