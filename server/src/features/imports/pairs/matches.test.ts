import type { PatientMatch } from '@caseway/contract/matches';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../../test/app.ts';
import { askingAs } from '../../../../test/asking.ts';
import { signInAs } from '../../../../test/sign-in.ts';
import { elr, importText, notDetected } from '../test-messages.ts';

const testing = await testApp({});
const { database } = testing;
const { demo } = await seedDemoTenants(database);
const tenantId = demo.id;
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${tenantId}`);
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const vendor = await signInAs(testing, 'lab@vendor.caseway.test');

const { ask, ok } = askingAs(testing, epi, '');
const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));
const uploaded = (text: string) => importText(database, tenantId, text);

describe('two patients who may be one', () => {
  const like = { last: 'Vandermeer', first: 'Ottoline', sex: 'F' };
  let pair: PatientMatch;

  test('are listed with what agrees, for people who may merge', async () => {
    await uploaded(
      elr({
        order: 'M-1',
        patient: { ...like, id: 'M1', birth: '19810203', phone: '5550777' },
      }),
    );
    await uploaded(
      elr({
        order: 'M-2',
        patient: { ...like, id: '', birth: '19810302', phone: '', street: '', zip: '', city: '' },
        collected: '20260501090000-0400',
      }),
    );
    const found = await ok<{ rows: PatientMatch[]; rowCount: number }>('GET', '/api/web/patient-matches');
    pair = found.rows.find(({ patient }) => patient.lastName === 'Vandermeer')!;
    expect(pair).toMatchObject({
      state: 'open', parts: { lastName: 1, firstName: 1, birthDate: 0.8, sex: 1 },
      patient: { birthDate: '1981-03-02', results: 1, cases: 1 }, candidate: { birthDate: '1981-02-03', results: 1, cases: 1 },
    }); // biome-ignore format: a record
    expect((await ask('GET', '/api/web/patient-matches', undefined, analyst.headers)).statusCode).toBe(403);
    expect(
      (await ask('POST', `/api/web/patient-matches/${pair.id}`, { decision: 'same' }, vendor.headers))
        .statusCode,
    ).not.toBe(200);
  });

  test('become one, with everything the newer one had, and two again when that is undone', async () => {
    const decide = (decision: string) =>
      ok<PatientMatch>('POST', `/api/web/patient-matches/${pair.id}`, { decision });
    const owners = async () =>
      (
        await rows<{ patient_id: string }>(
          `select patient_id from result where patient_id = any ($1) union all select patient_id from case_report where patient_id = any ($1)
         union all select patient_id from specimen where patient_id = any ($1)`,
          [[pair.patient.id, pair.candidate.id]],
        )
      )
        .map(({ patient_id }) => (patient_id === pair.candidate.id ? 'older' : 'newer'))
        .sort();
    const found = async () =>
      (
        await rows(
          `select distinct record_id from search_key where key = 'vandermeer' and record_kind = 'patient'`,
        )
      ).length;
    const before = await rows('select * from patient where id = $1', [pair.candidate.id]);

    expect(await decide('same')).toMatchObject({
      state: 'same',
      patient: { results: 0, cases: 0 },
      candidate: { results: 2, cases: 2 },
    });
    expect(await owners()).toEqual(Array(6).fill('older'));
    expect(await found()).toBe(1);
    expect(
      (await ask('POST', `/api/web/patient-matches/${pair.id}`, { decision: 'different' })).statusCode,
    ).toBe(409);
    // A third report finds the one that is left.
    const third = await uploaded(
      elr({
        order: 'M-3',
        patient: { ...like, id: '', birth: '19810203', phone: '' },
        tests: [{ value: notDetected }],
      }),
    );
    expect(third.effects).toMatchObject({ patientsMatched: 1 });
    await rows(
      `update result set superseded_by = gen_random_uuid() where patient_id = $1 and result_category = 'negative'`,
      [pair.candidate.id],
    );

    expect(await decide('open')).toMatchObject({
      state: 'open',
      patient: { results: 1, cases: 1 },
      candidate: { results: 1, cases: 1 },
    });
    expect((await owners()).filter((owner) => owner === 'newer')).toHaveLength(3);
    expect(await found()).toBe(2);
    const after = await rows('select * from patient where id = $1', [pair.candidate.id]);
    const lasting = ({ version: _, updated_at: __, informed_at: ___, ...patient }: Record<string, unknown>) =>
      patient;
    expect(lasting(after[0]!)).toEqual(lasting(before[0]!));
    const [changes] = await rows(
      `select count(*) as n from outbox where kind = 'patient' and record_ids @> $1`,
      [[pair.patient.id, pair.candidate.id]],
    );
    expect(changes!.n).toBe(2);

    expect(await decide('different')).toMatchObject({ state: 'different' });
    const { rows: open } = await ok<{ rows: PatientMatch[] }>('GET', '/api/web/patient-matches');
    expect(open.map(({ id }) => id)).not.toContain(pair.id);
  });
});
