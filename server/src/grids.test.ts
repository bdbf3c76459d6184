import { randomUUID } from 'node:crypto';
import { auditGrid } from '@caseway/contract/audit';
import { caseFollowUpGrid, caseFollowUpRecord } from '@caseway/contract/case-follow-ups';
import { caseReportGrid } from '@caseway/contract/case-reports';
import { contactGrid, contactRecord } from '@caseway/contract/contacts';
import { testing as testingAnalytics } from '@caseway/contract/dashboards/testing';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { documentGrid, documentRecord } from '@caseway/contract/documents';
import { fieldVisitGrid, fieldVisitRecord } from '@caseway/contract/field-visits';
import { canGroup, type FilterItem, type Grid, type GridAnswer, type Grouping } from '@caseway/contract/grid';
import { importGrid } from '@caseway/contract/imports';
import { incidentGrid, incidentRecord } from '@caseway/contract/incident-reports';
import { caseAnswerColumns } from '@caseway/contract/investigation-form';
import { missingKey } from '@caseway/contract/label';
import { partnerGrid, partnerRecord } from '@caseway/contract/partner-services';
import { patientGrid } from '@caseway/contract/patients';
import {
  facilities,
  jurisdictions,
  locations,
  organizations,
  programs,
  providerKinds,
  tasks,
  teams,
} from '@caseway/contract/places';
import { shipmentGrid, unassignedGrid } from '@caseway/contract/sample-shipments';
import { telemedicineGrid } from '@caseway/contract/telemedicine';
import { hivTestRecords, testingRecords } from '@caseway/contract/testing-analytics';
import { treatmentGrid } from '@caseway/contract/treatments';
import { userGrids } from '@caseway/contract/users';
import { vaccinationGrid, vaccinationRecord } from '@caseway/contract/vaccinations';
import { workTaskRecord } from '@caseway/contract/work-tasks';
import { beforeAll, describe, expect, test } from 'vitest';
import { fillDemo } from '../seeds/demo/fill.ts';
import { demoId } from '../seeds/demo/tenant-parts.ts';
import { demoWorld } from '../seeds/demo/tenants.ts';
import { testApp } from '../test/app.ts';
import { askingAs } from '../test/asking.ts';
import { blankOf } from '../test/blank.ts';
import { asSuperuser } from '../test/database.ts';
import { uploadPdf } from '../test/document-file.ts';
import { load } from '../test/load.ts';
import { signInAs } from '../test/sign-in.ts';
import { importText } from './features/imports/test-messages.ts';

/*
 * Every grid with each of its columns and filters, over the demo: values in a column are found in any spelling, and
 * nothing is offered that no row ever has.
 */

const testing = await testApp();
const { app, database, superuserUrl } = testing;
await fillDemo(database, {
  demo: { patients: 300, results: 900, cases: 60 },
  vendor: { patients: 20, results: 40, cases: 3 },
});
const { demo } = demoWorld();
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const { faults, ok } = askingAs(testing, admin);

const grids: readonly Grid[] = [
  caseReportGrid,
  testingRecords,
  patientGrid,
  hivTestRecords,
  importGrid,
  auditGrid,
  organizations.grid,
  facilities.grid,
  jurisdictions.grid,
  programs.grid,
  tasks.grid,
  teams.grid,
  locations.grid,
  workTaskRecord.grid,
  treatmentGrid,
  incidentGrid,
  vaccinationGrid,
  documentGrid,
  contactGrid,
  caseFollowUpGrid,
  partnerGrid,
  fieldVisitGrid,
  shipmentGrid,
  telemedicineGrid,
  unassignedGrid,
  ...Object.values(userGrids),
];

type Row = Record<string, unknown> & { id: string };
const search = (
  grid: Grid,
  { items = [], ...more }: { items?: FilterItem[]; [part: string]: unknown } = {},
) =>
  ok<GridAnswer<Row>>('POST', `grid/${grid.id}/search`, {
    filterModel: { items },
    paginationModel: { page: 0, pageSize: 200 },
    ...more,
  });

