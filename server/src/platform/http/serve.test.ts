import { PassThrough, Readable } from 'node:stream';
import { type Endpoint, endpoint } from '@caseway/contract/endpoint';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { App } from './app.ts';
import { AppError } from './app-error.ts';
import { serve } from './serve.ts';
import { logged, makeApp, reader, tenant } from './test-app.ts';

describe('access', () => {
  const at = (access: Endpoint['access']) =>
    endpoint({
      method: 'GET',
      path: `/api/access/${access.replace('/', '-')}`,
      access,
      deed: 'read',
      summary: 'x',
      response: z.object({ who: z.string() }),
    });

  it('is enforced as the endpoint declares it, before the handler runs [S6.6]', async () => {
    const app = await makeApp();
    let ran = 0;
    serve(app, at('public'), () => ({ who: 'anybody' }));
    serve(app, at('signed-in'), (call) => ({ who: call.account.audience }));
    serve(app, at('patient'), (call) => ({ who: call.account.audience }));
    serve(app, at('patients/read'), (call) => {
      ran += 1;
      return { who: `${call.org.id} ${call.may('patients/read')} ${call.may('patients/write')}` };
    });
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const { statusCode, json } = await app.fastify.inject({ url: `/api/access/${path}`, headers });
      return [statusCode, json().who ?? json().code, json().permission].filter((part) => part !== undefined);
    };
    const staff = { authorization: 'Bearer staff' };
    const aPatient = { authorization: 'Bearer patient' };
    expect(await ask('public')).toEqual([200, 'anybody']);
    expect(await ask('signed-in')).toEqual([401, 'not-signed-in']);
    expect(await ask('signed-in', staff)).toEqual([200, 'staff']);
    expect(await ask('signed-in', aPatient)).toEqual([403, 'forbidden']);
    expect(await ask('patient', staff)).toEqual([403, 'forbidden']);
    expect(await ask('patient', aPatient)).toEqual([200, 'patient']);
    expect(await ask('patients-read')).toEqual([401, 'not-signed-in']);
    expect(await ask('patients-read', staff)).toEqual([403, 'forbidden', 'patients/read']);
    expect(ran).toBe(0);
    expect(await ask('patients-read', reader)).toEqual([200, `${tenant.id} true false`]);
  });

  it('refuses a body from a person who may not send one, without reading it', async () => {
    const app = await makeApp();
    const upload = endpoint({
      method: 'POST',
      path: '/api/upload',
      access: 'patients/write',
      deed: 'change',
      summary: 'x',
      response: z.object({}),
    });
    serve(app, upload, () => ({}), { uploadLimit: 2 ** 30 });
    const { statusCode } = await app.fastify.inject({
      method: 'POST',
      url: '/api/upload',
      headers: reader,
      body: 'x'.repeat(1000),
    });
    expect(statusCode).toBe(403);
  });
});

describe('a stream that fails before it is sent', () => {
  it('is an error like any other, and the server continues', async () => {
    const app = await makeApp();
    const file = endpoint({
      method: 'GET',
      path: '/api/file',
      access: 'patients/read',
      deed: 'read',
      summary: 'x',
      patientData: true,
      produces: 'text/csv',
    });
    // It fails while the request's audit row is written.
    serve(app, file, () => {
      const out = new PassThrough();
      setImmediate(() => out.destroy(new Error('Canary')));
      return out;
    });
    const answer = await app.fastify.inject({ url: '/api/file', headers: reader });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('Canary');
  });
});

describe('the language of a request [S7.1]', () => {
  it('is English if the header names no known language', async () => {
    const app = await makeApp();
    const tell = endpoint({
      method: 'GET',
      path: '/api/language',
      access: 'public',
      deed: 'read',
      summary: 'x',
      response: z.object({ language: z.string() }),
    });
    serve(app, tell, ({ language }) => ({ language }));
    const languageFor = async (header: string) =>
      (await app.fastify.inject({ url: '/api/language', headers: { 'accept-language': header } })).json()
        .language;
    expect(await languageFor('es-419,es;q=0.9')).toBe('es-419');
    expect(await languageFor('en-GB')).toBe('en-GB');
    expect(await languageFor('a-b')).toBe('en');
    expect(await languageFor('abcdefgh-1')).toBe('en');
    expect(await languageFor('*')).toBe('en');
  });
});

