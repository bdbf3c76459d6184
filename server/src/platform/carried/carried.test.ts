import { randomUUID } from 'node:crypto';
import type { GlassAccess } from '@caseway/contract/break-glass';
import type { PatientMatch } from '@caseway/contract/matches';
import type { jurisdictions, ReportedJurisdiction } from '@caseway/contract/places';
import { consentWording, type PortalState } from '@caseway/contract/portal';
import type { RecordOf } from '@caseway/contract/record';
import { describe, expect, test } from 'vitest';
import { fillDemo } from '../../../seeds/demo/fill.ts';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { carryAll, forgetOne, strays } from '../../../test/carried.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeScopeWorld } from '../../../test/scope-world.ts';
import { signInAs, signInAsPatient } from '../../../test/sign-in.ts';
import { runImport } from '../../features/imports/running/run-import.ts';
import {
  chlamydia,
  detected,
  elr,
  gonorrhoea,
  hivScreen,
  importText,
  notDetected,
} from '../../features/imports/test-messages.ts';
import type { Scope } from '../scope.ts';
import { insertCarried } from './carried.ts';

/*
 * Rows carry correctly who sees them: at first, and after each action that creates records, moves them to another
 * person or place, or changes who sees them. [P1, P18, P23]
 */

const testing = await testApp();
const { database, superuserUrl } = testing;
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
await fillDemo(database, {
  demo: { patients: 60, results: 180, cases: 40 },
  vendor: { patients: 25, results: 60, cases: 15 },
});
const world = await seedDemoTenants(database);
const { demo } = world;
await makeScopeWorld(superuserUrl);

const [north, south] = demo.organizations;
const clinicOf = (organization: { id: string } | undefined, not = '') =>
  demo.facilities.find(({ organizationId, id }) => organizationId === organization!.id && id !== not)!;
const hiv = { test: hivScreen, value: detected };
const person = (id: string, last: string, more = {}) => ({
  id,
  last,
  first: 'Ada',
  birth: '19900501',
  ...more,
});

/** What a member of an organization or facility may see of the existing records during an upload. */
const sightOf = (place: { organizationId?: string; facilityId?: string }) => ({
  organizationId: null,
  facilityId: null,
  hiddenFamilies: ['hiv'],
  ...place,
});

