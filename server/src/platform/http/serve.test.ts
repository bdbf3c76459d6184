import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { dateRange } from '@caseway/contract/date-range';
import { type Endpoint, endpoint } from '@caseway/contract/endpoint';
import { gridSearch } from '@caseway/contract/grid';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { makePatient, makeTenant } from '../../../test/factories.ts';
import { createLog } from '../log.ts';
import type { AuditEvent, Auditor, Authorizer } from './access.ts';
import { type App, createApp } from './app.ts';
import { AppError } from './app-error.ts';
import { serve } from './serve.ts';

const { database, superuserUrl } = await createTestDatabase();
const tenant = await makeTenant(database);
const patient = await makePatient(database, { tenant_id: tenant.id, last_name: 'Canary' });

/** Believes a request that says who it is; the policy allows what the header lists. */
const authorizer: Authorizer = {
  async authenticate({ headers }) {
    if (!headers.authorization) throw new AppError('not-signed-in');
    const audience = headers.authorization === 'Bearer patient' ? 'patient' : 'staff';
    return {
      accountId: '00000000-0000-4000-8000-00000000000a',
      audience,
      sessionId: 'session',
      secondCheck: false,
    };
  },
  recordOf: async () => ({ tenantId: tenant.id, patientId: patient.id }),
  async authorise({ headers }, { accountId }, permission) {
    const allowed = String(headers['x-allowed'] ?? '').split(',');
    if (!allowed.includes(permission)) throw new AppError('forbidden', { permission });
    const tenantIds = headers['x-reads']?.toString().split(',') ?? [tenant.id];
    return {
      org: {
        id: tenant.id,
        orgType: 'T',
        name: tenant.name,
        experience: 'PUBLIC_HEALTH',
        timeZone: 'America/New_York',
        tenantIds,
      },
      may: (other) => allowed.includes(other),
      scopeIn: (tenantId) => ({
        kind: 'org',
        tenantId,
        orgType: 'T',
        orgId: tenant.id,
        accountId,
        counties: [],
        hiddenFamilies: [],
        genderIdentityShown: true,
      }),
    };
  },
};
/** Writes the rows a later part of the platform writes in full. */
const auditor: Auditor = {
  async write(tx, event) {
    await tx.run(
      'insert into audit_event (tenant_id, id, account_id, action, record_ids, request_id) values ($1, gen_random_uuid(), $2, $3, $4, $5)',
      [event.tenantId, event.accountId, event.action, event.recordIds, event.requestId],
    );
  },
};
const reader = { authorization: 'Bearer staff', 'x-allowed': 'patients/read' };

const logged = new PassThrough();
let logText = '';
logged.on('data', (chunk) => {
  logText += chunk;
});

const running: App[] = [];
async function makeApp(given: Partial<Parameters<typeof createApp>[0]> = {}): Promise<App> {
  const app = await createApp({
    database,
    authorizer,
    auditor,
    log: createLog('info', logged),
    publicUrl: 'http://localhost:8080',
    checkAnswers: true,
    ...given,
  });
  running.push(app);
  return app;
}
afterAll(() => Promise.all(running.map((app) => app.fastify.close())));

const audited = () =>
  asSuperuser<{ action: string; record_ids: string[]; account_id: string }>(
    'select action, record_ids, account_id from audit_event order by at, action',
    [],
    superuserUrl,
  );
beforeEach(async () => {
  await asSuperuser('delete from audit_event', [], superuserUrl);
  logText = '';
});

