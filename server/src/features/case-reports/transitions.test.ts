import { caseFlow } from '@caseway/contract/case-flow';
import type { CaseReport, CaseStatus } from '@caseway/contract/case-reports';
import type { HistoryEntry } from '@caseway/contract/record-history';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { bulkJobIn } from '../../../test/bulk.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { rounds } from '../../../test/load.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { importText } from '../imports/test-messages.ts';

/*
 * Only transitions move a case: no sequence of requests to the server leads to a status that the flow does not
 * allow.
 */

const testing = await testApp();
const { database } = testing;
const { demo } = await seedDemoTenants(database);
const service = <Row extends object>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId: demo.id }, (tx) => tx.rows<Row>(text, params));
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const other = await signInAs(testing, 'investigator@demo.caseway.test');
const entry = await signInAs(testing, 'entry@demo.caseway.test');
const ofJurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const bay = { headers: ofJurisdiction.headers, orgId: ofJurisdiction.init.selectedOrg!.id };
const { ask, ok } = askingAs(testing, epi, '/api/web/case-reports');
const { options } = await askingAs(testing, epi).ok<{ options: { id: string }[] }>(
  'GET',
  'list/options/investigators',
);
const [ana, ben] = options.map(({ id }) => id) as [string, string];

async function newCase(classification = 'probable', county_fips = '12057'): Promise<string> {
  const { id: patient_id } = await makePatient(database, { tenant_id: demo.id, county_fips });
  const row = { tenant_id: demo.id, patient_id, disease_family: 'chlamydia', condition_code: 'chlamydia' };
  // In Hillsborough, one of the counties of the jurisdiction.
  return (await makeCaseReport(database, { ...row, classification, county_fips })).id;
}
const read = (id: string) => ok<CaseReport>('GET', `/${id}`);
interface Refused {
  code: string;
  faults?: { path: string; code: string }[];
}
/** The status, and the faults with their places and codes. */
async function move(
  id: string,
  transition: string,
  body: object,
  headers?: Headers,
): Promise<[number, ...string[]]> {
  const answer = await ask('POST', `/${id}/transitions/${transition}`, body, headers);
  const { faults = [] } = answer.json<Refused>();
  return [answer.statusCode, ...faults.map(({ path, code }) => `${path} ${code}`)];
}

/** The start and end states of each transition, written a second time. */
const waiting: CaseStatus[] = ['new', 'accepted', 'rejected_by_investigator'];
const going: CaseStatus[] = ['assigned', 'under_investigation', 'awaiting_interview', 'reopened'];
const edges: Record<string, [from: CaseStatus[], to: CaseStatus]> = {
  route: [
    [...waiting, 'assigned_to_jurisdiction', 'rejected_by_jurisdiction', ...going],
    'assigned_to_jurisdiction',
  ],
  accept: [['assigned_to_jurisdiction'], 'accepted'],
  reject: [['assigned_to_jurisdiction'], 'rejected_by_jurisdiction'],
  assign: [[...waiting, 'rejected_by_jurisdiction', ...going], 'assigned'],
  take: [waiting, 'under_investigation'],
  start: [['assigned', 'awaiting_interview', 'reopened'], 'under_investigation'],
  awaitInterview: [['assigned', 'under_investigation', 'reopened'], 'awaiting_interview'],
  giveBack: [going, 'rejected_by_investigator'],
  complete: [['under_investigation', 'awaiting_interview', 'reopened'], 'complete'],
  approve: [['complete'], 'approved'],
  close: [['approved'], 'closed'],
  reopen: [['complete', 'approved', 'closed'], 'reopened'],
  noFollowUp: [[...waiting, 'rejected_by_jurisdiction', ...going], 'no_follow_up'],
  takeUp: [['no_follow_up'], 'new'],
};
/** In these an investigator is exchanged, and the status stays. */
const kept: CaseStatus[] = ['under_investigation', 'awaiting_interview', 'reopened'];
const needReason = new Set(['reject', 'giveBack', 'reopen', 'noFollowUp', 'takeUp']);
const takesInvestigator = new Set(['route', 'giveBack', 'takeUp']);

