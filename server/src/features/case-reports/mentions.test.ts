import { randomUUID } from 'node:crypto';
import type { CaseReport } from '@caseway/contract/case-reports';
import type { Notification } from '@caseway/contract/inbox';
import { type Colleague, mentionOf } from '@caseway/contract/mentions';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { signInAs } from '../../../test/sign-in.ts';

const testing = await testApp({}, { background: true });
const { database, superuserUrl } = testing;
const { demo, vendor } = await seedDemoTenants(database);
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const ana = await signInAs(testing, 'investigator@demo.caseway.test');
const clinic = await signInAs(testing, 'clinician@demo.caseway.test');
const felix = await signInAs(testing, 'facility@demo.caseway.test');
const { ok, ask, faults } = askingAs(testing, ana);
const anaId = ana.init.user.id;
const epiId = epi.init.user.id;

async function newCase(family = 'chlamydia'): Promise<string> {
  const { id: patient_id } = await makePatient(database, { tenant_id: demo.id, county_fips: '12057' });
  const row = { tenant_id: demo.id, patient_id, disease_family: family, condition_code: family };
  return (await makeCaseReport(database, { ...row, county_fips: '12057', classification: 'probable' })).id;
}
const colleagues = async (id: string, words: string, headers?: Headers) =>
  (
    await ok<{ colleagues: Colleague[] }>(
      'GET',
      `case-reports/${id}/colleagues?words=${encodeURIComponent(words)}`,
      undefined,
      headers,
    )
  ).colleagues;
const note = (id: string, text: string) => ok<CaseReport>('POST', `case-reports/${id}/notes`, { text });
const mentionsOf = async (id: string, headers: Headers) =>
  (await ok<{ notifications: Notification[] }>('GET', 'inbox', undefined, headers)).notifications.filter(
    ({ kind, recordId }) => kind === 'mentioned' && recordId === id,
  );

describe('a colleague mentioned in a note', () => {
  test('is found by name, told in the inbox with a link, and shown under the present name', async () => {
    const id = await newCase();
    const { firstName, lastName } = epi.init.user;
    const found = await colleagues(id, `${lastName!.slice(0, 3)} ${firstName}`);
    expect(found).toContainEqual({ id: epiId, name: `${firstName} ${lastName}` });
    const text = `Please look, ${mentionOf(epiId)}. ${mentionOf(epiId)}!`;
    const { timeline } = await note(id, text);
    expect(timeline[0]).toMatchObject({
      kind: 'note',
      detail: { text, mentioned: { [epiId]: `${firstName} ${lastName}` } },
    });
    await expect.poll(() => mentionsOf(id, epi.headers)).toHaveLength(1);
    expect(await mentionsOf(id, epi.headers)).toMatchObject([
      { recordKind: 'case', recordId: id, actor: `${ana.init.user.firstName} ${ana.init.user.lastName}` },
    ]);
    await asSuperuser('update account set last_name = $2 where id = $1', [epiId, 'Renamed'], superuserUrl);
    const { timeline: later } = await ok<CaseReport>('GET', `case-reports/${id}`);
    expect(later[0]!.detail.mentioned).toEqual({ [epiId]: `${firstName} Renamed` });
    await asSuperuser('update account set last_name = $2 where id = $1', [epiId, lastName], superuserUrl);
  });

  test('may see the record: others are not offered, and a note that mentions them is refused [P18]', async () => {
    const [open, restricted] = [await newCase(), await newCase('hiv')];
    const name = `${epi.init.user.firstName} ${epi.init.user.lastName}`;
    expect((await colleagues(open, name)).map(({ id }) => id)).toEqual([epiId]);
    expect(await colleagues(restricted, name)).toEqual([]);
    // A user of a clinic that does not know of the case.
    expect(await colleagues(open, `${felix.init.user.firstName} ${felix.init.user.lastName}`)).toEqual([]);
    // Oneself is not offered.
    expect((await colleagues(open, '')).map(({ id }) => id)).not.toContain(anaId);
    const [stranger] = await asSuperuser<{ id: string }>(
      `select account_id as id from membership where tenant_id = $1 limit 1`,
      [vendor.id],
      superuserUrl,
    );
    for (const [id, whom] of [
      [restricted, epiId],
      [open, felix.init.user.id],
      [open, stranger!.id],
      [open, randomUUID()],
    ] as const)
      expect(await faults('POST', `case-reports/${id}/notes`, { text: `See ${mentionOf(whom)}` })).toEqual([
        'text mention-hidden',
      ]);
    const { timeline } = await ok<CaseReport>('GET', `case-reports/${open}`);
    expect(timeline.filter(({ kind }) => kind === 'note')).toEqual([]);
    expect(await mentionsOf(open, epi.headers)).toEqual([]);
  });

  test('is found first by the beginning of a name', async () => {
    const id = await newCase();
    const rename = (account: string, first: string, last: string) =>
      asSuperuser(
        'update account set first_name = $2, last_name = $3 where id = $1',
        [account, first, last],
        superuserUrl,
      );
    const supervisor = (await signInAs(testing, 'supervisor@demo.caseway.test')).init.user;
    const { firstName, lastName } = epi.init.user;
    await rename(epiId, 'Zoe', 'Inman');
    await rename(supervisor.id, 'Aline', 'Stone');
    const names = (await colleagues(id, 'in')).map(({ name }) => name);
    expect(names.filter((name) => ['Aline Stone', 'Zoe Inman'].includes(name))).toEqual([
      'Zoe Inman',
      'Aline Stone',
    ]);
    await rename(epiId, firstName!, lastName!);
  });

  test('is looked for only by people who may write to a case that they see', async () => {
    const [open, restricted] = [await newCase(), await newCase('hiv')];
    const status = async (id: string, headers: Headers) =>
      (await ask('GET', `case-reports/${id}/colleagues`, undefined, headers)).statusCode;
    expect(await status(open, {})).toBe(401);
    expect(await status(open, clinic.headers)).toBe(403);
    expect(await status(restricted, epi.headers)).toBe(404);
    expect(await status(randomUUID(), ana.headers)).toBe(404);
  });

  test('is one of at most twenty', async () => {
    const id = await newCase();
    const many = Array.from({ length: 21 }, () => mentionOf(randomUUID())).join(' ');
    expect(await faults('POST', `case-reports/${id}/notes`, { text: many })).toEqual([
      'text too-many-mentions',
    ]);
  });
});
