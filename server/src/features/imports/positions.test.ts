import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { carryAll } from '../../../test/carried.ts';
import { makeCaseNumbers } from '../../../test/factories.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { guideOf } from '../settings/guide.ts';
import { importList } from './import-list.ts';
import { chlamydia, elr, hivScreen, importText } from './test-messages.ts';

/*
 * Two files, one of which also has messages that a reader may not see. The reader sees exactly the same of both: no
 * position, line, size or number reveals that there is something in between. [P18, P24]
 */

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
await makeCaseNumbers(database, demo.id);
const service = <Row extends object>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId: demo.id }, (tx) => tx.rows<Row>(text, params));
const lab = await signInAs(testing, 'lab@demo.caseway.test');
const investigator = await signInAs(testing, 'investigator@demo.caseway.test');

const unknown = '99999-7^Zq local test^L';
let sent = 0;
/** A message about its own person. */
function message(last: string, ...tests: string[]): string {
  sent += 1;
  return elr({
    control: `N${sent}`,
    order: `N-${sent}`,
    patient: {
      id: `N${sent}`,
      last,
      first: `${last}a`,
      phone: `555${1000 + sent}`,
      street: `${sent} Elm St`,
      birth: `19${20 + (sent % 70)}0${1 + (sent % 9)}1${sent % 9}`,
    },
    tests: tests.map((test) => ({ test })),
  });
}
/** Three messages that a laboratorian sees, with others between them. */
const file = (names: [string, string, string], between: readonly string[] = []): string =>
  names.flatMap((last, at) => [...between.slice(at, at + 1), message(last, chlamydia)]).join('\r');
const hidden = (...names: [string, string, string]) => [
  message(names[0], hivScreen),
  // It waits for a code.
  message(names[1], hivScreen, unknown),
  message(names[2], hivScreen),
];

const ask = async (headers: object, method: 'GET' | 'POST', url: string, payload?: object) => {
  const response = await app.fastify.inject({
    method,
    url,
    headers: headers as Record<string, string>,
    payload,
  });
  expect(response.statusCode, url).toBe(200);
  return response.json();
};
/** What a reader sees of an import, without values that differ between files anyway. */
async function told(headers: object, importId: string): Promise<string> {
  const url = `/api/web/imports/${importId}`;
  const detail = await ask(headers, 'GET', url);
  const lists = [];
  for (const query of ['', '?state=taken', '?state=waiting'])
    lists.push(await ask(headers, 'GET', `${url}/messages${query}`));
  const texts = [];
  for (const { id } of lists[0]!.rows) texts.push(await ask(headers, 'GET', `${url}/messages/${id}`));
  const grid = (await ask(headers, 'POST', '/api/web/grid/imports/search', {})).rows.filter(
    ({ id }: { id: string }) => id === importId,
  );
  return JSON.stringify([detail, lists, texts.map(({ text: _, ...rest }) => rest), grid])
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'at')
    .replaceAll(/"(controlId|fileName)":"[^"]*"/g, '"$1"');
}
const take = (text: string) => importText(database, demo.id, text);

test('the guide counts the imports that its reader can list', async () => {
  const counted = (hiddenFamilies: string[]) =>
    database.withScope(
      {
        kind: 'org', tenantId: demo.id, orgType: 'T', orgId: demo.id, accountId: lab.init.user.id, counties: [],
        hiddenFamilies, genderIdentityShown: true,
      }, // biome-ignore format: a scope
      async (tx) => [
        (await guideOf(tx, demo.id)).steps.find(({ step }) => step === 'import')!.count,
        (await tx.rows(`select id from ${importList('$1')} i`, [demo.id])).length,
      ],
    );
  await take(message('Xavier', hivScreen));
  expect(await counted(['hiv'])).toEqual([0, 0]);
  expect(await counted([])).toEqual([1, 1]);
  await take(message('Yilmaz', chlamydia));
  expect(await counted(['hiv'])).toEqual([1, 1]);
});

