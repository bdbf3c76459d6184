import { randomUUID } from 'node:crypto';
import type { locations } from '@caseway/contract/places';
import type { RecordOf } from '@caseway/contract/record';
import type { Shipment } from '@caseway/contract/sample-shipments';
import { type CustodyEntry, nextFree, type StorageBox, type StoragePlace } from '@caseway/contract/storage';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makePatient, makeSpecimen } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { withGaps } from './custody-gaps.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const placeOf = (name: string) => demo.facilities.find((one) => one.name === name)!.id;
const clinic = placeOf('Mangrove Community Clinic Ybor City');
const laboratory = placeOf('Gulfstream State Public Health Laboratory');
/** Of the department: does not see restricted families. */
const lab = await signInAs(testing, 'lab@demo.caseway.test');
const atLaboratory = (await actFor(testing, lab.tokens, `F:${laboratory}`)).headers;
const atClinic = (await signInAs(testing, 'facility@demo.caseway.test')).headers;
const admin = (await signInAs(testing, 'admin@demo.caseway.test')).headers;
const vendor = (await signInAs(testing, 'admin@vendor.caseway.test')).headers;
const { ask, ok } = askingAs(testing, lab);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

let last = 0;
async function makeTube({ family = 'sti', facility = laboratory } = {}) {
  const at = { tenant_id: demo.id, county_fips: '12057' };
  const { id: patient_id } = await makePatient(database, { ...at, facility_ids: [facility] });
  const accession = `S-${++last}`;
  const disease = { disease_family: family, condition_code: family === 'hiv' ? 'hiv' : 'chlamydia' };
  const { id } = await makeSpecimen(database, {
    ...{ ...at, patient_id, facility_id: facility, accession, ...disease },
  });
  return { id, accession, patient_id };
}

type Location = RecordOf<typeof locations>;
const nothing = { equipment: null, coldest: null, warmest: null, rows: null, columns: null };
const place = (given: object) => ok<Location>('POST', 'locations', { ...nothing, ...given }, admin);
const freezer = await place({
  ...{ name: 'Freezer 1', level: 'location', facility: laboratory, parent: null },
  ...{ equipment: 'freezer', coldest: -86, warmest: -70 },
});
const shelf = await place({ name: 'A', level: 'shelf', facility: laboratory, parent: freezer.id });
const makeBox = (rows: number, columns: number, facility = laboratory, parent = shelf.id) =>
  place({ name: randomUUID(), level: 'box', facility, parent, rows, columns });
const path = 'sample-shipments/storage';
const read = (box: { id: string }, headers?: Headers) =>
  ok<StorageBox>('GET', `${path}/${box.id}`, undefined, headers);
type Stored = { specimen: string; row: number; column: number; moved: boolean; box: StorageBox };
const asked = (box: { id: string }, code: string, position: object | null = null, headers?: Headers) =>
  ask('POST', `${path}/${box.id}/specimens`, { code, position }, headers);
const store = async (...given: Parameters<typeof asked>): Promise<Stored> => (await asked(...given)).json();
async function refusalOf(answer: ReturnType<typeof ask>) {
  const { statusCode, ...rest } = await answer;
  const { faults = [] } = rest.json<{ faults?: { path: string; code: string }[] }>();
  return [statusCode, ...faults.map(({ path: at, code }) => `${at} ${code}`)];
}
const shown = ({ taken }: StorageBox) =>
  taken.map(({ row, column, state, specimen }) => `${row}/${column} ${specimen?.code ?? '-'} ${state}`);
const takeOut = (box: { id: string }, specimen: string, reason: string, headers?: Headers) =>
  ask('POST', `${path}/${box.id}/specimens/${specimen}/take-out`, { reason, note: null }, headers);
const custody = async (specimen: string, headers?: Headers) =>
  (await ok<{ events: CustodyEntry[] }>('GET', `sample-shipments/custody/${specimen}`, undefined, headers))
    .events;
