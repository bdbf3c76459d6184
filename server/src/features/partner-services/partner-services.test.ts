import { randomUUID } from 'node:crypto';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { type PartnerService, partnerRecord } from '@caseway/contract/partner-services';
import { anyRecord } from '@caseway/contract/record';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { blankOf } from '../../../test/blank.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { type At, makeCaseReport, makePersonAt, makeTreatment } from '../../../test/factories.ts';
import { hiddenWithPerson } from '../../../test/hidden-person.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { tellJob } from '../../platform/inbox/tell.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const dis = await signInAs(testing, 'dis@demo.caseway.test');
const supervisor = await signInAs(testing, 'supervisor@demo.caseway.test');
const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const atCollege = await actFor(testing, epi.tokens, `O:${college}`);

const { ask, ok, faults } = askingAs(testing, epi);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
type Stored = { id: string; version: number; active: boolean } & Record<string, unknown>;

const today = todayIn(demo.timeZone);
const ago = (days: number) => addDays(today, -days);
const madePatient = (place?: At) => makePersonAt(database, demo.id, place);
const madeCase = async (more: object = {}, place: At = {}) =>
  makeCaseReport(database, {
    tenant_id: demo.id,
    patient_id: (await madePatient(place)).id,
    condition_code: 'syphilis-primary',
    disease_family: 'syphilis',
    classification: 'suspect',
    county_fips: '13121',
    ...place,
    ...more,
  });

const blank = blankOf(partnerRecord);
const make = (payload: object, headers?: Headers) =>
  ok<PartnerService>('POST', 'partner-services', { ...blank, ...payload }, headers);
const start = (caseRecord: string, more: object = {}, headers?: Headers) =>
  make({ caseRecord, referralBasis: 'T1', ...more }, headers);
const named = ({ caseRecord, id }: PartnerService, more: object = {}) => ({
  ...{ caseRecord, index: id, description: 'Tall, tattoo of an anchor', handle: 'anchor_84' },
  ...{ referralBasis: 'P1', namedHow: 'original' },
  ...more,
});
const add = (index: PartnerService, more: object = {}, headers?: Headers) =>
  make(named(index, more), headers);
const fresh = async () => ({
  ...blank,
  ...named(await start((await madeCase()).id), { patient: (await madePatient()).id }),
});
async function changedPartner(place: At = {}, headers?: Headers): Promise<Stored> {
  const index = await start((await madeCase({}, place)).id, {}, headers);
  const { id } = await add(index, { patient: (await madePatient(place)).id }, headers);
  return ok('PATCH', `partner-services/${id}`, { version: 1, relation: 'other-partner' }, headers);
}

describeRecord({
  record: anyRecord(partnerRecord),
  ask: (method, path, payload, headers) => ask(method, path, payload, headers),
  sql,
  others: { without: clinician.headers, elsewhere: vendor.headers },
  fresh,
  changed: async () => {
    return {
      patient: (await madePatient()).id,
      description: 'Short, red hair',
      handle: 'red_fox',
      phone: '+18135550142',
      referralBasis: 'P3',
      namedHow: 'between-others',
      relation: 'main-partner',
      metOnline: 'yes',
      firstExposedOn: ago(90),
      lastExposedOn: ago(12),
      sourceSpread: 'source',
      pregnant: 'no',
      weeksPregnant: 0,
      hivStatus: '1',
      hivTested: 'yes',
      hivTestedOn: ago(5),
      hivResult: 'negative',
      hivCounselled: 'yes',
      hivCounselledOn: ago(4),
      note: 'Works at night.',
    };
  },
  conditional: ['sex', 'age'],
  rivals: ['note', ['One', 'Two', 'Three']],
  sight: {
    ...hiddenWithPerson({
      database,
      sql,
      ok,
      tenantId: demo.id,
      table: 'partner_service',
      blind: epi.headers,
      changed: () => changedPartner(),
    }),
    staysHidden: true,
    places: [
      {
        name: 'an organization',
        headers: atCollege.headers,
        own: () => changedPartner({ organization_id: college }, atCollege.headers),
        // About a case that the place knows, but found by the department.
        other: () => changedPartner({ organization_id: college }),
      },
    ],
  },
});

const { options } = await ok<{ options: { id: string }[] }>('GET', 'list/options/investigators');
const someone = options[0]!.id;
const doing = ({ id }: PartnerService, transition: string) =>
  `partner-services/${id}/transitions/${transition}`;
