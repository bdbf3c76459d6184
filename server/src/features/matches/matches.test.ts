import { randomUUID } from 'node:crypto';
import type { PatientMatch } from '@caseway/contract/matches';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { type SignedIn, signInAs } from '../../../test/sign-in.ts';
import { elr, hivScreen, importText, notDetected } from '../imports/test-messages.ts';

const testing = await testApp({});
const { database } = testing;
const { demo } = await seedDemoTenants(database);
const tenantId = demo.id;
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${tenantId}`);
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const admin = await signInAs(testing, 'admin@demo.caseway.test');
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
      moved: { results: 1, cases: 1 },
      patient: { results: 0, cases: 0 },
      candidate: { results: 2, cases: 2 },
    });
    expect(await owners()).toEqual(Array(6).fill('older'));
    expect(await found()).toBe(1);
    expect(
      (await ask('POST', `/api/web/patient-matches/${pair.id}`, { decision: 'different' })).statusCode,
    ).toBe(409);
    // A third report finds the remaining one.
    const third = await uploaded(
      elr({
        order: 'M-3',
        patient: { ...like, id: '', birth: '19810203', phone: '' },
        tests: [{ value: notDetected }],
      }),
    );
    expect(third.effects).toMatchObject({ patientsMatched: 1 });
    await rows(
      `update result set superseded_by = $2 where tenant_id = $3 and patient_id = $1 and result_category = 'negative'`,
      [pair.candidate.id, randomUUID(), tenantId],
    );

    expect(await decide('open')).toMatchObject({
      state: 'open',
      moved: null,
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

describe('what a merged record keeps', () => {
  const like = { last: 'Quillfeather', first: 'Leopold', sex: 'M' };
  let pair: PatientMatch;
  const decide = (body: object) => ok<PatientMatch>('POST', `/api/web/patient-matches/${pair.id}`, body);

  test('is shown before: the name and birth date of the older one, the address of the newest report', async () => {
    await uploaded(
      elr({ order: 'K-1', patient: { ...like, id: 'K1', birth: '19810203', phone: '5550779' } }),
    );
    await uploaded(
      elr({
        order: 'K-2',
        patient: {
          ...like, id: '', middle: 'Quincy', birth: '19810302', phone: '', street: '9 Elm St', zip: '30309',
        }, // biome-ignore format: a record
        collected: '20260501090000-0400',
      }),
    );
    const { rows: found } = await ok<{ rows: PatientMatch[] }>('GET', '/api/web/patient-matches');
    pair = found.find(({ patient }) => patient.lastName === 'Quillfeather')!;
    expect(pair).toMatchObject({
      kept: { name: 'older', birth: 'older', sex: 'older', address: 'newer' },
      decidedBy: null,
    });
    expect((await decide({ decision: 'same' })).candidate).toMatchObject({
      middleName: pair.candidate.middleName,
      birthDate: '1981-02-03',
      street: '9 Elm St',
      postalCode: '30309',
    });
    expect((await decide({ decision: 'open' })).candidate).toEqual(pair.candidate);
  });

  test('is the chosen value, and is restored by undo', async () => {
    const merged = await decide({
      decision: 'same',
      values: { name: 'newer', birth: 'newer', address: 'older' },
    });
    const [event] = await rows<{ detail: object }>(
      `select detail from audit_event where action = 'decide match' and detail ->> 'decision' = 'same'
       order by at desc limit 1`,
    );
    expect(event!.detail).toEqual({
      decision: 'same',
      chosen: ['newer.name', 'newer.birth', 'older.address'],
    });
    const { firstName, lastName } = epi.init.user;
    expect(merged.decidedBy).toBe(`${firstName} ${lastName}`);
    expect(merged.candidate).toMatchObject({
      firstName: 'Leopold',
      middleName: 'Quincy',
      birthDate: '1981-03-02',
      sex: 'M',
      street: '12 Oak St',
      postalCode: '30303',
    });
    // The other name still finds the person.
    expect(merged.candidate.otherNames).toContain('Leopold Quillfeather');
    expect((await decide({ decision: 'open' })).candidate).toEqual(pair.candidate);
    const none = await ask('POST', `/api/web/patient-matches/${pair.id}`, {
      decision: 'different',
      values: { name: 'newer' },
    });
    expect(none.statusCode).toBe(400);
  });
});

describe('[P18] a merge with a person who has only a restricted record', () => {
  const reactive = '11214006^Reactive^SCT';
  /** Merges and undoes it; what epi, who may not see HIV, and the administrator read of the newer person's case. */
  async function merged(last: string, ofOlder: { test?: string; value?: string }, values: object = {}) {
    const like = { last, first: 'Perpetua', sex: 'F' };
    await uploaded(
      elr({
        order: `${last}-1`,
        patient: { ...like, id: last, birth: '19810203', phone: '5550778' },
        tests: [ofOlder],
      }),
    );
    await uploaded(
      elr({
        order: `${last}-2`,
        patient: { ...like, id: '', birth: '19810302', phone: '', street: '', zip: '', city: '' },
      }),
    );
    const { rows: pairs } = await ok<{ rows: PatientMatch[] }>(
      'GET',
      '/api/web/patient-matches',
      undefined,
      admin.headers,
    );
    const pair = pairs.find(({ patient }) => patient.lastName === last)!;
    const [report] = await rows<{ id: string }>('select id from case_report where patient_id = $1', [
      pair.patient.id,
    ]);
    type Read = { patientId: string; timeline: { kind: string; detail: object }[] };
    const read = (headers: SignedIn['headers']) =>
      ok<Read>('GET', `/api/web/case-reports/${report!.id}`, undefined, headers);
    const decide = (decision: string) =>
      ok(
        'POST',
        `/api/web/patient-matches/${pair.id}`,
        decision === 'same' ? { decision, values } : { decision },
        admin.headers,
      );
    const seen = { epi: [await read(epi.headers)], admin: [await read(admin.headers)] };
    for (const decision of ['same', 'open']) {
      await decide(decision);
      seen.epi.push(await read(epi.headers));
      seen.admin.push(await read(admin.headers));
    }
    return { pair, seen };
  }
  const kinds = ({ timeline }: { timeline: { kind: string }[] }) =>
    timeline.map(({ kind }) => kind).filter((kind) => kind.startsWith('patient-'));

  test('is in no timeline of readers from whom it is hidden, and changes nothing that they read', async () => {
    const { pair, seen } = await merged('Hiddenby', { test: hivScreen, value: reactive });
    const [before, during, after] = seen.epi as [object, object, object];
    const { id } = pair.candidate;
    const said = JSON.stringify(during).replaceAll(id, pair.patient.id);
    expect(JSON.parse(said)).toEqual(before);
    expect(after).toEqual(before);
    expect(seen.admin.map(kinds)).toEqual([[], ['patient-merged'], ['patient-unmerged', 'patient-merged']]);
    expect(seen.admin[1]!.timeline[0]!.detail).toEqual({ from: pair.patient.id, to: id });
  });

  test('shows them nothing about it, also if someone chose to keep its values', async () => {
    const values = { name: 'older', birth: 'older', sex: 'older', address: 'older' };
    const { pair, seen } = await merged('Keptaway', { test: hivScreen, value: reactive }, values);
    const [before, during, after] = seen.epi as [object, object, object];
    expect(JSON.stringify(before)).toContain('1981-03-02');
    expect(JSON.parse(JSON.stringify(during).replaceAll(pair.candidate.id, pair.patient.id))).toEqual(before);
    expect(after).toEqual(before);
    expect(JSON.stringify(seen.admin[1])).toContain('1981-02-03');
  });

  test('any other merge is visible to everyone in the tenant', async () => {
    const { seen } = await merged('Openly', {});
    for (const reads of [seen.epi, seen.admin])
      expect(reads.map(kinds)).toEqual([[], ['patient-merged'], ['patient-unmerged', 'patient-merged']]);
  });
});