const told = (events: readonly CustodyEntry[]) =>
  events.map(({ deed, from, to, reason, gap }) =>
    [deed, from?.position ?? '-', to?.position ?? '-', reason, gap ? 'gap' : null].filter(Boolean).join(' '),
  );
const step = async (one: Shipment, transition: string, headers: Headers, more: object = {}) => {
  const { version } = await ok<Shipment>('GET', `sample-shipments/${one.id}`, undefined, headers);
  const at = `sample-shipments/${one.id}/transitions/${transition}`;
  return ok<Shipment>('POST', at, { version, ...more }, headers);
};
async function sent(tubes: readonly { id: string }[], from: Headers, origin: string, destination: string) {
  const made = await ok<Shipment>(
    'POST',
    'sample-shipments',
    {
      ...{ origin, destination, temperature: 'frozen', carrier: null, trackingNumber: null },
      ...{ expectedOn: null, note: null },
    },
    from,
  );
  await ok('POST', `sample-shipments/${made.id}/specimens`, { specimens: tubes.map(({ id }) => id) }, from);
  return made;
}
const carrier = { fields: { carrier: 'FedEx' } };

describe('a box', () => {
  test('is filled row by row, each specimen at the next free position', async () => {
    const box = await makeBox(2, 2);
    const tubes = await Promise.all([1, 2, 3, 4, 5].map(() => makeTube()));
    for (const { accession } of tubes.slice(0, 4)) await store(box, accession);
    expect(shown(await read(box))).toEqual([
      `1/1 ${tubes[0]!.accession} stored`,
      `1/2 ${tubes[1]!.accession} stored`,
      `2/1 ${tubes[2]!.accession} stored`,
      `2/2 ${tubes[3]!.accession} stored`,
    ]);
    expect(await refusalOf(asked(box, tubes[4]!.accession))).toEqual([422, 'code full']);
    await takeOut(box, tubes[1]!.id, 'used-up');
    expect(await store(box, tubes[4]!.accession)).toMatchObject({ row: 1, column: 2, moved: false });
  });

  test('refuses a position that is taken or is not there, a number that nobody knows, and other places', async () => {
    const box = await makeBox(2, 3);
    const [one, two] = [await makeTube(), await makeTube()];
    await store(box, one.accession, { row: 2, column: 3 });
    expect(await refusalOf(asked(box, two.accession, { row: 2, column: 3 }))).toEqual([
      422,
      'position occupied',
    ]);
    expect(await refusalOf(asked(box, two.accession, { row: 3, column: 1 }))).toEqual([
      422,
      'position outside',
    ]);
    expect(await refusalOf(asked(box, one.accession, { row: 2, column: 3 }))).toEqual([
      422,
      'position there-already',
    ]);
    expect(await refusalOf(asked(box, 'nobody'))).toEqual([422, 'code unknown-specimen']);
    await ok('PATCH', `locations/${box.id}`, { version: 1, active: false }, admin);
    expect(await refusalOf(asked(box, two.accession))).toEqual([422, 'code inactive']);
    expect((await ask('GET', `${path}/${shelf.id}`)).statusCode).toBe(404);
    expect((await ask('GET', `${path}/${box.id}`, undefined, vendor)).statusCode).toBe(404);
    expect((await ask('GET', `${path}/${box.id}`, undefined, atClinic)).statusCode).toBe(404);
  });

  test('gives one position to one of several people who choose it at the same moment', async () => {
    const box = await makeBox(9, 9);
    const tubes = await Promise.all([1, 2, 3].map(() => makeTube()));
    const answers = await Promise.all(
      tubes.map(({ accession }) => refusalOf(asked(box, accession, { row: 3, column: 4 }))),
    );
    expect(answers.map(String).sort()).toEqual(['200', '422,position occupied', '422,position occupied']);
    const next = await Promise.all([1, 2, 3].map(async () => store(box, (await makeTube()).accession)));
    expect(next.map(({ row, column }) => `${row}/${column}`).sort()).toEqual(['1/1', '1/2', '1/3']);
  });

  test('shows a specimen of a restricted family as taken, without its number [P18]', async () => {
    const box = await makeBox(2, 2);
    const [open, hidden] = [await makeTube(), await makeTube({ family: 'hiv' })];
    await store(box, hidden.accession, null, admin);
    expect(await refusalOf(asked(box, hidden.accession))).toEqual([422, 'code unknown-specimen']);
    expect(await store(box, open.accession)).toMatchObject({ row: 1, column: 2 });
    expect(shown(await read(box))).toEqual(['1/1 - hidden', `1/2 ${open.accession} stored`]);
    expect(shown(await read(box, admin))[0]).toBe(`1/1 ${hidden.accession} stored`);
    expect((await takeOut(box, hidden.id, 'lost')).statusCode).toBe(404);
    expect((await ask('GET', `sample-shipments/custody/${hidden.id}`)).statusCode).toBe(404);
  });

  test('counts for everything that it is in', async () => {
    const box = await makeBox(3, 4);
    await store(box, (await makeTube()).accession);
    const { places } = await ok<{ places: StoragePlace[] }>('GET', path);
    const of = (id: string) => places.find((one) => one.id === id)!;
    expect([of(box.id).positions, of(box.id).taken]).toEqual([12, 1]);
    const within = places.filter(({ parent }) => parent === shelf.id);
    const sum = (name: 'positions' | 'taken') => within.reduce((all, one) => all + one[name], 0);
    expect([of(freezer.id).positions, of(freezer.id).taken]).toEqual([sum('positions'), sum('taken')]);
    expect(await read(box)).toMatchObject({
      path: [
        { name: 'Freezer 1', level: 'location' },
        { name: 'A', level: 'shelf' },
      ],
      ...{ coldest: -86, warmest: -70, mayStore: true },
    });
  });

  test('is not removed once something lay in it', async () => {
    const box = await makeBox(2, 2);
    const tube = await makeTube();
    await store(box, tube.accession);
    const remove = () => refusalOf(ask('DELETE', `locations/${box.id}?version=1`, undefined, admin));
    expect(await remove()).toEqual([422, ' in-use']);
    await takeOut(box, tube.id, 'discarded');
    expect(await remove()).toEqual([422, ' in-use']);
  });
});

