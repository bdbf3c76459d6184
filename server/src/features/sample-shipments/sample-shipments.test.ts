import { anyRecord } from '@caseway/contract/record';
import {
  type Contents,
  type Shipment,
  type Shipped,
  shipmentRecord,
  type Unassigned,
} from '@caseway/contract/sample-shipments';
import { shipmentFlow } from '@caseway/contract/shipment-flow';
import { flawsOf } from '@caseway/contract/workflow';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { makeCaseReport, makePatient, makeResult, makeSpecimen } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const placeOf = (name: string) => demo.facilities.find((one) => one.name === name)!.id;
const clinic = placeOf('Mangrove Community Clinic Ybor City');
const laboratory = placeOf('Gulfstream State Public Health Laboratory');
/** A laboratorian of the department, who does not see restricted families, and of the laboratory; both may write. */
const lab = await signInAs(testing, 'lab@demo.caseway.test');
const atLaboratory = (await actFor(testing, lab.tokens, `F:${laboratory}`)).headers;
/** At the clinic that sends. */
const sender = (await signInAs(testing, 'facility@demo.caseway.test')).headers;
/** Sees everything of the tenant. */
const admin = (await signInAs(testing, 'admin@demo.caseway.test')).headers;
/** At a place that has nothing to do with them. */
const outsider = await signInAs(testing, 'employer@demo.caseway.test');
const elsewhere = (await actFor(testing, outsider.tokens, `F:${placeOf('Seabright Port Terminal Tampa')}`))
  .headers;
const analyst = (await signInAs(testing, 'analyst@demo.caseway.test')).headers;
const vendor = (await signInAs(testing, 'admin@vendor.caseway.test')).headers;

const { ask, ok } = askingAs(testing, lab);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const blank = { carrier: null, trackingNumber: null, expectedOn: null, note: null };
const draft = { origin: clinic, destination: laboratory, temperature: 'refrigerated', ...blank };
let last = 0;
async function makeTube({ family = 'sti', facility = clinic }: { family?: string; facility?: string } = {}) {
  const at = { tenant_id: demo.id, county_fips: '12057' };
  const { id: patient_id } = await makePatient(database, { ...at, facility_ids: [facility] });
  const accession = `T-${++last}`;
  const disease = { disease_family: family, condition_code: family === 'hiv' ? 'hiv' : 'chlamydia' };
  return {
    ...(await makeSpecimen(database, { ...at, patient_id, facility_id: facility, accession, ...disease })),
    patient_id,
  };
}
const shipment = (given: object = {}, headers: Headers = sender) =>
  ok<Shipment>('POST', 'sample-shipments', { ...draft, ...given }, headers);
const at = ({ id }: { id: string }, more = '') => `sample-shipments/${id}${more}`;
const read = (one: Shipment, headers?: Headers) => ok<Shipment>('GET', at(one), undefined, headers);
const contentsOf = (one: Shipment, headers?: Headers) =>
  ok<Contents>('GET', at(one, '/specimens'), undefined, headers);
const pack = (one: Shipment, body: object, headers: Headers = sender) =>
  ask('POST', at(one, '/specimens'), body, headers);
async function step(
  one: Shipment,
  transition: string,
  headers: Headers,
  more: object = {},
): Promise<Shipment> {
  const { version } = await read(one, headers);
  return ok('POST', at(one, `/transitions/${transition}`), { version, ...more }, headers);
}
const scan = (one: Shipment, code: string, headers: Headers = atLaboratory, more: object = {}) =>
  ok<{ outcome: string; specimen: Shipped; contents: Contents }>(
    'POST',
    at(one, '/scans'),
    { code, how: 'scanned', ...more },
    headers,
  );
/** The faults of a refusal with their places. */
async function refusalOf(answer: ReturnType<typeof ask>) {
  const { statusCode, ...rest } = await answer;
  const { faults = [] } = rest.json<{ faults?: { path: string; code: string }[] }>();
  return [statusCode, ...faults.map(({ path, code }) => `${path} ${code}`)];
}
/** One with these tubes that is on its way. */
async function sent(tubes: readonly { id: string }[], headers: Headers = sender): Promise<Shipment> {
  const made = await shipment({}, headers);
  await ok('POST', at(made, '/specimens'), { specimens: tubes.map(({ id }) => id) }, headers);
  await step(made, 'pack', headers);
  return step(made, 'send', headers, { fields: { carrier: 'FedEx' } });
}
async function receiving(tubes: readonly { id: string }[], headers?: Headers): Promise<Shipment> {
  return step(await sent(tubes, headers), 'receive', atLaboratory);
}
const receptions = ({ specimens }: Contents) =>
  specimens.map(({ code, reception }) => `${code} ${reception}`);

