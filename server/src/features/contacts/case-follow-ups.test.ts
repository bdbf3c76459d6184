import { randomUUID } from 'node:crypto';
import { type CaseFollowUp, caseFollowUpRecord } from '@caseway/contract/case-follow-ups';
import { addDays, todayIn } from '@caseway/contract/date-range';
import type { FollowUpEntry } from '@caseway/contract/follow-up';
import { anyRecord } from '@caseway/contract/record';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { blankOf } from '../../../test/blank.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { type At, makeCaseReport, makePersonAt } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const investigator = await signInAs(testing, 'investigator@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const prison = demo.organizations.find(({ name }) => name === 'Palmetto Correctional Services')!.id;
const atCollege = await actFor(testing, epi.tokens, `O:${college}`);

const { ask, ok, faults } = askingAs(testing, epi);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
type Stored = { id: string; version: number; active: boolean } & Record<string, unknown>;

/** Today in the demo tenant. */
const today = todayIn(demo.timeZone);
const ago = (days: number) => addDays(today, -days);

const madeCase = async (place: At = {}, more: object = {}) =>
  makeCaseReport(database, {
    tenant_id: demo.id,
    patient_id: (await makePersonAt(database, demo.id, place)).id,
    condition_code: 'measles',
    disease_family: 'measles',
    county_fips: '13121',
    ...place,
    ...more,
  });
const blank = blankOf(caseFollowUpRecord);
const isolating = (caseRecord: string, more: object = {}) => ({
  ...blank,
  ...{ caseRecord, purpose: 'isolation', firstOn: today, lastOn: addDays(today, 4) },
  ...more,
});
const make = (payload: object, headers?: Headers) =>
  ok<CaseFollowUp>('POST', 'case-follow-ups', payload, headers);
async function changed(place: At = {}, headers?: Headers): Promise<Stored> {
  const { id } = await make(isolating((await madeCase(place)).id), headers);
  return ok('PATCH', `case-follow-ups/${id}`, { version: 1, purpose: 'monitoring' }, headers);
}

describeRecord({
  record: anyRecord(caseFollowUpRecord),
  ask: (method, path, payload, headers) => ask(method, path, payload, headers),
  sql,
  others: { without: clinician.headers, elsewhere: vendor.headers },
  fresh: async () => isolating((await madeCase()).id),
  changed: async () => ({ purpose: 'monitoring', note: 'Stays in the back room.' }),
  conditional: ['firstOn', 'lastOn'],
  deed: { transition: 'stop', reason: 'The test was negative.', state: 'stopped' },
  rivals: ['note', ['One', 'Two', 'Three']],
  sight: {
    async hidden() {
      const one = await changed();
      await sql(`update case_report set condition_code = 'hiv', disease_family = 'hiv' where id = $1`, [
        one.caseRecord,
      ]);
      for (const table of ['case_follow_up', 'case_follow_up_history'])
        await sql(`update ${table} set disease_family = 'hiv' where case_report_id = $1`, [one.caseRecord]);
      return one;
    },
    blind: epi.headers,
    open: ({ caseId }) =>
      ok('POST', 'break-glass', {
        caseNumber: caseId,
        reasonKind: 'treatment',
        reason: 'The person is in our emergency room.',
      }),
    places: [
      {
        name: 'an organization',
        headers: atCollege.headers,
        own: () => changed({ organization_id: college }, atCollege.headers),
        // About a case that the college knows, but started by the department.
        other: () => changed({ organization_id: college }),
      },
      {
        name: 'a jurisdiction',
        headers: jurisdiction.headers,
        own: () => changed({ county_fips: '12057' }),
        other: () => changed({ county_fips: '13121', organization_id: prison }),
      },
    ],
  },
});

const refused = (payload: object, path = 'case-follow-ups') => faults('POST', path, payload);
const doing = ({ id }: { id: string }, transition: string) =>
  `case-follow-ups/${id}/transitions/${transition}`;
