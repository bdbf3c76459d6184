import { randomUUID } from 'node:crypto';
import type { BulkAction, BulkRefusal } from '@caseway/contract/bulk';
import { anyRecord } from '@caseway/contract/record';
import { bulkTransitions } from '@caseway/contract/record-transitions';
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
import { bulkJobIn } from '../../../test/bulk.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { makeCaseReport, makePatient, makeResult, makeSpecimen } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import type { Database } from '../../platform/db/database.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const placeOf = (name: string) => demo.facilities.find((one) => one.name === name)!.id;
const clinic = placeOf('Mangrove Community Clinic Ybor City');
const laboratory = placeOf('Gulfstream State Public Health Laboratory');
/**
 * A laboratorian of the department, who does not see restricted families, and one of the laboratory; both may write.
 */
const lab = await signInAs(testing, 'lab@demo.caseway.test');
const atLaboratory = (await actFor(testing, lab.tokens, `F:${laboratory}`)).headers;
/** At the clinic that sends. */
const sender = (await signInAs(testing, 'facility@demo.caseway.test')).headers;
/** Sees everything of the tenant. */
const admin = (await signInAs(testing, 'admin@demo.caseway.test')).headers;
/** At an unrelated place. */
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
/** A shipment with these tubes that was sent. */
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