describe('answers', () => {
  const thing = endpoint({
    method: 'GET',
    path: '/api/thing',
    access: 'public',
    deed: 'read',
    summary: 'x',
    response: z.object({ name: z.string() }),
  });
  const ask = (app: App) => app.fastify.inject('/api/thing');

  it('is checked against its declaration in tests: nothing missing and nothing more [P1]', async () => {
    const wrong = await makeApp();
    serve(wrong, thing, () => ({ name: 3 }) as never);
    expect((await ask(wrong)).statusCode).toBe(500);
    expect(logged.text).toContain('the answer of GET /api/thing is not as declared (name: Invalid input');
    const more = await makeApp();
    serve(more, thing, () => ({ name: 'x', socialSecurityNumber: 'Canary' }));
    expect((await ask(more)).statusCode).toBe(500);
    expect(logged.text).toContain('holds what is not declared (socialSecurityNumber)');
    expect(logged.text).not.toContain('Canary');
  });

  it('is empty if nothing is declared, and a file if a media type is', async () => {
    const app = await makeApp();
    serve(
      app,
      endpoint({ method: 'DELETE', path: '/api/thing', access: 'public', deed: 'change', summary: 'x' }),
      () => {},
    );
    serve(
      app,
      endpoint({
        method: 'GET',
        path: '/api/file',
        access: 'public',
        deed: 'read',
        summary: 'x',
        produces: 'text/csv',
      }),
      (call) => {
        call.setHeader('content-disposition', 'attachment; filename="things.csv"');
        return Readable.from(['a,b\n', '1,2\n']);
      },
    );
    const empty = await app.fastify.inject({ method: 'DELETE', url: '/api/thing' });
    expect([empty.statusCode, empty.body]).toEqual([204, '']);
    const file = await app.fastify.inject('/api/file');
    expect([file.body, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
      'a,b\n1,2\n',
      'text/csv',
      'attachment; filename="things.csv"',
    ]);
  });

  it.each([
    ['a refusal', new AppError('not-found'), 404, 'not-found'],
    [
      'a statement that took too long [P19]',
      Object.assign(new Error('x'), { code: '57014' }),
      400,
      'query-too-slow',
    ],
    ['a database that restarts [P6]', Object.assign(new Error('x'), { code: '57P01' }), 503, 'unavailable'],
    [
      'a database that is away [P6]',
      Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
      503,
      'unavailable',
    ],
    ['a lost connection [P6]', new Error('Connection terminated unexpectedly'), 503, 'unavailable'],
    ['a full disk of the database [P6]', Object.assign(new Error('x'), { code: '53100' }), 507, 'disk-full'],
    ['a full disk [P6]', Object.assign(new Error('x'), { code: 'ENOSPC' }), 507, 'disk-full'],
    ['anything else', new Error('Canary Quill, born 1980-01-01'), 500, 'internal'],
  ])('is, for %s, a body with its code', async (_, error, status, code) => {
    const app = await makeApp();
    serve(app, thing, () => {
      throw error;
    });
    const answer = await ask(app);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(Object.keys(answer.json()).sort()).toEqual(['code', 'message', 'requestId']);
    expect(answer.json().requestId).toBe(answer.headers['x-request-id']);
    expect(answer.body).not.toContain('Canary');
  });

  it('reveals nothing about a failing statement, and the log none of its values [P16]', async () => {
    const app = await makeApp();
    serve(app, { ...thing, access: 'patients/read' }, (call) =>
      call.withScope(async (tx) => {
        await tx.rows('select $1::uuid', ['Canary']);
        return { name: '' };
      }),
    );
    const answer = await app.fastify.inject({ url: '/api/thing', headers: reader });
    expect(answer.statusCode).toBe(500);
    expect(logged.text).toContain('"code":"22P02"');
    expect(answer.body + logged.text).not.toContain('Canary');
  });

  it('is logged by its route and never by its address [P16]', async () => {
    const app = await makeApp();
    serve(
      app,
      endpoint({
        method: 'GET',
        path: '/api/thing/:id',
        access: 'public',
        deed: 'read',
        summary: 'x',
        params: z.strictObject({ id: z.string() }),
        query: z.strictObject({ name: z.string() }),
        response: z.object({}),
      }),
      () => ({}),
    );
    await app.fastify.inject('/api/thing/Canary?name=Canary');
    expect(logged.text).toContain('"route":"/api/thing/:id","status":200');
    expect(logged.text).not.toContain('Canary');
  });
});
