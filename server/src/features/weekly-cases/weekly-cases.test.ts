import type { WeeklyCases } from '@caseway/contract/weekly-cases';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { forgetMemberships, signInAs } from '../../../test/sign-in.ts';
import { type WeekCount, weeklyTable } from './table.ts';

describe('the weekly table', () => {
  // Week 10 of 2026 begins on March 8; week 1 of 2026 on January 4, of 2025 on December 29, 2024.
  const counted = (...weeks: [week: string, cases: number][]): WeekCount[] =>
    weeks.map(([week, cases]) => ({ condition: 'chlamydia', week, cases }));
  const numbersOf = (weekOf: string, counts: WeekCount[]) => weeklyTable(weekOf, counts).total;

  test('has the week itself, the highest of the 52 before, and both years up to it', () => {
    const counts = counted(
      ['2026-03-15', 100],
      ['2026-03-08', 3],
      ['2026-03-01', 5],
      ['2026-01-04', 7],
      ['2025-12-28', 11],
      ['2025-03-09', 13],
      ['2025-03-02', 17],
      ['2024-12-29', 19],
      ['2024-12-22', 100],
    );
    expect(weeklyTable('2026-03-12', counts)).toEqual({
      year: 2026,
      week: 10,
      start: '2026-03-08',
      end: '2026-03-14',
      // 3 + 5 + 7; for the year before, the weeks to March 8: 17 + 19. The maximum from March 9, 2025 to March 7, 2026:
      // 13.
      rows: [{ condition: 'chlamydia', current: 3, maximum: 13, yearToDate: 15, lastYearToDate: 36 }],
      total: { current: 3, maximum: 13, yearToDate: 15, lastYearToDate: 36 },
    });
  });

  test('for week 1 uses the previous year only for the maximum', () => {
    expect(numbersOf('2026-01-04', counted(['2026-01-04', 1], ['2025-12-28', 4], ['2024-12-29', 2]))).toEqual(
      {
        current: 1,
        maximum: 4,
        yearToDate: 1,
        lastYearToDate: 2,
      },
    );
  });

  test('for a 53rd week compares with the whole previous year', () => {
    // 2025 has 53 weeks, the last from December 28; 2024 has 52, the last from December 22.
    const { year, week } = weeklyTable('2026-01-01', []);
    expect([year, week]).toEqual([2025, 53]);
    expect(numbersOf('2026-01-01', counted(['2024-12-22', 2], ['2024-12-29', 5], ['2025-12-28', 1]))).toEqual(
      {
        current: 1,
        maximum: 5,
        yearToDate: 6,
        lastYearToDate: 2,
      },
    );
  });

  test('adds up what several tenants have counted, by condition and by week', () => {
    const counts: WeekCount[] = [
      { condition: 'gonorrhea', week: '2026-03-01', cases: 2 },
      { condition: 'chlamydia', week: '2026-03-01', cases: 3 },
      { condition: 'gonorrhea', week: '2026-03-01', cases: 4 },
      { condition: 'syphilis', week: '2020-03-01', cases: 9 },
    ];
    const { rows, total } = weeklyTable('2026-03-08', counts);
    expect(rows.map(({ condition, maximum }) => [condition, maximum])).toEqual([
      ['chlamydia', 3],
      ['gonorrhea', 6],
    ]);
    expect(total.maximum).toBe(9);
  });
});

