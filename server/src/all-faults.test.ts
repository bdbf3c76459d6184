import { randomUUID } from 'node:crypto';
import { caseFollowUpRecord } from '@caseway/contract/case-follow-ups';
import { contactRecord } from '@caseway/contract/contacts';
import { documentRecord } from '@caseway/contract/documents';
import { fieldVisitRecord } from '@caseway/contract/field-visits';
import { incidentRecord } from '@caseway/contract/incident-reports';
import { partnerRecord } from '@caseway/contract/partner-services';
import { patientPerson } from '@caseway/contract/patients';
import { telemedicineRecord } from '@caseway/contract/telemedicine';
import { vaccinationRecord } from '@caseway/contract/vaccinations';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { blankOf } from '../test/blank.ts';
import { asSuperuser } from '../test/database.ts';
import {
  makeCaseFollowUp,
  makeCaseReport,
  makeContact,
  makeDocument,
  makeFieldVisit,
  makeIncident,
  makePartnerService,
  makePatient,
  makeShipment,
  makeTelemedicineVisit,
  makeTreatment,
  makeVaccination,
} from '../test/factories.ts';
import { signInAs } from '../test/sign-in.ts';
import { importText } from './features/imports/test-messages.ts';
import { recoveryTools } from './features/recovery/test-recovery.ts';
import type { AppError } from './platform/http/app-error.ts';
import { validate } from './platform/http/validation.ts';

/*
 * One answer lists everything that is wrong with a request [S5.1]. Every endpoint with a body or parameters is here:
 * the faults that its schema finds, and those that only the server can know.
 */