const admin = await signInAs(testing, 'admin@demo.caseway.test');
const investigator = await signInAs(testing, 'investigator@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);
const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');
const { ok } = askingAs(testing, admin);

/** People who occur twice in each round of imports. */
const twice = ['Vandermeer', 'Quillfeather'];

/**
 * Reports of two clinics about the same and other people. Some are of restricted families, some have unknown codes,
 * and some are unreadable.
 */
async function importAll(round: number): Promise<void> {
  const send = (text: string, given: Parameters<typeof importText>[3] = {}) =>
    importText(database, demo.id, text, given);
  const { id: facilityId, organizationId } = clinicOf(north);
  const both = { last: `Bothclinics${round}`, birth: '19810203' };
  await send(
    elr({ patient: person(`A${round}`, both.last, both), tests: [{}, hiv], clinic: 'Alder Clinic' }) +
      elr({ patient: person(`H${round}`, `Onlyhiv${round}`), tests: [hiv], clinic: 'Hidden Clinic' }),
    {
      facilityId,
      organizationId: organizationId ?? undefined,
      createdBy: clinician.init.user.id,
      sight: sightOf({ facilityId }),
    },
  );
  await send(
    elr({
      patient: person(`B${round}`, both.last, { ...both, county: '12057' }),
      tests: [{ test: gonorrhoea }, {}],
    }),
    { organizationId: south!.id, createdBy: epi.init.user.id, sight: sightOf({ organizationId: south!.id }) },
  );
  await send(
    elr({ patient: person(`C${round}`, both.last, both), tests: [{ test: '99999-9^No such test^L' }] }) +
      elr({ patient: person(`D${round}`, `Waiting${round}`), tests: [{ test: '99998-8^HIV unknown^L' }] }) +
      `MSH|^~\\&|LIS|nonsense\rPID|HIV\r`,
    { organizationId: north!.id, createdBy: epi.init.user.id },
  );
  // People whom another report of the tenant itself makes known at more places or counties.
  await send(
    elr({
      patient: person(`A${round}`, both.last, { ...both, county: '13121' }),
      tests: [hiv],
      clinic: 'Cedar Clinic',
    }) +
      elr({ patient: { last: twice[round - 1]!, first: 'Ottoline', birth: '19810203', id: `T${round}` } }) +
      elr({
        patient: {
          last: twice[round - 1]!,
          first: 'Ottoline',
          birth: '19810302',
          id: '',
          phone: '',
          street: '',
          zip: '',
          city: '',
        },
        tests: [{ test: chlamydia, value: notDetected }, hiv],
        collected: '20260501090000-0400',
      }),
  );
}
await importAll(1);

/** Runs the queued jobs. */
async function runQueued(): Promise<void> {
  const queued = await sql<{ id: string }>(
    `select id from import where tenant_id = $1 and state = 'queued'`,
    [demo.id],
  );
  for (const { id: importId } of queued) await runImport({ database, tenantId: demo.id, importId });
}

/** No row carries anything but what it has to. */
const nothingAstray = async () => expect((await strays(superuserUrl)).astray).toEqual([]);

describe('rows carry who sees them [P1, P18, P23]', () => {
  test('in existing records, of every table that carries something', async () => {
    const { astray, looked } = await strays(superuserUrl);
    expect(astray).toEqual([]);
    expect(Object.entries(looked).filter(([, rows]) => rows === 0)).toEqual([]);
  });

  test.each([
    ['case_event', 'organization_id'],
    ['search_key', 'places'],
    ['specimen', 'told'],
    ['portal_invitation', 'organization_ids'],
  ])('and a wrong row of %s is found', async (table, column) => {
    await forgetOne(superuserUrl, table, column);
    expect((await strays(superuserUrl)).astray).toEqual([expect.stringMatching(`^1 of \\d+ in ${table}$`)]);
    await carryAll(superuserUrl);
  });

  const ofImports = [
    'case_result',
    'import_message',
    'import_tally',
    'patient_identifier',
    'patient_match',
    'search_key',
    'specimen',
  ];
  test.each(ofImports)('and no reader inserts a row of %s with columns of their choice', async (table) => {
    const reader: Omit<Extract<Scope, { kind: 'org' }>, 'orgType' | 'orgId'> = {
      kind: 'org',
      tenantId: demo.id,
      accountId: admin.init.user.id,
      counties: [],
      hiddenFamilies: [],
      genderIdentityShown: true,
    };
    const readers: Scope[] = [
      { ...reader, orgType: 'T', orgId: demo.id },
      { ...reader, orgType: 'O', orgId: north!.id },
      { ...reader, orgType: 'F', orgId: clinicOf(north).id },
      {
        kind: 'patient',
        tenantId: demo.id,
        patientId: world.patient.patientId,
        accountId: admin.init.user.id,
      },
      { kind: 'identity' },
    ];
    const [row] = await sql<{ all: string }>(
      `select to_json(r)::text as all from ${table} r where tenant_id = $1 limit 1`,
      [demo.id],
    );
    const columns = Object.keys(JSON.parse(row!.all));
    for (const scope of readers)
      await expect(
        database.withScope(scope, (tx) =>
          tx.run(
            `insert into ${table} (${columns.join(', ')})
               values (${columns.map((name) => `(json_populate_record(null::${table}, $1::json)).${name}`).join(', ')})`,
            [row!.all],
          ),
        ),
      ).rejects.toMatchObject({ code: '42501' });
  });

  test('and a row is not inserted without the one that decides, but can be tried again', async () => {
    const given = { id: randomUUID(), kind: 'note', detail: '{"text": "x"}' };
    await expect(
      database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
        insertCarried(tx, 'case_event', 'case_report', demo.id, randomUUID(), given),
      ),
    ).rejects.toMatchObject({ code: 'unavailable' });
  });

  let merged: PatientMatch;
  test('after imports about the same people, corrections, messages that are run again, and merges of persons', async () => {
    await importAll(2);
    const imports = await sql<{ id: string; message: string }>(
      `select i.id, m.id as message from import i join import_message m on m.tenant_id = i.tenant_id and m.import_id = i.id
       where i.tenant_id = $1 and m.state = 'waiting' order by m.created_at, m.index limit 2`,
      [demo.id],
    );
    const { id, message } = imports[0]!;
    await ok('POST', `imports/${id}/messages/${message}/correct`, {
      text: elr({
        patient: person('C1', 'Corrected', { birth: '19700101' }),
        tests: [{}, hiv],
        clinic: 'Alder Clinic',
      }),
    });
    await ok('POST', `imports/${id}/rerun`, { state: 'waiting' });
    await runQueued();
    const { rows } = await ok<{ rows: PatientMatch[] }>('GET', 'patient-matches');
    merged = rows.find(({ patient }) => patient.lastName === twice[0])!;
    const other = rows.find(({ patient }) => patient.lastName === twice[1])!;
    await ok('POST', `patient-matches/${merged.id}`, { decision: 'same' });
    await ok('POST', `patient-matches/${other.id}`, { decision: 'same' });
    await nothingAstray();
  });

  test('after a merge was undone, facilities became others, and organizations took over a facility and programs', async () => {
    await ok('POST', `patient-matches/${merged.id}`, { decision: 'open' });
    const into = clinicOf(south);
    const made = await sql<{ id: string; version: number }>(
      `select id, version from facility where tenant_id = $1 and not registered and merged_into is null
         and name ~* 'alder|hidden' order by name`,
      [demo.id],
    );
    expect(made.length).toBeGreaterThan(1);
    for (const { id, version } of made)
      await ok('POST', `facilities/${id}/merge`, { version, into: into.id });
    const [unconfirmed] = await sql<{ id: string; version: number }>(
      `select id, version from facility where tenant_id = $1 and not registered and merged_into is null order by name limit 1`,
      [demo.id],
    );
    await ok('POST', `facilities/${unconfirmed!.id}/confirm`, { version: unconfirmed!.version });
    const facility = clinicOf(north);
    const { version, ...record } = await ok<{ version: number; name: string }>(
      'GET',
      `facilities/${facility.id}`,
    );
    expect(record.name).toBe(facility.name);
    await ok('PATCH', `facilities/${facility.id}`, { version, organization: south!.id });
    const programs = await sql<{ id: string; version: number }>(
      'select id, version from program where tenant_id = $1 order by label',
      [demo.id],
    );
    for (const { id, version: at } of programs.slice(0, 2))
      await ok('PATCH', `programs/${id}`, { version: at, organization: north!.id });
    await nothingAstray();
  });

  test('after a patient agreed to something, a result was released, someone was invited, and during emergency access to a case', async () => {
    const patient = await signInAsPatient(testing, { email: world.patient.email }, world.patient.birthDate);
    const consent = { kind: 'sharing', given: true, wording: consentWording };
    const asPatient = { ...testing, headers: patient.headers };
    await askingAs(asPatient, patient, '/api/patient/').ok('POST', 'consents', consent);
    const portal = `patients/${world.patient.patientId}/portal`;
    const { held } = await ok<PortalState>('GET', portal, undefined, investigator.headers);
    await ok('POST', `${portal}/release`, { resultId: held[0]!.id }, investigator.headers);
    await ok('PUT', 'settings/held-results', {
      rules: [
        { diseaseFamily: 'chlamydia', condition: null, resultCategory: 'positive', held: true },
        { diseaseFamily: 'chlamydia', condition: 'chlamydia', resultCategory: 'negative', held: false },
      ],
    });
    const [invited] = await sql<{ id: string; email: string }>(
      `update patient set emails = '{someone@example.test}' where tenant_id = $1 and last_name = 'Bothclinics1'
       returning id, emails[1] as email`,
      [demo.id],
    );
    await ok('POST', `patients/${invited!.id}/portal/invite`, {
      by: 'EMAIL',
      to: invited!.email,
      languageCode: 'en',
    });
    const [hidden] = await sql<{ caseId: string }>(
      `select case_id as "caseId" from case_report where tenant_id = $1 and disease_family = 'hiv' order by created_at desc`,
      [demo.id],
    );
    const reason = 'The person is in our emergency room.';
    const { access } = await ok<{ access: GlassAccess }>(
      'POST',
      'break-glass',
      { caseNumber: hidden!.caseId, reasonKind: 'treatment', reason },
      clinician.headers,
    );
    await nothingAstray();
    await ok('POST', `break-glass/${access.id}/end`, undefined, clinician.headers);
  });

  test('after that access has ended, tenants began and stopped reporting, and a jurisdiction got counties', async () => {
    const made = await ok<RecordOf<typeof jurisdictions>>('POST', 'jurisdictions', {
      name: 'New County',
      parent: null,
      counties: ['12001'],
      reporting: false,
    });
    const decide = async (id: string, reporting: object | null, headers = admin.headers) => {
      const { jurisdictions } = await ok<{ jurisdictions: ReportedJurisdiction[] }>(
        'GET',
        'reporting?words=',
        undefined,
        headers,
      );
      const { version, reporting: before } = jurisdictions.find((one) => one.id === id)!;
      await ok('PUT', `reporting/${id}`, { version, before, after: reporting }, headers);
    };
    await decide(made.id, { restrictedFamilies: false }, vendorAdmin.headers);
    await decide(made.id, { restrictedFamilies: false });
    await decide(made.id, null, vendorAdmin.headers);
    const { version } = await ok<RecordOf<typeof jurisdictions>>('GET', `jurisdictions/${made.id}`);
    await ok('PATCH', `jurisdictions/${made.id}`, { version, counties: ['12001', '12057', '13121'] });
    await nothingAstray();
  });

  test('after codes were decided, changed and undone, and a family became restricted and unrestricted again', async () => {
    const decide = async (code: string, decision: object) => {
      const [waiting] = await sql<{ id: string }>(
        'select id from code_mapping where tenant_id = $1 and code = $2',
        [demo.id, code],
      );
      await ok('PUT', `code-mappings/${waiting!.id}`, decision);
      await runQueued();
      await nothingAstray();
    };
    await decide('99998-8', { state: 'mapped', target: '56888-1' });
    await decide('99998-8', { state: 'open' });
    await decide('99998-8', { state: 'mapped', target: '21613-5' });
    await decide('99999-9', { state: 'ignored' });
    await decide('99999-9', { state: 'open' });
    for (const restrictedFamilies of [['chlamydia'], []]) {
      const { version } = await ok<{ version: number }>('GET', 'settings');
      await ok('PATCH', 'settings', { version, changes: { restrictedFamilies } });
      await nothingAstray();
    }
  });
});