beforeAll(async () => {
  // Imports bring data of laboratories and line lists, which the demo lacks.
  const results = `Patient ID,Last Name,First Name,Date of Birth,Test Code,Result,Collection Date,Lab Name,Specimen Site,Ordering Provider NPI,Ordering Provider Last Name,Ordering Provider First Name,Ordering Provider Phone,Comments
R-1,Okafor,Ada,1990-05-01,21613-5,Detected,2026-03-02,North Lab,Throat,1234567893,Ruiz,Ana,813-555-0142,Repeat in two weeks
R-1,Okafor,Ada,1990-05-01,56888-1,Reactive,2026-03-02,North Lab,Blood,1234567893,Ruiz,Ana,813-555-0142,Confirm by Friday
`;
  const cases = `case_id,last_name,first_name,date_of_birth,state,county,onset_date,pregnant,outcome,comments
GA-7,Quist,Bo,1980-02-03,,,2026-03-01,no,,Ate at the Fair
GA-8,Ober,Cy,1940-07-07,GA,Fulton,2026-03-02,no,died,
`;
  const createdBy = admin.init.user.id;
  const facilityId = demo.facilities[0]!.id;
  await importText(database, demo.id, results, { createdBy, facilityId });
  await importText(database, demo.id, cases, { createdBy, facilityId, condition: 'measles' });
  // An import stores a postal code as it was written.
  await asSuperuser(`update facility set postal_code = 'K1A 0' where id = $1`, [facilityId], superuserUrl);
  // Values from the forms of the administration.
  await ok('POST', 'locations', {
    ...{ name: 'Freezer 2', level: 'location', facility: facilityId, parent: null },
    ...{ equipment: null, coldest: null, warmest: null, rows: null, columns: null },
  });
  const change = async (path: string, fields: object) => {
    const { version } = await ok<{ version: number }>('GET', path);
    await ok('PATCH', path, { version, ...fields });
  };
  await change(`facilities/${facilityId}`, {
    timeZone: 'America/Chicago',
    providerKinds: [providerKinds[0]],
  });
  // An assigned task, by a transition of a case.
  const [report] = (
    await search(caseReportGrid, { items: [{ field: 'status', operator: 'is', value: 'new' }] })
  ).rows;
  const { options } = await ok<{ options: { id: string }[] }>('GET', 'list/options/investigators');
  await ok('POST', `case-reports/${report!.id}/transitions/assign`, {
    version: 1,
    fields: { investigator: options[0]!.id },
  });
  await ok('POST', 'work-tasks', {
    ...{ recordId: report!.id, work: 'other', title: 'Élan vital', note: 'Call on Friday', state: 'open' },
    ...{
      patientId: null,
      queue: 'assignee',
      account: null,
      team: demoId('team/Field team'),
      dueOn: null,
      priority: 'normal',
      repeatDays: null,
      repeatUntil: null,
    },
  });
  await ok('POST', 'treatments', {
    caseRecord: report!.id,
    drug: 'other',
    otherDrug: 'Érythromycine',
    startedOn: '2026-03-02',
    endedOn: '2026-03-09',
    adequacy: 'adequate',
    givenAt: facilityId,
    provider: 'Dr. Duval',
    state: 'given',
  });
  const { rows: people } = await search(patientGrid);
  const program = (await search(programs.grid)).rows[0]!.id;
  const reported = {
    receivedOn: '2026-03-09',
    occurredOn: '2026-03-08',
    facility: facilityId,
  };
  const nothing = blankOf(incidentRecord);
  await ok('POST', 'vaccinations', {
    ...blankOf(vaccinationRecord),
    patient: people.find(({ birthDate, county }) => birthDate && county)!.id,
    vaccine: 'other',
    otherVaccine: 'Plague',
    givenOn: '2026-03-07',
    dose: '1',
    manufacturer: 'OTH',
    lot: 'P-77',
    site: 'left-arm',
    route: 'intramuscular',
    facility: facilityId,
    provider: 'Dr. Duval',
    source: 'here',
    state: 'given',
  });
  const { patientId, id: caseRecord } = report!;
  const file = await uploadPdf(testing, admin.headers, patientId as string);
  await ok('POST', 'documents', {
    ...blankOf(documentRecord),
    ...{ patient: patientId, caseRecord, file, category: 'letter', title: 'Letter of Élan', state: 'filed' },
    ...{ documentedOn: '2026-03-06', note: 'Two pages' },
  });
  await ok('POST', 'incident-reports', {
    ...nothing,
    ...reported,
    kind: 'vaccine-adverse-event',
    patient: people.find(({ birthDate, county }) => birthDate && county)!.id,
    vaccinatedOn: '2026-03-07',
    vaccines: [
      { vaccine: 'mmr', lot: 'M-77', brand: null, manufacturer: null, dose: '1', route: null, site: null },
    ],
    reactions: ['fever'],
    seriousness: ['hospitalization'],
    outcome: 'recovered',
    classification: 'related',
    visitType: 'clinic',
    program,
    investigator: options[0]!.id,
    diseaseFamily: 'measles',
    reporterRole: 'staff',
    narrative: 'Fever.',
  });
  await ok('POST', 'incident-reports', {
    ...nothing,
    ...reported,
    kind: 'other-incident',
    category: 'fall',
    event: 'incident',
    harm: 'mild',
    narrative: 'Somebody fell.',
  });
  // Contacts of a case of measles: one is followed up and was seen, one has become a case.
  const measles = await search(caseReportGrid, {
    items: [{ field: 'condition', operator: 'is', value: 'measles' }],
  });
  const [exposing, became] = measles.rows;
  const today = todayIn('America/New_York');
  const exposed = {
    ...blankOf(contactRecord),
    caseRecord: exposing!.id,
    exposure: 'same-room',
    relation: 'household',
    firstExposedOn: addDays(today, -3),
    lastExposedOn: addDays(today, -2),
    risk: 'high',
  };
  const { id: followed } = await ok<{ id: string }>('POST', 'contacts', {
    ...exposed,
    ...{ description: 'Tall, Élan cap', sex: 'F', age: 40, phone: '+18135550142' },
  });
  await ok('POST', `contacts/${followed}/transitions/start`, {
    version: 1,
    fields: { investigator: options[0]!.id },
  });
  await ok('POST', `contacts/${followed}/follow-up`, {
    ...{ id: randomUUID(), day: today, outcome: 'seen', symptoms: [], note: null },
    ...{ temperature: null, temperatureUnit: null },
  });
  const { id: ill } = await ok<{ id: string }>('POST', 'contacts', {
    ...exposed,
    patient: became!.patientId,
  });
  await ok('POST', 'contacts', {
    ...exposed,
    patient: people.find(({ birthDate, county }) => birthDate && county)!.id,
  });
  await ok('POST', `contacts/${ill}/transitions/convert`, { version: 1, fields: { becameCase: became!.id } });
  // Two persons isolate, one in a known county: one was seen; for the other the information is outdated.
  const isolating = { ...blankOf(caseFollowUpRecord), purpose: 'isolation', firstOn: today };
  const inCounty = measles.rows.find(({ county }) => county)!;
  const inNone = measles.rows.find(({ county }) => !county)!;
  for (const [place, { id }] of [inCounty, inNone].entries()) {
    const made = await ok<{ id: string }>('POST', 'case-follow-ups', {
      ...{ ...isolating, caseRecord: id, lastOn: addDays(today, 4 + place) },
    });
    if (place === 0)
      await ok('POST', `case-follow-ups/${made.id}/follow-up`, {
        ...{ id: randomUUID(), day: today, outcome: 'seen', symptoms: [], note: null },
        ...{ temperature: null, temperatureUnit: null },
      });
    else
      await ok('POST', `case-follow-ups/${made.id}/transitions/lose`, {
        version: 1,
        fields: {},
        reason: 'Moved away.',
      });
  }
  // Partner services of a case of chlamydia, and of a named person: one was disposed of and interviewed.
  const chlamydia = await search(caseReportGrid, {
    items: [{ field: 'condition', operator: 'is', value: 'chlamydia' }],
  });
  const partnered = { ...blankOf(partnerRecord), caseRecord: chlamydia.rows[0]!.id };
  const { id: started } = await ok<{ id: string }>('POST', 'partner-services', {
    ...partnered,
    referralBasis: 'T1',
  });
  const { id: named } = await ok<{ id: string }>('POST', 'partner-services', {
    ...{ ...partnered, index: started, description: 'Élan cap', handle: 'elan', phone: '+18135550142' },
    ...{ referralBasis: 'P1', namedHow: 'original' },
  });
  const worker = options[0]!.id;
  const steps: [string, object][] = [
    ['decide', { initialFollowUp: 'FF', initialFollowUpOn: today }],
    ['assignField', { fieldInvestigator: worker }],
    ['dispose', { disposition: 'H', dispositionOn: today, dispositionBy: worker, supervisor: worker }],
    ['assignInterviewer', { interviewer: worker }],
    ['recordInterview', { interviewStatus: 'O', interviewedOn: today }],
    ['closeCase', { caseClosedOn: today, closedBy: worker }],
  ];
  for (const [at, [transition, fields]] of steps.entries())
    await ok('POST', `partner-services/${started}/transitions/${transition}`, { version: at + 1, fields });
  for (const [at, [transition, fields]] of steps.slice(0, 2).entries())
    await ok('POST', `partner-services/${named}/transitions/${transition}`, { version: at + 1, fields });
  // Visits: one was tried and is under way again, one is done.
  const visited = {
    ...blankOf(fieldVisitRecord),
    visitType: 'interview',
    plannedFor: today,
    dueOn: addDays(today, 3),
    program,
    twoWorkers: false,
    noLetter: false,
  };
  const reached = people.find(({ street, phone, county }) => street && phone && county)!;
  for (const ending of ['set-out', 'finish']) {
    const { id } = await ok<{ id: string }>('POST', 'field-visits', {
      ...visited,
      ...(ending === 'finish'
        ? { patient: became!.patientId, caseRecord: became!.id }
        : { patient: reached.id }),
    });
    const step = async (transition: string, fields: object) => {
      const { version } = await ok<{ version: number }>('GET', `field-visits/${id}`);
      await ok('POST', `field-visits/${id}/transitions/${transition}`, { version, fields });
    };
    await step('assign', { worker: options[0]!.id });
    await ok('POST', `field-visits/${id}/attempts`, {
      ...{ id: randomUUID(), day: addDays(today, -1), time: '09:30', method: 'visit', note: null },
      ...{ outcome: 'nobody', nextStep: 'other-time', left: 'nothing' },
    });
    await step(ending, ending === 'finish' ? { result: 'cooperative' } : { minutesOut: '60' });
  }
  // One is written by people of a facility.
  await asSuperuser(
    `update field_visit set facility_id = $1 where case_report_id is null`,
    [facilityId],
    superuserUrl,
  );
  const { rows: waiting } = await search(unassignedGrid);
  const { id: shipmentId } = await ok<{ id: string }>('POST', 'sample-shipments', {
    ...{ origin: facilityId, destination: demo.facilities[1]!.id, temperature: 'frozen' },
    ...{ carrier: null, trackingNumber: null, expectedOn: null, note: null },
  });
  await ok('POST', `sample-shipments/${shipmentId}/specimens`, {
    specimens: waiting.slice(0, 60).map(({ id }) => id),
  });
  const comes = { carrier: 'FedEx', trackingNumber: 'AB-7946', expectedOn: '2026-03-12' };
  for (const transition of ['pack', 'send', 'receive', 'complete']) {
    const { version } = await ok<{ version: number }>('GET', `sample-shipments/${shipmentId}`);
    await ok('POST', `sample-shipments/${shipmentId}/transitions/${transition}`, {
      version,
      ...(transition === 'send' && { fields: comes }),
    });
  }
  // A held visit and a cancelled one.
  const { options: providers } = await ok<{ options: { id: string }[] }>('GET', 'list/options/providers');
  const step = 5 * 60_000;
  const soon = (steps: number) => new Date((Math.ceil(Date.now() / step) + steps) * step).toISOString();
  const visitOf = async (person: string, caseId: string | null, deeds: [string, object?][]) => {
    const { id } = await ok<{ id: string }>('POST', 'telemedicine', {
      ...{ patient: person, caseRecord: caseId, visitType: 'results', taskCategory: 'testing', program },
      ...{ facility: facilityId, wantedBy: today, language: 'en', interpreter: 'no', note: null },
    });
    for (const [transition, fields] of deeds) {
      const { version } = await ok<{ version: number }>('GET', `telemedicine/${id}`);
      await ok('POST', `telemedicine/${id}/transitions/${transition}`, { version, fields });
    }
  };
  const [withCounty] = people.filter(({ birthDate, county }) => birthDate && county);
  await visitOf(withCounty!.id, null, [
    ['book', { provider: providers[0]!.id, startsAt: soon(0), minutes: 15 }],
    ['arrive', { consentVersion: '2026-01' }],
    ['admit'],
    ['finish', { connection: 'good' }],
  ]);
  await visitOf(exposing!.patientId as string, exposing!.id, [
    ['book', { provider: providers[0]!.id, startsAt: soon(6), minutes: 30 }],
    ['cancel', { cancelledBy: 'patient', cancelledWhy: 'Cannot come.' }],
  ]);
  await change(`organizations/${demo.organizations[0]!.id}`, {
    contactName: 'Ana Ruiz',
    contactEmail: 'Ana.Ruiz@Example.test',
    contactPhone: '+18135550142',
  });
});