describeRecord({
  record: anyRecord(shipmentRecord),
  ask: (method, path, payload, headers) => ask(method, path, payload, headers),
  sql,
  others: { without: analyst, elsewhere: vendor },
  fresh: async () => draft,
  changed: async () => ({
    destination: placeOf('Anhinga Reference Laboratory'),
    temperature: 'frozen',
    carrier: 'FedEx',
    trackingNumber: '794644120183',
    expectedOn: '2026-03-20',
    note: 'Keep upright.\nTwo ice packs.',
  }),
  rivals: ['carrier', ['FedEx', 'UPS', 'USPS']],
  deed: { transition: 'cancel', reason: 'The clinic is closed.', state: 'cancelled' },
});

describe('a box that is packed', () => {
  test('goes by a workflow without flaws', () => {
    expect(flawsOf(shipmentFlow, Object.keys(shipmentRecord.fields))).toEqual([]);
  });

  test('is sent to another place, from a place of the sender', async () => {
    expect(
      await refusalOf(ask('POST', 'sample-shipments', { ...draft, destination: clinic }, sender)),
    ).toEqual([422, 'destination same-place']);
    expect(
      await refusalOf(
        ask('POST', 'sample-shipments', { ...draft, origin: laboratory, destination: clinic }, sender),
      ),
    ).toEqual([422, 'origin not-own-place']);
  });

  test('takes specimens by their whole number, or several that were chosen: all of them or none', async () => {
    const [one, two, three] = [await makeTube(), await makeTube(), await makeTube()];
    const made = await shipment();
    expect(await refusalOf(ask('POST', at(made, '/transitions/pack'), { version: 1 }, sender))).toEqual([
      422,
      'state empty',
    ]);
    expect(await refusalOf(pack(made, { code: one.accession.slice(0, -1) }))).toEqual([
      422,
      'code unknown-specimen',
    ]);
    expect(receptions((await pack(made, { code: one.accession })).json())).toEqual([
      `${one.accession} packed`,
    ]);
    expect(await refusalOf(pack(made, { specimens: [two.id, one.id] }))).toEqual([
      422,
      'specimens in-another',
    ]);
    const both = await pack(made, { specimens: [two.id, three.id] });
    expect(receptions(both.json())).toEqual([one, two, three].map(({ accession }) => `${accession} packed`));
    expect(await read(made, sender)).toMatchObject({ specimens: 3, received: 0, discrepancies: 0 });
    const [{ id }] = both.json<Contents>().specimens as [Shipped];
    const out = await ok<Contents>('POST', at(made, `/specimens/${id}/take-out`), undefined, sender);
    expect(receptions(out)).toHaveLength(2);
    expect(out.custody.map(({ deed, code }) => `${deed} ${code}`)[0]).toBe(`unpacked ${one.accession}`);
  });

  test('a specimen is in one box at a time, also if two people pack it at once; canceling gives it back', async () => {
    const tube = await makeTube();
    const [one, two] = [await shipment(), await shipment()];
    const answers = await Promise.all([one, two].map((box) => pack(box, { code: tube.accession })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422]);
    const [holder, other] = answers[0]!.statusCode === 200 ? [one, two] : [two, one];
    expect(await refusalOf(pack(other, { code: tube.accession }))).toEqual([422, 'code in-another']);
    const cancelled = await step(holder, 'cancel', sender, { reason: 'Packed by mistake.' });
    expect((await pack(other, { code: tube.accession })).statusCode).toBe(200);
    // It is not in two boxes by an undo either.
    expect(await refusalOf(ask('POST', at(holder, '/undo'), { version: cancelled.version }, sender))).toEqual(
      [422, 'state in-another'],
    );
  });

  test('nothing of it changes once it was sent', async () => {
    const made = await sent([await makeTube()]);
    expect(made).toMatchObject({ state: 'in-transit', carrier: 'FedEx', side: 'sender' });
    expect(made.sentOn).toBe(made.packedOn);
    expect(
      await refusalOf(
        ask('PATCH', at(made), { version: made.version, destination: clinic, note: 'x' }, sender),
      ),
    ).toEqual([422, 'destination locked', 'note locked', 'destination same-place']);
    expect(await refusalOf(pack(made, { code: (await makeTube()).accession }))).toEqual([
      422,
      'state not-in-this-state',
    ]);
    const [{ id }] = (await contentsOf(made, sender)).specimens as [Shipped];
    expect(await refusalOf(ask('POST', at(made, `/specimens/${id}/take-out`), undefined, sender))).toEqual([
      422,
      'state not-in-this-state',
    ]);
  });

  test('[S9.3] the list begins with the latest case, which is of no restricted family', async () => {
    const boxes = await Promise.all([0, 1].map(() => shipment()));
    const caseIds: string[] = [];
    for (const box of boxes) {
      const tube = await makeTube();
      const [{ id: result_id }] = (await sql<{ id: string }>('select id from result where specimen_id = $1', [
        tube.id,
      ])) as [{ id: string }];
      for (const family of ['sti', 'hiv']) {
        const report = await makeCaseReport(database, {
          ...{ tenant_id: demo.id, patient_id: tube.patient_id, facility_id: clinic, disease_family: family },
          condition_code: family === 'hiv' ? 'hiv' : 'chlamydia',
        });
        if (family === 'sti') caseIds.push(report.case_id);
        await sql(
          'insert into case_result (tenant_id, case_report_id, result_id, disease_family) values ($1, $2, $3, $4)',
          [...[demo.id, report.id, result_id, family]],
        );
      }
      await pack(box, { code: tube.accession });
    }
    expect((await Promise.all(boxes.map((box) => read(box, sender)))).map(({ caseId }) => caseId)).toEqual(
      caseIds,
    );
    const { rows } = await ok<{ rows: Shipment[] }>('POST', 'grid/sample-shipments/search', {}, sender);
    const shown = rows.flatMap(({ caseId }) => caseId ?? []);
    expect(shown.slice(0, 2)).toEqual(caseIds.toReversed());
  });
});

