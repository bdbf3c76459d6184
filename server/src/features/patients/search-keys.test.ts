import { describe, expect, test } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import { keyRange, searchWords } from '../../platform/grid/search-words.ts';
import { keysOfCase } from '../case-reports/case-keys.ts';
import { keysOfPatient, writeSearchKeys } from './search-keys.ts';

const { database, superuserUrl } = await createTestDatabase();

const nobody = { lastName: null, firstName: null, birthDate: null, phones: [], emails: [], identifiers: [] };

/** Whether a typed text finds a person: every word matches the beginning of a key. */
const isFoundBy = (person: Partial<Parameters<typeof keysOfPatient>[0]>, typed: string): boolean => {
  const keys = keysOfPatient({ ...nobody, ...person });
  return searchWords([typed]).every((terms) =>
    terms.some((term) => keys.some((key) => key.startsWith(term))),
  );
};

describe('search keys', () => {
  test.each([
    ['Müller', 'Müller'],
    ['Müller', 'mueller'],
    ['Müller', 'MULLER'],
    ['Mu\u0308ller', 'mueller'],
    ['José', 'jose'],
    ['Jose', 'josé'],
    ['Sørensen', 'soerensen'],
    ['Weiß', 'weiss'],
    ["O'Brien", 'obrien'],
    ['O’Brien', "o'brien"],
    ['Smith-Jones', 'jones'],
    ['Smith-Jones', 'smithjones'],
    ['Smith-Jones', 'smith-jones'],
    ['van der Berg', 'van der Berg'],
    ['van der Berg', 'vanderberg'],
    ['St. John', 'st john'],
    ['Щукин', 'щук'],
    ['Nguyễn', 'nguyen'],
  ])('%s is found as %s', (lastName, typed) => {
    expect(isFoundBy({ lastName }, typed)).toBe(true);
  });

  test.each([
    ['Müller', 'miller'],
    ['Müller', 'uller'],
    ['Smith-Jones', 'smith jonas'],
  ])('%s is not found as %s', (lastName, typed) => {
    expect(isFoundBy({ lastName }, typed)).toBe(false);
  });

  test('a person is found by any of their names, and by several words together', () => {
    const person = {
      lastName: 'Garcia',
      firstName: 'María José',
      otherNames: [{ last: 'Lopez', first: 'Mary' }],
      birthDate: '1980-02-13',
    };
    expect(isFoundBy(person, 'gar maria')).toBe(true);
    expect(isFoundBy(person, 'lopez, mary')).toBe(true);
    expect(isFoundBy(person, 'mariajose 1980')).toBe(true);
    expect(isFoundBy(person, 'garcia peter')).toBe(false);
  });

  test.each([
    ['1980-02-13', true],
    ['1980-2-13', true],
    ['02/13/1980', true],
    ['2/13/1980', true],
    ['13/02/1980', true],
    ['13.2.1980', true],
    ['19800213', true],
    ['1980', true],
    ['02/14/1980', false],
    ['2013', false],
  ])('a birth date of 13 February 1980 is found as %s: %s', (typed, found) => {
    expect(isFoundBy({ birthDate: '1980-02-13' }, typed)).toBe(found);
  });

  test.each([
    ['+14045550123', '+1 404 555 0123'],
    ['+14045550123', '(404) 555-0123'],
    ['+14045550123', '404 555 0123'],
    ['+14045550123', '+1 (404) 555-0123'],
    ['+14045550123', '404.555.0123'],
    ['+14045550123', '555-0123'],
    ['4045550123', '14045550123'],
    ['+50934567890', '50934567890'],
    ['+50934567890', '4567890'],
  ])('the phone %s is found as %s', (phone, typed) => {
    expect(isFoundBy({ phones: [phone] }, typed)).toBe(true);
  });

  test('identifiers and case numbers are found with and without punctuation', () => {
    expect(isFoundBy({ identifiers: [{ value: 'MR-00 123.x' }] }, 'mr00123x')).toBe(true);
    expect(isFoundBy({ identifiers: [{ value: 'MR-00123' }] }, 'MR-001')).toBe(true);
    expect(isFoundBy({ emails: ['ana.diaz@example.test'] }, 'Ana.Diaz@')).toBe(true);
    expect(keysOfCase({ caseId: '2026-0000123', externalId: 'NC/77-a' })).toEqual(['20260000123', 'nc77a']);
    expect(searchWords(['2026-0000123'])).toEqual([['20260000123']]);
  });

  test('a text without letters or digits is not a word, and empty fields have no key', () => {
    expect(searchWords(['- %', ' ', "'"])).toEqual([]);
    expect(keysOfPatient({ ...nobody, lastName: '', firstName: '-', phones: ['ext.'] })).toEqual([]);
    expect(keysOfCase({ caseId: '1', externalId: null })).toEqual(['1']);
  });

  test('a range has exactly the keys that begin with a term', () => {
    const [from, to] = keyRange('mul');
    const inside = ['mul', 'mula', 'mulzz', 'mul\u{10ffff}a'.slice(0, 4)];
    for (const key of inside)
      expect(
        Buffer.compare(Buffer.from(key), Buffer.from(from)) >= 0 &&
          Buffer.compare(Buffer.from(key), Buffer.from(to)) < 0,
      ).toBe(true);
    for (const key of ['mu', 'mum', 'muk'])
      expect(
        Buffer.compare(Buffer.from(key), Buffer.from(from)) >= 0 &&
          Buffer.compare(Buffer.from(key), Buffer.from(to)) < 0,
      ).toBe(false);
  });

  test('a record has its last written keys; others do not change', async () => {
    const tenant = await makeTenant(database);
    const [one, two] = [
      '11111111-1111-4111-8111-111111111111',
      '22222222-2222-4222-8222-222222222222',
    ] as const;
    const write = (kind: 'patient' | 'case', records: { id: string; keys: string[] }[]) =>
      database.withScope({ kind: 'service', tenantId: tenant.id }, (tx) =>
        writeSearchKeys(tx, tenant.id, kind, records),
      );
    await write('patient', [
      { id: one, keys: ['ana', 'diaz', 'ana'] },
      { id: two, keys: ['ana', 'ruiz'] },
    ]);
    await write('case', [{ id: one, keys: ['20260000001'] }]);
    await write('patient', [{ id: one, keys: ['diaz', 'maria'] }]);
    await write('patient', []);
    const rows = await asSuperuser(
      'select record_kind, record_id, key from search_key where tenant_id = $1 order by 1, 2, 3',
      [tenant.id],
      superuserUrl,
    );
    expect(rows).toEqual([
      { record_kind: 'case', record_id: one, key: '20260000001' },
      { record_kind: 'patient', record_id: one, key: 'diaz' },
      { record_kind: 'patient', record_id: one, key: 'maria' },
      { record_kind: 'patient', record_id: two, key: 'ana' },
      { record_kind: 'patient', record_id: two, key: 'ruiz' },
    ]);
    await write('patient', [{ id: one, keys: [] }]);
    expect(
      await asSuperuser(
        'select key from search_key where tenant_id = $1 and record_id = $2 and record_kind = $3',
        [tenant.id, one, 'patient'],
        superuserUrl,
      ),
    ).toEqual([]);
  });
});
