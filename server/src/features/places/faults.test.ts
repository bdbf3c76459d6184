import { placeRecords } from '@caseway/contract/places';
import { expect, test } from 'vitest';
import { placesWorld } from './test-places.ts';

const { ok, refused } = await placesWorld();
const nobody = '11111111-1111-4111-8111-111111111111';

const clinic = {
  name: 'Clinic of faults',
  facilityType: 'clinic',
  providerKinds: [],
  organization: null,
  clia: null,
  npi: null,
  street: null,
  city: null,
  state: null,
  postalCode: null,
  county: null,
  phone: null,
  timeZone: null,
  experience: 'HEALTH_CARE',
};
const organization = {
  name: 'Organization of faults',
  experience: 'HEALTH_CARE',
  contactName: null,
  contactEmail: null,
  contactPhone: null,
};
const jurisdiction = { name: 'Jurisdiction of faults', parent: null, counties: ['12057'], reporting: false };
const types = await ok<{ types: { id: string }[] }>('GET', 'programs/types');
const program = {
  label: 'Program of faults',
  labelEs: null,
  labelHt: null,
  programType: types.types[0]!.id,
  organization: null,
  diseaseFamilies: [],
};
type Made = { id: string; version: number };
const make = (path: string, body: object) => ok<Made>('POST', path, body);
const made = {
  facilities: await make('facilities', clinic),
  organizations: await make('organizations', organization),
  jurisdictions: await make('jurisdictions', jurisdiction),
  programs: await make('programs', program),
  teams: await make('teams', { name: 'Team of faults', members: [] }),
};
await make('teams', { name: 'Another team', members: [] });
await make('organizations', { ...organization, name: 'Another organization' });
await make('jurisdictions', { ...jurisdiction, name: 'Another jurisdiction' });
await make('programs', { ...program, label: 'Another program' });
const task = {
  label: 'Task of faults',
  labelEs: null,
  labelHt: null,
  program: made.programs.id,
  taskCategory: 'other',
};
const location = {
  ...{ name: 'Freezer of faults', level: 'location', facility: made.facilities.id, parent: null },
  ...{ equipment: null, coldest: null, warmest: null, rows: null, columns: null },
};
const room = await make('locations', location);
await make('locations', { ...location, name: 'Another freezer' });

/** For each kind of record: a valid one, several faulty fields, and every fault that they cause. */
const cases = {
  organizations: [
    organization,
    { name: 'another ORGANIZATION', contactEmail: 'nowhere', contactPhone: '555' },
    ['contactEmail invalid_format', 'contactPhone invalid-phone', 'name name-taken'],
  ],
  facilities: [
    clinic,
    { county: '99999', phone: '555', organization: nobody, npi: '1234567890' },
    ['county unknown-choice', 'npi invalid-npi', 'organization unknown-choice', 'phone invalid-phone'],
  ],
  jurisdictions: [
    jurisdiction,
    { name: 'another JURISDICTION', parent: nobody, counties: ['12057', '99999'], reporting: 'perhaps' },
    ['counties unknown-choice', 'name name-taken', 'parent unknown-choice', 'reporting invalid_type'],
  ],
  programs: [
    program,
    {
      label: 'another PROGRAM',
      labelEs: 7,
      programType: nobody,
      organization: nobody,
      diseaseFamilies: ['nothing'],
    },
    [
      'diseaseFamilies unknown-choice',
      'label name-taken',
      'labelEs invalid_type',
      'organization unknown-choice',
      'programType unknown-choice',
    ],
  ],
  tasks: [
    task,
    { labelHt: 7, program: nobody, taskCategory: 'nothing' },
    ['labelHt invalid_type', 'program unknown-choice', 'taskCategory unknown-choice'],
  ],
  teams: [
    { name: 'Team', members: [] },
    { name: 'another TEAM', members: [nobody] },
    ['members unknown-choice', 'name name-taken'],
  ],
  locations: [
    location,
    { name: '', level: 'cupboard', facility: nobody, parent: nobody },
    ['facility unknown-choice', 'level invalid_value', 'name too_small', 'parent unknown-choice'],
  ],
} as const;
const rows = Object.entries(cases) as [string, readonly [object, object, readonly string[]]][];

const told = ([status, ...faults]: (string | number)[]) => [status, ...faults.map(String).sort()];

test('every kind of record is covered', () => {
  const paths = placeRecords.map(({ endpoints }) => endpoints.make.path);
  expect(paths.sort()).toEqual(
    Object.keys(cases)
      .map((kind) => `/api/web/${kind}`)
      .sort(),
  );
});

test.each(rows)('[S5.1] a new one of the %s is refused with all faults together', async (path, row) => {
  const [valid, faulty, faults] = row;
  expect(told(await refused('POST', path, { ...valid, ...faulty }))).toEqual([422, ...faults]);
});

test.each(rows.filter(([path]) => path in made))(
  '[S5.1] a change of one of the %s is refused with all faults together',
  async (path, [, faulty, faults]) => {
    const { id, version } = made[path as keyof typeof made];
    expect(told(await refused('PATCH', `${path}/${id}`, { ...faulty, version }))).toEqual([422, ...faults]);
  },
);

test('[S5.1] members of a team that are no ids are refused together with those who do not work here', async () => {
  const team = { name: 'Another team of faults', members: ['../users', nobody] };
  expect(told(await refused('POST', 'teams', team))).toEqual([
    ...[422, 'members unknown-choice', 'members.0 invalid_format'],
  ]);
});

test('[S5.1] a change of a fixed field is refused together with a faulty version', async () => {
  const change = { parent: nobody, name: 'another FREEZER', version: 'one' };
  expect(told(await refused('PATCH', `locations/${room.id}`, change))).toEqual([
    422,
    'name name-taken',
    'parent kept',
    'version invalid_type',
  ]);
});

test('[S5.1] a field is checked together with another only if both are valid', async () => {
  // The county is in Florida; the intended state is unknown.
  expect(await refused('POST', 'facilities', { ...clinic, state: 'Florida', county: '12057' })).toEqual([
    422,
    expect.stringMatching(/^state /),
  ]);
  expect(
    await refused('POST', 'facilities', { ...clinic, name: 'A\0', phone: '555', county: '99999' }),
  ).toEqual([422, 'name invalid-value', expect.stringMatching(/^phone /), 'county unknown-choice']);
});
