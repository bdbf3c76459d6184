import { setTimeout as pause } from 'node:timers/promises';
import {
  facilities,
  jurisdictions,
  locations,
  organizations,
  placeRecords,
  programs,
  tasks,
  teams,
} from '@caseway/contract/places';
import { anyRecord } from '@caseway/contract/record';
import { beforeAll, expect, test } from 'vitest';
import { describeRecord, type RecordWorld } from '../../../test/describe-record.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from '../roles/default-roles.ts';
import { placesWorld } from './test-places.ts';

const { testing, demo, sql, ask, ok } = await placesWorld();
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const elsewhere = (await signInAs(testing, 'admin@vendor.caseway.test')).headers;
const without = (await signInAs(testing, 'orgadmin@demo.caseway.test')).headers;
await sql(
  `insert into role_grant (tenant_id, role_id, obj, act, eft) values ($1, $2, 'T', 'settings/write', 'allow')`,
  [demo.id, defaultRoleId(demo.id, 'epidemiologist')],
);
await sql('update policy_version set version = version + 1');
const { headers: blindHeaders } = await actFor(testing, epi.tokens, `T:${demo.id}`);
// The server notices a new permission within seconds.
beforeAll(async () => {
  while ((await ask('POST', 'grid/programs/search', {}, blindHeaders)).statusCode !== 200) await pause(100);
});

const [organization] = demo.organizations.map(({ id }) => id);
const [facility] = demo.facilities.map(({ id }) => id);
const { types } = await ok<{ types: { id: string }[] }>('GET', 'programs/types');
const [program, otherProgram] = demo.programs.map(({ id }) => id);
const outer = await ok<{ id: string }>('POST', 'jurisdictions', {
  name: 'Outer Jurisdiction',
  parent: null,
  counties: ['12057'],
  reporting: false,
});
let made = 0;
const named = (name: string) => `${name} ${++made}`;

const anOrganization = () => ({
  name: named('Organization'),
  experience: 'WORKPLACE',
  contactName: null,
  contactEmail: 'desk@example.org',
  contactPhone: null,
});
/** Each has its own programs, so their families are free. */
const newOrganization = async () => (await ok<{ id: string }>('POST', 'organizations', anOrganization())).id;

const worlds: Pick<RecordWorld, 'record' | 'fresh' | 'changed' | 'blind' | 'remembering'>[] = [
  {
    record: anyRecord(organizations),
    fresh: async () => anOrganization(),
    changed: ({ name }) => ({
      name: `${name} East`,
      experience: 'EDUCATION',
      contactName: 'Ada Stone',
      contactEmail: null,
      contactPhone: '+18135550123',
    }),
  },
  {
    record: anyRecord(facilities),
    fresh: async () => ({
      name: named('Facility'),
      facilityType: 'clinic',
      providerKinds: ['testing'],
      organization: null,
      clia: null,
      npi: null,
      street: '1 Main Street',
      city: null,
      state: null,
      postalCode: null,
      county: null,
      phone: null,
      timeZone: null,
      experience: 'HEALTH_CARE',
    }),
    changed: ({ name }) => ({
      name: `${name} East`,
      facilityType: 'hospital',
      providerKinds: [],
      organization,
      clia: '10D1234567',
      npi: '1234567893',
      street: null,
      city: 'Tampa',
      state: '12',
      postalCode: '33602',
      county: '12057',
      phone: '+18135550123',
      timeZone: 'America/Chicago',
      experience: 'EDUCATION',
    }),
  },
  {
    record: anyRecord(jurisdictions),
    fresh: async () => ({ name: named('Jurisdiction'), parent: null, counties: ['12057'], reporting: false }),
    changed: ({ name }) => ({
      name: `${name} East`,
      parent: outer.id,
      counties: ['12057', '12103'],
      reporting: true,
    }),
    // It reported to the jurisdiction once.
    remembering: ['reported_by'],
  },
  {
    record: anyRecord(programs),
    fresh: async () => ({
      label: named('Program'),
      labelEs: null,
      labelHt: 'Pwogram',
      programType: types[0]!.id,
      organization: await newOrganization(),
      diseaseFamilies: [],
    }),
    changed: async ({ label }) => ({
      label: `${label} East`,
      labelEs: 'Programa',
      labelHt: null,
      programType: types[1]!.id,
      organization: await newOrganization(),
      diseaseFamilies: ['measles'],
    }),
    blind: { headers: blindHeaders, hidden: 'hiv', seen: ['mumps', 'rubella'] },
  },
  {
    record: anyRecord(tasks),
    fresh: async () => ({
      label: named('Task'),
      labelEs: null,
      labelHt: null,
      program,
      taskCategory: 'testing',
    }),
    changed: ({ label }) => ({
      label: `${label} East`,
      labelEs: 'Tarea',
      labelHt: 'Travay',
      program: otherProgram,
      taskCategory: 'field-visit',
    }),
  },
  {
    record: anyRecord(teams),
    fresh: async () => ({ name: named('Team'), members: [epi.init.user.id] }),
    changed: ({ name }) => ({ name: `${name} East`, members: [] }),
  },
  {
    record: anyRecord(locations),
    fresh: async () => ({
      ...{ name: named('Freezer'), level: 'location', facility, parent: null },
      ...{ equipment: null, coldest: null, warmest: null, rows: null, columns: null },
    }),
    changed: ({ name }) => ({ name: `${name} East`, equipment: 'freezer', coldest: -86, warmest: -70 }),
  },
];

test('every kind of place is here', () => {
  expect(worlds.map(({ record }) => record.id)).toEqual(placeRecords.map(({ id }) => id));
});

for (const world of worlds) describeRecord({ ask, sql, others: { without, elsewhere }, ...world });