describe.each(['duckdb', 'postgres'] as const)('the weekly table of a tenant, by %s', async (engine) => {
  const testing = await testApp({ ANALYTICS_ENGINE: engine });
  const { database, superuserUrl } = testing;
  const { demo } = await seedDemoTenants(database);
  const patient = await makePatient(database, { tenant_id: demo.id });
  for (const given of [
    { created_on: '2026-03-08' },
    { created_on: '2026-03-14' },
    { created_on: '2026-03-07', classification: 'probable' },
    { created_on: '2026-03-10', classification: 'suspect' },
    { created_on: '2026-03-15' },
    { created_on: '2026-03-11', condition_code: 'hiv', disease_family: 'hiv' },
  ])
    await makeCaseReport(database, { tenant_id: demo.id, patient_id: patient.id, ...given });
  const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);
  const { ask, ok } = askingAs(testing, epi);
  const path = 'weekly-cases?weekOf=2026-03-10';
  const setBeta = async (on: boolean) => {
    await asSuperuser(
      'update tenant set beta_features = $2 where id = $1',
      [demo.id, on ? ['weekly-cases'] : []],
      superuserUrl,
    );
    forgetMemberships(testing);
  };
  beforeAll(() => setBeta(true));

  test('[S1.6] is available where it is switched on: for the tenant, or for one organisation of it', async () => {
    expect((await ask('GET', path)).statusCode).toBe(200);
    await setBeta(false);
    for (const one of [path, 'weekly-cases/file?weekOf=2026-03-10'])
      expect((await ask('GET', one)).json()).toMatchObject({ code: 'feature-off' });
    const college = epi.init.availableOrgs.find(({ orgType }) => orgType === 'O')!;
    await asSuperuser(
      "insert into feature_switch (tenant_id, org_type, org_id, feature, is_on) values ($1, 'O', $2, 'weekly-cases', true)",
      [demo.id, college.id],
      superuserUrl,
    );
    forgetMemberships(testing);
    const there = { ...epi.headers, 'x-org-token': college.token };
    expect((await ask('GET', path, undefined, there)).json()).toMatchObject({ total: { current: 0 } });
    expect((await ask('GET', path)).statusCode).toBe(403);
    await setBeta(true);
  });

  test('counts confirmed and probable cases by the week of their creation, hidden families aside [P18]', async () => {
    const read = async () => {
      const { asOf: _, ...table } = await ok<WeeklyCases>('GET', path);
      return table;
    };
    await expect.poll(read).toEqual({
      year: 2026,
      week: 10,
      start: '2026-03-08',
      end: '2026-03-14',
      rows: [{ condition: 'chlamydia', current: 2, maximum: 1, yearToDate: 3, lastYearToDate: 0 }],
      total: { current: 2, maximum: 1, yearToDate: 3, lastYearToDate: 0 },
    });
  });

  test('is a file in the language of the reader, and audited as exported [P15]', async () => {
    const response = await ask('GET', 'weekly-cases/file?weekOf=2026-03-10', undefined, {
      ...epi.headers,
      'accept-language': 'es',
    } as typeof epi.headers);
    expect(response.headers['content-disposition']).toContain('cases-2026-W10.csv');
    const [header, ...lines] = response.body.trim().split('\r\n');
    expect(header).toContain('En la semana (2026-W10)');
    expect(lines).toEqual(['Infección por Chlamydia trachomatis,2,1,3,0', 'Total de casos,2,1,3,0']);
    const [event] = await asSuperuser<{ detail: object; record_kind: string }>(
      "select detail, record_kind from audit_event where action = 'export' and account_id = $1",
      [epi.init.user.id],
      superuserUrl,
    );
    expect(event).toEqual({ detail: { weekOf: '2026-03-10' }, record_kind: 'case' });
  });

  test('is for people who may see exact numbers, because nothing in it is withheld [P17]', async () => {
    const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
    expect((await ask('GET', path, undefined, {})).statusCode).toBe(401);
    for (const one of [path, 'weekly-cases/file?weekOf=2026-03-10'])
      expect((await ask('GET', one, undefined, analyst.headers)).json()).toMatchObject({
        code: 'forbidden',
        permission: 'analytics/exact',
      });
    await asSuperuser(
      `insert into role_grant (tenant_id, role_id, obj, act, eft)
       select tenant_id, id, 'T', 'analytics/exact', 'allow' from role
       where tenant_id = $1 and code = 'read-only-analyst'`,
      [demo.id],
      superuserUrl,
    );
    await asSuperuser(
      'update policy_version set version = version + 1 where tenant_id = $1',
      [demo.id],
      superuserUrl,
    );
    await expect.poll(async () => (await ask('GET', path, undefined, analyst.headers)).statusCode).toBe(200);
    expect((await ask('GET', 'weekly-cases?weekOf=0001-01-01')).statusCode).toBe(422);
    const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
    expect((await ask('GET', path, undefined, vendor.headers)).json()).toMatchObject({ code: 'feature-off' });
  });
});