describe('packing a box', () => {
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

  test('takes specimens by their whole number, or several chosen ones: all of them or none', async () => {
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

  test('a specimen is in one box at a time, also if two people pack it at once; canceling releases it', async () => {
    const tube = await makeTube();
    const [one, two] = [await shipment(), await shipment()];
    const answers = await Promise.all([one, two].map((box) => pack(box, { code: tube.accession })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422]);
    const [holder, other] = answers[0]!.statusCode === 200 ? [one, two] : [two, one];
    expect(await refusalOf(pack(other, { code: tube.accession }))).toEqual([422, 'code in-another']);
    const cancelled = await step(holder, 'cancel', sender, { reason: 'Packed by mistake.' });
    expect((await pack(other, { code: tube.accession })).statusCode).toBe(200);
    // Nor can an undo put it in two boxes.
    expect(await refusalOf(ask('POST', at(holder, '/undo'), { version: cancelled.version }, sender))).toEqual(
      [422, 'state in-another'],
    );
  });

  test('nothing in it changes after it was sent', async () => {
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

  test('can be interrupted and continued by another person, with what was scanned, ticked, and found to be wrong', async () => {
    const [one, two, three] = [await makeTube(), await makeTube(), await makeTube()];
    const box = await receiving([one, two, three]);
    await scan(box, one.accession);
    // In a new session, for the whole department.
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
    // Received by mistake, and undone.
    const back = await ok<Contents>(
      'POST',
      at(box, `/specimens/${again.specimen.id}/take-out`),
      undefined,
      atLaboratory,
    );
    expect(receptions(back)[0]).toBe(`${one.accession} awaited`);
    expect((await scan(box, one.accession)).outcome).toBe('received');
  });

  test('missing, unexpected and broken tubes are explained before the box is reconciled', async () => {
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
    // It is available again for another box.
    expect((await pack(await shipment(), { code: missing.accession })).statusCode).toBe(200);
    const { custody } = await contentsOf(box, sender);
    expect(custody.map(({ deed }) => deed)).toEqual([
      ...['reconcile', 'noted', 'noted', 'complete', 'unexpected', 'scanned', 'receive', 'send', 'pack'],
      ...['packed', 'packed'],
    ]);
  });

  test('a lost box that turns up is received; each end does its own part, and can undo only that', async () => {
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

describe('visibility of a shipment', () => {
  test('[P1] for its sender, its destination after it was sent, the whole tenant, and no one else', async () => {
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
    // The laboratory knows only the number of the tube.
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

  test('[P18] a tube of a restricted family is hidden from people who may not see that family; they scan it as an unexpected one', async () => {
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
    // A person who may see it receives it.
    expect((await scan(box, restricted.accession, admin)).outcome).toBe('received');
    // A result of another family makes it openly known.
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

describe('labels', () => {
  const labels = (one: Shipment, query: string, headers: Headers = sender) =>
    ask('GET', at(one, `/labels?${query}`), undefined, headers);
  /** The first line of each label in ZPL: its number. */
  const numbersOn = (zpl: string) =>
    zpl.split('^XZ').flatMap((label) => /\^FD([^^]*)\^FS/.exec(label)?.slice(1) ?? []);

  test('are for the box, or for each tube in it that the reader sees [P18]', async () => {
    const [tube, restricted] = [await makeTube(), await makeTube({ family: 'hiv' })];
    const one = await sent([tube, restricted], admin);
    const ofBox = await labels(one, 'size=box&format=zpl');
    expect(numbersOn(ofBox.body)).toEqual([one.number]);
    expect(ofBox.body).toContain('From: Mangrove Community Clinic Ybor City');
    expect(ofBox.body).toContain('2 to 8 °C');
    expect(numbersOn((await labels(one, 'of=tubes&size=tube&format=zpl', admin)).body)).toEqual([
      tube.accession,
      restricted.accession,
    ]);
    expect(numbersOn((await labels(one, 'of=tubes&size=tube&format=zpl', lab.headers)).body)).toEqual([
      tube.accession,
    ]);
    expect((await labels(one, 'size=box', elsewhere)).statusCode).toBe(404);
  });

  test('are a PDF with the number of the box in its name, or a file for label printers', async () => {
    const one = await shipment();
    const [pdf, zpl] = [await labels(one, 'size=box'), await labels(one, 'size=cryo&format=zpl')];
    expect(
      [pdf, zpl].map(({ headers }) => [headers['content-type'], headers['content-disposition']]),
    ).toEqual([
      ['application/pdf', `attachment; filename="labels-${one.number}.pdf"`],
      ['application/zpl', `attachment; filename="labels-${one.number}.zpl"`],
    ]);
    expect(pdf.body.slice(0, 5)).toBe('%PDF-');
  });

  test('have no person’s name', async () => {
    const tube = await makeTube();
    const [person] = await sql<{ last_name: string }>('select last_name from patient where id = $1', [
      tube.patient_id,
    ]);
    const one = await sent([tube]);
    for (const part of ['box', 'tubes'])
      expect((await labels(one, `of=${part}&size=box&format=zpl`)).body).not.toContain(person!.last_name);
  });

  test('that cannot be made are refused with their place', async () => {
    const empty = await shipment();
    expect(await refusalOf(labels(empty, 'of=tubes&size=tube'))).toEqual([422, 'of no-tubes']);
    expect(await refusalOf(labels(empty, 'size=sheet&format=zpl'))).toEqual([422, 'format no-sheets']);
    const long = await makeTube();
    await sql(`update specimen set accession = repeat('A', 120) where id = $1`, [long.id]);
    const one = await sent([long]);
    expect(await refusalOf(labels(one, 'of=tubes&size=cryo'))).toEqual([422, 'size code-too-long']);
  });
});

describe('many shipments at once', () => {
  const work = bulkJobIn(database);
  interface Told {
    /** The numbers of changed, unchanged and refused ones. */
    became: number[];
    /** The numbers of the unchanged ones, with the reasons. */
    stay: string[];
    id: string;
  }
  async function told(id: string, headers: Headers): Promise<Told> {
    const { changed, same, refused, total } = await ok<BulkAction>(
      'GET',
      `sample-shipments/bulk/${id}`,
      undefined,
      headers,
    );
    expect(changed + same + refused).toBe(total);
    const of = await ok<{ refused: BulkRefusal[] }>(
      'GET',
      `sample-shipments/bulk/${id}/refused`,
      undefined,
      headers,
    );
    const stay = of.refused.map(({ name, code, field }) => `${name} ${field ?? '-'} ${code}`).sort();
    return { became: [changed, same, refused], stay, id };
  }
  async function many(boxes: readonly { id: string }[], asked: object, headers: Headers, job = work) {
    const id = randomUUID();
    const selection = { ids: boxes.map((box) => box.id) };
    await ok('POST', 'sample-shipments/bulk', { id, selection, ...asked }, headers);
    await end(id, job);
    return told(id, headers);
  }
  async function end(id: string, job = work) {
    const parts = await sql<{ tenant: string }>('select tenant_id as tenant from bulk_action where id = $1', [
      id,
    ]);
    for (const { tenant } of parts) await job(tenant, id);
  }
  const doing = (id: string, more: object = {}) => ({ transition: { id, ...more } });
  async function undo({ id: of }: Told, headers: Headers): Promise<Told> {
    const id = randomUUID();
    await ok('POST', `sample-shipments/bulk/${of}/undo`, { id }, headers);
    await end(id);
    return told(id, headers);
  }
  /** A packed shipment with these tubes. */
  async function packed(given: object, tubes: readonly { id: string }[], headers: Headers = sender) {
    const made = await shipment(given, headers);
    await ok('POST', at(made, '/specimens'), { specimens: tubes.map(({ id }) => id) }, headers);
    return step(made, 'pack', headers);
  }
  const stateOf = async (box: Shipment, headers?: Headers) => (await read(box, headers)).state;
  const statesOf = (boxes: readonly Shipment[]) => Promise.all(boxes.map((box) => stateOf(box, admin)));

  test('have every transition except those for which someone must have looked into the box', () => {
    expect(bulkTransitions(anyRecord(shipmentRecord)).map(({ id }) => id)).toEqual(
      shipmentFlow.transitions.map(({ id }) => id).filter((id) => id !== 'complete' && id !== 'go-on'),
    );
  });

  test('go from the sender to the laboratory: each with the reason if it stays, its chain of custody and its states', async () => {
    const boxes = [
      await shipment({ carrier: 'FedEx' }),
      await shipment({ carrier: 'UPS', trackingNumber: '1Z' }),
      await shipment(),
      await shipment({ carrier: 'FedEx' }),
    ] as const;
    const [one, other, noCarrier, empty] = boxes;
    for (const box of [one, other, noCarrier]) await pack(box, { code: (await makeTube()).accession });
    expect(await many(boxes, doing('pack'), sender)).toMatchObject({
      became: [3, 0, 1],
      stay: [`${empty.number} state empty`],
    });
    expect((await many(boxes, { ...doing('send'), dryRun: true }, sender)).became).toEqual([2, 0, 2]);
    expect(await statesOf(boxes)).toEqual(['packed', 'packed', 'packed', 'draft']);
    const expectedOn = '2026-12-03';
    const sending = await many(boxes, doing('send', { fields: { expectedOn } }), sender);
    expect(sending).toMatchObject({
      became: [2, 0, 2],
      stay: [`${empty.number} state not-in-this-state`, `${noCarrier.number} carrier required`].sort(),
    });
    // Each keeps its own carrier and number.
    expect(await read(other, sender)).toMatchObject({
      ...{ state: 'in-transit', carrier: 'UPS', trackingNumber: '1Z', expectedOn },
    });
    const kept = await sql(
      `select t.from_state as "from", t.to_state as "to", t.counts, h.action_id as action
       from shipment_transition t
       join shipment_history h on h.tenant_id = t.tenant_id and h.record_id = t.record_id and h.version = t.version
       where t.record_id = $1 order by t.version`,
      [one.id],
    );
    expect(kept.at(-1)).toEqual({ from: 'packed', to: 'in-transit', counts: true, action: sending.id });
    expect(await sql('select state from shipment_specimen where shipment_id = $1', [one.id])).toEqual([
      { state: 'in-transit' },
    ]);
    // Its numbers are counted again, and the sender is notified of the end.
    const counted = 'select from outbox where tenant_id = $1 and $2 = any (record_ids) limit 1';
    expect(await sql(counted, [demo.id, one.id])).toHaveLength(1);
    const ended = 'select from graphile_worker._private_jobs where cast(payload as text) like $1';
    expect(await sql(ended, [`%bulk-ended%${sending.id}%`])).toHaveLength(1);

    // To its destination, a box that was not sent does not exist.
    expect(await many(boxes, doing('receive'), atLaboratory)).toMatchObject({
      became: [2, 0, 2],
      stay: Array(2).fill('null - not-found'),
    });
    expect(await many(boxes, doing('lose', { reason: 'It is late.' }), elsewhere)).toMatchObject({
      became: [0, 0, 4],
      stay: Array(4).fill('null - not-found'),
    });
    expect((await many(boxes, doing('lose', { reason: 'It is late.' }), vendor)).stay).toEqual(
      Array(4).fill('null - not-found'),
    );
    const { custody } = await contentsOf(one, atLaboratory);
    expect(custody.map(({ deed, by }) => `${deed} ${by}`).slice(0, 3)).toEqual([
      'receive Lars Okonkwo',
      ...['send', 'pack'].map((deed) => `${deed} ${custody.at(-1)!.by}`),
    ]);
    // Only the destination can undo its own actions, and people cannot undo what someone else did.
    expect(await undo(sending, sender)).toMatchObject({
      became: [0, 0, 2],
      stay: [one, other].map(({ number }) => `${number} - changed-meanwhile`).sort(),
    });
    const of = `sample-shipments/bulk/${sending.id}`;
    expect((await ask('POST', `${of}/undo`, { id: randomUUID() }, atLaboratory)).statusCode).toBe(404);
    expect((await ask('GET', of, undefined, vendor)).statusCode).toBe(404);
  });

  test('all that match are reconciled, except those with something to explain', async () => {
    const tubes = [await makeTube(), await makeTube()];
    const destination = placeOf('Anhinga Reference Laboratory');
    const boxes = [];
    for (const tube of tubes) {
      const box = await packed({ destination, carrier: 'UPS' }, [tube], admin);
      for (const transition of ['send', 'receive']) await step(box, transition, admin);
      if (tube === tubes[0]) await scan(box, tube.accession, admin);
      boxes.push(await step(box, 'complete', admin));
    }
    const [whole, missing] = boxes as [Shipment, Shipment];
    const query = { filters: { destinationFilter: [destination], statusFilter: ['received'] } };
    const asked = { ...doing('reconcile'), selection: { query }, expected: 2 };
    const reconciled = await many([], asked, admin);
    expect(reconciled).toMatchObject({ became: [1, 0, 1], stay: [`${missing.number} state unexplained`] });
    // After the undo it counts as received, and its time is not counted.
    expect((await undo(reconciled, admin)).became).toEqual([1, 0, 0]);
    expect(await statesOf([whole, missing])).toEqual(['received', 'received']);
    const [last] = await sql(
      'select to_state, counts from shipment_transition where record_id = $1 order by version desc limit 1',
      [whole.id],
    );
    expect(last).toEqual({ to_state: 'reconciled', counts: false });
  });

  test('canceled as one, they release their specimens, and are reopened unless a specimen went elsewhere', async () => {
    const [gone, shared, plain] = [await makeTube(), await makeTube(), await makeTube()];
    const one = await packed({}, [gone, plain]);
    const first = await packed({}, [shared]);
    await step(first, 'cancel', sender, { reason: 'Wrong temperature.' });
    const second = await packed({}, [shared]);
    const canceled = await many([one, second], doing('cancel', { reason: 'Closed.' }), sender);
    expect(canceled.became).toEqual([2, 0, 0]);
    const [row] = await sql<{ ended: boolean; reason: string }>(
      `select s.ended_at is not null as ended, h.reason from shipment s
       join shipment_history h on h.tenant_id = s.tenant_id and h.record_id = s.id and h.version = s.version
       where s.id = $1`,
      [one.id],
    );
    expect(row).toEqual({ ended: true, reason: 'Closed.' });
    const another = await shipment();
    expect((await pack(another, { code: gone.accession })).statusCode).toBe(200);
    expect(await undo(canceled, sender)).toMatchObject({
      became: [1, 0, 1],
      stay: [`${one.number} state in-another`],
    });
    expect(await statesOf([one, second])).toEqual(['cancelled', 'packed']);
    expect(await refusalOf(pack(another, { code: shared.accession }))).toEqual([422, 'code in-another']);
  });

  test('of two with the same specimen, one action reopens only one', async () => {
    const tube = await makeTube();
    const boxes = [];
    for (let n = 0; n < 3; n += 1) {
      const box = await sent([tube]);
      boxes.push(await step(box, 'lose', sender, { reason: 'The courier does not find it.' }));
    }
    // All in one transaction.
    const job = bulkJobIn(database, undefined, 50);
    const received = await many(boxes, doing('receive'), atLaboratory, job);
    const [opened, ...others] = boxes.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [Shipment];
    expect(received).toMatchObject({
      became: [1, 0, 2],
      stay: others.map(({ number }) => `${number} state in-another`).sort(),
    });
    expect(await stateOf(opened, atLaboratory)).toBe('receiving');
  });

  test('[P18] a tube of a restricted family follows its box, whoever changes it', async () => {
    const restricted = await makeTube({ family: 'hiv' });
    const box = await packed({}, [restricted, await makeTube()], admin);
    expect((await many([box], doing('cancel', { reason: 'Closed.' }), lab.headers)).became).toEqual([
      1, 0, 0,
    ]);
    const next = await pack(await shipment({}, admin), { code: restricted.accession }, admin);
    expect(next.statusCode).toBe(200);
  });

  test('one that someone changes in between stays unchanged, and the others change', async () => {
    const boxes = [await shipment(), await shipment(), await shipment()];
    const late = boxes[1]!;
    let isLooked = false;
    const meddled: Database = {
      ...database,
      async withScope(scope, does, options) {
        if (scope.kind === 'service' && isLooked) {
          isLooked = false;
          await ok('PATCH', at(late), { version: late.version, note: 'Fragile.' }, sender);
        }
        const done = await database.withScope(scope, does, options);
        isLooked ||= scope.kind === 'org';
        return done;
      },
    };
    const job = bulkJobIn(meddled, undefined, 50);
    expect(await many(boxes, { change: { temperature: 'frozen' } }, sender, job)).toMatchObject({
      became: [2, 0, 1],
      stay: [`${late.number} - changed-meanwhile`],
    });
    expect(await read(late, sender)).toMatchObject({ temperature: 'refrigerated', note: 'Fragile.' });
  });

  test('two processes that run the same action change each box once', async () => {
    const boxes = [];
    for (let n = 0; n < 6; n += 1) boxes.push(await shipment());
    const id = randomUUID();
    const change = { temperature: 'ambient', expectedOn: '2026-12-04' };
    await ok(
      'POST',
      'sample-shipments/bulk',
      { id, selection: { ids: boxes.map((box) => box.id) }, change },
      sender,
    );
    await Promise.all([work(demo.id, id), work(demo.id, id), work(demo.id, id)]);
    expect((await told(id, sender)).became).toEqual([6, 0, 0]);
    for (const box of boxes) expect(await read(box, sender)).toMatchObject({ ...change, version: 2 });
  });

  test('need the permission to write, and each field an existing entry', async () => {
    const box = await shipment();
    const asked = { id: randomUUID(), selection: { ids: [box.id] } };
    for (const body of [doing('cancel', { reason: 'No.' }), { change: { temperature: 'frozen' } }])
      expect((await ask('POST', 'sample-shipments/bulk', { ...asked, ...body }, analyst)).statusCode).toBe(
        403,
      );
    expect((await many([box], { change: { destination: clinic } }, sender)).stay).toEqual([
      `${box.number} destination same-place`,
    ]);
    const statuses = [doing('complete'), { change: { carrier: 'UPS' } }].map(
      async (body) => (await ask('POST', 'sample-shipments/bulk', { ...asked, ...body }, sender)).statusCode,
    );
    expect(await Promise.all(statuses)).toEqual([422, 400]);
  });
});

describe('unassigned specimens', () => {
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

  test('leave the list with a shipment, and come back when it is canceled', async () => {
    const filterModel = { items: [{ field: 'accession', operator: 'equals', value: own.accession }] };
    const made = await shipment();
    await pack(made, { code: own.accession });
    expect(await found(sender, { filterModel })).toEqual([]);
    await step(made, 'cancel', sender, { reason: 'Not today.' });
    expect(await found(sender, { filterModel })).toHaveLength(1);
  });
});
