import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import { testing as testingAnalytics } from '@caseway/contract/dashboards/testing';
import { initialFilters } from '@caseway/contract/search-params';
import type { Waits } from '@caseway/contract/waiting';
import type { WeeklyCases } from '@caseway/contract/weekly-cases';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { demoId } from '../seeds/demo/tenant-parts.ts';
import { demoWorld } from '../seeds/demo/tenants.ts';
import { testApp } from '../test/app.ts';
import { askingAs } from '../test/asking.ts';
import { asSuperuser } from '../test/database.ts';
import { makeCaseReport, makeFacility, makePatient, makeResult } from '../test/factories.ts';
import { forgetMemberships, signInAs } from '../test/sign-in.ts';

const county = '12057';
const { demo, vendor, jurisdictions } = demoWorld();
/** Managed by the first tenant; both report to it. */
const jurisdiction = jurisdictions.find(({ name }) => name.startsWith('Tampa Bay'))!;
const tenants = { demo: demo.id, vendor: vendor.id };

describe.each(['duckdb', 'postgres'] as const)(
  '[S1.6] a jurisdiction reads what a tenant has switched on, by %s',
  async (engine) => {
    const testing = await testApp({ ANALYTICS_ENGINE: engine });
    const { database, superuserUrl } = testing;
    await seedDemoTenants(database);
    const sql = (text: string, params: unknown[] = []) => asSuperuser(text, params, superuserUrl);
    const cases: Record<string, string> = {};
    const patients: Record<string, string> = {};
    // One case in each tenant, and enough results that none have to be withheld.
    for (const [name, tenant_id] of Object.entries(tenants)) {
      const facility = await makeFacility(database, {
        tenant_id,
        name: `Clinic of ${name}`,
        county_fips: county,
      });
      const where = { tenant_id, facility_id: facility.id, county_fips: county };
      for (let n = 0; n < 20; n++) {
        const patient = await makePatient(database, {
          tenant_id,
          last_name: `Canary${name}`,
          county_fips: county,
        });
        await makeResult(database, { ...where, patient_id: patient.id });
        if (n > 0) continue;
        patients[name] = patient.id;
        const investigated = { investigator_id: demoId('account/jurisdiction@demo.caseway.test') };
        cases[name] = (
          await makeCaseReport(database, { ...where, ...investigated, patient_id: patient.id })
        ).id;
      }
    }
    // Beta features are on here too.
    await sql("update tenant set tenant_features = tenant_features || '{weekly-cases}'");
    const reader = await signInAs(testing, 'jurisdiction@demo.caseway.test');
    await sql(
      `insert into notification (tenant_id, id, account_id, kind, record_kind, record_id, at)
       select tenant_id, gen_random_uuid(), $1, 'assigned', 'case', id, now() from case_report`,
      [reader.init.user.id],
    );
    const { ask, ok } = askingAs(testing, reader);
    const lookedUp = async (query: string) =>
      (await ok<{ options: { label: string }[] }>('GET', `list/options/facilities${query}`)).options
        .map(({ label }) => label)
        .filter((label) => label.startsWith('Clinic of'));
    const range = { dateRangeValue: { start: '2026-01-01', end: '2026-12-31' } };
    const grid = (id: string) => ok<{ rowCount: number }>('POST', `grid/${id}/search`, range);

    /** Everything that a reader can read through each feature, in both tenants. */
    const read: Record<string, () => Promise<object>> = {
      'case-reports': async () => {
        const file = await ask('POST', 'grid/case-reports/export', { query: range, columns: ['lastName'] });
        return {
          rows: (await grid('case-reports')).rowCount,
          records: await Promise.all(
            Object.values(cases).map(async (id) => (await ask('GET', `case-reports/${id}`)).statusCode),
          ),
          exported: [file.statusCode, [...file.body.matchAll(/Canary\w+/g)].map(([name]) => name).sort()],
          names: await lookedUp('?feature=case-reports'),
          waiting: Object.fromEntries(
            (await ok<{ waits: Waits[] }>('GET', 'waiting')).waits.map(({ kind, count }) => [kind, count]),
          ),
          unread: (await ok<{ unread: number }>('GET', 'inbox/unread')).unread,
        };
      },
      'testing-analytics': async () => ({
        rows: (await grid('testing-records')).rowCount,
        tests: (
          await ok<AnalyticsAnswer>('POST', 'analytics/testing', {
            ...range,
            filters: initialFilters(testingAnalytics),
            eventDate: 'collected',
          })
        ).measures.tests!.value,
        names: await lookedUp('?feature=testing-analytics'),
      }),
      'weekly-cases': async () => ({
        cases: (await ok<WeeklyCases>('GET', 'weekly-cases?weekOf=2026-03-05')).total.current,
      }),
      patients: async () => ({
        portals: await Promise.all(
          Object.values(patients).map(async (id) => (await ask('GET', `patients/${id}/portal`)).statusCode),
        ),
      }),
    };
    const switches = async (text: string, params: unknown[]) => {
      await sql(text, params);
      forgetMemberships(testing);
    };
    const offForAll = (feature: string) =>
      switches('update tenant set tenant_features = array_remove(tenant_features, $2) where id = $1', [
        vendor.id,
        feature,
      ]);
    const onForAll = (feature: string) =>
      switches('update tenant set tenant_features = tenant_features || $2::text where id = $1', [
        vendor.id,
        feature,
      ]);
    const both = ['Clinic of demo', 'Clinic of vendor'];

    const whole = {
      'case-reports': {
        rows: 2,
        records: [200, 200],
        exported: [200, ['Canarydemo', 'Canaryvendor']],
        names: both,
        waiting: { ownCases: 2 },
        unread: 2,
      },
      'testing-analytics': { rows: 40, tests: 40, names: both },
      'weekly-cases': { cases: 2 },
      patients: { portals: [200, 200] },
    };
    const without = {
      'case-reports': {
        rows: 1,
        records: [200, 404],
        exported: [200, ['Canarydemo']],
        names: ['Clinic of demo'],
        waiting: { ownCases: 1 },
        unread: 1,
      },
      'testing-analytics': { rows: 20, tests: 20, names: ['Clinic of demo'] },
      'weekly-cases': { cases: 1 },
      patients: { portals: [200, 404] },
    };
    const none = { rows: 0, records: [404, 404], exported: [200, []], names: [], waiting: {}, unread: 0 };
    const named = ['case-reports', 'testing-analytics', 'patients', 'weekly-cases'] as const;

    test.each(named)(
      '%s: nothing of a tenant that has it off, and everything again when it is on',
      async (feature) => {
        await expect.poll(read[feature]!).toEqual(whole[feature]);
        await offForAll(feature);
        // The weekly table counts case reports.
        const bound = feature === 'case-reports' ? [feature, 'weekly-cases'] : [feature];
        for (const other of named)
          expect(await read[other]!()).toEqual((bound.includes(other) ? without : whole)[other]);
        await onForAll(feature);
        expect(await read[feature]!()).toEqual(whole[feature]);
      },
    );

    test.each(named)('%s: nothing of one that has it off only for this jurisdiction', async (feature) => {
      await switches(
        'insert into feature_switch (tenant_id, org_type, org_id, feature, is_on) values ($1, $2, $3, $4, false)',
        [vendor.id, 'PHJ', jurisdiction.id, feature],
      );
      expect(await read[feature]!()).toEqual(without[feature]);
      await switches('delete from feature_switch', []);
      expect(await read[feature]!()).toEqual(whole[feature]);
    });

    test('a look-up for no feature in particular has no name of a tenant that has everything off for it', async () => {
      expect(await lookedUp('')).toEqual(both);
      await offForAll('case-reports');
      expect(await lookedUp('')).toEqual(both);
      await switches("update tenant set tenant_features = '{}' where id = $1", [vendor.id]);
      expect(await lookedUp('')).toEqual(['Clinic of demo']);
      await switches(
        'update tenant set tenant_features = (select tenant_features from tenant where id = $2) where id = $1',
        [vendor.id, demo.id],
      );
    });

    test('if no tenant has it on, nothing is shown, and people keep their column arrangement', async () => {
      const arranged = { columns: { order: ['lastName'], hidden: [], pinned: [], widths: {} } };
      expect((await ask('PUT', 'grid/case-reports/columns', arranged)).statusCode).toBe(200);
      await switches(
        'update tenant_reporting set ended_at = now() where tenant_id = $1 and jurisdiction_id = $2',
        [demo.id, jurisdiction.id],
      );
      await offForAll('case-reports');
      expect(await read['case-reports']!()).toEqual(none);
      expect(await ok('GET', 'grid/case-reports/columns')).toEqual(arranged);
    });
  },
);