test('every served grid is covered here', () => {
  const served = app.endpoints.flatMap(
    ({ path }) => /^\/api\/web\/grid\/(.+)\/search$/.exec(path)?.[1] ?? [],
  );
  expect(grids.map(({ id }) => id).sort()).toEqual(served.sort());
});

/** Columns that nothing above fills, and what fills them. */
const filledElsewhere: Readonly<Record<string, string>> = {
  'audit reason': 'the opening of a hidden record (break-glass)',
  'incident-reports vaersId': 'a file of VAERS: vaers-import.test.ts',
  ...Object.fromEntries(
    Object.values(userGrids).flatMap(({ id }) => [
      [`${id} phone`, 'the form of a user, and the profile'],
      [`${id} invitedAt`, 'an invitation'],
    ]),
  ),
  ...Object.fromEntries(
    caseAnswerColumns.map(({ name }) => [
      `case-reports ${name}`,
      'the form of an investigation: answers-in-lists.test.ts',
    ]),
  ),
  // Everyone in the demo also belongs to a tenant, and is listed there when they sign in.
  ...Object.fromEntries(
    (['O', 'F', 'PHJ'] as const).map((type) => [`${userGrids[type].id} lastSignInAt`, 'signing in']),
  ),
};

const columns = grids.flatMap((grid) =>
  Object.entries(grid.columns).map(([name, column]) => [`${grid.id} ${name}`, grid, name, column] as const),
);

