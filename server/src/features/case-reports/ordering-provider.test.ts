import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { elr, importText } from '../imports/test-messages.ts';

const testing = await testApp();
const { app, database } = testing;
const world = await seedDemoTenants(database);
const epi = await signInAs(testing, 'epi@demo.caseway.test');

const message = elr({
  patient: { last: 'Brandt', first: 'Lena' },
  reported: '20260304150000-0500',
  more: [
    'NTE|3|L|HIV viral load was ordered too',
    'NTE|1|L|Patient reports symptoms for 5 days',
    'NTE|2|L|Repeat in 3 months',
  ],
})
  // OBR-16 names the ordering provider, OBR-17 the telephone; ORC-12 would say the same.
  .replace(
    /(OBR(?:\|[^|\r]*){15})(?:\|[^|\r]*){2}/,
    '$1|1234567893^Ruiz^Ana^M^^Dr^^^NPI^^^^NPI|^WPN^PH^^1^813^5550142^77',
  )
  .replace(/\rOBX/, '\rNTE|1|P|Fasting: no\rOBX');
await importText(database, world.demo.id, message);

const post = async (url: string, payload: object) => {
  const answer = await app.fastify.inject({ method: 'POST', url, headers: { ...epi.headers }, payload });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

describe('the ordering provider of a test, and the notes on it', () => {
  test('[P18] are with the result on the case, except a note that names another disease family', async () => {
    const [row] = (
      await post('/api/web/grid/case-reports/search', {
        filterModel: { items: [{ field: 'lastName', operator: 'equals', value: 'Brandt' }] },
      })
    ).rows;
    const record = await app.fastify.inject({
      url: `/api/web/case-reports/${row.id}`,
      headers: { ...epi.headers },
    });
    expect(record.json().results[0]).toMatchObject({
      orderingProvider: { name: 'Dr Ana M Ruiz', npi: '1234567893', phone: '+18135550142 x77' },
      notes: 'Fasting: no\nPatient reports symptoms for 5 days\nRepeat in 3 months',
    });
  });

  test.each([
    ['providerName', 'contains', 'ruiz'],
    ['providerNpi', 'equals', '1234567893'],
    ['notes', 'contains', 'REPEAT in 3'],
  ])('are found among the records by %s', async (field, operator, value) => {
    const search = (sought: string) =>
      post('/api/web/grid/testing-records/search', {
        dateRangeValue: { start: '2026-03-01', end: '2026-03-31' },
        filterModel: { items: [{ field, operator, value: sought }] },
      });
    const found = await search(value);
    expect(found.rowCount).toBe(1);
    expect(found.rows[0]).toMatchObject({
      lastName: 'Brandt',
      providerName: 'Dr Ana M Ruiz',
      providerNpi: '1234567893',
    });
    expect((await search('nobody')).rowCount).toBe(0);
  });

  test('are corrected with the result: a changed note makes a new version, the same note again does not', async () => {
    const counts = await importText(
      database,
      world.demo.id,
      message.replace('Repeat in 3 months', 'Repeat in 3 weeks').replace(/\|T\d+\|P\|/, '|T-again|P|'),
    );
    expect(counts).toMatchObject({ end: 'done' });
    const notes = await database.withScope({ kind: 'service', tenantId: world.demo.id }, (tx) =>
      tx.rows<{ notes: string; current: boolean }>(
        `select notes, superseded_by is null as current from result where provider_npi = '1234567893' order by created_at`,
      ),
    );
    expect(notes.map(({ current }) => current)).toEqual([false, true]);
    expect(notes[1]!.notes).toContain('weeks');
  });
});
