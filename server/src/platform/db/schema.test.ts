import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { generateSchema } from './generate-schema.ts';

const { superuserUrl } = await createTestDatabase();

it('types the tables as the migrations leave them (else run npm run db:types)', async () => {
  const text = await generateSchema(async (query) => ({ rows: await asSuperuser(query, [], superuserUrl) }));
  expect(await readFile(new URL('./schema.ts', import.meta.url), 'utf8')).toBe(text);
});