describe('a text is found in upper and lower case [S10.4]', () => {
  const written = (value: unknown) =>
    typeof value === 'object' ? (value as { label: string } | null)?.label : (value as string | undefined);

  test.each(
    columns.filter(
      ([key, , , { kind, filterable }]) =>
        kind === 'text' && filterable !== false && !(key in filledElsewhere),
    ),
  )('%s', async (_, grid, field) => {
    const { rows } = await search(grid, { items: [{ field, operator: 'isNotEmpty' }] });
    expect(rows.length, `no row of the demo or of the imports above has a ${field}`).toBeGreaterThan(0);
    const texts = rows.map((row) => ({ id: row.id, text: written(row[field])! }));
    const { id, text } = texts.find(({ text }) => text !== text.toLowerCase()) ?? texts[0]!;
    const questions = (['toUpperCase', 'toLowerCase'] as const).flatMap((spelled) => [
      { operator: 'contains', value: text.slice(1)[spelled]() } as const,
      { operator: 'startsWith', value: text.slice(0, 5)[spelled]() } as const,
      { operator: 'equals', value: text[spelled]() } as const,
    ]);
    // In `npm test` the columns of a list are shared out among the spellings: two of six each, in either spelling.
    const turn = Object.keys(grid.columns).indexOf(field);
    for (const { operator, value } of questions.filter((_, at) => load(at % 3 === turn % 3, true))) {
      const found = await search(grid, { items: [{ field, operator, value }] });
      expect([operator, value, found.rows.map((row) => row.id)]).toEqual([
        operator,
        value,
        expect.arrayContaining([id]),
      ]);
    }
  });
});

