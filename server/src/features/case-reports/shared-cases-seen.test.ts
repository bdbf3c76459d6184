import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { makeCaseNumbers } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { chlamydia, elr, gonorrhoea, importText, type TestMessage } from '../imports/test-messages.ts';
import { decideMatch } from '../matches/matches.ts';

/*
 * A shared case as each of its readers sees it: its history, its notes, and its state after a merge of two people
 * and its undo. The college reported the case; another clinic adds to it. [P1, P23]
 */

const testing = await testApp();
const { app, database } = testing;
const { demo } = await seedDemoTenants(database);
await makeCaseNumbers(database, demo.id);
const service = <Row extends object>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId: demo.id }, (tx) => tx.rows<Row>(text, params));
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const inCollege = await actFor(testing, epi.tokens, `O:${college}`);
const readers = {
  college: inCollege.headers,
  department: epi.headers,
  jurisdiction: jurisdiction.headers,
};

let sent = 0;
const message = ({ patient, ...given }: TestMessage) => {
  sent += 1;
  return elr({
    control: `S${sent}`,
    order: `S-${sent}`,
    ...given,
    patient: { id: `S${patient?.last}`, ...patient },
  });
};
const byCollege = (given: TestMessage) =>
  importText(database, demo.id, withoutAddress(message({ ...given, clinic: '' })), {
    organizationId: college,
  });
const byClinic = (given: TestMessage) =>
  importText(database, demo.id, message({ ...given, clinic: 'Zq Third Clinic' }));
/** A missing address is no address, not even one with only a state. */
const withoutAddress = (text: string) => text.replace('^GA^^USA^H^^', '^^^^H^^');
const nowhere = { street: '', city: '', zip: '', county: '' };
// Hillsborough is one of the jurisdiction's counties.
const tampa = { city: 'Tampa', zip: '33602', county: '12057' };

const ask = (headers: object, method: 'GET' | 'POST', url: string, payload?: object) =>
  app.fastify.inject({ method, url, headers: headers as Record<string, string>, payload });
const record = async (headers: object, id: string) => {
  const answer = await ask(headers, 'GET', `/api/web/case-reports/${id}`);
  expect(answer.statusCode).toBe(200);
  return { body: answer.body, json: answer.json() };
};
interface Row {
  id: string;
  notes: string | null;
  county: string | null;
  lastName: string;
}
const search = async (headers: object, query: object = {}): Promise<Row[]> => {
  const answer = await ask(headers, 'POST', '/api/web/grid/case-reports/search', query);
  expect(answer.statusCode).toBe(200);
  return answer.json().rows;
};
const rowOf = async (headers: object, id: string) => (await search(headers)).find((row) => row.id === id);
const casesOf = async (last: string) =>
  (
    await service<{ id: string }>(
      `select c.id from case_report c join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id
       where p.last_name = $1 and c.organization_id = $2 order by c.created_at, c.case_id`,
      [last, college],
    )
  ).map(({ id }) => id);
const kinds = ({ json }: { json: { timeline: { kind: string }[] } }) => json.timeline.map(({ kind }) => kind);

describe('history and notes of a shared case', () => {
  test('come, for each reader, from the results that they see', async () => {
    await byCollege({
      patient: { last: 'Farrow', ...tampa },
      tests: [{ test: gonorrhoea }],
      more: ['NTE|1|L|Seen at the college'],
    });
    const [id] = (await casesOf('Farrow')) as [string];
    const before = await record(readers.college, id);
    await byClinic({
      patient: { last: 'Farrow', ...tampa },
      tests: [{ test: gonorrhoea }],
      collected: '20260225093000-0500',
      reported: '20260305150000-0500',
      more: ['NTE|1|L|Seen at the clinic'],
    });
    const seen = Object.fromEntries(
      await Promise.all(
        Object.entries(readers).map(async ([who, headers]) => [
          who,
          { record: await record(headers, id), row: await rowOf(headers, id) },
        ]),
      ),
    );
    // The newest first: the clinic reported after the college.
    const both = 'Seen at the clinic\nSeen at the college';
    expect(seen.college.row.notes).toBe('Seen at the college');
    expect(seen.department.row.notes).toBe(both);
    expect(seen.jurisdiction.row.notes).toBe(both);
    expect(seen.college.record.json.notes).toBe('Seen at the college');
    expect(seen.department.record.json.notes).toBe(both);
    for (const [who, note, found] of [
      ['college', 'at the clinic', false],
      ['college', 'at the college', true],
      ['department', 'at the clinic', true],
      ['jurisdiction', 'at the clinic', true],
    ] as const) {
      const rows = await search(readers[who], {
        filterModel: { items: [{ field: 'notes', operator: 'contains', value: note }] },
      });
      expect([who, note, rows.some((row) => row.id === id)]).toEqual([who, note, found]);
    }
    // The effect of the clinic's report is in the history of readers who see that report.
    expect(kinds(seen.college.record)).toEqual(kinds(before));
    expect(seen.college.record.json.timeline).toEqual(before.json.timeline);
    const more = kinds(seen.department.record).length - kinds(before).length;
    expect(more).toBeGreaterThan(0);
    expect(kinds(seen.jurisdiction.record)).toHaveLength(kinds(seen.department.record).length);
    expect([seen.college.record.json.results.length, seen.department.record.json.results.length]).toEqual([
      1, 2,
    ]);
  });
});

