import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { auditGrid } from '@caseway/contract/audit';
import { caseReportGrid } from '@caseway/contract/case-reports';
import { testing as testingAnalytics } from '@caseway/contract/dashboards/testing';
import { lookupsOf } from '@caseway/contract/fact';
import type { Grid } from '@caseway/contract/grid';
import { importGrid } from '@caseway/contract/imports';
import {
  facilities,
  jurisdictions,
  locations,
  organizations,
  programs,
  tasks,
} from '@caseway/contract/places';
import type { LookupOption } from '@caseway/contract/reference';
import { results } from '@caseway/contract/results';
import { testingRecords } from '@caseway/contract/testing-analytics';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeFacility, makePatient, makeResult } from '../../../test/factories.ts';
import { actFor, type SignedIn, signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const { demo, vendor } = world;
const sql = (text: string, params: unknown[] = []) => asSuperuser(text, params, superuserUrl);
beforeEach(() => sql(`update sign_in_challenge set created_at = created_at - interval '1 day'`));

const epi = await signInAs(testing, 'epi@demo.caseway.test');
const investigator = await signInAs(testing, 'investigator@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');

const get = (path: string, headers: Partial<SignedIn['headers']> = epi.headers) =>
  app.fastify.inject({ url: `/api/web/list/${path}`, headers });
const json = async (path: string, headers?: Partial<SignedIn['headers']>) => {
  const response = await get(path, headers);
  expect([path, response.statusCode]).toEqual([path, 200]);
  return response.json();
};
/** Like the browser: the answer, followed by the other entries of the public file. */
const options = async (name: string, headers?: Partial<SignedIn['headers']>) => {
  const answer = (await json(`options/${name}`, headers)) as { options: LookupOption[]; rest?: string };
  if (!answer.rest) return answer.options;
  const file = (await app.fastify.inject({ url: answer.rest })).json() as { options: LookupOption[] };
  const here = new Set(answer.options.map(({ id }) => id));
  return [...answer.options, ...file.options.filter(({ id }) => !here.has(id))];
};

const paths = [
  'initialGeo',
  'states',
  'cities_districts',
  'demographics',
  'vaxAdverseReactions',
  'diseaseCategories',
  'diseaseFamilies',
  'timeZones',
];

describe('[S7.6] look-ups', () => {
  test.each([...paths, 'options/programs'])('%s is for people who are signed in', async (path) => {
    expect((await get(path, {})).statusCode).toBe(401);
    expect((await get(path)).statusCode).toBe(200);
  });

  test.each(paths)('%s needs no organisation', async (path) => {
    expect((await get(path, { authorization: epi.headers.authorization })).statusCode).toBe(200);
  });

  test('[P15, S1.4] roles are named by their codes, as the audit log has them, in Spanish for women and men', async () => {
    const roles = await options('roleCodes');
    expect(roles.find(({ id }) => id === 'epidemiologist')).toMatchObject({
      id: 'epidemiologist',
      label: 'Epidemiologist',
      labelI18N: { es: 'Profesional de epidemiología', ht: 'Epidemyolojis' },
    });
    const masculine = roles.filter(({ labelI18N }) => /(?:or|ólogo|ario)(?!\p{L})/u.test(labelI18N!.es!));
    expect(masculine).toEqual([]);
  });

  test('[S1.4] every entry has a label in Spanish and in Haitian Creole, except names of cities', async () => {
    for (const path of paths) {
      const answer = (await json(path)) as Record<
        string,
        { label: string; labelI18N?: Record<string, string> }[]
      >;
      for (const [list, entries] of Object.entries(answer))
        if (list !== 'citiesDistricts')
          for (const entry of entries)
            expect([list, entry.label, entry.labelI18N]).toEqual([
              list,
              expect.any(String),
              expect.objectContaining({ es: expect.any(String), ht: expect.any(String) }),
            ]);
    }
  });

  test('[S3.12] the first look-up of places has the countries and the states, and cities when a state is named', async () => {
    const geo = await json('initialGeo');
    expect(geo.countries.length).toBeGreaterThan(190);
    expect(geo.countries.find(({ code }: { code: string }) => code === 'HT').labelI18N.es).toBe('Haití');
    expect(geo.states.find(({ code }: { code: string }) => code === '12')).toMatchObject({
      id: '12',
      label: 'Florida',
      abbreviation: 'FL',
      countryId: 'US',
    });
    expect(geo.citiesDistricts).toEqual([]);
    const florida = await json('initialGeo?stateId=12&countryId=US');
    expect(florida.citiesDistricts).toContainEqual({
      id: 'FL:Starke',
      code: 'FL:Starke',
      label: 'Starke',
      stateId: '12',
      countyFips: '12007',
    });
  });

  test('a country without states in the reference data offers no states and no cities', async () => {
    expect(await json('states?countryId=FR')).toEqual({ states: [] });
    expect(await json('cities_districts?countryId=FR&stateId=12')).toEqual({ citiesDistricts: [] });
    expect((await json('cities_districts?stateId=12')).citiesDistricts.length).toBeGreaterThan(300);
  });

  test('an unknown property is refused by name', async () => {
    const response = await get('states?country=US');
    expect([response.statusCode, response.json().faults]).toEqual([
      400,
      [expect.objectContaining({ path: 'country', code: 'unknown-field' })],
    ]);
  });

  test('time zones have their IANA names as ids', async () => {
    expect((await json('timeZones')).timeZones).toContainEqual(
      expect.objectContaining({ id: 'America/New_York', code: 'America/New_York' }),
    );
  });

  test('[P18] a restricted family is listed for people who may see it, and for no one without an organisation', async () => {
    const families = async (headers: Partial<SignedIn['headers']>) =>
      ((await json('diseaseFamilies', headers)).diseaseFamilies as { code: string }[]).map(
        ({ code }) => code,
      );
    expect(await families(epi.headers)).not.toContain('hiv');
    expect(await families(epi.headers)).toContain('syphilis');
    expect(await families(investigator.headers)).toContain('hiv');
    expect(await families({ authorization: investigator.headers.authorization })).not.toContain('hiv');
  });

  test('demographics: gender and orientation are hidden if the tenant has switched them off', async () => {
    const kept = await json('demographics');
    expect(kept.sex.map(({ code }: { code: string }) => code)).toEqual(expect.arrayContaining(['F', 'M']));
    expect(kept.race.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(['1002-5', '2028-9', '2054-5', '2076-8', '2106-3']),
    );
    expect(kept.gender.length).toBeGreaterThan(3);
    await sql('update tenant set gender_identity_kept = false where id = $1', [vendor.id]);
    const off = await json('demographics', vendorAdmin.headers);
    expect([off.gender, off.sexualOrientation]).toEqual([[], []]);
    expect(off.race).toEqual(kept.race);
    expect((await options('gender', vendorAdmin.headers)).length).toBe(0);
    expect((await options('gender')).length).toBeGreaterThan(3);
    // A jurisdiction may use each tenant that it reads.
    expect((await json(`demographics?tenantId=${vendor.id}`, jurisdiction.headers)).gender).toEqual([]);
    expect((await json(`demographics?tenantId=${demo.id}`, jurisdiction.headers)).gender).toEqual(
      kept.gender,
    );
  });

  test('demographics of a tenant that one does not belong to are not found, like those of an unknown one', async () => {
    for (const tenantId of [vendor.id, '00000000-0000-4000-8000-000000000000', 'x'])
      expect((await get(`demographics?tenantId=${tenantId}`)).statusCode).toBe(404);
  });
});

describe('the choices of filters', () => {
  test('a look-up that does not exist is not found', async () => {
    for (const name of ['nothing', 'constructor', '__proto__'])
      expect((await get(`options/${name}`)).statusCode).toBe(404);
  });

  test('programmes of the tenant by label, each with its programme type', async () => {
    const [types, programs, tasks] = [
      await options('programTypes'),
      await options('programs'),
      await options('tasks'),
    ];
    expect(types.map(({ label }) => label)).toEqual(
      demo.programTypes.map(({ label }) => label).sort((a, b) => a.localeCompare(b, 'en')),
    );
    const hiv = programs.find(({ label }) => label === 'HIV testing')!;
    expect(hiv).toMatchObject({ labelI18N: { es: 'Pruebas de VIH', ht: 'Tès VIH' } });
    expect(types.find(({ id }) => id === hiv.within!.programTypes)!.label).toBe('HIV prevention');
    expect(tasks).toHaveLength(demo.tasks.length);
    expect(tasks[0]!.within).toMatchObject({
      programs: expect.any(String),
      programTypes: expect.any(String),
      taskCategories: expect.any(String),
    });
  });

  test('facilities with their county and organisation', async () => {
    const facilities = await options('facilities');
    expect(facilities).toHaveLength(demo.facilities.length);
    expect(facilities.find(({ label }) => label === 'Mangrove Community Clinic Ybor City')!.within).toEqual({
      counties: '12057',
      organizations: demo.organizations.find(({ name }) => name === 'Mangrove Community Health Network')!.id,
    });
  });

  test('the counties of the tenant’s state first, then those of other states by their state; for a jurisdiction its own', async () => {
    const counties = await options('counties');
    expect(counties.slice(0, 67).every(({ within }) => within?.states === '12')).toBe(true);
    expect(counties[0]!.label).toBe('Alachua County');
    expect(counties.find(({ id }) => id === '12086')).toMatchObject({
      label: 'Miami-Dade County',
      labelI18N: { es: 'Condado de Miami-Dade' },
    });
    expect(counties.findIndex(({ id }) => id === '13121')).toBeGreaterThan(66);
    expect(counties.find(({ id }) => id === '13121')).toMatchObject({
      label: 'Fulton County, GA',
      labelI18N: { es: 'Condado de Fulton, GA' },
      within: { states: '13' },
    });
    expect(new Set(counties.map(({ id }) => id)).size).toBe(counties.length);
    expect((await options('counties', jurisdiction.headers)).map(({ label }) => label)).toEqual([
      'Hillsborough County',
      'Pasco County',
      'Pinellas County',
    ]);
  });

  test('the counties of other states are in a public file, which a browser caches; it has nothing about the reader [P20]', async () => {
    const answer = await get('options/counties');
    const { options: near, rest } = answer.json() as { options: LookupOption[]; rest: string };
    expect(answer.headers['cache-control']).toBe('no-store');
    // Florida has 67.
    expect(near).toHaveLength(67);
    expect(near.every(({ within }) => within?.states === '12')).toBe(true);
    expect(rest).toMatch(/^\/reference\/counties-[\w-]{12}\.json$/);
    expect((await options('counties')).length).toBe(3233);

    const file = await app.fastify.inject({ url: rest, headers: { 'accept-encoding': 'gzip, br' } });
    expect([file.statusCode, file.headers['cache-control'], file.headers['content-encoding']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      'br',
    ]);
    expect(file.rawPayload.length).toBeLessThan(60_000);
    const plain = await app.fastify.inject({ url: rest });
    expect(brotliDecompressSync(file.rawPayload).toString()).toBe(plain.body);
    const zipped = await app.fastify.inject({ url: rest, headers: { 'accept-encoding': 'gzip' } });
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
    // The same for everyone: its name has a hash of its contents.
    expect((await json('options/counties', vendorAdmin.headers)).rest).toBe(rest);
    expect((await json('options/counties', jurisdiction.headers)).rest).toBeUndefined();
    expect((await app.fastify.inject({ url: `${rest.slice(0, -6)}x.json` })).statusCode).toBe(404);
  });

  test('no list on a screen is longer than people read', async () => {
    const grids: readonly Grid[] = [
      auditGrid,
      caseReportGrid,
      facilities.grid,
      importGrid,
      jurisdictions.grid,
      locations.grid,
      organizations.grid,
      programs.grid,
      tasks.grid,
      testingRecords,
    ];
    const names = new Set([
      ...grids.flatMap(({ columns }) => Object.values(columns).map(({ options }) => options)),
      ...Object.values(lookupsOf(results, testingAnalytics.filters)),
    ]);
    const longest = 300;
    const lengths = new Map<string, number>();
    for (const name of names)
      if (typeof name === 'string')
        lengths.set(name, (await json(`options/${name}`)).options.length as number);
    expect(lengths.get('counties')).toBe(67);
    expect([...lengths].filter(([, length]) => length > longest)).toEqual([]);
  });

  test('[P1] facilities: nothing of another tenant, and no partner of the tenant sees another [S6.9]', async () => {
    const names = async (headers: SignedIn['headers']) =>
      (await options('facilities', headers)).map(({ label }) => label);
    expect((await names(vendorAdmin.headers)).every((name) => name.startsWith('Brightwell'))).toBe(true);
    expect((await names(epi.headers)).some((name) => name.startsWith('Brightwell'))).toBe(false);
    // A tenant's own facilities, and laboratories, of both tenants that report to the jurisdiction.
    const known = [...demo.facilities, ...vendor.facilities].filter(
      ({ organizationId, facilityType }) => organizationId === null || facilityType === 'laboratory',
    );
    expect((await names(jurisdiction.headers)).toSorted()).toEqual(known.map(({ name }) => name).toSorted());

    const ofDemo = demo.facilities.filter((facility) => known.includes(facility));
    const { id: college } = demo.organizations.find(({ name }) => name === 'Tidewater State College')!;
    const there = await actFor(testing, epi.tokens, `O:${college}`);
    const own = demo.facilities.filter(({ organizationId }) => organizationId === college);
    expect(own.length).toBeGreaterThan(0);
    expect((await names(there.headers)).toSorted()).toEqual(
      [...ofDemo, ...own].map(({ name }) => name).toSorted(),
    );
    expect(await options('organizations', there.headers)).toMatchObject([{ id: college }]);
  });

  test('a facility that an import made is offered to the whole tenant, and to readers who see one of its records', async () => {
    const tenant_id = demo.id;
    const named = async (headers: SignedIn['headers']) =>
      (await options('facilities', headers))
        .map(({ label }) => label)
        .filter((label) => label.startsWith('Made'));
    const near = await makeFacility(database, { tenant_id, name: 'Made near', registered: false });
    await makeFacility(database, { tenant_id, name: 'Made far', registered: false });
    expect(await named(epi.headers)).toEqual(['Made far', 'Made near']);
    expect(await named(jurisdiction.headers)).toEqual([]);
    const patient = await makePatient(database, { tenant_id, county_fips: '12057' });
    await makeResult(database, {
      tenant_id,
      patient_id: patient.id,
      county_fips: '12057',
      facility_id: near.id,
    });
    expect(await named(jurisdiction.headers)).toEqual(['Made near']);
  });

  test('[P18] conditions and families of a hidden family are absent', async () => {
    const hiv = (list: LookupOption[]) =>
      list.filter(({ id, within }) => id === 'hiv' || within?.diseaseFamilies === 'hiv').length;
    expect([hiv(await options('conditions')), hiv(await options('diseaseFamilies'))]).toEqual([0, 0]);
    expect(hiv(await options('conditions', investigator.headers))).toBeGreaterThan(0);
    expect(hiv(await options('diseaseFamilies', investigator.headers))).toBe(1);
  });

  test('investigators: people who may write cases, even after they have left, and no analyst', async () => {
    const labels = async () => (await options('investigators')).map(({ label }) => label);
    const before = await labels();
    expect(before).toEqual(expect.arrayContaining(['Erin Castellanos', 'Ines Valdez', 'Didier Baptiste']));
    for (const other of ['Anton Reyes', 'Audra Finch', 'Vera Nakamura', 'Marisol Demopatient'])
      expect(before).not.toContain(other);
    await sql(
      `update membership set ended_at = now() where account_id = (select id from account where username = 'dis@demo.caseway.test')`,
    );
    expect(await labels()).toEqual(before);
  });

  test('the jurisdictions that the tenant reports to; a jurisdiction is offered itself', async () => {
    expect((await options('jurisdictions')).length).toBe(5);
    expect((await options('jurisdictions', vendorAdmin.headers)).map(({ label }) => label)).toEqual([
      'Panhandle Health Jurisdiction',
      'Tampa Bay Tri-County Health Jurisdiction',
    ]);
    expect((await options('jurisdictions', jurisdiction.headers)).map(({ label }) => label)).toEqual([
      'Tampa Bay Tri-County Health Jurisdiction',
    ]);
  });

  test('code lists keep their order', async () => {
    expect((await options('resultCategories')).slice(0, 2).map(({ id }) => id)).toEqual([
      'positive',
      'negative',
    ]);
    expect((await options('ageBands'))[0]!.id).toBe('0-0');
    for (const name of [
      'sex',
      'race',
      'ethnicity',
      'resultStatuses',
      'classifications',
      'taskCategories',
      'specimenSites',
      'languages',
    ])
      expect((await options(name)).length).toBeGreaterThan(1);
  });
});