const step = (
  one: CaseFollowUp,
  transition: string,
  { reason, ...fields }: { reason?: string; [field: string]: string | undefined } = {},
): Promise<CaseFollowUp> => ok('POST', doing(one, transition), { version: one.version, fields, reason });
/** A case that has been followed up for this many days. */
async function followed(since = 0): Promise<CaseFollowUp> {
  const { id } = await make(isolating((await madeCase()).id, { firstOn: ago(since) }));
  await sql('update case_follow_up set created_on = $2 where id = $1', [id, ago(since)]);
  return ok('GET', `case-follow-ups/${id}`);
}
const found = (day: string, more: object = {}) => ({
  ...{ id: randomUUID(), day, outcome: 'seen', symptoms: [], note: null },
  ...{ temperature: null, temperatureUnit: null },
  ...more,
});
const note = ({ id }: { id: string }, entry: object) =>
  ok<{ entries: FollowUpEntry[] }>('POST', `case-follow-ups/${id}/follow-up`, entry);
/** The positions of the given follow-ups that a view of the list shows. */
async function shown(show: string, among: readonly { id: string }[]): Promise<number[]> {
  const { rows } = await ok<{ rows: CaseFollowUp[] }>('POST', 'grid/case-follow-ups/search', {
    filters: { show: [show] },
    paginationModel: { page: 0, pageSize: 100 },
  });
  return among.flatMap(({ id }, place) => (rows.some((row) => row.id === id) ? [place] : []));
}

