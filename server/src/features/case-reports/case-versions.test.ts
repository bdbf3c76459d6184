import type { CaseReport } from '@caseway/contract/case-reports';
import type { HistoryEntry } from '@caseway/contract/record-history';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { makeCaseNumbers } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { elr, gonorrhoea, importText, type TestMessage } from '../imports/test-messages.ts';
import { decideMatch } from '../matches/matches.ts';

/*
 * The history of cases that imports, the rules after a merge of two persons, or the undo of a merge change. Each
 * version has its row without an author, so that a change based on an older version is merged field by field. The
 * first version of a case has no row: its timeline says when and from what it was opened.
 */

const testing = await testApp();
const { database } = testing;
const { demo } = await seedDemoTenants(database);
await makeCaseNumbers(database, demo.id);
const service = <Row extends object>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId: demo.id }, (tx) => tx.rows<Row>(text, params));
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const { headers: atCollege } = await actFor(testing, epi.tokens, `O:${college}`);
const { ask, ok } = askingAs(testing, epi);

let sent = 0;
const take = ({ patient, ...given }: TestMessage, place: { organizationId?: string } = {}) => {
  sent += 1;
  const of = { id: `V${patient?.last}`, ...patient };
  return importText(
    database,
    demo.id,
    elr({ control: `V${sent}`, order: `V-${sent}`, ...given, patient: of }),
    place,
  );
};
const positive = { tests: [{ test: gonorrhoea }] };
const earlier = { ...positive, collected: '20260225093000-0500', reported: '20260227150000-0500' };
const caseOf = async (last: string) =>
  (
    await service<{ id: string }>(
      `select c.id from case_report c join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id
       where p.last_name = $1 order by c.created_at limit 1`,
      [last],
    )
  )[0]!.id;
const read = (id: string, headers?: Headers) =>
  ok<CaseReport>('GET', `case-reports/${id}`, undefined, headers);
const history = async (id: string, headers?: Headers) =>
  (await ok<{ entries: HistoryEntry[] }>('GET', `case-reports/${id}/history`, undefined, headers)).entries;
const change = (id: string, version: number, values: object, headers?: Headers) =>
  ask('PATCH', `case-reports/${id}`, { version, ...values }, headers);
/** Each version of every case has its row, except the first. */
const lacking = () =>
  service(
    `select c.id, n from case_report c cross join generate_series(2, c.version) as n
     where c.tenant_id = $1 and not exists (select from case_report_history h
       where h.tenant_id = c.tenant_id and h.record_id = c.id and h.version = n)`,
    [demo.id],
  );