type Entered = Readonly<Record<string, string | number>>;
const step = (one: PartnerService, transition: string, fields: Entered = {}, reason?: string) =>
  ok<PartnerService>('POST', doing(one, transition), { version: one.version, fields, reason });
const refused = (one: PartnerService, transition: string, fields: Entered = {}, reason?: string) =>
  faults('POST', doing(one, transition), { version: one.version, fields, reason });
const refusedNew = (payload: object) => faults('POST', 'partner-services', { ...blank, ...payload });

const decided = { initialFollowUp: 'FF', initialFollowUpOn: ago(9) };
const disposed = {
  disposition: 'C',
  dispositionOn: today,
  dispositionBy: someone,
  supervisor: someone,
  examOn: ago(2),
  examProvider: 'Dr. Okafor',
  examFacility: 'Riverside Clinic',
};
const interviewed = { interviewStatus: 'I', interviewedOn: today, interviewType: 'original' };
/** A record in field follow-up, and one whose interview was held. */
const inField = async (one: PartnerService) =>
  step(await step(one, 'decide', decided), 'assignField', { fieldInvestigator: someone });
const held = async (one: PartnerService, more: Entered = {}) => {
  const found = await step(await inField(one), 'dispose', disposed);
  return step(await step(found, 'assignInterviewer', { interviewer: someone }), 'recordInterview', {
    ...interviewed,
    ...more,
  });
};

describe('partner services', () => {
  test('move from stage to stage by what is entered; the first investigator is kept separately', async () => {
    const index = await start((await madeCase()).id);
    expect(index).toMatchObject({ stage: 'NF', index: null, closedOn: null, openContacts: 0 });
    const field = await inField(index);
    expect(field).toMatchObject({
      stage: 'FF',
      fieldAssignedOn: today,
      firstFieldInvestigator: someone,
      dueOn: addDays(today, 7),
    });
    const other = options[1]!.id;
    const passed = await step(field, 'assignField', { fieldInvestigator: other });
    expect(passed).toMatchObject({ fieldInvestigator: other, firstFieldInvestigator: someone });
    const found = await step(passed, 'dispose', disposed);
    expect(found).toMatchObject({ stage: 'FF', closedOn: today, active: false, dueOn: null });
    const given = await step(found, 'assignInterviewer', { interviewer: someone });
    expect(given).toMatchObject({
      stage: 'AI',
      interviewStatus: 'A',
      closedOn: null,
      dueOn: addDays(today, 3),
    });
    const open = await step(given, 'recordInterview', interviewed);
    expect(open).toMatchObject({ stage: 'OC', closedOn: null, active: true });
    const closed = await step(open, 'closeCase', { caseClosedOn: today, closedBy: someone });
    expect(closed).toMatchObject({ stage: 'CC', closedOn: today, active: false });
    const again = await step(closed, 'reopenCase', {}, 'A partner was named later.');
    expect(again).toMatchObject({ stage: 'OC', caseClosedOn: null, closedBy: null });
    const { record } = await ok<{ record: PartnerService }>('POST', `partner-services/${index.id}/undo`, {
      version: again.version,
    });
    expect(record).toMatchObject({ stage: 'CC', caseClosedOn: today });
  });

  test('a specialist investigates, and neither assigns nor closes', async () => {
    const index = await start((await madeCase()).id);
    const asDis = (one: PartnerService, transition: string, fields: Entered) =>
      ask('POST', doing(one, transition), { version: one.version, fields }, dis.headers);
    expect((await asDis(index, 'decide', decided)).statusCode).toBe(200);
    const now = await ok<PartnerService>('GET', `partner-services/${index.id}`);
    const answer = await asDis(now, 'assignField', { fieldInvestigator: someone });
    expect(answer.statusCode).toBe(403);
  });

  test('begin once for a case, and only for a disease that has them', async () => {
    const report = await madeCase();
    await start(report.id);
    const index = { caseRecord: report.id, referralBasis: 'T2' };
    expect(await refusedNew(index)).toEqual(['caseRecord already-started']);
    const measles = await madeCase({ condition_code: 'measles', disease_family: 'measles' });
    expect(await refusedNew({ ...index, caseRecord: measles.id })).toEqual([
      'caseRecord no-partner-services',
    ]);
    expect(
      (await ask('POST', 'partner-services', { ...blank, ...index, caseRecord: randomUUID() })).statusCode,
    ).toBe(404);
    expect(
      await refusedNew({ ...index, index: randomUUID(), namedHow: 'original', description: 'x' }),
    ).toEqual(['index unknown-choice', 'referralBasis 9-basis']);
  });

  test('of a partner need a name or a description, and never the person of the case', async () => {
    const report = await madeCase();
    const index = await start(report.id);
    expect(index.patient).toBe(report.patient_id);
    expect(await refusedNew(named(index, { description: null }))).toEqual(['description required']);
    expect(await refusedNew(named(index, { patient: report.patient_id }))).toEqual(['patient own-case']);
    expect(await refusedNew(named(index, { lastExposedOn: addDays(today, 1) }))).toEqual([
      'lastExposedOn future',
    ]);
    const { name } = await add(index);
    expect(name).toBe('Tall, tattoo of an anchor');
  });

  test('are listed with their case, for people who see the case', async () => {
    const report = await madeCase({}, { organization_id: college });
    const index = await start(report.id);
    const partner = await add(index);
    const of = (headers?: Headers) =>
      ask('GET', `case-reports/${report.id}/partner-services`, undefined, headers);
    const records = (await of()).json<{ records: PartnerService[] }>().records.map(({ id }) => id);
    expect(records).toEqual([index.id, partner.id]);
    expect((await of(atCollege.headers)).json()).toEqual({ records: [] });
    expect((await of(clinician.headers)).statusCode).toBe(403);
    expect((await of(vendor.headers)).statusCode).toBe(404);
  });

  test('[P18] of HIV are visible only to people who see its cases', async () => {
    const hiv = await madeCase({ condition_code: 'hiv', disease_family: 'hiv' });
    const index = await start(hiv.id, {}, dis.headers);
    expect((await ask('GET', `partner-services/${index.id}`, undefined, dis.headers)).statusCode).toBe(200);
    expect((await ask('GET', `partner-services/${index.id}`)).statusCode).toBe(404);
    expect((await ask('POST', 'partner-services', { ...blank, ...named(index) })).statusCode).toBe(404);
  });

  test('know what decides the interview period: onset, first treatment, and the test of the case', async () => {
    const report = await madeCase({ onset_on: ago(30) });
    const index = await start(report.id, { hivTestedOn: ago(20) });
    const of = { ...report, organization_id: null, facility_id: null };
    await makeTreatment(database, of, { started_on: ago(10) });
    expect(await add(index)).toMatchObject({ onsetOn: ago(30), treatedOn: ago(10), testedOn: ago(20) });
  });
});