describe('access', () => {
  const at = (access: Endpoint['access']) =>
    endpoint({
      method: 'GET',
      path: `/api/access/${access.replace('/', '-')}`,
      access,
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

  it('refuses a body of whoever may not send one without reading it', async () => {
    const app = await makeApp();
    const upload = endpoint({
      method: 'POST',
      path: '/api/upload',
      access: 'patients/write',
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
  it('is an error like any other, and the server goes on', async () => {
    const app = await makeApp();
    const file = endpoint({
      method: 'GET',
      path: '/api/file',
      access: 'patients/read',
      summary: 'x',
      patientData: true,
      produces: 'text/csv',
    });
    // It fails while the audit row of the request is written.
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
  it('is English where the header names none that is a language', async () => {
    const app = await makeApp();
    const tell = endpoint({
      method: 'GET',
      path: '/api/language',
      access: 'public',
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

describe('what is sent', async () => {
  const app = await makeApp();
  const body = z.strictObject({
    name: z.string().min(2),
    age: z.number().int(),
    range: dateRange.optional(),
    filters: z.strictObject({ familyFilter: z.array(z.string()) }).optional(),
  });
  const save = endpoint({
    method: 'POST',
    path: '/api/save',
    access: 'public',
    summary: 'x',
    body,
    response: z.object({ name: z.string() }),
  });
  serve(app, save, ({ body: { name } }) => ({ name }));
  const find = endpoint({
    method: 'GET',
    path: '/api/find/:id',
    access: 'public',
    summary: 'x',
    params: z.strictObject({ id: z.uuid() }),
    query: z.strictObject({
      limit: z.coerce.number().int().max(200).default(25),
      word: z.string().optional(),
    }),
    response: z.object({ id: z.string(), limit: z.number() }),
  });
  serve(app, find, ({ params, query }) => ({ id: params.id, limit: query.limit }));
  const grid = gridSearch({
    id: 'things',
    permission: 'patients/read',
    columns: { name: { kind: 'text' }, secret: { kind: 'text', filterable: false, sortable: false } },
    defaultSort: [{ field: 'name', sort: 'asc' }],
    filters: ['familyFilter'],
    row: z.object({ id: z.string() }),
  });
  serve(app, grid, (call) => call.withScope(async () => ({ rows: [], rowCount: 0 })));
  const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
    app.fastify.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
  const id = '11111111-1111-4111-8111-111111111111';

  it('is answered when it is valid, and a query string is read as its schema says', async () => {
    expect((await post('/api/save', { name: 'Ada', age: 3 })).json()).toEqual({ name: 'Ada' });
    expect((await app.fastify.inject(`/api/find/${id}?limit=50`)).json()).toEqual({ id, limit: 50 });
    expect((await app.fastify.inject(`/api/find/${id}`)).json()).toEqual({ id, limit: 25 });
  });

  it('is refused where a text holds what no database keeps, and where that stands is said [P8]', async () => {
    const places = async (
      answer: Promise<{ statusCode: number; json(): { faults: { path: string }[] } }>,
    ) => {
      const { statusCode, json } = await answer;
      return [statusCode, json().faults.map(({ path }) => path)];
    };
    expect(await places(post('/api/save', { name: 'A\0da', age: 3 }))).toEqual([422, ['name']]);
    expect(await places(post('/api/save', '{"name":"\\ud800da","age":3}'))).toEqual([422, ['name']]);
    expect(await places(post('/api/save', { name: 'Ada', age: 3, filters: { a: ['x', '\0'] } }))).toEqual([
      422,
      ['filters.a.1'],
    ]);
    expect(await places(app.fastify.inject(`/api/find/${id}?word=%00`))).toEqual([422, ['word']]);
    expect((await post('/api/save', { name: 'Ada 😀', age: 3 })).json()).toEqual({ name: 'Ada 😀' });
  });

  it('is refused with all wrong values at once, each with its place [S5.1]', async () => {
    const answer = await post('/api/save', { name: 'A', age: '3' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      code: 'validation-failed',
      faults: [
        { path: 'name', code: 'too_small' },
        { path: 'age', code: 'invalid_type' },
      ],
    });
  });

  it('is refused with the name of a property, filter or query value that does not exist [S7.10]', async () => {
    const unknown = await post('/api/save', { name: 'Ada', age: 3, admin: true });
    expect([unknown.statusCode, unknown.json().code, unknown.json().faults[0].path]).toEqual([
      400,
      'unknown-field',
      'admin',
    ]);
    const filter = await post('/api/save', { name: 'Ada', age: 3, filters: { familyFilter: [], other: [] } });
    expect([filter.statusCode, filter.json().code, filter.json().faults[0].path]).toEqual([
      400,
      'unknown-filter',
      'filters.other',
    ]);
    const query = await app.fastify.inject(`/api/find/${id}?sort=name`);
    expect([query.statusCode, query.json().code, query.json().faults[0].path]).toEqual([
      400,
      'unknown-field',
      'sort',
    ]);
    const twice = await app.fastify.inject(`/api/find/${id}?word=a&word=b`);
    expect([twice.statusCode, twice.json().faults[0].path]).toEqual([422, 'word']);
    const none = await post('/api/save?x=1', { name: 'Ada', age: 3 });
    expect([none.statusCode, none.json().faults[0].path]).toEqual([400, 'x']);
  });

  it('is refused when a range ends before it begins [S7.10]', async () => {
    const answer = await post('/api/save', {
      name: 'Ada',
      age: 3,
      range: { start: '2026-02-01', end: '2026-01-01' },
    });
    expect([answer.statusCode, answer.json().code, answer.json().faults[0].path]).toEqual([
      400,
      'invalid-range',
      'range',
    ]);
  });

  it.each([
    [
      'a field',
      { filterModel: { items: [{ field: 'ssn', operator: 'equals', value: 'x' }] } },
      400,
      'unknown-field',
    ],
    [
      'a hidden field',
      { filterModel: { items: [{ field: 'secret', operator: 'equals', value: 'x' }] } },
      400,
      'unknown-field',
    ],
    ['an inherited name', { sortModel: [{ field: 'constructor', sort: 'asc' }] }, 400, 'unknown-field'],
    [
      'an operator',
      { filterModel: { items: [{ field: 'name', operator: 'sounds', value: 'x' }] } },
      400,
      'unknown-operator',
    ],
    ['a filter', { filters: { colour: [] } }, 400, 'unknown-filter'],
    ['a property', { order: 'name' }, 400, 'unknown-field'],
    ['too large a page', { paginationModel: { pageSize: 201 } }, 422, 'validation-failed'],
    [
      'a wrong kind of value',
      { filterModel: { items: [{ field: 'name', operator: 'equals', value: 7 }] } },
      422,
      'validation-failed',
    ],
  ])('refuses a grid search with %s that the grid does not declare [P19]', async (_, query, status, code) => {
    const answer = await post('/api/web/grid/things/search', query, reader);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  it('is refused by names that come back as text, never as they were sent, and stand in no log [P16]', async () => {
    const name = `<b>Canary</b> O'Neil, 555-01-2345`;
    const asked: [string, object][] = [
      ['/api/save', { name: 'Ada', age: 3, [name]: true }],
      ['/api/save', { name: 'Ada', age: 3, filters: { familyFilter: [], [name]: [] } }],
      ['/api/save', { name: 'Ada', age: 3, [name]: '\0' }],
      [`/api/save?${encodeURIComponent(name)}=1`, { name: 'Ada', age: 3 }],
      ['/api/web/grid/things/search', { filterModel: { items: [{ field: name, operator: 'equals' }] } }],
      ['/api/web/grid/things/search', { filterModel: { items: [{ field: 'name', operator: name }] } }],
      ['/api/web/grid/things/search', { sortModel: [{ field: name, sort: 'asc' }] }],
      ['/api/web/grid/things/search', { filters: { [name]: [] } }],
      ['/api/web/grid/things/search', { rangeField: name }],
    ];
    for (const [url, body] of asked) {
      const answer = await post(url, body, reader);
      expect([url, answer.statusCode]).toEqual([
        url,
        url.includes('save') && answer.statusCode === 422 ? 422 : 400,
      ]);
      expect(answer.body).toContain('%3Cb%3ECanary%3C%2Fb%3E%20O%27Neil%2C%20555-01-2345');
      expect(answer.body).not.toContain('<b>');
      expect(answer.body).not.toContain("O'Neil");
    }
    const long = await post('/api/save', { name: 'Ada', age: 3, ['x'.repeat(5000)]: true });
    expect(long.json().faults[0].path).toBe('x'.repeat(60));
    expect(logText).not.toContain('Canary');
  });

  it.each([
    ['is no JSON', '{"name": "Canary', {}, 400, 'malformed-request'],
    [
      'would change a prototype',
      '{"__proto__": {"admin": true}, "name": "Ada", "age": 3}',
      {},
      400,
      'malformed-request',
    ],
    ['is of another media type', 'name=Ada', { 'content-type': 'text/plain' }, 415, 'unsupported-media-type'],
    ['is larger than it may be', JSON.stringify({ name: 'x'.repeat(2 ** 20) }), {}, 413, 'too-large'],
    ['is missing', '', {}, 422, 'validation-failed'],
  ])('is refused when it %s', async (_, payload, headers, status, code) => {
    const answer = await post('/api/save', payload, headers);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(answer.body + logText).not.toContain('Canary');
  });

  it('is refused at an address that cannot be read or does not exist, without repeating it', async () => {
    const bad = await app.fastify.inject('/api/find/%zzCanary');
    expect([bad.statusCode, bad.json().code]).toEqual([400, 'malformed-request']);
    const missing = await app.fastify.inject('/api/Canary');
    expect([missing.statusCode, missing.json().code]).toEqual([404, 'not-found']);
    expect(bad.body + missing.body + logText).not.toContain('Canary');
  });
});

describe('what is answered', () => {
  const thing = endpoint({
    method: 'GET',
    path: '/api/thing',
    access: 'public',
    summary: 'x',
    response: z.object({ name: z.string() }),
  });
  const ask = (app: App) => app.fastify.inject('/api/thing');

  it('is checked against its declaration in tests: neither missing nor more [P1]', async () => {
    const wrong = await makeApp();
    serve(wrong, thing, () => ({ name: 3 }) as never);
    expect((await ask(wrong)).statusCode).toBe(500);
    expect(logText).toContain('the answer of GET /api/thing is not as declared (name: Invalid input');
    const more = await makeApp();
    serve(more, thing, () => ({ name: 'x', socialSecurityNumber: 'Canary' }));
    expect((await ask(more)).statusCode).toBe(500);
    expect(logText).toContain('holds what is not declared (socialSecurityNumber)');
    expect(logText).not.toContain('Canary');
  });

  it('is empty where nothing is declared, and a file where a media type is', async () => {
    const app = await makeApp();
    serve(app, endpoint({ method: 'DELETE', path: '/api/thing', access: 'public', summary: 'x' }), () => {});
    serve(
      app,
      endpoint({ method: 'GET', path: '/api/file', access: 'public', summary: 'x', produces: 'text/csv' }),
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
    ['a full disk [P6]', Object.assign(new Error('x'), { code: '53100' }), 503, 'unavailable'],
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

  it('says nothing of a failing statement, and the log no value of it [P16]', async () => {
    const app = await makeApp();
    serve(app, { ...thing, access: 'patients/read' }, (call) =>
      call.withScope(async (tx) => {
        await tx.rows('select $1::uuid', ['Canary']);
        return { name: '' };
      }),
    );
    const answer = await app.fastify.inject({ url: '/api/thing', headers: reader });
    expect(answer.statusCode).toBe(500);
    expect(logText).toContain('"code":"22P02"');
    expect(answer.body + logText).not.toContain('Canary');
  });

  it('is logged by its route and never by its address [P16]', async () => {
    const app = await makeApp();
    serve(
      app,
      endpoint({
        method: 'GET',
        path: '/api/thing/:id',
        access: 'public',
        summary: 'x',
        params: z.strictObject({ id: z.string() }),
        query: z.strictObject({ name: z.string() }),
        response: z.object({}),
      }),
      () => ({}),
    );
    await app.fastify.inject('/api/thing/Canary?name=Canary');
    expect(logText).toContain('"route":"/api/thing/:id","status":200');
    expect(logText).not.toContain('Canary');
  });
});

describe('no audit, no data [P15]', () => {
  const read = endpoint({
    method: 'GET',
    path: '/api/patient',
    access: 'patients/read',
    summary: 'x',
    patientData: true,
    response: z.object({ names: z.array(z.string()) }),
  });
  const names = async (call: Parameters<Parameters<typeof serve>[2]>[0]) =>
    call.withScope(async (tx) => {
      const rows = await tx.rows<{ id: string; last_name: string }>('select id, last_name from patient');
      call.audit({ recordKind: 'patient', recordIds: rows.map(({ id }) => id) });
      return { names: rows.map(({ last_name }) => last_name) };
    });
  const ask = (app: App) => app.fastify.inject({ url: '/api/patient', headers: reader });

  it('writes who read what in the transaction that read it', async () => {
    const app = await makeApp();
    serve(app, read, names);
    expect((await ask(app)).json()).toEqual({ names: ['Canary'] });
    expect(await audited()).toEqual([
      {
        action: 'GET /api/patient',
        record_ids: [patient.id],
        account_id: '00000000-0000-4000-8000-00000000000a',
      },
    ]);
  });

  it('answers nothing when the row cannot be written', async () => {
    const broken: Auditor = {
      async write(tx) {
        await tx.rows('insert into no_such_table values (1)');
      },
    };
    const app = await makeApp({ auditor: broken });
    serve(app, read, names);
    const answer = await ask(app);
    expect([answer.statusCode, answer.json().code]).toEqual([500, 'internal']);
    expect(answer.body).not.toContain('Canary');
  });

  it('keeps no change whose row cannot be written', async () => {
    const broken: Auditor = {
      async write() {
        throw new Error('the log is full');
      },
    };
    const app = await makeApp({ auditor: broken });
    serve(app, { ...read, method: 'POST' }, (call) =>
      call.withScope(async (tx) => {
        await tx.run("update patient set last_name = 'Changed'");
        return { names: [] };
      }),
    );
    expect(
      (await app.fastify.inject({ method: 'POST', url: '/api/patient', headers: reader })).statusCode,
    ).toBe(500);
    expect(await asSuperuser('select last_name from patient', [], superuserUrl)).toEqual([
      { last_name: 'Canary' },
    ]);
  });

  it('writes a row also where the handler opened no transaction, and before a stream begins', async () => {
    const app = await makeApp();
    serve(app, { ...read, response: undefined, produces: 'text/csv' } as never, () =>
      Readable.from(['Canary\n']),
    );
    expect((await ask(app)).body).toBe('Canary\n');
    expect(await audited()).toMatchObject([{ action: 'GET /api/patient', record_ids: [] }]);
  });

  it('writes none for a request that was refused, and where no patient is concerned only when told', async () => {
    const app = await makeApp();
    serve(app, read, () => {
      throw new AppError('not-found');
    });
    const plain = { ...read, path: '/api/plain', patientData: false };
    serve(app, plain, (call) => call.withScope(async () => ({ names: [] })));
    const told = { ...read, path: '/api/told', patientData: false };
    serve(app, told, (call) => {
      call.audit({ action: 'roles.changed' });
      return call.withScope(async () => ({ names: [] }));
    });
    expect((await ask(app)).statusCode).toBe(404);
    await app.fastify.inject({ url: '/api/plain', headers: reader });
    expect(await audited()).toEqual([]);
    await app.fastify.inject({ url: '/api/told', headers: reader });
    expect((await audited()).map(({ action }) => action)).toEqual(['roles.changed']);
  });

  it('stands in every tenant whose data was asked, the records in the one that has them', async () => {
    const [second, third] = [await makeTenant(database), await makeTenant(database)];
    const readsThree = { ...reader, 'x-reads': [tenant.id, second.id, third.id].join(',') };
    const app = await makeApp();
    // Looks for a record in one tenant after the other, as a jurisdiction's request does.
    serve(app, read, async (call) => {
      for (const tenantId of [second.id, tenant.id]) {
        call.audit({ recordKind: 'patient', recordIds: [patient.id], detail: { looked: true } });
        const found = await call
          .withScope(
            async (tx) => {
              const rows = await tx.rows('select from patient where id = $1', [patient.id]);
              if (rows.length === 0) throw new AppError('not-found');
            },
            { tenantId },
          )
          .then(
            () => true,
            () => false,
          );
        if (found) break;
      }
      return { names: [] };
    });
    // Counts in each tenant without a transaction of the request's own.
    serve(app, { ...read, path: '/api/counts' }, (call) => {
      call.audit({ action: 'count' });
      for (const tenantId of call.org.tenantIds) call.scopeIn(tenantId);
      return { names: [] };
    });
    const rows = async (url: string, headers: Record<string, string>) => {
      await asSuperuser('delete from audit_event', [], superuserUrl);
      expect((await app.fastify.inject({ url, headers })).statusCode).toBe(200);
      const events = await asSuperuser<{ tenant_id: string; action: string; record_ids: string[] }>(
        'select tenant_id, action, record_ids from audit_event',
        [],
        superuserUrl,
      );
      return Object.fromEntries(events.map((row) => [row.tenant_id, `${row.action} ${row.record_ids}`]));
    };
    expect(await rows('/api/patient', readsThree)).toEqual({
      [second.id]: 'GET /api/patient ',
      [tenant.id]: `GET /api/patient ${patient.id}`,
    });
    expect(await rows('/api/counts', readsThree)).toEqual({
      [tenant.id]: 'count ',
      [second.id]: 'count ',
      [third.id]: 'count ',
    });
  });

  it('gives the log what it needs to know of the request', async () => {
    const events: AuditEvent[] = [];
    const app = await makeApp({ auditor: { write: async (_, event) => void events.push(event) } });
    serve(app, read, names);
    const answer = await ask(app);
    expect(events).toEqual([
      {
        tenantId: tenant.id,
        accountId: '00000000-0000-4000-8000-00000000000a',
        orgType: 'T',
        orgId: tenant.id,
        action: 'GET /api/patient',
        recordKind: 'patient',
        recordIds: [patient.id],
        detail: {},
        requestId: answer.headers['x-request-id'],
        address: '127.0.0.1',
      },
    ]);
  });
});

describe('security headers [P20]', () => {
  it("forbid everything that is not the product's own, framing, and keeping answers", async () => {
    const app = await makeApp();
    const { headers } = await app.fastify.inject('/api/nothing');
    const policy = String(headers['content-security-policy']);
    expect(policy).not.toContain('unsafe-');
    expect(policy).toMatch(
      /^default-src 'none';script-src 'self' 'nonce-[0-9a-f-]{36}';style-src 'self' 'nonce-[0-9a-f-]{36}';/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  it('have a new nonce each time, and ask for https where that is how people come', async () => {
    const app = await makeApp({ publicUrl: 'https://caseway.example.test' });
    const [one, two] = [await app.fastify.inject('/api/x'), await app.fastify.inject('/api/x')];
    expect(one.headers['content-security-policy']).not.toBe(two.headers['content-security-policy']);
    expect(one.headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
  });
});

describe('slow and large clients', () => {
  const patience = { headers: 300, body: 300, answer: 5000 };
  const listening = async (app: App) => {
    await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    return (app.fastify.server.address() as AddressInfo).port;
  };
  const save = endpoint({
    method: 'POST',
    path: '/api/save',
    access: 'public',
    summary: 'x',
    body: z.object({}),
    response: z.object({}),
  });
  const upload = endpoint({
    method: 'POST',
    path: '/api/upload',
    access: 'public',
    summary: 'x',
    response: z.object({ bytes: z.number() }),
  });
  const count = async (call: { upload: Readable }) => {
    let bytes = 0;
    for await (const chunk of call.upload) bytes += (chunk as Buffer).length;
    return { bytes };
  };
  /** Milliseconds after which the server closes a connection on which only this was sent. */
  const cutAfter = (port: number, sent: string) =>
    new Promise<number>((resolve) => {
      const begun = Date.now();
      const socket = connect(port, '127.0.0.1', () => socket.write(sent));
      socket.on('error', () => {});
      socket.resume().on('close', () => resolve(Date.now() - begun));
    });

  it('are cut off when they do not send the head, the body or the file in time [P10]', async () => {
    const app = await makeApp({ patience });
    serve(app, save, () => ({}));
    serve(app, upload, count, { uploadLimit: 1000 });
    const port = await listening(app);
    const head = 'Host: x\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n';
    const times = await Promise.all([
      cutAfter(port, 'POST /api/save HTTP/1.1\r\nHo'),
      cutAfter(port, `POST /api/save HTTP/1.1\r\n${head}{`),
      cutAfter(port, `POST /api/upload HTTP/1.1\r\n${head}{`),
    ]);
    for (const time of times) expect(time).toBeLessThan(2000);
  });

  it('are told 413 as soon as a file is larger than it may be, said or not [P9]', async () => {
    const app = await makeApp({ patience });
    serve(app, upload, count, { uploadLimit: 1000 });
    const port = await listening(app);
    const send = (chunks: Buffer[], headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const request = httpRequest(
          { port, host: '127.0.0.1', method: 'POST', path: '/api/upload', headers },
          (answer) => {
            answer.resume().on('end', () => resolve(answer.statusCode!));
          },
        );
        request.on('error', reject);
        for (const chunk of chunks) request.write(chunk);
        request.end();
      });
    expect(await send([Buffer.alloc(1000)], { 'content-length': '1000' })).toBe(200);
    expect(await send([Buffer.alloc(600), Buffer.alloc(600)], { 'transfer-encoding': 'chunked' })).toBe(413);
    expect(await send([Buffer.alloc(1001)], { 'content-length': '1001' })).toBe(413);
  });

  it('abort the signal when they go before the answer', async () => {
    const app = await makeApp();
    let aborted = false;
    serve(app, { ...save, method: 'GET', body: undefined } as never, async (call) => {
      call.signal.addEventListener('abort', () => {
        aborted = true;
      });
      await sleep(500);
      return {};
    });
    const port = await listening(app);
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /api/save HTTP/1.1\r\nHost: x\r\n\r\n'),
    );
    await sleep(100);
    socket.destroy();
    await expect.poll(() => aborted).toBe(true);
  });

  it('see a request under way finished when the server closes, and an event stream ended', async () => {
    const app = await makeApp();
    serve(app, { ...save, method: 'GET', body: undefined } as never, async () => {
      await sleep(300);
      return {};
    });
    const events = endpoint({
      method: 'GET',
      path: '/api/events',
      access: 'public',
      summary: 'x',
      produces: 'text/event-stream',
    });
    serve(app, events, (call) => {
      const stream = new PassThrough();
      stream.write(': hello\n\n');
      call.signal.addEventListener('abort', () => stream.end());
      return stream;
    });
    const port = await listening(app);
    const stream = await fetch(`http://127.0.0.1:${port}/api/events`);
    const slow = fetch(`http://127.0.0.1:${port}/api/save`);
    await sleep(100);
    await app.fastify.close();
    expect((await slow).status).toBe(200);
    expect(await stream.text()).toBe(': hello\n\n');
  });
});
