import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const admin = (await signInAs(testing, 'admin@demo.caseway.test')).headers;
const epi = (await signInAs(testing, 'epi@demo.caseway.test')).headers;
const vendor = (await signInAs(testing, 'admin@vendor.caseway.test')).headers;

const path = '/api/web/settings/population';
const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, headers = admin, payload?: object) => {
  const response = await app.fastify.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: response.statusCode, body: response.json() };
};
const source = { publisher: 'State Demographer', title: 'Estimates', published: 2025 };
const table = (...lines: string[]) => ({
  kind: 'residents',
  text: ['fips,year,people', ...lines].join('\n'),
});
const of = async (headers = admin) =>
  (await call('GET', path, headers)).body.years.map((one: Record<string, unknown>) => [
    one.year,
    one.people,
    one.title,
  ]);

describe('the population of a tenant', () => {
  test('is previewed before it is stored', async () => {
    const { status, body } = await call(
      'POST',
      `${path}/preview`,
      admin,
      table('12001,2023,100', '12003,2023,50'),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      lines: 2,
      faultCount: 0,
      years: [{ year: 2023, counties: 2, people: 150, bySex: false, ages: 1, replaces: null }],
    });
    expect(await of()).toEqual([]);
  });

  test('is imported with its source, and each year replaces its earlier numbers', async () => {
    const first = table('12001,2023,100', '12003,2023,50', '12001,2024,110');
    expect((await call('POST', path, admin, { ...first, ...source })).status).toBe(200);
    expect(await of()).toEqual([
      [2024, 110, 'Estimates'],
      [2023, 150, 'Estimates'],
    ]);
    const again = await call('POST', `${path}/preview`, admin, table('12001,2023,101'));
    expect(again.body.years).toMatchObject([{ year: 2023, counties: 1, replaces: source }]);
    const revised = { ...table('12001,2023,101'), ...source, title: 'Revised' };
    expect((await call('POST', path, admin, revised)).body.years).toMatchObject([
      { year: 2024, title: 'Estimates' },
      { year: 2023, title: 'Revised', people: 101, importedBy: 'Adaeze Stone' },
    ]);
    // Another tenant has its own population.
    expect(await of(vendor)).toEqual([]);
  });

  test('is refused with a faulty line, without a source, or without the permission to change settings', async () => {
    const faulty = await call('POST', path, admin, { ...table('99999,2023,1'), ...source });
    expect([faulty.status, faulty.body.faults]).toEqual([
      422,
      [expect.objectContaining({ path: 'text', code: 'faulty-table' })],
    ]);
    expect(
      (await call('POST', path, admin, { ...table('12001,2023,1'), ...source, title: ' ' })).status,
    ).toBe(422);
    expect((await call('POST', path, epi, { ...table('12001,2023,1'), ...source })).status).toBe(403);
    expect(await of()).toEqual([
      [2024, 110, 'Estimates'],
      [2023, 101, 'Revised'],
    ]);
  });

  test('is deleted by year; the log says who imported and deleted which', async () => {
    expect((await call('DELETE', `${path}/residents/2023`)).status).toBe(200);
    expect((await call('DELETE', `${path}/residents/2023`)).status).toBe(404);
    expect(await of()).toEqual([[2024, 110, 'Estimates']]);
    const log = await asSuperuser<{ action: string; detail: unknown }>(
      `select action, detail from audit_event where tenant_id = $1 and action like 'setting/population-%' order by at`,
      [world.demo.id],
      superuserUrl,
    );
    const said = { population: 'residents', publisher: source.publisher };
    expect(log).toEqual([
      {
        action: 'setting/population-imported',
        detail: { ...said, title: 'Estimates', years: ['2023', '2024'] },
      },
      { action: 'setting/population-imported', detail: { ...said, title: 'Revised', years: ['2023'] } },
      { action: 'setting/population-deleted', detail: { ...said, title: 'Revised', years: ['2023'] } },
    ]);
  });
});
