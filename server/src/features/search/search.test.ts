import { gridSearch } from '@caseway/contract/grid';
import type { PersonAnswer } from '@caseway/contract/patients';
import { patientPerson } from '@caseway/contract/patients';
import { type FoundGroup, type FoundRecord, foundKinds } from '@caseway/contract/search';
import { searchLists } from '@caseway/contract/search-lists';
import { describe, expect, it, test } from 'vitest';
import { fillDemo } from '../../../seeds/demo/fill.ts';
import { demoWorld } from '../../../seeds/demo/tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { blankOf } from '../../../test/blank.ts';
import { asSuperuser } from '../../../test/database.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { elr, hivScreen, importText } from '../imports/test-messages.ts';

/* The search over everything: each reader finds what their lists find, and also people with similar names. */

const testing = await testApp();
const { database, superuserUrl } = testing;
await fillDemo(database, {
  demo: { patients: 120, results: 300, cases: 60 },
  vendor: { patients: 20, results: 40, cases: 3 },
});
const { demo } = demoWorld();
const tenantId = demo.id;
const admin = await signInAs(testing, 'admin@demo.caseway.test', `T:${tenantId}`);
// Sees no restricted families.
const entry = await signInAs(testing, 'entry@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const { ask, ok } = askingAs(testing, admin);
type Headers = typeof admin.headers;

const search = async (words: string, headers?: Headers) =>
  (await ok<{ groups: FoundGroup[] }>('POST', 'search', { words: words.split(' ') }, headers)).groups;
/** `kind: title`, with `~` before records that are only similar. */
const found = async (words: string, headers?: Headers) =>
  (await search(words, headers)).flatMap(({ kind, records }) =>
    records.map(({ title, similar }) => `${similar ? '~' : ''}${kind}: ${title}`),
  );
const make = async (given: Record<string, string | string[]>, headers?: Headers) =>
  (await ok<PersonAnswer>('POST', 'patients', { ...blankOf(patientPerson), ...given }, headers)).id;
const events = (action: string) =>
  asSuperuser<{ record_kind: string | null; record_ids: string[]; detail: object; deed: string }>(
    `select record_kind, record_ids, detail, deed from audit_event
     where tenant_id = $1 and action = $2 order by number, id`,
    [tenantId, action],
    superuserUrl,
  );

const abdallah = await make({ lastName: 'Abdallah', firstName: 'Noor', birthDate: '1984-03-09' });
await make({ lastName: 'Smith', firstName: 'Jonathon', birthDate: '1971-12-30', phones: ['+18135550147'] });
await make({ lastName: 'Quillon', firstName: 'Zo', birthDate: '1990-01-02' });
for (const firstName of ['Quilla', 'Quillane', 'Quillbert', 'Quillcy', 'Quilldan'])
  await make({ lastName: 'Aab', firstName, birthDate: '1990-01-02' });
await make({ lastName: 'Zzyx', firstName: 'Quill', birthDate: '1990-01-02' });

describe('people', () => {
  test('are found with a typing error, with another spelling, and not with another name', async () => {
    expect(await found('abdallah')).toEqual(['patients: Abdallah, Noor']);
    for (const typed of ['adballah', 'abdalah', 'abdallahh', 'abdellah', 'Adballah Noor', 'noor abdellah'])
      expect([typed, await found(typed)]).toEqual([typed, ['~patients: Abdallah, Noor']]);
    expect(await found('Jonathan Smyth')).toContain('~patients: Smith, Jonathon');
    expect(await found('abdomen')).toEqual([]);
    expect(await found('Adballah Peter')).toEqual([]);
  });

  test('with exactly the name come before those whose names begin with it', async () => {
    const names = await found('quill');
    expect(names[0]).toBe('patients: Zzyx, Quill');
    expect(names.filter((one) => one.startsWith('patients'))).toHaveLength(5);
    const [group] = await search('quill');
    expect(group).toMatchObject({ kind: 'patients', count: 7 });
  });

  test('are found by parts of their numbers, and no one by punctuation alone', async () => {
    expect(await found('5550147')).toEqual(['patients: Smith, Jonathon']);
    expect(await found('1984-03-09 Abdallah')).toEqual(['patients: Abdallah, Noor']);
    expect(await found('-')).toEqual([]);
  });

  test('of restricted families are found only by people who may see them, in any spelling [P18]', async () => {
    const person = { id: 'HS1', last: 'Vandermeulen', first: 'Hal', birth: '19700101' };
    await importText(database, tenantId, elr({ patient: person, tests: [{ test: hivScreen }] }));
    expect(await found('vandermeulen')).toContain('patients: Vandermeulen, Hal');
    expect(await found('vandremeulen')).toContain('~patients: Vandermeulen, Hal');
    expect(await found('Hal Vandermeulan')).toContain('~patients: Vandermeulen, Hal');
    for (const typed of ['vandermeulen', 'vandremeulen', 'Hal Vandermeulan'])
      expect([typed, await found(typed, entry.headers)]).toEqual([typed, []]);
  });

  test('of another tenant are not found', async () => {
    for (const typed of ['abdallah', 'adballah']) expect(await found(typed, vendor.headers)).toEqual([]);
  });
});

describe('what administrators look for', () => {
  test('users, facilities and imports are found by their words', async () => {
    await importText(database, tenantId, elr({ patient: { id: 'IM1', last: 'Imported' } }), {
      createdBy: admin.init.user.id,
    });
    await asSuperuser(
      `update import set file_name = 'North_Lab-2026.hl7' where id = (
         select id from import where tenant_id = $1 order by created_at desc limit 1)`,
      [tenantId],
      superuserUrl,
    );
    expect(await found('north_lab')).toContain('imports: North_Lab-2026.hl7');
    expect(await found('2026 north')).toContain('imports: North_Lab-2026.hl7');
    const { name, id } = demo.facilities[0]!;
    const places = (await search(name)).find(({ kind }) => kind === 'facilities')!;
    expect(places.records).toContainEqual(expect.objectContaining({ id, title: name }));
    expect((await found('entry@demo')).filter((one) => /-users/.test(one))).toHaveLength(1);
  });

  test('are not found by people who may not see their lists', async () => {
    const kinds = async (headers: Headers) =>
      (await search(demo.facilities[0]!.name.split(' ')[0]!, headers)).map(({ kind }) => kind);
    expect(await kinds(admin.headers)).toContain('facilities');
    expect(await kinds(entry.headers)).not.toContain('facilities');
  });
});

describe('what each reader finds', () => {
  const readers = { admin, entry, jurisdiction, clinician, analyst, vendor };
  it.each(Object.entries(readers))('%s: exactly what their lists find', async (_, { headers }) => {
    for (const words of ['ma', '2026', 'co']) {
      const groups = await search(words, headers);
      for (const kind of foundKinds) {
        const { grid } = searchLists[kind];
        const answer = await ask(
          'POST',
          gridSearch(grid).path.replace('/api/web/', ''),
          { filterModel: { items: [], quickFilterValues: [words] } },
          headers,
        );
        const listed = answer.statusCode === 200 ? answer.json<{ rowCount: number }>().rowCount : 0;
        expect([kind, words, groups.find((one) => one.kind === kind)?.count ?? 0]).toEqual([
          kind,
          words,
          listed,
        ]);
      }
    }
  });

  test('is nothing without a sign-in', async () => {
    for (const [path, payload] of [
      ['search', { words: ['a'] }],
      ['search/recent', { records: [{ kind: 'patients', id: abdallah }] }],
    ] as const)
      expect((await ask('POST', path, payload, {})).statusCode).toBe(401);
  });
});

describe('the log', () => {
  test('has a row for each kind with what was shown, and none of the words [P15]', async () => {
    const before = (await events('POST /api/web/search')).length;
    await search('adballah');
    await search('nobodyatall');
    const rows = (await events('POST /api/web/search')).slice(before);
    expect(rows).toEqual([
      { record_kind: 'patient', record_ids: [abdallah], detail: {}, deed: 'search' },
      { record_kind: null, record_ids: [], detail: {}, deed: 'search' },
    ]);
  });
});

describe('records that were opened last', () => {
  const recent = async (records: object[], headers?: Headers) =>
    (await ok<{ records: FoundRecord[] }>('POST', 'search/recent', { records }, headers)).records;

  test('are named as the reader sees them now, in their order, and logged', async () => {
    const facility = demo.facilities[0]!;
    const asked = [
      { kind: 'facilities', id: facility.id },
      { kind: 'patients', id: abdallah },
    ];
    expect((await recent(asked)).map(({ title }) => title)).toEqual([facility.name, 'Abdallah, Noor']);
    expect((await events('POST /api/web/search/recent')).map(({ record_kind }) => record_kind)).toEqual([
      'facility',
      'patient',
    ]);
  });

  test('are none of another tenant, and none of a list that the reader may not see', async () => {
    const person = [{ kind: 'patients', id: abdallah }];
    expect(await recent(person, vendor.headers)).toEqual([]);
    expect(await recent([{ kind: 'facilities', id: demo.facilities[0]!.id }], entry.headers)).toEqual([]);
  });
});

test('every column that names a record is in its list', () => {
  for (const { grid, title, detail, named = [] } of Object.values(searchLists))
    for (const name of [...title, ...detail, ...named])
      expect([grid.id, Object.keys(grid.columns)]).toEqual([grid.id, expect.arrayContaining([name])]);
});