describe('reception by scanning', () => {
  test('two people scan one box at the same time: each tube is received once', async () => {
    const tubes = await Promise.all(Array.from({ length: 6 }, () => makeTube()));
    const box = await receiving(tubes);
    const answers = await Promise.all(
      tubes.flatMap(({ accession }) => [scan(box, accession), scan(box, accession, lab.headers)]),
    );
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual([
      ...Array(6).fill('already'),
      ...Array(6).fill('received'),
    ]);
    const { specimens, custody } = await contentsOf(box, atLaboratory);
    expect(specimens.map(({ reception }) => reception)).toEqual(Array(6).fill('received'));
    expect(custody.filter(({ deed }) => deed === 'scanned')).toHaveLength(6);
    const [{ count }] = (await sql(
      `select count(*)::int as count from audit_event where action = 'shipment/scanned' and $1 = any (record_ids)`,
      [box.id],
    )) as [{ count: number }];
    expect(count).toBe(12);
  });

  test('is interrupted and goes on by another person, with what was scanned, what was ticked, and what is not as it should be', async () => {
    const [one, two, three] = [await makeTube(), await makeTube(), await makeTube()];
    const box = await receiving([one, two, three]);
    await scan(box, one.accession);
    // Signed in anew, for the whole department.
    const goneOn = await scan(box, two.accession, lab.headers, { how: 'ticked', condition: 'leaked' });
    expect(
      goneOn.contents.specimens.map(({ reception, how, condition }) => [reception, how, condition]),
    ).toEqual([
      ['received', 'scanned', 'good'],
      ['received', 'ticked', 'leaked'],
      ['awaited', null, null],
    ]);
    expect(goneOn.specimen).toMatchObject({
      code: two.accession,
      isDiscrepancy: true,
      receivedBy: 'Lars Okonkwo',
    });
    const again = await scan(box, one.accession);
    expect([again.outcome, again.specimen.receivedBy]).toEqual(['already', 'Lars Okonkwo']);
    // Taken by mistake, and given back.
    const back = await ok<Contents>(
      'POST',
      at(box, `/specimens/${again.specimen.id}/take-out`),
      undefined,
      atLaboratory,
    );
    expect(receptions(back)[0]).toBe(`${one.accession} awaited`);
    expect((await scan(box, one.accession)).outcome).toBe('received');
  });

  test('what is missing, unexpected or broken is explained before the box is reconciled', async () => {
    const [there, missing] = [await makeTube(), await makeTube()];
    const box = await receiving([there, missing]);
    await scan(box, there.accession);
    const { outcome, specimen } = await scan(box, 'PX-20418');
    expect([outcome, specimen.reception]).toEqual(['unexpected', 'unexpected']);
    expect((await scan(box, 'PX-20418')).outcome).toBe('already');
    const received = await step(box, 'complete', atLaboratory);
    expect(received).toMatchObject({ specimens: 2, received: 1, discrepancies: 2, unexplained: 2 });
    expect(
      await refusalOf(ask('POST', at(box, '/scans'), { code: 'x', how: 'scanned' }, atLaboratory)),
    ).toEqual([422, 'state not-in-this-state']);
    const reconcile = () =>
      ask('POST', at(box, '/transitions/reconcile'), { version: received.version }, atLaboratory);
    expect(await refusalOf(reconcile())).toEqual([422, 'state unexplained']);
    const { specimens } = await contentsOf(box, atLaboratory);
    expect(receptions({ specimens, custody: [] })).toEqual([
      `${there.accession} received`,
      `${missing.accession} missing`,
      'PX-20418 unexpected',
    ]);
    for (const { id } of specimens.filter((one) => one.isDiscrepancy))
      await ok('PATCH', at(box, `/specimens/${id}`), { note: 'The clinic was called.' }, atLaboratory);
    expect((await reconcile()).json()).toMatchObject({
      state: 'reconciled',
      unexplained: 0,
      discrepancies: 2,
    });
    // It is free again for another box.
    expect((await pack(await shipment(), { code: missing.accession })).statusCode).toBe(200);
    const { custody } = await contentsOf(box, sender);
    expect(custody.map(({ deed }) => deed)).toEqual([
      ...['reconcile', 'noted', 'noted', 'complete', 'unexpected', 'scanned', 'receive', 'send', 'pack'],
      ...['packed', 'packed'],
    ]);
  });

  test('a lost box that turns up is received; each end does its own part, and takes back only that', async () => {
    const tube = await makeTube();
    const box = await sent([tube]);
    const version = box.version;
    expect(await refusalOf(ask('POST', at(box, '/transitions/receive'), { version }, sender))).toEqual([
      422,
      'state not-the-destination',
    ]);
    await step(box, 'lose', sender, { reason: 'The courier does not find it.' });
    expect(receptions(await contentsOf(box, sender))).toEqual([`${tube.accession} missing`]);
    const begun = await step(box, 'receive', atLaboratory);
    expect(await refusalOf(ask('POST', at(box, '/undo'), { version: begun.version }, sender))).toEqual([
      422,
      'state not-the-destination',
    ]);
    expect(
      await refusalOf(ask('POST', at(box, '/scans'), { code: tube.accession, how: 'scanned' }, sender)),
    ).toEqual([422, 'state not-the-destination']);
    expect((await scan(box, tube.accession)).outcome).toBe('received');
  });
});