test('[S9.2] on random walks no request leads to an unlawful status, and the history has every step', async () => {
  const done = new Set<string>();
  let refused = 0;
  const step = fc.record({
    // Transitions toward the end occur more often, because most others lead back.
    transition: fc.constantFrom(
      ...Object.keys(edges),
      ...Array(4).fill(['take', 'complete', 'approve', 'close']).flat(),
    ),
    investigator: fc.constantFrom(undefined, null, ana, ben),
    // Now and then the reason is missing.
    silent: fc.nat(7).map((number) => number === 0),
    lawful: fc.nat(3).map((number) => number > 0),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 24, maxLength: 24 }), async (steps) => {
      const id = await newCase();
      let at: CaseStatus = 'new';
      let has: string | null = null;
      let version = 1;
      const way: [string, CaseStatus][] = [];
      for (const { transition: any, investigator, silent, lawful } of steps) {
        const here = Object.keys(edges).filter((one) => edges[one]![0].includes(at));
        const transition =
          lawful && !here.includes(any) ? here[Object.keys(edges).indexOf(any) % here.length]! : any;
        const [from, leads] = edges[transition]!;
        const to: CaseStatus = transition === 'assign' && kept.includes(at) ? at : leads;
        const asks = transition === 'assign';
        const fields =
          transition === 'route' ? { jurisdiction: bay.orgId } : asks ? { investigator } : undefined;
        const given = asks ? investigator : undefined;
        // Completed by one person, approved by another; the jurisdiction answers itself.
        const by = transition === 'complete' ? other : ['accept', 'reject'].includes(transition) ? bay : epi;
        const whose: string | null =
          transition === 'take' ? epi.init.user.id : given === undefined ? has : given;
        const reason = needReason.has(transition) && !silent ? 'because' : undefined;
        const isLawful =
          from.includes(at) &&
          (!asks || whose !== null) &&
          (reason !== undefined || !needReason.has(transition));
        const [status] = await move(
          id,
          transition,
          {
            version,
            ...(fields && Object.values(fields)[0] !== undefined && { fields }),
            ...(reason && { reason }),
          },
          by.headers,
        );
        expect([at, transition, status]).toEqual([at, transition, isLawful ? 200 : 422]);
        if (!isLawful) {
          refused += 1;
          continue;
        }
        done.add(transition);
        const next: string | null = takesInvestigator.has(transition) ? null : whose;
        // Repeating it has no effect.
        if (to !== at || next !== has) {
          version += 1;
          way.push([transition, to]);
        }
        [at, has] = [to, next];
      }
      expect(await read(id)).toMatchObject({ status: at, investigator: has, version });
      const { entries } = await ok<{ entries: HistoryEntry[] }>('GET', `/${id}/history`);
      expect(entries.map(({ transition }) => transition).reverse()).toEqual(
        way.map(([transition]) => transition),
      );
    }),
    { ...rounds(4, 100), seed: 20261127 },
  );
  expect([...done].sort()).toEqual(Object.keys(edges).sort());
  expect(caseFlow.transitions.map(({ id }) => id).sort()).toEqual(Object.keys(edges).sort());
  expect(refused).toBeGreaterThan(10);
}, 300_000);