describe('a file with more than a reader may see', () => {
  test('looks the same to them as without the rest of the file', async () => {
    // The places of these messages are known.
    await take(message('Adeyemi', chlamydia));
    const { importId: plain } = await take(file(['Brandt', 'Castillo', 'Dumont']));
    const { importId: mixed } = await take(
      file(['Eriksen', 'Fontaine', 'Grabowski'], hidden('Hallström', 'Ibarra', 'Jaworski')),
    );
    const of = async (id: string) => told(lab.headers, id);
    expect(await of(mixed)).toBe(await of(plain));
    const { rows } = await ask(lab.headers, 'GET', `/api/web/imports/${mixed}/messages`);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ index: null, line: null });
    // Readers who see all of it get the position of each.
    const whole = await ask(investigator.headers, 'GET', `/api/web/imports/${mixed}/messages`);
    expect(whole.rows.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('its size does not sort or filter for them, but does for others', async () => {
    const order = async (headers: object, sort: string) =>
      (
        await ask(headers, 'POST', '/api/web/grid/imports/search', {
          sortModel: [
            { field: 'byteSize', sort },
            { field: 'createdAt', sort: 'asc' },
          ],
        })
      ).rows.map(({ id }: { id: string }) => id);
    expect(await order(lab.headers, 'desc')).toEqual(await order(lab.headers, 'asc'));
    expect(await order(investigator.headers, 'desc')).not.toEqual(await order(investigator.headers, 'asc'));
  });

  test('the sender sees the position of each of their messages', async () => {
    const { importId } = await take(
      `${file(['Kowalczyk', 'Lindgren', 'Moreau'], hidden('Nakamura', 'Okonkwo', 'Petrov'))}\r${message('Quintero', chlamydia, unknown)}`,
    );
    const url = `/api/web/imports/${importId}`;
    await service('update import set created_by = $1 where tenant_id = $2 and id = $3', [
      lab.init.user.id,
      demo.id,
      importId,
    ]);
    await carryAll(superuserUrl);
    const { rows } = await ask(lab.headers, 'GET', `${url}/messages`);
    expect(rows.map(({ index }: { index: number }) => index)).toEqual([1, 3, 5, 6]);
    expect(await ask(lab.headers, 'GET', url)).toMatchObject({ withheld: 3, byteSize: expect.any(Number) });
  });

  test('a code and a re-run count only the waiting messages that they see', async () => {
    const codes = async (headers: object) =>
      (await ask(headers, 'GET', '/api/web/code-mappings')).rows.find(
        ({ code }: { code: string }) => code === '99999-7',
      );
    const seen = await codes(lab.headers);
    const all = await codes(investigator.headers);
    // Two of HIV, and the one that they sent.
    expect([all.occurrences, all.waiting]).toEqual([3, 3]);
    expect([seen.occurrences, seen.waiting]).toEqual([null, 1]);
    const { rows } = (await ask(lab.headers, 'POST', '/api/web/grid/imports/search', {})) as {
      rows: { id: string; waiting: number }[];
    };
    const queued = [];
    for (const { id } of rows)
      queued.push(
        (await ask(lab.headers, 'POST', `/api/web/imports/${id}/rerun`, { state: 'waiting' })).queued,
      );
    expect(queued).toEqual(rows.map(({ waiting }) => waiting));
    // Messages that they do not see still wait.
    const asked = await service<{ n: number }>(
      `select count(*)::int as n from import_message where tenant_id = $1 and rerun and 'hiv' = any (disease_families)`,
      [demo.id],
    );
    expect(asked).toEqual([{ n: 0 }]);
    await service('update import_message set rerun = false where tenant_id = $1', [demo.id]);
    const decided = await app.fastify.inject({
      method: 'PUT',
      url: `/api/web/code-mappings/${seen.id}`,
      headers: lab.headers,
      payload: { state: 'ignored' },
    });
    expect(decided.json()).toMatchObject({ queued: 1 });
    // But decisions apply to them, too.
    const again = await service<{ n: number }>(
      'select count(*)::int as n from import_message where tenant_id = $1 and rerun',
      [demo.id],
    );
    expect(again).toEqual([{ n: 3 }]);
  });
});
