import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';

const { app, database } = await testApp();
await seedDemoTenants(database);

const optional = app.endpoints.flatMap(({ method, path, body }) =>
  path.startsWith('/auth/') && body instanceof z.ZodObject
    ? Object.entries(body.shape as Record<string, z.ZodType>).flatMap(([name, schema]) =>
        schema.safeParse(undefined).success ? [[`${method} ${path}`, name, schema] as const] : [],
      )
    : [],
);

describe('a client sends every property, including unused ones [S7.3]', () => {
  test('some properties of signing in are not used by everyone', () => {
    expect(optional.map(([endpoint, name]) => `${endpoint} ${name}`)).toEqual([
      'POST /auth/tenant/sign-in username',
      'POST /auth/patient/sign-in email',
      'POST /auth/patient/sign-in phone',
      'POST /auth/patient/sign-in username',
      'POST /auth/patient/sign-in patientId',
    ]);
  });

  test.each(optional)('%s: %s can be left out, empty or null', (_, name, schema) => {
    expect(['', null, undefined].map((given) => schema.parse(given))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([name, schema.safeParse(7).success]).toEqual([name, false]);
  });

  const post = async (path: string, payload: object) => {
    const answer = await app.fastify.inject({ method: 'POST', url: `/auth/${path}/sign-in`, payload });
    return { status: answer.statusCode, body: answer.json() };
  };
  const patient = (given: object, unused: '' | null) =>
    post('patient', {
      origin: 'localhost',
      email: unused,
      phone: unused,
      username: unused,
      patientId: unused,
      challengeMethod: 'EMAIL',
      ...given,
    });

  test.each(['', null] as const)(
    'a patient and a member of staff sign in with %j in the others',
    async (unused) => {
      expect((await patient({ email: 'patient@demo.caseway.test' }, unused)).status).toBe(200);
      const passkey = await post('tenant', {
        origin: 'localhost',
        username: unused,
        challengeMethod: 'PASSKEY',
      });
      expect(passkey.status).toBe(200);
    },
  );

  test.each(['', null] as const)('%j in all of them names no one', async (unused) => {
    const nobody = await patient({}, unused);
    expect([nobody.status, nobody.body.faults[0].code]).toEqual([422, 'identification-missing']);
    const staff = await post('tenant', { origin: 'localhost', username: unused, challengeMethod: 'EMAIL' });
    expect([staff.status, staff.body.faults]).toEqual([
      422,
      [expect.objectContaining({ path: 'username', code: 'required' })],
    ]);
  });

  test('used properties are checked as before, each by its own rule', async () => {
    const { status, body } = await patient({ email: 'no address', phone: '555' }, '');
    expect(status).toBe(422);
    expect(body.faults.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)).toEqual([
      'email invalid_format',
      'phone invalid_format',
    ]);
  });
});
