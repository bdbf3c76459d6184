import { randomUUID } from 'node:crypto';
import { caseFlow } from '@caseway/contract/case-flow';
import {
  type Answers,
  answeredItems,
  type Form,
  faultsOf,
  keysOf,
  optionsOf,
  walk,
} from '@caseway/contract/form';
import type { Investigation } from '@caseway/contract/investigation-form';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { demoAccounts } from '../../../seeds/demo/accounts.ts';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { load } from '../../../test/load.ts';
import { signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const tenantId = world.demo.id;
const accountOf = (name: string) =>
  demoAccounts(world).find(({ username }) => username === `${name}@demo.caseway.test`)!;

// Does not see restricted families; the investigator does.
const epi = (await signInAs(testing, 'epi@demo.caseway.test')).headers;
const investigator = (await signInAs(testing, 'investigator@demo.caseway.test')).headers;
const facility = (await signInAs(testing, 'facility@demo.caseway.test')).headers;
const analyst = (await signInAs(testing, 'analyst@demo.caseway.test')).headers;
const vendor = (await signInAs(testing, 'admin@vendor.caseway.test')).headers;
const clinic = world.demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!;

const call = async (
  method: 'GET' | 'PATCH' | 'POST',
  path: string,
  headers: Record<string, string>,
  body?: object,
) => {
  const response = await app.fastify.inject({
    method,
    url: `/api/web/case-reports/${path}`,
    headers,
    ...(body && { payload: body }),
  });
  return { status: response.statusCode, body: response.json() };
};
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

let id: string;
const read = async (headers = epi): Promise<Investigation> =>
  (await call('GET', `${id}/investigation`, headers)).body.investigation;
const save = (answers: Answers, version: number, more: object = {}, headers = epi) =>
  call('PATCH', `${id}/investigation`, headers, { version, answers, ...more });
const faults = ({ body }: { body: { faults?: { path: string; code: string }[] } }) =>
  body.faults?.map(({ path, code }) => `${path}: ${code}`);
const linkIds = ({ items }: Form) => walk(items).map(({ linkId }) => linkId);

beforeEach(async () => {
  const patient = await makePatient(database, {
    tenant_id: tenantId,
    sex_at_birth: 'F',
    facility_ids: [clinic.id],
  });
  const report = await makeCaseReport(database, {
    tenant_id: tenantId,
    patient_id: patient.id,
    condition_code: 'syphilis-secondary',
    disease_family: 'syphilis',
    classification: 'probable',
    facility_id: clinic.id,
    pregnant: 'yes',
  });
  id = report.id;
});

const complete: Answers = {
  examined: 'N',
  neurologic: 'none',
  ocular: 'none',
  otic: 'none',
  nontreponemal: 'reactive',
  titer: '5',
  treponemal: 'reactive',
  previous: 'N',
  'sex-male': 'Y',
  'sex-female': 'N',
  weeks: 14,
  prenatal: 'Y',
  treated: 'Y',
};

describe('the form of an investigation', () => {
  test('is that of the disease, with what is known about the case, and has no answers at first', async () => {
    const { form, facts, answers, version, completed } = await read();
    expect([form.id, version, answers, completed]).toEqual(['syphilis', 1, {}, null]);
    expect(facts).toEqual({
      sex: 'F',
      condition: 'syphilis-secondary',
      classification: 'probable',
      pregnant: 'yes',
      onsetOn: null,
    });
  });
  test('is absent for a disease without one', async () => {
    const patient = await makePatient(database, { tenant_id: tenantId });
    const other = await makeCaseReport(database, { tenant_id: tenantId, patient_id: patient.id });
    expect((await call('GET', `${other.id}/investigation`, epi)).body).toEqual({ investigation: null });
    expect((await call('PATCH', `${other.id}/investigation`, epi, { version: 1, answers: {} })).status).toBe(
      404,
    );
  });
});

describe('answers', () => {
  test('are saved even if incomplete, raise the version of the case, and are stored beside it', async () => {
    const saved = await save({ examined: 'Y', signs: ['rash'], weeks: 14 }, 1);
    expect(saved.status).toBe(200);
    expect(saved.body.investigation).toMatchObject({
      version: 2,
      answers: { examined: 'Y', signs: ['rash'], weeks: 14 },
      completed: null,
    });
    expect(await sql('select version from case_report where id = $1', [id])).toEqual([{ version: 2 }]);
    expect(
      await sql(
        'select form, form_version, extension_version, disease_family from case_answers where case_report_id = $1',
        [id],
      ),
    ).toEqual([{ form: 'syphilis', form_version: 2, extension_version: null, disease_family: 'syphilis' }]);
    // Saving the same again changes nothing.
    expect((await save({ examined: 'Y' }, 2)).body.investigation.version).toBe(2);
  });

  test('to questions that are not asked or unknown, or of the wrong kind, are refused together, and nothing is saved', async () => {
    const refused = await save(
      { examined: 'N', signs: ['rash'], weeks: 99, mood: 'good', onset: '2026-01-01', titer: 5 },
      1,
    );
    expect(refused.status).toBe(422);
    expect(faults(refused)).toEqual([
      'answers.mood: unknown-question',
      'answers.onset: unknown-question',
      'answers.signs: not-asked',
      'answers.titer: not-asked',
      'answers.weeks: out-of-range',
    ]);
    expect((await read()).version).toBe(1);
  });

  test('are removed when their question disappears, and the history keeps them', async () => {
    await save({ examined: 'Y', signs: ['rash', 'mucous'], 'lesion-sites': ['mouth'] }, 1);
    const { body } = await save({ examined: 'N' }, 2);
    expect(body.investigation.answers).toEqual({ examined: 'N' });
    const { entries } = (await call('GET', `${id}/investigation/history`, epi)).body;
    expect(entries[0]).toMatchObject({
      version: 3,
      by: { name: 'Erin Castellanos' },
      changes: {
        examined: { from: 'Y', to: 'N' },
        signs: { from: ['rash', 'mucous'], to: null },
        'lesion-sites': { from: ['mouth'], to: null },
      },
      completes: null,
    });
    expect(entries[1].changes).toMatchObject({ examined: { from: null, to: 'Y' } });
  });

  test('to other questions are merged; to the same one the later author gets a conflict', async () => {
    await save({ examined: 'Y', previous: 'N' }, 1);
    expect((await save({ treated: 'N' }, 1)).body.investigation.answers).toEqual({
      examined: 'Y',
      previous: 'N',
      treated: 'N',
    });
    const conflict = await save({ previous: 'Y', ocular: 'none' }, 1);
    expect([conflict.status, faults(conflict)]).toEqual([409, ['previous: changed-since']]);
    // The same answer is not a conflict, nor is a change of the case's fields.
    expect((await save({ previous: 'N' }, 1)).status).toBe(200);
    await sql('update case_report set version = version + 1 where id = $1', [id]);
    expect((await save({ otic: 'none' }, 3)).status).toBe(200);
  });

  test('and fields of the case can change at the same time: neither author is refused', async () => {
    expect((await save({ examined: 'N' }, 1)).body.investigation.version).toBe(2);
    const changed = await call('POST', `${id}/transitions/noFollowUp`, epi, { version: 1, reason: 'Moved' });
    expect([changed.status, changed.body.version]).toEqual([200, 3]);
    expect((await save({ previous: 'N' }, 2)).body.investigation).toMatchObject({
      version: 4,
      answers: { examined: 'N', previous: 'N' },
    });
    // The history of the case has only its fields; its timeline says which flow ended it.
    const { entries } = (await call('GET', `${id}/history`, epi)).body;
    expect(entries.map(({ version }: { version: number }) => version)).toEqual([3]);
    expect(
      await sql(
        `select detail -> 'flow' as flow from case_event where case_report_id = $1 and kind = 'status-changed'`,
        [id],
      ),
    ).toEqual([{ flow: caseFlow.version }]);
  });

  test('at the same time lose nothing: they are saved one after the other', async () => {
    const both = await Promise.all([save({ examined: 'N' }, 1), save({ previous: 'N' }, 1)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await read()).toMatchObject({ version: 3, answers: { examined: 'N', previous: 'N' } });
  });

  test('in rows are checked row by row', async () => {
    const treatments = [
      { drug: 'bpg1', 'given-on': '2026-03-01' },
      { drug: 'bpg1', 'drug-other': 'x' },
    ];
    expect(faults(await save({ treated: 'Y', treatments }, 1))).toEqual([
      'answers.treatments.1.drug-other: not-asked',
    ]);
    const lawful = [treatments[0]!, { drug: 'other', 'drug-other': 'x' }];
    const saved = await save({ treated: 'Y', treatments: lawful }, 1);
    expect(saved.body.investigation.answers.treatments).toEqual(lawful);
  });

  test('are complete when every required question is answered, and stay complete until someone reopens them', async () => {
    const holes = await save({ examined: 'N' }, 1, { complete: true });
    expect(faults(holes)).toContain('answers.nontreponemal: required');
    expect(faults(holes)).not.toContain('answers.titer: required');
    const done = (await save(complete, 1, { complete: true })).body.investigation;
    expect(done.completed.by).toEqual({ id: accountOf('epi').id, name: 'Erin Castellanos' });
    expect(faults(await save({ titer: null }, 2))).toEqual(['answers.titer: required']);
    const open = (await save({ titer: null }, 2, { complete: false })).body.investigation;
    expect([open.completed, open.answers.titer]).toEqual([null, undefined]);
    const { entries } = (await call('GET', `${id}/investigation/history`, epi)).body;
    expect(entries.map(({ completes }: { completes: boolean }) => completes)).toEqual([false, true]);
  });

  test('about another restricted family are neither shown nor overwritten [P18]', async () => {
    await save({ 'hiv-status': '1', prep: 'Y', examined: 'N' }, 1, {}, investigator);
    const theirs = await read();
    expect(linkIds(theirs.form)).not.toContain('hiv-status');
    expect(theirs.answers).toEqual({ examined: 'N' });
    expect(faults(await save({ 'hiv-status': '2' }, 2))).toEqual(['answers.hiv-status: unknown-question']);
    expect((await save({ previous: 'N' }, 2)).status).toBe(200);
    expect((await read(investigator)).answers).toMatchObject({ 'hiv-status': '1', prep: 'Y', previous: 'N' });
    const { body } = await call('GET', `${id}/investigation/history`, epi);
    expect(JSON.stringify(body)).not.toContain('hiv');
    // Completing the form does not require what the person cannot see.
    const answered = { ...complete, previous: 'Y' };
    expect((await save(answered, 3, { complete: true })).status).toBe(200);
  });
});

/** Any answer of the right kind to a question. */
const anyChange = (form: Form): fc.Arbitrary<Answers> =>
  fc
    .subarray(
      answeredItems(form).filter(({ type }) => ['choice', 'choices', 'boolean', 'integer'].includes(type)),
      { minLength: 1, maxLength: 4 },
    )
    .chain((items) =>
      fc.record(
        Object.fromEntries(
          items.map((item) => {
            const codes = optionsOf(form, item).map(({ code }) => code);
            const answer: fc.Arbitrary<unknown> =
              item.type === 'choice'
                ? fc.constantFrom(null, ...codes)
                : item.type === 'choices'
                  ? fc.subarray(codes)
                  : item.type === 'boolean'
                    ? fc.boolean()
                    : fc.integer({ min: 1, max: 40 });
            return [item.linkId, answer];
          }),
        ),
      ),
    ) as fc.Arbitrary<Answers>;

test('whatever two people save on any version: answers are valid, found by their keys, and complete in the history', async () => {
  const { form, facts } = await read(investigator);
  const steps = fc.array(fc.record({ change: anyChange(form), behind: fc.nat(3), mine: fc.boolean() }), {
    minLength: load(15, 60),
    maxLength: load(25, 120),
  });
  const [taken] = fc.sample(steps, { numRuns: 1, seed: 20261125 });
  let version = 1;
  const answered = new Set<number>();
  for (const { change, behind, mine } of taken!) {
    const as = mine ? investigator : epi;
    const { status, body } = await save(change, Math.max(1, version - behind), {}, as);
    answered.add(status);
    if (status === 200) version = body.investigation.version;
  }
  expect([...answered].sort()).toEqual([200, 409, 422]);
  const { answers } = await read(investigator);
  expect(faultsOf(form, answers, facts)).toEqual([]);
  const keys = await sql<{ link_id: string; value: string }>(
    'select link_id, value from case_answer_key where case_report_id = $1',
    [id],
  );
  const inOrder = (pairs: string[][]) => pairs.map((pair) => pair.join(' ')).sort();
  expect(inOrder(keys.map((key) => [key.link_id, key.value]))).toEqual(inOrder(keysOf(form, answers)));
  // The changes, applied in order, lead from nothing to the answers.
  const told = await sql<{ version: number; changes: Record<string, { from: unknown; to: unknown }> }>(
    'select version, changes from case_answers_history where case_report_id = $1 order by version',
    [id],
  );
  const replayed: Record<string, unknown> = {};
  for (const { changes } of told)
    for (const [linkId, { from, to }] of Object.entries(changes)) {
      expect(replayed[linkId] ?? null).toEqual(from ?? null);
      replayed[linkId] = to;
    }
  const left = Object.entries(replayed).filter(([, answer]) => answer !== null);
  expect(Object.fromEntries(left)).toEqual(answers);
  expect(told.at(-1)!.version).toBe(version);
});

describe('cases are found by answers', () => {
  const found = (linkId: string, value: string) =>
    sql<{ id: string }>(
      `select case_report_id as id from case_answer_key where tenant_id = $1 and link_id = $2 and value = $3
       and case_report_id = $4`,
      [tenantId, linkId, value, id],
    );
  test('to reportable questions, in their current state', async () => {
    await save({ examined: 'Y', signs: ['rash', 'nodes'], meth: 'Y', jail: 'Y' }, 1);
    for (const [linkId, value] of [
      ['signs', 'rash'],
      ['signs', 'nodes'],
      ['meth', 'Y'],
    ] as const)
      expect(await found(linkId, value)).toHaveLength(1);
    expect(await found('jail', 'Y')).toHaveLength(0);
    await save({ signs: ['nodes'], meth: null }, 2);
    expect(await found('signs', 'rash')).toHaveLength(0);
    expect(await found('signs', 'nodes')).toHaveLength(1);
    expect(await found('meth', 'Y')).toHaveLength(0);
  });
});

describe('access', () => {
  test('needs a sign-in, the permission, and the right tenant', async () => {
    const path = `${id}/investigation`;
    expect((await call('GET', path, {})).status).toBe(401);
    expect((await call('PATCH', path, {}, { version: 1, answers: {} })).status).toBe(401);
    expect((await call('GET', `${path}/history`, {})).status).toBe(401);
    expect((await save({ examined: 'N' }, 1, {}, analyst)).status).toBe(403);
    for (const at of [path, `${path}/history`]) expect((await call('GET', at, vendor)).status).not.toBe(200);
    expect((await call('GET', `${randomUUID()}/investigation`, epi)).status).toBe(404);
  });

  test('a place that knows the case does not see what was learned', async () => {
    await save({ meth: 'Y' }, 1);
    expect((await call('GET', id, facility)).status).toBe(200);
    expect((await call('GET', `${id}/investigation`, facility)).body).toEqual({ investigation: null });
    expect((await call('GET', `${id}/investigation/history`, facility)).status).toBe(404);
    const scope = {
      kind: 'org',
      tenantId,
      accountId: accountOf('facility').id,
      orgType: 'F',
      orgId: clinic.id,
      permissions: [],
      hiddenFamilies: [],
    };
    const rows = await database.withScope(scope as never, (tx) =>
      tx.rows('select from case_answers where tenant_id = $1', [tenantId]),
    );
    expect(rows).toEqual([]);
  });

  test('reads and changes are logged, with the names of the questions and no answers [P4]', async () => {
    await save({ meth: 'Y', 'treatment-notes': 'Canary' }, 1);
    await read();
    const events = await sql<{ action: string; detail: object }>(
      `select e.action, e.detail from audit_event e join audit_record r on r.tenant_id = e.tenant_id and r.event_id = e.id
       where r.record_id = $1 order by e.at, e.id`,
      [id],
    );
    expect(events.map(({ action }) => action)).toEqual([
      'change',
      'GET /api/web/case-reports/:id/investigation',
    ]);
    expect(JSON.stringify(events)).toContain('treatment-notes');
    expect(JSON.stringify(events)).not.toContain('Canary');
  });
});

describe('an answer that is another case', () => {
  const asked = { weeks: 30, 'pregnancy-outcome': 'live' };
  const another = async (family: string): Promise<{ id: string; case_id: string }> => {
    const patient = await makePatient(database, { tenant_id: tenantId, disease_families: [family] });
    return makeCaseReport(database, { tenant_id: tenantId, patient_id: patient.id, disease_family: family });
  };

  test('is shown by its number to people who see that case', async () => {
    const newborn = await another('syphilis');
    const saved = await save({ ...asked, 'newborn-case': newborn.id }, 1);
    expect(faults(saved)).toBeUndefined();
    const { answers, records } = await read();
    expect([answers['newborn-case'], records]).toEqual([newborn.id, { [newborn.id]: newborn.case_id }]);
  });

  test('[P18] is left out for people who do not see that case, also from the history, and stays when they save', async () => {
    const newborn = await another('hiv');
    // The epidemiologist does not see it, and cannot find out whether it exists.
    const nowhere = randomUUID();
    for (const id of [newborn.id, nowhere])
      expect(faults(await save({ ...asked, 'newborn-case': id }, 1))).toEqual([
        'answers.newborn-case: unknown-record',
      ]);
    await save({ ...asked, 'newborn-case': newborn.id }, 1, {}, investigator);
    expect((await read(investigator)).records).toEqual({ [newborn.id]: newborn.case_id });
    const { answers, records } = await read();
    expect([answers, records]).toEqual([asked, {}]);
    const told = async (headers: Record<string, string>) =>
      JSON.stringify((await call('GET', `${id}/investigation/history`, headers)).body).includes(newborn.id);
    expect([await told(investigator), await told(epi)]).toEqual([true, false]);
    expect((await save({ weeks: 31 }, 2)).status).toBe(200);
    expect((await read(investigator)).answers['newborn-case']).toBe(newborn.id);
  });
});