describe('the follow-up of a case', () => {
  test('is proposed until the end of isolation, which the condition counts from the onset', async () => {
    const proposed = async (more: object) => {
      const { id } = await madeCase({}, more);
      return (await ok<{ proposed: object }>('GET', `case-reports/${id}/follow-ups`)).proposed;
    };
    // Measles: 4 days after the onset. The onset was a day ago; then 9 days ago; then unknown.
    expect(await proposed({ onset_on: ago(1) })).toEqual({ firstOn: today, lastOn: addDays(today, 3) });
    expect(await proposed({ onset_on: ago(9) })).toEqual({ firstOn: today, lastOn: null });
    expect(await proposed({ onset_on: null })).toEqual({ firstOn: today, lastOn: null });
    expect(await proposed({ onset_on: ago(1), condition_code: 'salmonellosis' })).toMatchObject({
      lastOn: null,
    });
    expect(await proposed({ status: 'closed' })).toBeUndefined();
  });

  test('[S5.1] is refused with each of its faults: its days, a case that is over, and a second one', async () => {
    const { id } = await madeCase();
    expect(await refused(isolating(id, { firstOn: '1899-01-01' }))).toEqual(['firstOn before-1900']);
    expect(await refused(isolating(id, { lastOn: ago(1) }))).toEqual(['lastOn before-first']);
    expect(await refused(isolating(id, { firstOn: ago(9), lastOn: ago(1) }))).toEqual(['lastOn over']);
    expect(await refused(isolating(id, { lastOn: addDays(today, 366) }))).toEqual(['lastOn too-long']);
    const made = await make(isolating(id));
    expect(await refused(isolating(id))).toEqual(['firstOn already-followed']);
    await step(made, 'stop', { reason: 'The test was negative.' });
    const again = await make(isolating(id));
    const resumed = { fields: { firstOn: today, lastOn: today }, reason: 'It was not.' };
    expect(await refused({ version: 2, ...resumed }, doing(made, 'resume'))).toEqual([
      'status already-followed',
    ]);
    await step(again, 'refuse', { reason: 'Does not want to be called.' });
    await sql(`update case_report set status = 'closed' where id = $1`, [id]);
    expect(await refused(isolating(id))).toEqual(['firstOn case-over']);
    expect(await refused({ version: 2, ...resumed }, doing(made, 'resume'))).toEqual(['status case-over']);
    expect((await ask('POST', 'case-follow-ups', isolating(randomUUID()))).statusCode).toBe(404);
  });

  test('has its days moved with a reason, which the history keeps', async () => {
    const one = await followed(2);
    const days = { firstOn: ago(2), lastOn: addDays(today, 9) };
    expect(await faults('PATCH', `case-follow-ups/${one.id}`, { version: one.version, ...days })).toEqual([
      'lastOn by-move',
    ]);
    expect(await refused({ version: one.version, fields: days }, doing(one, 'move'))).toEqual([
      'reason reason-needed',
    ]);
    const moved = await step(one, 'move', { ...days, reason: 'The rash began later.' });
    expect(moved).toMatchObject({ ...days, status: 'under-follow-up' });
    const [version] = await sql(
      'select transition, reason from case_follow_up_history where record_id = $1 and version = 2',
      [one.id],
    );
    expect(version).toEqual({ transition: 'move', reason: 'The rash began later.' });
    const { record } = await ok<{ record: CaseFollowUp }>('POST', `case-follow-ups/${one.id}/undo`, {
      version: 2,
    });
    expect(record.lastOn).toBe(addDays(today, 4));
    expect(await refused({ version: 3, fields: {} }, doing(one, 'complete'))).toEqual(['lastOn not-over']);
  });

  test('keeps its case from being completed or left without follow-up, until it has ended', async () => {
    const { id } = await madeCase();
    const made = await make(isolating(id));
    await ok('POST', `case-reports/${id}/transitions/take`, { version: 1 });
    const complete = `case-reports/${id}/transitions/complete`;
    expect(await refused({ version: 2 }, complete)).toEqual(['status open-follow-up']);
    expect(
      await refused({ version: 2, reason: 'A duplicate.' }, `case-reports/${id}/transitions/noFollowUp`),
    ).toEqual(['status open-follow-up']);
    await step(made, 'lose', { reason: 'Moved away.' });
    expect(await ok('POST', complete, { version: 2 })).toMatchObject({ status: 'complete' });
  });

  test('is due until its day is entered, and says for how many days the person was not seen', async () => {
    const [one, other, fresh] = [await followed(3), await followed(3), await followed()];
    const all = [one, other, fresh];
    expect(all.map(({ unseenDays }) => unseenDays)).toEqual([4, 4, 1]);
    expect(await shown('due', all)).toEqual([0, 1, 2]);
    expect(await shown('missed', all)).toEqual([0, 1]);
    await note(one, found(ago(1)));
    expect(await ok('GET', `case-follow-ups/${one.id}`)).toMatchObject({ today: 'due', unseenDays: 1 });
    await note(other, found(today, { outcome: 'not-seen' }));
    expect(await shown('due', all)).toEqual([0, 2]);
    expect(await shown('missed', all)).toEqual([1]);
    await note(fresh, found(today));
    expect(await ok('GET', `case-follow-ups/${fresh.id}`)).toMatchObject({ today: 'seen', unseenDays: 0 });
    expect(await faults('POST', `case-follow-ups/${one.id}/follow-up`, found(ago(9)))).toEqual([
      'day before-window',
    ]);
    await step(one, 'lose', { reason: 'Moved away.' });
    expect(await faults('POST', `case-follow-ups/${one.id}/follow-up`, found(today))).toEqual([
      'day not-followed',
    ]);
  });

  test('notifies the investigator of the case or, without one, the person who started it', async () => {
    const told = async (one: CaseFollowUp) => {
      await note(one, found(today, { symptoms: ['fever'] }));
      return sql<{ to: string }>(
        `select p.payload -> 'notices' -> 0 ->> 'to' as to from graphile_worker._private_jobs p
         join graphile_worker.jobs j on j.id = p.id
         where j.task_identifier = 'inbox/tell' and p.payload::text like '%symptoms-noted%' || $1 || '%'`,
        [one.id],
      );
    };
    // People get no notification of their own action.
    expect(await told(await followed())).toEqual([]);
    const one = await followed();
    await sql('update case_report set investigator_id = $2 where id = $1', [
      one.caseRecord,
      investigator.init.user.id,
    ]);
    expect(await told(one)).toHaveLength(1);
  });

  test('is read with its case, by people who see the case', async () => {
    const report = await madeCase({ organization_id: college });
    const { id } = await make(isolating(report.id));
    const of = async (headers?: Headers) => {
      const answer = await ask('GET', `case-reports/${report.id}/follow-ups`, undefined, headers);
      return answer.statusCode === 200
        ? answer.json<{ followUps: CaseFollowUp[] }>().followUps.map((one) => one.id)
        : answer.statusCode;
    };
    expect(await of()).toEqual([id]);
    // The place that reported the case does not see the department's follow-up.
    expect(await of(atCollege.headers)).toEqual([]);
    expect(await of(jurisdiction.headers)).toBe(404);
    expect(await of(clinician.headers)).toBe(403);
    expect(await of(vendor.headers)).toBe(404);
    expect(
      await sql(
        `select deed, record_kind from audit_event where action = 'GET /api/web/case-reports/:id/follow-ups'
           and $1 = any (record_ids)`,
        [id],
      ),
    ).toEqual([{ deed: 'read', record_kind: 'case-follow-up' }]);
  });
});