describe('a specimen', () => {
  test('is moved from box to box, and taken out; each move is kept and in the log', async () => {
    const [first, second] = [await makeBox(9, 9), await makeBox(10, 10)];
    const tube = await makeTube();
    await store(first, tube.accession, { row: 3, column: 4 });
    expect(await store(second, tube.accession, { row: 10, column: 1 })).toMatchObject({ moved: true });
    expect(shown(await read(first))).toEqual([]);
    expect((await takeOut(first, tube.id, 'discarded')).statusCode).toBe(404);
    expect((await takeOut(second, tube.id, 'discarded')).statusCode).toBe(200);
    expect(told(await custody(tube.id))).toEqual(['stored - C4', 'moved C4 J1', 'taken-out J1 - discarded']);
    const actions = await sql<{ action: string }>(
      'select action from audit_event where $1 = any (record_ids) order by at, id',
      [tube.id],
    );
    expect(actions.map(({ action }) => action)).toEqual([
      ...['specimen/stored', 'specimen/stored', 'specimen/taken-out'],
      'GET /api/web/sample-shipments/custody/:id',
    ]);
  });

  test('that was sent is stored where it arrives, once it is received there', async () => {
    const box = await makeBox(9, 9);
    const tube = await makeTube({ facility: clinic });
    const shipment = await sent([tube], atClinic, clinic, laboratory);
    expect(await refusalOf(asked(box, tube.accession))).toEqual([422, 'code packed']);
    await step(shipment, 'pack', atClinic);
    await step(shipment, 'send', atClinic, carrier);
    expect(await refusalOf(asked(box, tube.accession))).toEqual([422, 'code on-its-way']);
    await step(shipment, 'receive', atLaboratory);
    expect(await refusalOf(asked(box, tube.accession, null, atLaboratory))).toEqual([
      422,
      'code unknown-specimen',
    ]);
    const scan = { code: tube.accession, how: 'scanned', condition: 'leaked' };
    await ok('POST', `sample-shipments/${shipment.id}/scans`, scan, atLaboratory);
    // The laboratory has no result of it, and stores what it has received.
    await store(box, tube.accession, null, atLaboratory);
    expect(shown(await read(box, atLaboratory))).toEqual([`1/1 ${tube.accession} flawed`]);
    expect(told(await custody(tube.id, atLaboratory))).toEqual([
      'packed - -',
      'send - -',
      'scanned - -',
      'stored - A1',
    ]);
  });

  test('leaves its box when it is sent', async () => {
    const box = await makeBox(9, 9);
    const tube = await makeTube();
    await store(box, tube.accession);
    const shipment = await sent([tube], lab.headers, laboratory, placeOf('Anhinga Reference Laboratory'));
    expect(shown(await read(box))).toEqual([`1/1 ${tube.accession} packed`]);
    await step(shipment, 'pack', lab.headers);
    await step(shipment, 'send', lab.headers, carrier);
    expect(shown(await read(box))).toEqual([]);
    expect(told(await custody(tube.id))).toEqual([
      'stored - A1',
      'packed - -',
      'taken-out A1 - sent',
      'send - -',
    ]);
  });

  test('is stored at one facility until it is sent to another', async () => {
    const room = await place({ name: 'Room', level: 'location', facility: clinic, parent: null });
    const [here, there] = [await makeBox(9, 9), await makeBox(9, 9, clinic, room.id)];
    const tube = await makeTube();
    await store(here, tube.accession);
    expect(await refusalOf(asked(there, tube.accession))).toEqual([422, 'code other-facility']);
  });
});