describe('a transition', () => {
  test('is refused with everything that prevents it, at its fields', async () => {
    const id = await newCase('unknown');
    expect(await move(id, 'assign', { version: 1 })).toEqual([422, 'investigator required']);
    expect(await move(id, 'assign', { version: 1, fields: { investigator: demo.id } })).toEqual([
      422,
      'investigator not-an-investigator',
    ]);
    expect(await move(id, 'assign', { version: 1, fields: { outcome: 'ill' } })).toEqual([
      400,
      'fields.outcome unknown-field',
    ]);
    expect(await move(id, 'noFollowUp', { version: 1 })).toEqual([422, 'reason reason-needed']);
    expect(await move(id, 'noFollowUp', { version: 1, reason: '   ' })).toEqual([
      422,
      'reason reason-needed',
    ]);
    expect(await move(id, 'approve', { version: 1 })).toEqual([422, 'status not-in-this-state']);
    expect(await move(id, 'vanish', { version: 1 })).toEqual([422, 'transition invalid_value']);
    await ok('POST', `/${id}/transitions/take`, { version: 1 });
    expect(await move(id, 'complete', { version: 2 })).toEqual([422, 'classification unclassified']);
    // Values are only accepted by the transition that asks for them.
    expect(await move(id, 'complete', { version: 2, fields: { investigator: ben } })).toEqual([
      422,
      'investigator not-asked',
    ]);
    expect(await read(id)).toMatchObject({ status: 'under_investigation', version: 2 });
  });

  test('[P15] is in the timeline with its reason; the log has no reason', async () => {
    const id = await newCase();
    await ok('POST', `/${id}/transitions/noFollowUp`, {
      version: 1,
      reason: '  Moved to Tampa.\nNo phone. ',
    });
    const { timeline } = await read(id);
    expect(timeline).toMatchObject([
      {
        kind: 'status-changed',
        by: { id: epi.init.user.id },
        detail: {
          from: 'new',
          to: 'no_follow_up',
          transition: 'noFollowUp',
          reason: 'Moved to Tampa.\nNo phone.',
          flow: caseFlow.version,
        },
      },
    ]);
    const [logged] = await service<{ text: string }>(
      `select string_agg(detail::text, ' ') as text from audit_event where $1 = any (record_ids)`,
      [id],
    );
    expect(logged!.text).not.toContain('Tampa');
  });

  test('for many cases: each is assigned or says why it is not, with the transition in its history, and undone as one', async () => {
    const [fresh, over] = [await newCase(), await newCase()];
    const [mine, handed, hers] = [await newCase(), await newCase(), await newCase()];
    await ok('POST', `/${over}/transitions/noFollowUp`, { version: 1, reason: 'Died' });
    await ok('POST', `/${mine}/transitions/assign`, { version: 1, fields: { investigator: ana } });
    await ok('POST', `/${handed}/transitions/assign`, { version: 1, fields: { investigator: ben } });
    await ok('POST', `/${handed}/transitions/start`, { version: 2 });
    await ok('POST', `/${hers}/transitions/assign`, { version: 1, fields: { investigator: ana } });
    await ok('POST', `/${hers}/transitions/awaitInterview`, { version: 2 });
    const work = bulkJobIn(database);
    const perform = async (id: string, body: object, path = '/bulk') => {
      await ok('POST', path, { id, ...body });
      await work(demo.id, id);
      return ok('GET', `/bulk/${id}`);
    };
    const [looking, action, undoing] = [1, 2, 3].map((n) => `0199bbbb-0000-7000-8000-00000000000${n}`) as [
      string,
      string,
      string,
    ];
    const asked = {
      selection: { ids: [fresh, over, mine, handed, hers] },
      transition: { id: 'assign', fields: { investigator: ana } },
    };
    const expected = { total: 5, changed: 2, same: 2, refused: 1, transition: 'assign' };
    expect(await perform(looking, { ...asked, dryRun: true })).toMatchObject(expected);
    expect(await read(fresh)).toMatchObject({ status: 'new', version: 1 });
    expect(await perform(action, asked)).toMatchObject(expected);
    const { refused } = await ok<{ refused: object[] }>('GET', `/bulk/${action}/refused`);
    expect(refused).toMatchObject([{ id: over, code: 'not-in-this-state' }]);
    expect(await read(fresh)).toMatchObject({ status: 'assigned', investigator: ana });
    expect(await read(handed)).toMatchObject({ status: 'under_investigation', investigator: ana });
    expect(await read(hers)).toMatchObject({ status: 'awaiting_interview', version: 3 });
    const { entries } = await ok<{ entries: HistoryEntry[] }>('GET', `/${handed}/history`);
    expect(entries[0]).toMatchObject({ transition: 'assign', reason: null });
    expect(await perform(undoing, {}, `/bulk/${action}/undo`)).toMatchObject({ total: 2, changed: 2 });
    expect(await read(fresh)).toMatchObject({ status: 'new', investigator: null });
    expect(await read(handed)).toMatchObject({ status: 'under_investigation', investigator: ben });
  });

  test('for many cases needs its permission, and one without a choice is refused', async () => {
    const id = await newCase();
    const body = { id: '0199bbbb-0000-7000-8000-000000000009', selection: { ids: [id] } };
    const status = async (more: object) => (await ask('POST', '/bulk', { ...body, ...more })).statusCode;
    expect(await status({ transition: { id: 'vanish' } })).toBe(422);
    expect(await status({ transition: { id: 'assign', fields: { outcome: 'ill' } } })).toBe(400);
    expect(await status({})).toBe(422);
  });
});