describe('who sees a shipment', () => {
  test('[P1] its sender, its destination once it was sent, the whole tenant, and nobody else', async () => {
    const tube = await makeTube();
    const made = await shipment();
    await pack(made, { code: tube.accession });
    const statuses = async () =>
      Promise.all(
        [sender, atLaboratory, admin, elsewhere, vendor].flatMap((headers) =>
          ['', '/specimens', '/history'].map(
            async (more) => (await ask('GET', at(made, more), undefined, headers)).statusCode,
          ),
        ),
      );
    const [seen, hidden] = [Array(3).fill(200), Array(3).fill(404)];
    expect(await statuses()).toEqual([...seen, ...hidden, ...seen, ...hidden, ...hidden]);
    await step(made, 'pack', sender);
    await step(made, 'send', sender, { fields: { carrier: 'FedEx' } });
    expect(await statuses()).toEqual([...seen, ...seen, ...seen, ...hidden, ...hidden]);
    // The laboratory knows the tube by its number alone.
    expect((await contentsOf(made, atLaboratory)).specimens).toEqual([
      expect.objectContaining({ code: tube.accession, specimenType: null, collectedAt: null }),
    ]);
    expect((await contentsOf(made, sender)).specimens[0]!.specimenType).toMatchObject({ label: 'Urine' });
    for (const [method, more, body] of [
      ['POST', '/specimens', { code: tube.accession }],
      ['POST', '/scans', { code: tube.accession, how: 'scanned' }],
    ] as const)
      expect((await ask(method, at(made, more), body, elsewhere)).statusCode).toBe(404);
  });

  test('[P18] a tube of a restricted family is in no box for who may not see that; they scan it as an unexpected one', async () => {
    const [plain, restricted] = [await makeTube(), await makeTube({ family: 'hiv' })];
    const box = await receiving([plain, restricted], admin);
    expect(receptions(await contentsOf(box, admin))).toHaveLength(2);
    expect(await read(box, lab.headers)).toMatchObject({ specimens: 1 });
    const blind = await contentsOf(box, lab.headers);
    expect(JSON.stringify(blind)).not.toContain(restricted.accession);
    expect(
      await refusalOf(pack(await shipment({}, lab.headers), { code: restricted.accession }, lab.headers)),
    ).toEqual([422, 'code unknown-specimen']);
    const asAny = await scan(box, 'PX-1', lab.headers);
    const scanned = await scan(box, restricted.accession, lab.headers);
    expect([scanned.outcome, scanned.specimen.reception]).toEqual([asAny.outcome, asAny.specimen.reception]);
    expect(receptions(await contentsOf(box, admin))).toEqual([
      `${plain.accession} awaited`,
      `${restricted.accession} awaited`,
      'PX-1 unexpected',
      `${restricted.accession} unexpected`,
    ]);
    // Who may see it receives it.
    expect((await scan(box, restricted.accession, admin)).outcome).toBe('received');
    // A result of another family makes it known openly.
    await makeResult(database, {
      ...{
        tenant_id: demo.id,
        patient_id: restricted.patient_id,
        specimen_id: restricted.id,
        facility_id: clinic,
      },
    });
    expect(await read(box, lab.headers)).toMatchObject({ specimens: 2 });
  });
});