const testing = await testApp({}, { background: true });
const { app, database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
const nobody = '11111111-1111-4111-8111-111111111111';
const tenant_id = demo.id;

const writing = app.endpoints.filter(
  ({ method, body, query }) => method !== 'GET' && (body !== undefined || query !== undefined),
);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('all faults that the schema of an endpoint finds are reported together [S5.1]', () => {
  const shapes = writing.flatMap((endpoint) => {
    const schema = (endpoint.body ?? endpoint.query) as z.ZodType;
    return schema instanceof z.ZodObject && Object.keys(schema.shape).length > 1
      ? [[nameOf(endpoint), schema] as const]
      : [];
  });

  test.each(shapes)('%s', (_, schema) => {
    const names = Object.keys(schema.shape);
    // A value that no property accepts.
    const body = Object.fromEntries(names.map((name) => [name, Symbol.for('wrong')]));
    const told = () => {
      try {
        validate(schema, body);
        return [];
      } catch (error) {
        return (error as AppError).details.faults!.map(({ path }) => path);
      }
    };
    expect(told().sort()).toEqual(names.sort());
  });
});

/** Endpoints whose server finds no fault beyond the schema's, or can only check a complete request. */
const alone: readonly [pattern: RegExp, reason: string][] = [
  [/^POST \/auth\//, 'what a stranger asks is judged by its schema; whether it is true is not told'],
  [/\/(api\/web\/grid|analytics)\//, 'filters, columns and presets are judged by their schema'],
  [/^POST \/api\/web\/(case-reports|audit|users)\/export$/, 'as the grid whose rows they take out'],
  [/^POST \/api\/web\/(users\/find|audit\/records|roles\/check)$/, 'a question with nothing to refuse'],
  [
    /\/(totp|passkeys|contact\/confirm)$/,
    'a wrong code counts as a try, so codes are judged only all together',
  ],
  [/^POST \/api\/(profile|patient)\/contact$/, 'whether an address is taken is not told'],
  [
    /^(PATCH \/api\/profile|PATCH \/api\/profile\/passkeys\/:id|PATCH \/api\/patient\/me)$/,
    'the schema alone',
  ],
  [/^POST \/api\/patient\/(consents|follow-up|visits\/:id\/(cancel|arrive))$/, 'the schema alone'],
  [
    /^POST \/api\/patient\/reactions$/,
    'which days are possible follows from the vaccine: judged once it is read',
  ],
  [
    /^POST \/api\/patient\/visits(\/:id\/reschedule)?$/,
    'whether a time is free is told of a whole request alone',
  ],
  [/^POST \/api\/web\/patients\/:id\/portal\/release$/, 'one answer'],
  [/^POST \/api\/web\/patients\/:id\/guardians\/:guardianId\/end$/, 'the schema alone'],
  [
    /^POST \/api\/web\/([\w-]+)\/(:id\/notes|bulk|bulk\/:action\/undo)$/,
    'one text; each record of many has its own answer',
  ],
  [
    /^PATCH \/api\/web\/case-reports\/:id\/investigation$/,
    'which answers are asked for follows from the others: judged once all can be read',
  ],
  [
    /^POST \/api\/web\/[\w-]+\/:id\/transitions\/:transition$/,
    'what a transition lacks follows from all that comes with it: judged once that can be read',
  ],
  [/^(POST \/api\/web\/inbox\/read(-all)?|PUT \/api\/web\/inbox\/ways)$/, 'the schema alone'],
  [/^POST \/api\/web\/settings\/forms\/:form$/, 'as the form that they make together'],
  [/^POST \/api\/web\/(users\/table|settings\/population\/preview)$/, 'each row has its own answer'],
  [/^POST \/api\/web\/settings\/population$/, 'what is wrong with the table is shown before, line by line'],
  [/^POST \/api\/web\/incident-reports\/vaers(\/check)?$/, 'each report of the files has its own answer'],
  [/^POST \/api\/web\/(patients\/alike|search(\/recent)?)$/, 'a question with nothing to refuse'],
  [/^POST \/api\/web\/imports\/:id\/(rerun|messages\/:messageId\/correct)$/, 'the schema alone'],
  [/^POST \/api\/web\/code-mappings\/decisions$/, 'one answer for each code'],
  [/^(PUT \/api\/web\/code-mappings|POST \/api\/web\/patient-matches)\/:id$/, 'one answer'],
  [/^(POST \/api\/web\/recoveries\/:id\/decline|POST \/api\/web\/settings\/guide)$/, 'the schema alone'],
  [/^POST \/api\/web\/break-glass$/, 'whether there is such a case is told only after a reason was given'],
  [
    /^(POST \/api\/web\/facilities\/:id\/(confirm|merge)|PUT \/api\/web\/reporting\/:id)$/,
    'one answer beside the version',
  ],
  [/^(POST|PATCH) \/api\/web\/sample-shipments\/:id\/(specimens|scans)/, 'one answer'],
  [/^POST \/api\/web\/sample-shipments\/storage\/:id\/specimens/, 'one answer'],
  [/^DELETE \/api\/web\/locations\/:id$/, 'the version alone'],
  [/^POST \/api\/web\/[\w-]+\/:id\/(undo|follow-rule)$/, 'the version alone'],
  [
    /\/(organizations|facilities|jurisdictions|programs|tasks|teams|locations)(\/:id)?$/,
    'places/faults.test.ts',
  ],
  [/^(POST|PATCH) \/api\/web\/users(\/:id|\/:id\/memberships|\/memberships\/:id)?$/, 'users/faults.test.ts'],
];

interface Case {
  as: string;
  /** The address, if it is not the path of the endpoint. */
  url?: () => Promise<string> | string;
  body?: object;
  headers?: Record<string, string>;
  faults: string[];
}
const admin = 'admin@demo.caseway.test';
const system = 'sysadmin@demo.caseway.test';
const officer = 'privacy@demo.caseway.test';
const draft = {
  label: 'epidemiologist',
  labelI18N: {},
  parentIds: [nobody],
  grants: [{ on: 'T', permission: 'nothing/read', effect: 'allow' }],
};
const draftFaults = [
  'draft.grants.0.permission invalid_value',
  'draft.label name-taken',
  'draft.parentIds.0 unknown-role',
];
const person = await makePatient(database, { tenant_id, emails: ['sam@example.test'], phones: [] });

const table = async () => {
  const list = 'Surname,Given,DOB\nDoe,Jo,01/02/1990\n';
  return (await importText(database, tenant_id, list, { createdBy: accountOf.get(admin)! })).importId;
};
/** At least two faults for each: one that the schema finds, and those that only the server can know. */
const treatedCase = randomUUID();
const caseWithTask = randomUUID();
const exposingCase = randomUUID();
const startedCase = randomUUID();
const followedCase = randomUUID();
const ofSyphilis = { condition_code: 'syphilis-primary', disease_family: 'syphilis' };
/** The address of a contact under follow-up. */
const contactOf = async () => {
  const { id: case_report_id } = await makeCaseReport(database, { tenant_id, patient_id: person.id });
  const { id } = await makeContact(database, { tenant_id, case_report_id, status: 'under-follow-up' });
  return `/api/web/contacts/${id}`;
};
/** The address of the follow-up of a case. */
const followUpOf = async () => {
  const { id: case_report_id } = await makeCaseReport(database, { tenant_id, patient_id: person.id });
  const { id } = await makeCaseFollowUp(database, { tenant_id, case_report_id, patient_id: person.id });
  return `/api/web/case-follow-ups/${id}`;
};
/** The address of an assigned visit. */
const visitOf = async () => {
  const worker_id = accountOf.get(admin)!;
  const made = { tenant_id, patient_id: person.id, status: 'assigned', worker_id };
  return `/api/web/field-visits/${(await makeFieldVisit(database, made)).id}`;
};
const beside: Record<string, Case> = {
  'POST /api/web/system/tenants': {
    as: system,
    body: {
      name: demo.name,
      slug: 'Not a slug',
      experience: 'HEALTH_CARE',
      stateFips: '12',
      timeZone: 'Nowhere/Land',
      languages: ['en'],
      defaultLanguage: 'es',
      administrator: { firstName: '', lastName: 'Bell', email: 'bell', language: 'en' },
    },
    faults: [
      'administrator.email invalid_format',
      'administrator.firstName too_small',
      'defaultLanguage not-offered',
      'name name-taken',
      'slug slug',
      'timeZone time-zone',
    ],
  },
  'POST /api/web/system/tenants/:id/suspension': {
    as: system,
    url: async () => {
      const [own] = await sql<{ id: string }>(
        `select id from tenant where experience = 'SYSTEM_ADMINISTRATION'`,
      );
      return `/api/web/system/tenants/${own!.id}/suspension`;
    },
    body: { reason: ' ' },
    faults: [' system-tenant', 'reason too_small'],
  },
  'PATCH /api/web/settings': {
    as: admin,
    body: { version: 1, changes: { smallCellThreshold: -1, tenantLanguages: ['en'], defaultLanguage: 'ht' } },
    faults: ['changes.defaultLanguage language-not-offered', 'changes.smallCellThreshold too_small'],
  },
  'PUT /api/web/settings/labels': {
    as: admin,
    body: { language: 'xx', key: 'common:no.such.label', text: '', before: null },
    faults: ['key unknown-label', 'language invalid_value', 'text too_small'],
  },
  'PUT /api/web/settings/logo': {
    as: admin,
    body: { image: Buffer.from('<svg/>').toString('base64'), before: 5 },
    faults: ['before invalid_type', 'image logo-svg'],
  },
  'PUT /api/web/settings/messages': {
    as: admin,
    body: {
      kind: 'sign-in-code',
      language: 'xx',
      text: { subject: 'Long '.repeat(50), body: 'There is no code in it.' },
      before: null,
    },
    faults: ['language invalid_value', 'text.body placeholder-missing', 'text.subject too_big'],
  },
  'POST /api/web/roles/preview': { as: admin, body: { version: 1, id: null, draft }, faults: draftFaults },
  'POST /api/web/roles': { as: admin, body: { version: 1, id: null, draft }, faults: draftFaults },
  'PUT /api/web/telemedicine/availability/:provider': {
    as: admin,
    url: () => `/api/web/telemedicine/availability/${randomUUID()}`,
    body: {
      version: 0,
      plan: {
        facility: randomUUID(),
        timeZone: 'America/New_York',
        languages: [],
        bufferMinutes: 0,
        leadHours: -1,
        horizonDays: 30,
        dailyLimit: null,
        patients: false,
        rules: [
          {
            weekdays: ['mon'],
            from: '10:00',
            to: '09:00',
            minutes: 30,
            visitTypes: [],
            validFrom: null,
            validTo: null,
          },
        ],
        exceptions: [],
      },
    },
    faults: ['plan.facility unknown-choice', 'plan.leadHours too_small', 'plan.rules.0.to to-before-from'],
  },
  'PUT /api/web/settings/held-results': {
    as: admin,
    body: {
      rules: [
        { diseaseFamily: 'hiv', condition: null, resultCategory: 'positive', held: 'perhaps' },
        { diseaseFamily: 'no-such-family', condition: null, resultCategory: 'positive', held: true },
      ],
    },
    faults: ['rules.0.held invalid_type', 'rules.1.diseaseFamily unknown-code'],
  },
  'POST /api/web/patients/:id/portal/invite': {
    as: admin,
    url: () => `/api/web/patients/${person.id}/portal/invite`,
    body: { by: 'EMAIL', to: 'elsewhere@example.test', languageCode: 'xx' },
    faults: ['languageCode invalid_value', 'to not-in-record'],
  },
  'POST /api/web/patients/:id/guardians': {
    as: admin,
    url: async () =>
      `/api/web/patients/${(await makePatient(database, { tenant_id, birth_date: '1990-05-06' })).id}/guardians`,
    body: {
      person: person.id,
      relation: 'neighbor',
      evidence: 'document',
      from: '2026-01-02',
      until: '2026-01-01',
    },
    faults: ['person too-old', 'relation invalid_value', 'until before-from'],
  },
  'POST /api/web/patients/:id/portal/invitations/:invitationId/confirm': {
    as: admin,
    url: async () => {
      const portal = `/api/web/patients/${person.id}/portal`;
      const asked = await app.fastify.inject({
        method: 'POST',
        url: `${portal}/invite`,
        headers: (await actor(admin)).headers,
        payload: { by: 'EMAIL', to: 'sam@example.test', languageCode: 'en' },
      });
      return `${portal}/invitations/${asked.json<{ waiting: { id: string } }>().waiting.id}/confirm`;
    },
    body: { checked: 'by guessing' },
    faults: ['checked invalid_value', 'invitationId asked-for-it'],
  },
  'PATCH /api/web/case-reports/:id': {
    as: 'epi@demo.caseway.test',
    url: async () =>
      `/api/web/case-reports/${(await makeCaseReport(database, { tenant_id, patient_id: person.id })).id}`,
    body: { version: 1, onsetOn: 'yesterday', classification: 'suspect' },
    faults: ['classification unlawful', 'onsetOn invalid_format'],
  },
  'POST /api/web/treatments': {
    as: 'investigator@demo.caseway.test',
    url: async () => {
      await makeCaseReport(database, { id: treatedCase, tenant_id, patient_id: person.id });
      return '/api/web/treatments';
    },
    body: {
      ...{ caseRecord: treatedCase, drug: 'hope', startedOn: '2026-03-01', givenAt: nobody },
      ...{ otherDrug: null, endedOn: null, adequacy: null, provider: null, state: 'given' },
    },
    faults: ['drug invalid_value', 'givenAt unknown-facility'],
  },
  'PATCH /api/web/treatments/:id': {
    as: 'investigator@demo.caseway.test',
    url: async () => {
      const report = await makeCaseReport(database, { tenant_id, patient_id: person.id });
      return `/api/web/treatments/${(await makeTreatment(database, report)).id}`;
    },
    body: { version: 1, startedOn: 'yesterday', givenAt: nobody },
    faults: ['givenAt unknown-facility', 'startedOn invalid_format'],
  },
  'POST /api/web/vaccinations': {
    as: admin,
    body: {
      ...blankOf(vaccinationRecord),
      ...{ patient: person.id, vaccine: 'hope', givenOn: '2026-03-01', source: 'here', state: 'given' },
      facility: nobody,
    },
    faults: ['facility unknown-choice', 'vaccine invalid_value'],
  },
  'PATCH /api/web/vaccinations/:id': {
    as: admin,
    url: async () =>
      `/api/web/vaccinations/${(await makeVaccination(database, { tenant_id, patient_id: person.id })).id}`,
    body: { version: 1, givenOn: 'yesterday', facility: nobody },
    faults: ['facility unknown-choice', 'givenOn invalid_format'],
  },
  'POST /api/web/documents': {
    as: admin,
    body: {
      ...blankOf(documentRecord),
      ...{ patient: person.id, file: nobody, category: 'hope', title: 'Letter', state: 'filed' },
    },
    faults: ['category invalid_value', 'file unknown-file'],
  },
  'PATCH /api/web/documents/:id': {
    as: admin,
    url: async () =>
      `/api/web/documents/${(await makeDocument(database, { tenant_id, patient_id: person.id })).id}`,
    body: { version: 1, category: 'hope', documentedOn: '2999-01-01' },
    faults: ['category invalid_value', 'documentedOn future'],
  },
  'POST /api/web/incident-reports': {
    as: admin,
    body: {
      ...blankOf(incidentRecord),
      ...{ kind: 'other-incident', category: 'fall', event: 'incident' },
      ...{ narrative: 'x', receivedOn: 'yesterday', facility: nobody },
    },
    faults: ['facility unknown-choice', 'receivedOn invalid_format'],
  },
  'PATCH /api/web/incident-reports/:id': {
    as: admin,
    url: async () => `/api/web/incident-reports/${(await makeIncident(database, { tenant_id })).id}`,
    body: { version: 1, receivedOn: 'yesterday', program: nobody },
    faults: ['program unknown-choice', 'receivedOn invalid_format'],
  },
  'POST /api/web/telemedicine': {
    as: admin,
    body: {
      ...blankOf(telemedicineRecord),
      ...{ patient: person.id, visitType: 'other', taskCategory: 'nonsense', wantedBy: 'soon' },
    },
    faults: ['taskCategory unknown-choice', 'wantedBy invalid_format'],
  },
  'PATCH /api/web/telemedicine/:id': {
    as: admin,
    url: async () => {
      const { id } = await makeTelemedicineVisit(database, { tenant_id, patient_id: person.id });
      return `/api/web/telemedicine/${id}`;
    },
    body: { version: 1, wantedBy: 'soon', program: nobody },
    faults: ['program unknown-choice', 'wantedBy invalid_format'],
  },
  'POST /api/web/partner-services': {
    as: admin,
    url: async () => {
      await makeCaseReport(database, { id: startedCase, tenant_id, patient_id: person.id, ...ofSyphilis });
      return '/api/web/partner-services';
    },
    body: {
      ...blankOf(partnerRecord),
      caseRecord: startedCase,
      referralBasis: 'P1',
      hivTestedOn: 'yesterday',
    },
    faults: ['hivTestedOn invalid_format', 'referralBasis 9-index'],
  },
  'PATCH /api/web/partner-services/:id': {
    as: admin,
    url: async () => {
      const made = { tenant_id, patient_id: person.id, ...ofSyphilis };
      const { id: case_report_id } = await makeCaseReport(database, made);
      return `/api/web/partner-services/${(await makePartnerService(database, { tenant_id, case_report_id })).id}`;
    },
    body: { version: 1, hivTestedOn: 'yesterday', referralBasis: 'P1' },
    faults: ['hivTestedOn invalid_format', 'referralBasis 9-index'],
  },
  'POST /api/web/contacts': {
    as: admin,
    url: async () => {
      await makeCaseReport(database, { id: exposingCase, tenant_id, patient_id: person.id });
      return '/api/web/contacts';
    },
    body: {
      ...blankOf(contactRecord),
      ...{ caseRecord: exposingCase, description: 'Tall', exposure: 'touch' },
      ...{ lastExposedOn: 'yesterday', sex: 'nonsense' },
    },
    faults: ['lastExposedOn invalid_format', 'sex unknown-choice'],
  },
  'PATCH /api/web/contacts/:id': {
    as: admin,
    url: () => contactOf(),
    body: { version: 1, lastExposedOn: 'yesterday', patient: nobody },
    faults: ['lastExposedOn invalid_format', 'patient unknown-choice'],
  },
  'POST /api/web/contacts/:id/follow-up': {
    as: admin,
    url: async () => `${await contactOf()}/follow-up`,
    body: {
      ...{ id: nobody, day: '2999-01-01', outcome: 'vanished', symptoms: [] },
      ...{ temperature: null, temperatureUnit: null, note: null },
    },
    faults: ['day future', 'outcome invalid_value'],
  },
  'POST /api/web/case-follow-ups': {
    as: admin,
    url: async () => {
      const made = { id: followedCase, tenant_id, patient_id: person.id, status: 'closed' };
      await makeCaseReport(database, made);
      return '/api/web/case-follow-ups';
    },
    body: {
      ...blankOf(caseFollowUpRecord),
      ...{ caseRecord: followedCase, purpose: 'fun', firstOn: '2026-01-01', lastOn: 'soon' },
    },
    faults: ['firstOn case-over', 'lastOn invalid_format', 'purpose invalid_value'],
  },
  'PATCH /api/web/case-follow-ups/:id': {
    as: admin,
    url: () => followUpOf(),
    body: { version: 1, purpose: 'fun', lastOn: '2999-01-01' },
    faults: ['lastOn by-move', 'lastOn too-long', 'purpose invalid_value'],
  },
  'POST /api/web/case-follow-ups/:id/follow-up': {
    as: admin,
    url: async () => `${await followUpOf()}/follow-up`,
    body: {
      ...{ id: nobody, day: '2999-01-01', outcome: 'vanished', symptoms: [] },
      ...{ temperature: null, temperatureUnit: null, note: null },
    },
    faults: ['day future', 'outcome invalid_value'],
  },
  'POST /api/web/field-visits': {
    as: admin,
    body: {
      ...blankOf(fieldVisitRecord),
      ...{ patient: person.id, visitType: 'interview', plannedFor: 'tomorrow', program: nobody },
      ...{ twoWorkers: false, noLetter: false },
    },
    faults: ['plannedFor invalid_format', 'program unknown-choice'],
  },
  'PATCH /api/web/field-visits/:id': {
    as: admin,
    url: () => visitOf(),
    body: { version: 1, plannedFor: 'tomorrow', program: nobody },
    faults: ['plannedFor invalid_format', 'program unknown-choice'],
  },
  'POST /api/web/field-visits/:id/attempts': {
    as: admin,
    url: async () => `${await visitOf()}/attempts`,
    body: {
      ...{ id: nobody, day: '2999-01-01', time: '09:00', method: 'visit', outcome: 'vanished' },
      ...{ nextStep: null, left: 'nothing', note: null },
    },
    faults: ['day future', 'outcome invalid_value'],
  },
  'POST /api/web/sample-shipments': {
    as: admin,
    body: {
      ...{ origin: nobody, destination: demo.facilities[0]!.id, temperature: 'hot' },
      ...{ carrier: null, trackingNumber: null, expectedOn: null, note: null },
    },
    faults: ['origin unknown-choice', 'temperature invalid_value'],
  },
  'PATCH /api/web/sample-shipments/:id': {
    as: admin,
    url: async () => {
      const [origin_id, destination_id] = demo.facilities.map(({ id }) => id) as [string, string];
      const made = await makeShipment(database, { tenant_id, origin_id, destination_id });
      return `/api/web/sample-shipments/${made.id}`;
    },
    body: { version: 1, expectedOn: 'soon', destination: nobody },
    faults: ['destination unknown-choice', 'expectedOn invalid_format'],
  },
  'POST /api/web/patients': {
    as: admin,
    body: {
      ...Object.fromEntries(
        patientPerson.form.flat().map((field) => [field, patientPerson.fields[field].needed ? [] : null]),
      ),
      ...{ lastName: 'Long '.repeat(100), firstName: 'Sam', county: '99999' },
    },
    faults: ['county unknown-choice', 'lastName too_big'],
  },
  'PATCH /api/web/patients/:id': {
    as: admin,
    url: () => `/api/web/patients/${person.id}`,
    body: { version: 0, birthDate: 'yesterday', county: '99999' },
    faults: ['birthDate invalid_format', 'county unknown-choice'],
  },
  'POST /api/web/work-tasks': {
    as: 'investigator@demo.caseway.test',
    url: async () => {
      await makeCaseReport(database, { id: caseWithTask, tenant_id, patient_id: person.id });
      return '/api/web/work-tasks';
    },
    body: {
      ...{
        recordId: caseWithTask,
        patientId: null,
        work: 'approve',
        title: null,
        note: null,
        state: 'open',
        account: nobody,
        team: nobody,
      },
      ...{ queue: 'assignee', dueOn: null, priority: 'urgent', repeatDays: null, repeatUntil: null },
    },
    faults: [
      'account not-an-investigator',
      'priority invalid_value',
      'team unknown-choice',
      'work not-by-hand',
    ],
  },
  'PATCH /api/web/work-tasks/:id': {
    as: 'epi@demo.caseway.test',
    url: async () => {
      const report = await makeCaseReport(database, { tenant_id, patient_id: person.id });
      const [task] = await sql<{ id: string }>(
        `insert into work_task (tenant_id, id, record_id, work, queue, transition, flow_version, made_version,
           made_on, patient_id, disease_family, county_fips)
         values ($1, gen_random_uuid(), $2, 'approve', 'supervisor', 'complete', 2, 2, '2026-03-06', $5, $3, $4) returning id`,
        [tenant_id, report.id, report.disease_family, report.county_fips, person.id],
      );
      return `/api/web/work-tasks/${task!.id}`;
    },
    body: { version: 1, dueOn: 'tomorrow', state: 'withdrawn' },
    faults: ['dueOn invalid_format', 'state not-by-hand'],
  },
  'POST /api/web/imports': {
    as: admin,
    url: () => `/api/web/imports?fileName=list.csv&format=docx&condition=no-such&facilityId=${nobody}`,
    faults: ['condition unknown-condition', 'facilityId unknown-facility', 'format invalid_value'],
  },
  'POST /api/web/imports/:id/columns/check': {
    as: admin,
    url: async () => `/api/web/imports/${await table()}/columns/check`,
    body: {
      mapping: { kind: 'results', columns: [{ column: 99, field: 'lastName' }] },
      options: { condition: '' },
    },
    faults: ['mapping.columns unknown-column', 'options.condition too_small'],
  },
  'PUT /api/web/imports/:id/columns': {
    as: admin,
    url: async () => `/api/web/imports/${await table()}/columns`,
    body: {
      mapping: { kind: 'results', columns: [{ column: 99, field: 'no-such-field' }] },
      options: { condition: 'no-such-condition' },
    },
    faults: ['mapping.columns.0.field invalid_value', 'options.condition unknown-condition'],
  },
  'POST /api/web/privacy/accesses/:id/review': {
    as: officer,
    url: async () => {
      const id = randomUUID();
      await sql(
        `insert into break_glass (tenant_id, id, account_id, org_type, org_id, case_number, reason_kind, reason, expires_at)
         values ($1, $2, $3, 'T', $1, '2026-9999999', 'other', 'For a test of faults.', now())`,
        [tenant_id, id, accountOf.get(officer)],
      );
      return `/api/web/privacy/accesses/${id}/review`;
    },
    body: { note: 'Long '.repeat(500) },
    faults: [' own-access', 'note too_big'],
  },
  'POST /api/web/recoveries/:id/approve': {
    as: admin,
    url: async () => {
      const { asked } = recoveryTools(testing);
      return `/api/web/recoveries/${await asked(admin, 'new-mailbox@example.test')}/approve`;
    },
    body: { verifiedBy: 'guessing', verification: 'Asked a colleague about it.' },
    faults: [' own-account', 'verifiedBy invalid_value'],
  },
};

const accountOf = new Map<string, string>();
const signedIn = new Map<string, Promise<{ headers: Record<string, string> }>>();
const actor = (username: string) => {
  if (!signedIn.has(username))
    signedIn.set(
      username,
      signInAs(testing, username).then(({ init, headers }) => {
        accountOf.set(username, init.user.id);
        return { headers };
      }),
    );
  return signedIn.get(username)!;
};

describe('faults that only the server can know are reported together with those of the schema [S5.1]', () => {
  test.each(Object.entries(beside))('%s', async (name, { as, url, body, headers, faults }) => {
    const [method, path] = name.split(' ') as ['POST', string];
    const { headers: own } = await actor(as);
    const answer = await app.fastify.inject({
      method,
      url: (await url?.()) ?? path,
      headers: { ...own, ...headers },
      ...(body ? { payload: body } : {}),
    });
    const told = answer.json<{ faults?: { path: string; code: string }[] }>();
    expect([
      answer.statusCode,
      ...(told.faults ?? []).map(({ path: at, code }) => `${at} ${code}`).sort(),
    ]).toEqual([422, ...faults]);
  });

  test('every endpoint with input is covered here, or says why it need not be', () => {
    const names = writing
      .filter(
        ({ body, query }) => !(body instanceof z.ZodObject && Object.keys(body.shape).length === 0 && !query),
      )
      .map(nameOf);
    expect(
      names.filter((name) => !(name in beside) && !alone.some(([pattern]) => pattern.test(name))),
    ).toEqual([]);
    expect(Object.keys(beside).filter((name) => !names.includes(name))).toEqual([]);
    expect(alone.filter(([pattern]) => !names.some((name) => pattern.test(name)))).toEqual([]);
  });
});