describe('[S6.4] a transition has its own permission', () => {
  test('data entry staff do none, and investigators neither assign nor approve', async () => {
    const id = await newCase();
    const refused = async (transition: string, headers: Headers) => {
      const answer = await ask('POST', `/${id}/transitions/${transition}`, { version: 1 }, headers);
      return [answer.statusCode, answer.json<{ permission?: string }>().permission];
    };
    expect(await refused('take', entry.headers)).toEqual([403, 'case-reports/investigate']);
    expect(await refused('assign', other.headers)).toEqual([403, 'case-reports/assign']);
    expect(await refused('approve', other.headers)).toEqual([403, 'case-reports/approve']);
    expect(await move(id, 'take', { version: 1 }, other.headers)).toEqual([200]);
    expect(await read(id)).toMatchObject({
      status: 'under_investigation',
      investigator: other.init.user.id,
      completedBy: null,
    });
    // For many cases as for one; both may change the fields of a case.
    const many = { id: '0199bbbb-0000-7000-8000-00000000000a', selection: { ids: [id] } };
    expect(
      (await ask('POST', '/bulk', { ...many, transition: { id: 'approve' } }, other.headers)).statusCode,
    ).toBe(403);
    await ok('PATCH', `/${id}`, { version: 2, outcome: 'ill' }, entry.headers);
    expect((await ask('PATCH', `/${id}`, { version: 3, investigator: ana })).statusCode).toBe(400);
  });

  test('the person who completed a case cannot approve it, nor by undoing something', async () => {
    const id = await newCase();
    await ok('POST', `/${id}/transitions/take`, { version: 1 });
    await ok('POST', `/${id}/transitions/complete`, { version: 2 });
    expect(await read(id)).toMatchObject({ status: 'complete', completedBy: epi.init.user.id, version: 3 });
    const ownWork = [422, 'completedBy own-work'];
    expect(await move(id, 'approve', { version: 3 })).toEqual(ownWork);
    // Someone else approves it, and undoes that.
    const admin = await signInAs(testing, 'admin@demo.caseway.test');
    expect(await move(id, 'approve', { version: 3 }, admin.headers)).toEqual([200]);
    const undo = async (version: number, headers?: Headers): Promise<[number, ...string[]]> => {
      const answer = await ask('POST', `/${id}/undo`, { version }, headers);
      const { faults = [] } = answer.json<Refused>();
      return [answer.statusCode, ...faults.map(({ path, code }) => `${path} ${code}`)];
    };
    expect(await undo(4, other.headers)).toEqual([422, 'status not-permitted']);
    expect(await undo(4, admin.headers)).toEqual([200]);
    // Undoing the undo would be an approval.
    expect(await undo(5)).toEqual(ownWork);
    expect(await undo(5, admin.headers)).toEqual([200]);
    expect(await read(id)).toMatchObject({ status: 'approved', completedBy: epi.init.user.id, version: 6 });
    // After reopening, someone else completes it.
    await ok('POST', `/${id}/transitions/reopen`, { version: 6, reason: 'Two contacts are missing' });
    expect(await read(id)).toMatchObject({ completedBy: null });
    expect(await move(id, 'complete', { version: 7 }, other.headers)).toEqual([200]);
    expect(await move(id, 'approve', { version: 8 })).toEqual([200]);
  });
});

describe('the duration of each transition', () => {
  const kept = (id: string) =>
    service<{ counts: boolean }>(
      `select from_state as "from", to_state as "to", days, days_to_assign as assign, days_to_start as start,
         days_to_complete as complete, counts, county_fips as county from case_report_transition
       where tenant_id = $1 and record_id = $2 order by version`,
      [demo.id, id],
    );

  test('is stored with it, and does not count while it is undone', async () => {
    const id = await newCase();
    // As if it had been entered ten days ago.
    await service(
      `update case_report set created_on = (select cast(now() at time zone t.time_zone as date) - 10 from tenant t
         where t.id = $1) where tenant_id = $1 and id = $2 returning 1`,
      [demo.id, id],
    );
    await ok('POST', `/${id}/transitions/assign`, { version: 1, fields: { investigator: ana } });
    await ok('POST', `/${id}/transitions/start`, { version: 2 });
    const assigned = { from: 'new', to: 'assigned', days: 10, assign: 10, start: null, complete: null };
    const started = {
      ...{ from: 'assigned', to: 'under_investigation', days: 0, assign: null, start: 0, complete: null },
    };
    const counted = { counts: true, county: '12057' };
    expect(await kept(id)).toEqual([
      { ...assigned, ...counted },
      { ...started, ...counted },
    ]);
    await ok('POST', `/${id}/undo`, { version: 3 });
    expect(await kept(id)).toEqual([
      { ...assigned, ...counted },
      { ...started, ...counted, counts: false },
    ]);
    // Undoing the undo does it again; and once more.
    await ok('POST', `/${id}/undo`, { version: 4 });
    expect((await kept(id)).map(({ counts }) => counts)).toEqual([true, true]);
    await ok('POST', `/${id}/undo`, { version: 5 });
    expect((await kept(id)).map(({ counts }) => counts)).toEqual([true, false]);
    // An undone transition is done later: it reaches its milestone for the first time.
    await ok('POST', `/${id}/transitions/start`, { version: 6 });
    expect(await kept(id)).toEqual([
      { ...assigned, ...counted },
      { ...started, ...counted, counts: false },
      { ...started, ...counted },
    ]);
  });
});