describe('a merge of two people', () => {
  const older = { last: 'Vandermeer', first: 'Ottoline', sex: 'F', birth: '19810203', phone: '5550777' };
  const newer = {
    last: 'Vandermeer',
    first: 'Ottoline',
    sex: 'F',
    birth: '19810302',
    phone: '5550888',
    id: '',
  };
  const decide = async (decision: 'same' | 'open') => {
    const [pair] = await service<{ id: string }>('select id from patient_match');
    await database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
      decideMatch(tx, demo.id, pair!.id, decision, randomUUID()),
    );
  };
  /** The contents of the case without the person's, which change with a merge. */
  const ofCase = (said: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(said).filter(([field]) => !ofPerson.includes(field)));
  const ofPerson = ['patient', 'patientId', 'birthDate', 'age', 'race', 'ethnicity', 'city'];
  const seenBy = async (headers: object, id: string) => {
    const { json } = await record(headers, id);
    return {
      record: ofCase(json),
      row: ofCase({ ...(await rowOf(headers, id)) }),
    };
  };
  /** The county of a case as a reader sees it: in its record, its row and by a filter. */
  const countyOf = async (headers: object, id: string) => ({
    record: (await record(headers, id)).json.county,
    row: (await rowOf(headers, id))?.county,
    found: (
      await search(headers, {
        filterModel: { items: [{ field: 'county', operator: 'is', value: '12057' }] },
      })
    ).some((row) => row.id === id),
  });
  const hidden = { record: null, row: null, found: false };
  const shown = { record: '12057', row: '12057', found: true };

  test('shows the place of a case nothing new, and no county that another place reported; nor does its undo', async () => {
    await byClinic({ patient: { ...older, ...tampa }, tests: [{ test: chlamydia }] });
    // The cases of the newer record move, and move back.
    await byCollege({ patient: { ...newer, ...nowhere }, tests: [{ test: gonorrhoea }] });
    const [id] = (await casesOf('Vandermeer')) as [string];
    const before = await seenBy(readers.college, id);
    const whole = await record(readers.department, id);
    expect(await countyOf(readers.college, id)).toEqual(hidden);

    await decide('same');
    expect(await seenBy(readers.college, id)).toEqual(before);
    // A new report of the college takes its county from the joined person, whose county the clinic reported.
    await byCollege({
      patient: { ...older, ...nowhere },
      tests: [{ test: '20507-0^RPR^LN', value: '11214006^Reactive^SCT' }],
    });
    const opened = (await casesOf('Vandermeer')).find((one) => one !== id)!;
    expect(await countyOf(readers.department, opened)).toEqual(shown);
    expect(await countyOf(readers.college, opened)).toEqual(hidden);
    expect(await countyOf(readers.college, id)).toEqual(hidden);

    await decide('open');
    expect(await seenBy(readers.college, id)).toEqual(before);
    expect((await record(readers.department, id)).json.version).toBeGreaterThan(whole.json.version);
    expect(await countyOf(readers.college, opened)).toEqual(hidden);
  });

  test('when undone, updates the view of each place with its own reports, and not with those of others', async () => {
    const [id] = (await casesOf('Vandermeer')) as [string];
    const before = await seenBy(readers.college, id);
    await byClinic({
      patient: { ...newer, ...nowhere },
      tests: [{ test: gonorrhoea }],
      collected: '20260220093000-0500',
      reported: '20260226150000-0500',
    });
    expect(await seenBy(readers.college, id)).toEqual(before);
    await byCollege({
      patient: { ...newer, ...nowhere },
      tests: [{ test: gonorrhoea }],
      collected: '20260227093000-0500',
      reported: '20260228150000-0500',
    });
    const own = await record(readers.college, id);
    expect(own.json).toMatchObject({
      version: (before.record.version as number) + 1,
      collectedOn: '2026-02-27',
      reportedOn: '2026-02-28',
    });
    expect((await record(readers.department, id)).json).toMatchObject({
      collectedOn: '2026-02-20',
      reportedOn: '2026-02-26',
    });
  });
});
