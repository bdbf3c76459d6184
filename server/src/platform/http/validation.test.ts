import { dateRange } from '@caseway/contract/date-range';
import { endpoint } from '@caseway/contract/endpoint';
import { gridSearch } from '@caseway/contract/grid';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { workOf } from '../../../test/durations.ts';
import { serve } from './serve.ts';
import { logged, makeApp, reader } from './test-app.ts';

describe('the request', async () => {
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
    deed: 'change',
    summary: 'x',
    body,
    response: z.object({ name: z.string() }),
  });
  serve(app, save, ({ body: { name } }) => ({ name }));
  const find = endpoint({
    method: 'GET',
    path: '/api/find/:id',
    access: 'public',
    deed: 'read',
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

  it('is refused, with the place, if a text has characters that no database can store [P8]', async () => {
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
      ['filters.a.1', 'filters.familyFilter'],
    ]);
    expect(await places(app.fastify.inject(`/api/find/${id}?word=%00`))).toEqual([422, ['word']]);
    expect((await post('/api/save', { name: 'Ada 😀', age: 3 })).json()).toEqual({ name: 'Ada 😀' });
  });

  it.each([
    ['lists within lists', '['.repeat(50_000), '', ']'.repeat(50_000)],
    ['objects within objects', '{"a":'.repeat(50_000), '0', '}'.repeat(50_000)],
    ['a long list deep within', '['.repeat(6000), `${'0,'.repeat(400_000)}0`, ']'.repeat(6000)],
    [
      'a long list below an object',
      `${'{"a":'.repeat(40)}[`,
      `${'0,'.repeat(400_000)}0`,
      `]${'}'.repeat(40)}`,
    ],
  ])(
    'is refused at once when it nests deeper than anything declared: %s [P8, P9]',
    async (_, before, inner, after) => {
      for (const payload of [`{"name":${before}${inner}${after}}`, `${before}${inner}${after}`])
        for (const url of ['/api/save', '/api/web/grid/things/search']) {
          let answer!: Awaited<ReturnType<typeof post>>;
          const work = await workOf(async () => {
            answer = await post(url, payload, reader);
          });
          expect([answer.statusCode, answer.json()]).toEqual([
            400,
            expect.objectContaining({
              code: 'malformed-request',
              message: expect.stringContaining('nested'),
            }),
          ]);
          expect(work).toBeLessThan(3000);
        }
    },
  );

  it('is answered quickly however many unknown properties and values it has [P8]', async () => {
    const names = (length: number, value: unknown = 0) =>
      Object.fromEntries(Array.from({ length }, (_, i) => [`x${i}`, value]));
    for (const [url, body, code] of [
      ['/api/save', { name: 'Ada', age: 3, ...names(80_000) }, 'unknown-field'],
      ['/api/save', { name: 'Ada', age: 3, filters: names(80_000) }, 'unknown-filter'],
      ['/api/web/grid/things/search', { filters: names(80_000, []) }, 'unknown-filter'],
    ] as const) {
      let answer!: Awaited<ReturnType<typeof post>>;
      const work = await workOf(async () => {
        answer = await post(url, body, reader);
      });
      expect([answer.statusCode, answer.json().code]).toEqual([400, code]);
      expect(answer.json().faults.length).toBeLessThanOrEqual(50);
      expect(work).toBeLessThan(3000);
    }
  });

  it('is refused if its bytes are not UTF-8, and not changed into other text [P8]', async () => {
    const sent = (bytes: number[]) =>
      app.fastify.inject({
        method: 'POST',
        url: '/api/save',
        headers: { 'content-type': 'application/json' },
        payload: Buffer.concat([Buffer.from('{"age":3,"name":"A'), Buffer.from(bytes), Buffer.from('da"}')]),
      });
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
      const answer = await sent(bytes);
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'malformed-request']);
    }
    expect((await sent([0xc3, 0xa9])).json()).toEqual({ name: 'Aéda' });
  });

  it('is refused with all wrong values together, each with its place [S5.1]', async () => {
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

  it('is refused with names in a safe form, never as they were sent, and they are in no log [P16]', async () => {
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
    expect(logged.text).not.toContain('Canary');
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
    expect(answer.body + logged.text).not.toContain('Canary');
  });

  it('is refused at an unreadable or unknown address, without repeating it', async () => {
    const bad = await app.fastify.inject('/api/find/%zzCanary');
    expect([bad.statusCode, bad.json().code]).toEqual([400, 'malformed-request']);
    const missing = await app.fastify.inject('/api/Canary');
    expect([missing.statusCode, missing.json().code]).toEqual([404, 'not-found']);
    expect(bad.body + missing.body + logged.text).not.toContain('Canary');
  });
});