test('a named person becomes a case of their own, and of no one else', async () => {
  const index = await start((await madeCase()).id);
  const patient = await madePatient();
  const own = await madeCase({ patient_id: patient.id, classification: 'confirmed' });
  const partner = await inField(await add(index, { patient: patient.id }));
  const ending = (ownCase: string, disposition = 'C') => ({ ...disposed, disposition, ownCase });
  expect(await refused(partner, 'dispose', ending((await madeCase()).id))).toEqual(['ownCase other-person']);
  expect(await refused(partner, 'dispose', ending(index.caseRecord))).toEqual(['ownCase own-case']);
  expect(await refused(partner, 'dispose', ending(randomUUID()))).toEqual(['ownCase unknown-choice']);
  expect(await refused(partner, 'dispose', ending(own.id, 'F'))).toEqual(['disposition 4-status']);
  expect(await step(partner, 'dispose', ending(own.id))).toMatchObject({
    ownCaseId: own.case_id,
    classification: 'confirmed',
  });
});

describe('the nine rules', () => {
  test('1: no stage can be left while later ones have answers', async () => {
    const open = await held(await start((await madeCase()).id));
    expect(await refused(open, 'recordInterview', { interviewStatus: 'A' })).toEqual([
      'interviewStatus 1-awaiting',
    ]);
    const back = await step(open, 'reopenInterview', {}, 'The wrong person.');
    expect(back).toMatchObject({ stage: 'AI', interviewStatus: 'A' });
    const field = await step(back, 'reopenField', {}, 'To be found again.');
    expect(await refused(field, 'decide', { initialFollowUp: 'AC', initialFollowUpOn: today })).toEqual([
      'initialFollowUp 1-initial',
      'patientFollowUp 1-patient',
    ]);
    expect(await refused(field, 'startOver')).toEqual(['reason reason-needed']);
  });

  test('2 and 3: a disposition has its day, author and supervisor, an examination, and where it was sent', async () => {
    const index = await start((await madeCase()).id);
    const field = await inField(index);
    expect(await refused(field, 'dispose', { disposition: 'H' })).toEqual([
      'dispositionOn 2-disposition',
      'dispositionBy 2-disposition',
      'supervisor 2-disposition',
    ]);
    const partner = await inField(await add(index));
    const { disposition, dispositionOn, dispositionBy, supervisor } = disposed;
    const unexamined = { disposition, dispositionOn, dispositionBy, supervisor };
    expect(await refused(partner, 'dispose', unexamined)).toEqual([
      'examOn 2-exam',
      'examProvider 2-exam',
      'examFacility 2-exam',
    ]);
    const sent = { ...unexamined, disposition: 'K' };
    expect(await refused(partner, 'dispose', sent)).toEqual(['sentToAgency 3-sent-to']);
    expect(await step(partner, 'dispose', { ...sent, sentToAgency: 'Harbor County' })).toMatchObject({
      sentToDueOn: addDays(today, 14),
    });
    expect(await refused(field, 'dispose', { ...disposed, dispositionOn: addDays(today, 1) })).toEqual([
      'dispositionOn future',
    ]);
  });

  test('4 and 5: the classification of the case and the referral basis rule out what contradicts them', async () => {
    const field = await inField(await start((await madeCase({ classification: 'confirmed' })).id));
    expect(await refused(field, 'dispose', { ...disposed, disposition: 'F' })).toEqual([
      'disposition 4-status',
    ]);
    const unknown = await inField(await start((await madeCase({ classification: 'unknown' })).id));
    const found = await step(unknown, 'dispose', { ...disposed, disposition: 'E' });
    const given = await step(found, 'assignInterviewer', { interviewer: someone });
    expect(await refused(given, 'recordInterview', interviewed)).toEqual(['interviewStatus 4-interviewed']);
    expect(await refused(given, 'recordInterview', { interviewStatus: 'N' })).toEqual([
      'interviewStatus 5-cluster',
    ]);
  });

  test('6: a case cannot be closed while a named person is being looked for', async () => {
    const index = await start((await madeCase()).id);
    const partner = await inField(await add(index));
    const open = await held(index);
    expect(open.openContacts).toBe(1);
    const closing = { caseClosedOn: today, closedBy: someone };
    expect(await refused(open, 'closeCase', closing)).toEqual(['openContacts 6-contacts']);
    await step(partner, 'dispose', { ...disposed, disposition: 'A' });
    expect(await step(open, 'closeCase', closing)).toMatchObject({ stage: 'CC' });
  });

  test('7: no man is pregnant, and what was learned online is followed up', async () => {
    const index = await start((await madeCase()).id);
    expect(await refusedNew(named(index, { sex: 'M', pregnant: 'yes' }))).toEqual(['pregnant not-asked']);
    const partner = await add(index, { sex: 'F', pregnant: 'yes' });
    expect(partner.pregnant).toBe('yes');
    const man = await makePersonAt(database, demo.id);
    await sql(`update patient set sex_at_birth = 'M' where id = $1`, [man.id]);
    const known = await add(index, { patient: man.id });
    expect(await faults('PATCH', `partner-services/${known.id}`, { version: 1, pregnant: 'yes' })).toEqual([
      'pregnant 7-pregnancy',
      'pregnant not-asked',
    ]);
    const open = await held(index);
    expect(await refused(open, 'recordInterview', { ...interviewed, internetElicited: 'yes' })).toEqual([
      'internetFollowUp 7-internet',
    ]);
  });

  test('8: partners together with no partners is a contradiction', async () => {
    const open = await held(await start((await madeCase()).id));
    for (const field of ['femalePartnersInYear', 'malePartnersInPeriod', 'transgenderPartnersInYear']) {
      const whether = field.replace(/In(Year|Period)$/, '');
      expect(
        await refused(open, 'recordInterview', { ...interviewed, [whether]: 'yes', [field]: 0 }),
      ).toEqual([`${field} 8-partners`]);
    }
  });

  test('9: the referral basis fits how the person was named, and whether the source is infected', async () => {
    const index = await start((await madeCase()).id);
    expect(await refusedNew(named(index, { referralBasis: 'A1' }))).toEqual(['referralBasis 9-basis']);
    await held(index, {});
    await add(index);
    const healthy = await start((await madeCase({ classification: 'suspect' })).id);
    await step(await inField(healthy), 'dispose', { ...disposed, disposition: 'F' });
    expect(await refusedNew(named(healthy))).toEqual(['referralBasis 9-basis']);
    await add(healthy, { referralBasis: 'A1' });
    await add(healthy, { namedHow: 'no-interview' });
    expect(await refusedNew({ caseRecord: (await madeCase()).id, referralBasis: 'P1' })).toEqual([
      'referralBasis 9-index',
    ]);
  });
});