describe('rows are grouped by every column that has one choice or day for each', () => {
  // In `npm test` the columns of a list are shared out. Each question to the audit log adds to it.
  const grouped = columns.filter(
    ([key, grid, name, column]) =>
      canGroup(column) &&
      grid !== auditGrid &&
      !(key in filledElsewhere) &&
      load(Object.keys(grid.columns).indexOf(name) % 3 === 0, true),
  );
  test.each(grouped)('%s', async (_, grid, by, { kind }) => {
    const grouping: Grouping = kind === 'date' ? { by, per: 'day' } : { by };
    const { rows, rowCount, groups = [], groupOf = {} } = await search(grid, { grouping });
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(rowCount);
    // The rows come in the order of the groups.
    const keys = groups.map(({ key }) => key);
    const places = rows.map(({ id }) => keys.indexOf(groupOf[id]!));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const { key, count } = groups[0]!;
    const items: FilterItem[] =
      key === missingKey ? [{ field: by, operator: 'isEmpty' }] : [{ field: by, operator: 'is', value: key }];
    expect([key, (await search(grid, { items })).rowCount]).toEqual([key, count]);
    const closed = await search(grid, { grouping: { ...grouping, closed: [key] } });
    expect([closed.rowCount, closed.groups]).toEqual([rowCount - count, groups]);
  });
});

