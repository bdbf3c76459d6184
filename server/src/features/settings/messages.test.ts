import { filled, type MailKind, mailFaults, mailKinds, mailShapes } from '@caseway/contract/mail-text';
import { experiences } from '@caseway/contract/session';
import type { Message } from '@caseway/contract/settings';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { messagesTo } from '../../../test/outbox.ts';
import { actFor, beginSignIn, signInAs } from '../../../test/sign-in.ts';
import { builtInText, mailTextFor } from '../../platform/mail/mail-texts.ts';

const testing = await testApp({}, { background: true });
const { app, database, superuserUrl } = testing;
const { vendor } = await seedDemoTenants(database);
const admin = await signInAs(testing, 'admin@vendor.caseway.test');

const write = async (kind: string, language: string, subject: string, body: string) => {
  const response = await app.fastify.inject({
    method: 'PUT',
    url: '/api/web/settings/messages',
    headers: admin.headers,
    payload: { kind, language, text: { subject, body }, before: null },
  });
  expect([response.statusCode, response.body]).toEqual([200, expect.anything()]);
};

const arrives = (address: string, words: string) =>
  expect
    .poll(async () => (await messagesTo(testing, address)).some((text) => text.includes(words)))
    .toBe(true);

describe('messages in the words of the tenant', () => {
  test('are used as soon as they are saved, only for the people of that tenant', async () => {
    await write(
      'sign-in-code',
      'en',
      'Brightwell code',
      'Brightwell says:\n\n{{code}}\n\nGood {{minutes}} min.',
    );
    await asSuperuser(
      'update tenant set phone = $2 where id = $1',
      [vendor.id, '(813) 555-0110'],
      superuserUrl,
    );
    await beginSignIn(testing, 'lab@vendor.caseway.test');
    await arrives('lab@vendor.caseway.test', 'Brightwell says:');
    const [text] = (await messagesTo(testing, 'lab@vendor.caseway.test')).slice(-1);
    expect(text).toContain('Subject: Brightwell code');
    expect(text!.split(/\r?\n/).filter((line) => /^\d{6}$/.test(line))).toHaveLength(1);
    expect(text).toContain('Good 5 min.');
    // Whom it is from, in both parts.
    expect(text!.match(/\(813\) 555-0110/g)).toHaveLength(2);
    await beginSignIn(testing, 'analyst@demo.caseway.test');
    await arrives('analyst@demo.caseway.test', 'Subject: Your sign-in code');
  });

  test('a person in several tenants gets the product’s own', async () => {
    await asSuperuser(
      `insert into membership (tenant_id, id, account_id, org_type, org_id)
       select $1, gen_random_uuid(), id, 'T', $1 from account where username = 'clinician@demo.caseway.test'`,
      [vendor.id],
      superuserUrl,
    );
    await beginSignIn(testing, 'clinician@demo.caseway.test');
    await arrives('clinician@demo.caseway.test', 'Subject: Your sign-in code');
    expect((await messagesTo(testing, 'clinician@demo.caseway.test')).join()).not.toContain('555-0110');
  });

  test('to an address that nobody has confirmed do not name the department [P12]', async () => {
    const of = (kind: MailKind) =>
      database.withScope(
        { kind: 'identity' },
        async (tx) => (await mailTextFor(tx, { tenantId: vendor.id }, kind, 'en')).text.department,
      );
    expect(await of('contact-present')).toMatchObject({ phone: '(813) 555-0110' });
    expect([await of('contact-new'), await of('patient-contact-new')]).toEqual([null, null]);
  });

  test('an invitation is in the words of the inviting tenant; other languages keep the product’s', async () => {
    await write('invitation', 'en', 'Join {{tenant}}', 'Dear {{name}}: {{address}}, as {{email}}.');
    const { roles } = (
      await app.fastify.inject({
        url: `/api/web/users/roles?orgType=T&orgId=${vendor.id}`,
        headers: admin.headers,
      })
    ).json<{ roles: { id: string; code: string }[] }>();
    const invite = (email: string, language: string) =>
      app.fastify.inject({
        method: 'POST',
        url: '/api/web/users',
        headers: admin.headers,
        payload: {
          firstName: 'Nell',
          middleName: null,
          lastName: 'Invented',
          email,
          phone: null,
          language,
          timeZone: 'America/Chicago',
          memberships: [
            { orgType: 'T', orgId: vendor.id, roleIds: [roles.find(({ code }) => code === 'member')!.id] },
          ],
        },
      });
    // There are no British words here, so the tenant's American ones are closer than the product's.
    for (const language of ['en', 'en-GB', 'es'])
      expect((await invite(`nell-${language}@vendor.caseway.test`.toLowerCase(), language)).statusCode).toBe(
        200,
      );
    for (const language of ['en', 'en-gb']) {
      await arrives(`nell-${language}@vendor.caseway.test`, 'Subject: Join Brightwell Diagnostics');
      await arrives(`nell-${language}@vendor.caseway.test`, 'Dear Nell:');
    }
    await arrives('nell-es@vendor.caseway.test', 'Hola, Nell');
  });

  test('[P12] the answer to a sign-in is the same whether or not there is such an account', async () => {
    const answers = await Promise.all(
      ['entry@demo.caseway.test', 'nobody@demo.caseway.test'].map((username) =>
        beginSignIn(testing, username),
      ),
    );
    const shape = (answer: object) =>
      Object.entries(answer).map(([key, value]) => [key, String(value).length]);
    expect(shape(answers[0]!)).toEqual(shape(answers[1]!));
    await arrives('entry@demo.caseway.test', 'Subject: Your sign-in code');
    expect(await messagesTo(testing, 'nobody@demo.caseway.test')).toEqual([]);
  });
});

