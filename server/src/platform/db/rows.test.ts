import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import { recordId } from './record-id.ts';
import { insertRows } from './rows.ts';

const { database } = await createTestDatabase();
const tenant = await makeTenant(database);
const scope = { kind: 'service', tenantId: tenant.id } as const;

const columns = {
  id: 'uuid', last_name: 'text', other_names: 'jsonb', birth_date: 'date', deceased: 'boolean', phones: 'text[]',
  organization_ids: 'uuid[]', informed_at: 'timestamptz', told_by: 'uuid[]', told_openly: 'jsonb',
}; // biome-ignore format: a table

/** Inserts a patient with these columns, and one with none of them, and returns the first as stored. */
async function stored(row: { [column: string]: unknown }) {
  const id = recordId();
  return database.withScope(scope, async (tx) => {
    const other = { id: recordId(), other_names: [], phones: [], organization_ids: [] };
    await insertRows(tx, tenant.id, 'patient', columns, [
      { ...other, id, ...row },
      { ...other, last_name: null },
    ]);
    const [found] = await tx.rows(
      `select last_name, other_names, birth_date, deceased, phones, organization_ids,
         to_char(informed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') as informed_at, told_by, told_openly
       from patient where tenant_id = $1 and id = $2`,
      [tenant.id, id],
    );
    return found!;
  });
}

test('a connection that inserts into a table in several ways has a statement for each', async () => {
  const [id, other] = [recordId(), recordId()];
  const plain = { other_names: 'jsonb', phones: 'text[]', organization_ids: 'uuid[]' };
  const row = { other_names: [], phones: [], organization_ids: [] };
  await database.withScope(scope, async (tx) => {
    await insertRows(tx, tenant.id, 'patient', { id: 'uuid', ...plain }, [{ id, ...row }]);
    await insertRows(tx, tenant.id, 'patient', { id: 'uuid', city: 'text', ...plain }, [
      { id: other, city: 'Ybor', ...row },
    ]);
    expect(
      await tx.rows('select id, city from patient where tenant_id = $1 and id = any ($2) order by city', [
        tenant.id,
        [id, other],
      ]),
    ).toEqual([
      { id: other, city: 'Ybor' },
      { id, city: null },
    ]);
  });
});

describe('rows that are given as arrays', () => {
  // Values that contain array or JSON syntax of PostgreSQL, or what looks like it.
  test.each([
    'O’Brien, "Pat"', '{}', '{a,b}', '[]', ',', '""', '"', '\\', '\\\\', '\\"', 'a\\nb', 'NULL', 'null', '', ' ', ' a ',
    'a\nb', 'a\r\nb\tc', '\b\f\v', '\u0001\u001f\u007f', '\u2028', 'Ünï ©', '𝒳', '\\u0041', '\\\\u0041', '\\ud800', 'true', '1e5',
  ])('%j is stored unchanged, in a column, in a list and in an object', async (text) => {
    const row = await stored({ last_name: text, phones: [text, 'x', text], other_names: [{ last: text, [text]: null }] });
    expect(row.last_name).toBe(text);
    expect(row.phones).toEqual([text, 'x', text]);
    expect(row.other_names).toEqual([{ last: text, [text]: null }]);
  }); // biome-ignore format: a list

  test('what PostgreSQL cannot store is left out or replaced', async () => {
    const row = await stored({
      last_name: 'a\0b\ud800',
      phones: ['\0\n', '\udc00'],
      other_names: [{ last: '\0\n\ud800' }],
    });
    expect(row.last_name).toBe('ab\ufffd');
    expect(row.phones).toEqual(['\n', '\ufffd']);
    expect(row.other_names).toEqual([{ last: '\n\ufffd' }]);
  });

  test('values of every kind, and columns that are empty in some rows or in all', async () => {
    const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    expect(
      await stored({
        birth_date: '1980-02-29',
        deceased: false,
        organization_ids: ids,
        informed_at: '2026-01-02T03:04:05.678Z',
        told_by: [],
        told_openly: { keys: ['a"b'], deceased: null, none: {} },
      }),
    ).toEqual({
      last_name: null,
      other_names: [],
      birth_date: '1980-02-29',
      deceased: false,
      phones: [],
      organization_ids: ids,
      informed_at: '2026-01-02 03:04:05.678',
      told_by: [],
      told_openly: { keys: ['a"b'], deceased: null, none: {} },
    });
    expect(await stored({ last_name: 'Diaz' })).toMatchObject({
      birth_date: null,
      told_by: null,
      told_openly: null,
    });
  });
});