describe('nothing is offered that nothing fills [S1.3, S3.11]', () => {
  test.each(columns)('the column %s', async (key, grid, field, { kind, filterable }) => {
    const has: FilterItem =
      kind === 'choice' ? { field, operator: 'not', value: missingKey } : { field, operator: 'isNotEmpty' };
    // Columns without a filter have a value in at least one row.
    const { rowCount } = await search(grid, filterable === false ? {} : { items: [has] });
    let filled = filterable !== false && rowCount > 0;
    for (let page = 0; filterable === false && !filled && page * 200 < rowCount; page += 1) {
      const { rows } = await search(grid, { paginationModel: { page, pageSize: 200 } });
      filled = rows.some((row) => row[field] !== null && row[field] !== undefined);
    }
    expect([key, filled]).toEqual([key, !(key in filledElsewhere)]);
  });

  const listFilters = grids.flatMap((grid) =>
    grid.filters.map((name) => [`${grid.id} ${name}`, grid, name] as const),
  );
  test.each(listFilters)('the filter %s', async (_, grid, name) => {
    const without = await search(grid, { filters: { [name]: [missingKey] } });
    expect(without.rowCount).toBeLessThan((await search(grid)).rowCount);
  });

  // Each question to the audit log adds to it.
  test.each(listFilters.filter(([, grid, name]) => grid !== auditGrid || name === 'recordFilter'))(
    'the choices of the filter %s are counted as the list finds them',
    async (_, grid, name) => {
      const asked = { query: { filters: { [name]: ['nobody'] } }, filter: name };
      if (name === grid.views?.of || name === 'recordFilter') {
        expect(await faults('POST', `grid/${grid.id}/counts`, asked)).toEqual(['body.filter unknown-filter']);
        return;
      }
      const { counts, complete } = await ok<{ counts: { id: string; count: number }[]; complete: boolean }>(
        'POST',
        `grid/${grid.id}/counts`,
        asked,
      );
      expect(complete).toBe(true);
      const told = [...counts.slice(0, 2), ...counts.filter(({ id }) => id === missingKey)];
      expect(told.length).toBeGreaterThan(0);
      for (const { id, count } of told)
        expect([id, (await search(grid, { filters: { [name]: [id] } })).rowCount]).toEqual([id, count]);
      // A shelf is within its location too, and counted for both.
      if (!grid.columns[name]?.many && name !== 'withinFilter')
        expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe((await search(grid)).rowCount);
    },
  );

  test.each(testingAnalytics.listFilters)('the filter of testing analytics %s', async (name) => {
    const tests = async (filters: object) =>
      (
        await ok<{ measures: { tests: { value: number } } }>('POST', `analytics/${testingAnalytics.id}`, {
          dateRangeValue: { start: '2020-01-01', end: '2035-12-31' },
          filters,
        })
      ).measures.tests.value;
    expect(await tests({ [name]: [missingKey] })).toBeLessThan(await tests({}));
  });
});