describe('the version of a case that an import makes', () => {
  test('names its changes, without an author; a concurrent change of other fields is merged, of the same field refused', async () => {
    await take({ ...positive, patient: { last: 'Vela' } });
    const id = await caseOf('Vela');
    const seen = await read(id);
    expect([seen.version, await history(id)]).toEqual([1, []]);
    await take({ ...earlier, patient: { last: 'Vela' } });
    const [entry, ...none] = await history(id);
    expect(none).toEqual([]);
    expect(entry).toMatchObject({ version: 2, by: null, undoes: null });
    expect(entry!.changes).toEqual({
      collectedOn: { from: '2026-03-02', to: '2026-02-25' },
      reportedOn: { from: '2026-03-04', to: '2026-02-27' },
    });
    const refused = await change(id, seen.version, { collectedOn: '2026-03-01', outcome: 'ill' });
    expect([refused.statusCode, refused.json().faults.map(({ path }: { path: string }) => path)]).toEqual([
      409,
      ['collectedOn'],
    ]);
    const merged = await change(id, seen.version, { outcome: 'ill' });
    expect(merged.json()).toMatchObject({ version: 3, outcome: 'ill', collectedOn: '2026-02-25' });
    // A person can undo the version of an import like any other.
    const undone = await ok<{ record: CaseReport }>('POST', `case-reports/${id}/undo`, { version: 2 });
    expect(undone.record).toMatchObject({ version: 4, collectedOn: '2026-03-02', outcome: 'ill' });
    expect(await lacking()).toEqual([]);
  });

  test('[P23] of another place is not in the history of places that share the case, and does not count there', async () => {
    await take({ ...positive, clinic: '', patient: { last: 'Vidal' } }, { organizationId: college });
    const id = await caseOf('Vidal');
    const before = await read(id, atCollege);
    await take({ ...earlier, clinic: 'Zq Third Clinic', patient: { last: 'Vidal' } });
    expect(await history(id, atCollege)).toEqual([]);
    expect(await history(id)).toMatchObject([{ version: 2, changes: { collectedOn: { to: '2026-02-25' } } }]);

    // The place's decision is a version for both, each from the value that it saw.
    const changed = await change(id, before.version, { collectedOn: '2026-03-01' }, atCollege);
    expect(changed.json()).toMatchObject({ version: 2, collectedOn: '2026-03-01' });
    expect(await history(id, atCollege)).toMatchObject([
      { version: 2, changes: { collectedOn: { from: '2026-03-02', to: '2026-03-01' } } },
    ]);
    expect(await history(id)).toMatchObject([
      { version: 3, changes: { collectedOn: { from: '2026-02-25', to: '2026-03-01' } } },
      { version: 2 },
    ]);

    // After the undo, each sees again what it saw before.
    const undone = await ok<{ record: CaseReport }>(
      'POST',
      `case-reports/${id}/undo`,
      { version: 2 },
      atCollege,
    );
    expect(undone.record).toMatchObject({ version: 3, collectedOn: '2026-03-02' });
    expect(await history(id, atCollege)).toMatchObject([{ version: 3, undoes: 2 }, { version: 2 }]);
    expect(await history(id)).toMatchObject([{ version: 4, undoes: 3 }, { version: 3 }, { version: 2 }]);
    expect(await lacking()).toEqual([]);
  });
});

describe('the versions of a case that a merge of two persons makes', () => {
  const older = { last: 'Vandermeer', first: 'Ottoline', sex: 'F', birth: '19810203', phone: '5550777' };
  const newer = { ...older, id: '', birth: '19810302', phone: '', street: '', zip: '', city: '' };

  test('have their rows, including those of its undo', async () => {
    await take({ ...positive, patient: { ...older, id: 'A1' } });
    await take({ ...earlier, patient: newer });
    const [pair] = await service<{ id: string }>(
      `select id from patient_match where tenant_id = $1 and state = 'open'`,
      [demo.id],
    );
    const versions = () =>
      service<{ sum: number }>('select sum(version)::int as sum from case_report where tenant_id = $1', [
        demo.id,
      ]);
    const [before] = await versions();
    for (const decision of ['same', 'open'] as const) {
      await database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
        decideMatch(tx, demo.id, pair!.id, decision, epi.init.user.id),
      );
      expect(await lacking()).toEqual([]);
    }
    const [after] = await versions();
    expect(after!.sum).toBeGreaterThan(before!.sum);
  });
});

test('a merge of two facilities is a version of their cases, by the person who merged them', async () => {
  const { headers } = await signInAs(testing, 'admin@demo.caseway.test');
  await take({ ...positive, clinic: 'Zq Fourth Clinic', patient: { last: 'Vesper' } });
  const id = await caseOf('Vesper');
  const { facility: from } = await read(id);
  const into = demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!.id;
  const [waiting] = await service<{ version: number }>('select version from facility where id = $1', [from]);
  await ok('POST', `facilities/${from}/merge`, { version: waiting!.version, into }, headers);
  expect(await history(id)).toMatchObject([
    { version: 2, by: { name: expect.any(String) }, changes: { facility: { from, to: into } } },
  ]);
  expect(await lacking()).toEqual([]);
});