describe('specimens that are in no shipment', () => {
  let own: { id: string; accession: string };
  beforeAll(async () => {
    own = await makeTube();
  });
  const found = async (headers: Headers, query: object = {}) =>
    (await ok<{ rows: Unassigned[] }>('POST', 'grid/unassigned-specimens/search', query, headers)).rows;

  test('are listed with where and when they were taken, for the place that sees them', async () => {
    const row = {
      id: own.id,
      accession: own.accession,
      specimenType: 'urine',
      collectedAt: '2026-03-02T15:00:00.000Z',
      facility: clinic,
    };
    const filterModel = { items: [{ field: 'accession', operator: 'equals', value: own.accession }] };
    expect(await found(sender, { filterModel })).toEqual([row]);
    expect(await found(admin, { filterModel, filters: { locationFilter: [clinic] } })).toEqual([row]);
    expect(await found(admin, { filterModel, filters: { locationFilter: [laboratory] } })).toEqual([]);
    expect(await found(elsewhere, { filterModel })).toEqual([]);
    expect(await found(vendor, { filterModel })).toEqual([]);
    expect((await ask('POST', 'grid/unassigned-specimens/search', {}, analyst)).statusCode).toBe(403);
  });

  test('are gone from the list with a shipment, and back when it is canceled', async () => {
    const filterModel = { items: [{ field: 'accession', operator: 'equals', value: own.accession }] };
    const made = await shipment();
    await pack(made, { code: own.accession });
    expect(await found(sender, { filterModel })).toEqual([]);
    await step(made, 'cancel', sender, { reason: 'Not today.' });
    expect(await found(sender, { filterModel })).toHaveLength(1);
  });
});