describe('a case that is sent to a jurisdiction', () => {
  const running = async (id: string) =>
    (
      await service<{ clock: string }>(
        'select clock from record_clock where tenant_id = $1 and record_id = $2 and stopped_at is null',
        [demo.id, id],
      )
    ).map(({ clock }) => clock);
  const toBay = { fields: { jurisdiction: bay.orgId } };

  test('is accepted by its people, who cannot change anything else', async () => {
    const id = await newCase();
    await ok('POST', `/${id}/transitions/assign`, { version: 1, fields: { investigator: ana } });
    await ok('POST', `/${id}/transitions/route`, { version: 2, ...toBay, reason: 'Lives in Tampa' });
    expect(await read(id)).toMatchObject({
      status: 'assigned_to_jurisdiction',
      jurisdiction: bay.orgId,
      investigator: null,
    });
    expect(await running(id)).toEqual(['accept']);
    // The sender cannot accept, and the accepting person can do nothing else.
    expect(await move(id, 'accept', { version: 3 })).toEqual([403]);
    for (const [transition, body] of [
      ['assign', { fields: { investigator: ana } }],
      ['route', toBay],
      ['noFollowUp', { reason: 'Moved' }],
    ] as const)
      expect(await move(id, transition, { version: 3, ...body }, bay.headers)).toEqual([403]);
    expect((await ask('PATCH', `/${id}`, { version: 3, outcome: 'ill' }, bay.headers)).statusCode).toBe(403);
    expect((await ask('POST', `/${id}/undo`, { version: 3 }, bay.headers)).statusCode).toBe(403);
    expect(await move(id, 'accept', { version: 3 }, bay.headers)).toEqual([200]);
    expect(await read(id)).toMatchObject({ status: 'accepted', jurisdiction: bay.orgId, version: 4 });
    expect(await running(id)).toEqual(['assign']);
    const [logged] = await service<{ account: string; detail: object }>(
      `select account_id as account, detail from audit_event
       where action = 'change' and $1 = any (record_ids) order by detail -> 'transition' = '"accept"' desc limit 1`,
      [id],
    );
    expect(logged).toMatchObject({
      account: ofJurisdiction.init.user.id,
      detail: { transition: 'accept' },
    });
  });

  test('is rejected with a reason, and goes to another one or stays', async () => {
    const id = await newCase();
    await ok('POST', `/${id}/transitions/route`, { version: 1, ...toBay });
    expect(await move(id, 'reject', { version: 2 }, bay.headers)).toEqual([422, 'reason reason-needed']);
    const reason = 'Lives in Pasco since May';
    expect(await move(id, 'reject', { version: 2, reason }, bay.headers)).toEqual([200]);
    expect(await read(id)).toMatchObject({ status: 'rejected_by_jurisdiction', jurisdiction: bay.orgId });
    const { entries } = await ok<{ entries: HistoryEntry[] }>('GET', `/${id}/history`);
    expect(entries[0]).toMatchObject({ transition: 'reject', reason });
    expect(await move(id, 'route', { version: 3, ...toBay })).toEqual([200]);
    expect(await move(id, 'reject', { version: 4, reason }, bay.headers)).toEqual([200]);
    expect(await move(id, 'assign', { version: 5, fields: { investigator: ana } })).toEqual([200]);
  });

  test('must belong to its counties: another jurisdiction would not see it [P1]', async () => {
    const id = await newCase('probable', '12086');
    expect(await move(id, 'route', { version: 1, ...toBay })).toEqual([422, 'jurisdiction not-of-county']);
    expect(await move(id, 'route', { version: 1, fields: { jurisdiction: demo.id } })).toEqual([
      422,
      'jurisdiction not-of-county',
    ]);
    expect(await move(id, 'route', { version: 1 })).toEqual([422, 'jurisdiction required']);
    expect(await move(id, 'accept', { version: 1 }, bay.headers)).toEqual([404]);
  });
});

test('an imported case has its first clock from the day on which it was made', async () => {
  await importText(database, demo.id, 'case_id,onset_date,sex,age\nX-1,2026-03-01,F,30\n', {
    condition: 'measles',
  });
  const clocks = await service(
    `select k.clock, k.made_version, k.stopped_at, k.started_on = c.created_on as "fromItsDay", c.status, c.version
     from case_report c join record_clock k on k.tenant_id = c.tenant_id and k.record_id = c.id
     where c.tenant_id = $1 and c.external_id = 'X-1'`,
    [demo.id],
  );
  expect(clocks).toEqual([
    { clock: 'assign', made_version: 1, stopped_at: null, fromItsDay: true, status: 'new', version: 1 },
  ]);
});