describe('the tasks that steps give', () => {
  const other = options[1]!.id;
  interface Task {
    work: string;
    state: string;
    account: string | null;
    queue: string;
    due: string;
    by: string;
  }
  const tasksOf = ({ caseRecord }: Pick<PartnerService, 'caseRecord'>) =>
    sql<Task>(
      `select work, state, account_id as account, queue, cast(due_on as text) as due, caused_by as by
       from work_task where record_id = $1 order by id`,
      [caseRecord],
    );
  const taskIdsOf = async ({ caseRecord }: PartnerService) =>
    (await sql<{ id: string }>('select id from work_task where record_id = $1', [caseRecord])).map(
      ({ id }) => id,
    );
  const statesOf = async (one: PartnerService) =>
    (await tasksOf(one)).map(({ work, state, account }) => `${work} ${state} ${account ?? 'anyone'}`);
  const undo = async ({ id, version }: PartnerService) =>
    (await ok<{ record: PartnerService }>('POST', `partner-services/${id}/undo`, { version })).record;
  const { dispositionOn, dispositionBy, supervisor: reviewer } = disposed;
  const notFound = { disposition: 'H', dispositionOn, dispositionBy, supervisor: reviewer };

  test('go to the person who has to do them, are due by the standard, and done with the step that ends them', async () => {
    const index = await start((await madeCase()).id);
    const field = await inField(index);
    const by = index.id;
    expect(await tasksOf(index)).toEqual([
      { work: 'find', state: 'open', account: someone, queue: 'assignee', due: addDays(today, 7), by },
    ]);
    const passed = await step(field, 'assignField', { fieldInvestigator: other });
    expect(await statesOf(index)).toEqual([`find not-needed ${someone}`, `find open ${other}`]);
    expect((await tasksOf(index))[1]!.due).toBe(passed.dueOn);
    const lost = await step(passed, 'dispose', notFound);
    const [, ended, review] = await tasksOf(index);
    expect(ended).toMatchObject({ work: 'find', state: 'done' });
    expect(review).toMatchObject({ work: 'review', state: 'open', account: null, queue: 'supervisor', by });
    const given = await step(lost, 'assignInterviewer', { interviewer: someone });
    expect((await tasksOf(index)).slice(2)).toMatchObject([
      { work: 'review', state: 'done' },
      { work: 'interview', state: 'open', account: someone, queue: 'assignee', due: given.dueOn },
    ]);
    const moved = await step(given, 'assignInterviewer', { interviewer: other });
    await step(moved, 'recordInterview', interviewed);
    expect((await statesOf(index)).slice(3)).toEqual([
      `interview not-needed ${someone}`,
      `interview done ${other}`,
    ]);
  });

  test('are undone, step by step, also if the stage stays', async () => {
    const index = await start((await madeCase()).id);
    const field = await inField(index);
    const lost = await step(
      await step(field, 'assignField', { fieldInvestigator: other }),
      'dispose',
      notFound,
    );
    const [first, second] = [`find not-needed ${someone}`, `find open ${other}`];
    expect(await statesOf(index)).toEqual([first, `find done ${other}`, 'review open anyone']);
    const back = await undo(lost);
    expect(await statesOf(index)).toEqual([first, second, 'review withdrawn anyone']);
    // The undo is undone, and once more.
    const again = await undo(back);
    expect(await statesOf(index)).toEqual([first, `find done ${other}`, 'review open anyone']);
    await undo(again);
    expect(await statesOf(index)).toEqual([first, second, 'review withdrawn anyone']);
    await ok('POST', `partner-services/${index.id}/undo`, { version: lost.version - 1 });
    expect((await statesOf(index)).slice(0, 2)).toEqual([`find open ${someone}`, `find withdrawn ${other}`]);
    await ok('POST', `partner-services/${index.id}/undo`, { version: field.version });
    expect((await statesOf(index))[0]).toBe(`find withdrawn ${someone}`);
  });

  test('begin again when a step goes back, and end with what is left', async () => {
    const index = await start((await madeCase()).id);
    const lost = await step(await inField(index), 'dispose', notFound);
    const sought = await step(lost, 'withdrawDisposition', {}, 'A new address.');
    expect(await statesOf(index)).toEqual([
      `find done ${someone}`,
      'review not-needed anyone',
      `find open ${someone}`,
    ]);
    await step(sought, 'startOver', {}, 'The wrong case.');
    expect((await statesOf(index))[2]).toBe(`find not-needed ${someone}`);
    const held1 = await held(await start((await madeCase()).id));
    const back = await step(held1, 'reopenInterview', {}, 'The wrong person.');
    expect((await statesOf(held1)).slice(1)).toEqual([
      `interview done ${someone}`,
      `interview open ${someone}`,
    ]);
    await step(back, 'reopenField', {}, 'To be found again.');
    expect((await statesOf(held1))[2]).toBe(`interview not-needed ${someone}`);
  });

  test('for two people of one case are separate, and stay when the case changes', async () => {
    const index = await start((await madeCase()).id);
    await inField(index);
    const partner = await inField(await add(index));
    await step(partner, 'dispose', { ...disposed, disposition: 'A' });
    expect((await tasksOf(index)).map(({ by, state }) => [by, state])).toEqual([
      [index.id, 'open'],
      [partner.id, 'done'],
    ]);
    const { version } = await ok<Stored>('GET', `case-reports/${index.caseRecord}`);
    await ok('POST', `case-reports/${index.caseRecord}/transitions/noFollowUp`, {
      version,
      reason: 'Moved.',
    });
    expect((await tasksOf(index)).map(({ state }) => state)).toEqual(['open', 'done']);
  });

  test('the new investigator is notified of the record once, an interviewer of the task', async () => {
    const index = await start((await madeCase()).id);
    const to = dis.init.user.id;
    const field = await step(await step(index, 'decide', decided), 'assignField', { fieldInvestigator: to });
    const heard = async () => {
      const about = new Set([index.id, ...(await taskIdsOf(index))]);
      const jobs = await sql<{ told: { kind: string; to: string; recordId: string }[] }>(
        `select j.payload -> 'told' as told from graphile_worker._private_jobs j
         join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = $1 order by j.id`,
        [tellJob.name],
      );
      return jobs
        .flatMap(({ told }) => told.filter((one) => one.to === to && about.has(one.recordId)))
        .map(({ kind }) => kind);
    };
    expect(await heard()).toEqual(['assigned']);
    await step(await step(field, 'dispose', disposed), 'assignInterviewer', { interviewer: to });
    expect(await heard()).toEqual(['assigned', 'task-given']);
  });

  test('[P18] of HIV notify only people who see its cases, for every assignee', async () => {
    const hiv = await madeCase({ condition_code: 'hiv', disease_family: 'hiv' });
    const index = await start(hiv.id, {}, supervisor.headers);
    const doingAs = (one: PartnerService, transition: string, fields: Entered) =>
      ok<PartnerService>(
        'POST',
        doing(one, transition),
        { version: one.version, fields },
        supervisor.headers,
      );
    await doingAs(await doingAs(index, 'decide', decided), 'assignField', {
      fieldInvestigator: epi.init.user.id,
    });
    expect(await statesOf(index)).toEqual([`find open ${epi.init.user.id}`]);
    const shown = async (headers?: Headers) => {
      const search = { filters: { whose: ['all'] }, paginationModel: { page: 0, pageSize: 200 } };
      const answer = await ask('POST', 'grid/work-tasks/search', search, headers);
      const { rows } = answer.json<{ rows: { recordId: string }[] }>();
      return rows.filter(({ recordId }) => recordId === hiv.id).length;
    };
    expect(await shown(supervisor.headers)).toBe(1);
    expect(await shown()).toBe(0);
    expect((await ask('GET', `case-reports/${hiv.id}/work`)).statusCode).toBe(404);
  });
});