test('[S1.5] the product’s own words are those of the tenant’s experience, to patients and on the settings', async () => {
  const be = (experience: string) =>
    asSuperuser('update tenant set experience = $2 where id = $1', [vendor.id, experience], superuserUrl);
  const told = (kind: MailKind, language: string) =>
    database.withScope({ kind: 'identity' }, async (tx) => {
      const { text } = await mailTextFor(tx, { tenantId: vendor.id }, kind, language);
      return text.body;
    });
  expect(await told('patient-code', 'es')).toContain('Nadie de su clínica se lo pedirá nunca.');
  await be('EDUCATION');
  expect(await told('patient-code', 'es')).toContain('Nadie de su escuela se lo pedirá nunca.');
  expect(await told('patient-notice', 'en-GB')).toContain(
    'call your school’s health office or the health department.',
  );
  await be('CORRECTIONS');
  expect(await told('patient-paused', 'ht')).toContain('avize pèsonèl sante ki nan sit ou a');
  await write('patient-code', 'es', 'Su código', 'De Brightwell:\n\n{{code}}\n\n{{minutes}}');
  expect(await told('patient-code', 'es')).toContain('De Brightwell:');
  const { headers } = await actFor(testing, admin.tokens);
  const { messages } = (await app.fastify.inject({ url: '/api/web/settings/messages', headers })).json<{
    messages: Message[];
  }>();
  const builtIn = messages.find(
    ({ kind, language }) => kind === 'patient-code' && language === 'es',
  )!.builtIn;
  expect(builtIn.body).toContain('Nadie que trabaje en su centro se lo pedirá nunca.');
  await be('HEALTH_CARE');
});

test('the product’s own words follow the same rules as a tenant’s', () => {
  for (const language of ['en', 'es', 'ht'])
    for (const experience of experiences)
      for (const kind of mailKinds) {
        const { text } = builtInText(kind, language, experience);
        expect([language, experience, kind, mailFaults(kind, text)]).toEqual([
          language,
          experience,
          kind,
          [],
        ]);
        const values = Object.fromEntries(mailShapes[kind].placeholders.map((name) => [name, 'x']));
        expect(filled(text.body, values)).not.toMatch(/\{\{|\[\[|undefined/);
      }
});