describe('custody', () => {
  const whereabouts = (facility: string | null, position: string | null = null) => ({
    ...{ facility, location: position && 'box', position },
  });
  const event = (deed: string, given: Partial<CustodyEntry>) => ({
    ...{ id: deed, at: '2026-03-02T10:00:00.000Z', by: null, deed, shipment: null, from: null, to: null },
    ...{ condition: null, reason: null, note: null, ...given },
  });
  const gaps = (...events: ReturnType<typeof event>[]) => withGaps(events).map(({ gap }) => gap);
  const send = event('send', { shipment: 'one', from: whereabouts('a'), to: whereabouts(null) });
  const arrival = (shipment: string) => event('scanned', { shipment, to: whereabouts('b') });
  const storedAt = (facility: string) =>
    event('stored', { from: whereabouts(facility), to: whereabouts(facility, 'A1') });
  const out = (reason: string) =>
    event('taken-out', { reason, from: whereabouts('b', 'A1'), to: whereabouts('b') });

  test('has no gap where each move begins at the end of the one before', () => {
    expect(gaps(send, arrival('one'), storedAt('b'), out('for-testing'), storedAt('b'))).toEqual([
      ...[false, false, false, false, false],
    ]);
  });

  test.each([
    ['it is stored elsewhere than received', [send, arrival('one'), storedAt('a')], [false, false, true]],
    ['it arrives with another shipment', [send, arrival('two')], [false, true]],
    ['it is stored while it is on its way', [send, storedAt('b')], [false, true]],
    [
      'it is there again after it was used up',
      [storedAt('b'), out('used-up'), storedAt('b')],
      [false, false, true],
    ],
    [
      'it leaves another position than its own',
      [storedAt('b'), event('moved', { from: whereabouts('b', 'B2'), to: whereabouts('b', 'B3') })],
      [false, true],
    ],
  ])('has a gap where %s', (_, events, expected) => {
    expect(gaps(...events)).toEqual(expected);
  });

  test('proposes the first gap, row by row', () => {
    const rows = { rows: 2, columns: 2 };
    expect(
      nextFree(rows, [
        { row: 1, column: 1 },
        { row: 2, column: 1 },
      ]),
    ).toEqual({ row: 1, column: 2 });
    expect(nextFree({ rows: 1, columns: 1 }, [{ row: 1, column: 1 }])).toBeNull();
  });
});
