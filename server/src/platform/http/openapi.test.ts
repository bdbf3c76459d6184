import { dateRange } from '@caseway/contract/date-range';
import { endpoint } from '@caseway/contract/endpoint';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { openApiFaults } from '../../../test/openapi-document.ts';
import { describeApi } from './openapi.ts';

it('describes an endpoint by the schemas that validate it [S10.7]', () => {
  const save = endpoint({
    method: 'POST',
    path: '/api/things/:id/parts',
    access: 'things/write',
    deed: 'change',
    summary: 'Add a part',
    params: z.strictObject({ id: z.uuid() }),
    query: z.strictObject({ limit: z.coerce.number().int().max(200).default(25), word: z.string() }),
    body: z.strictObject({ range: dateRange, label: z.string().default('') }),
    response: z.object({ id: z.string(), note: z.string().nullable() }),
  });
  const file = endpoint({
    method: 'GET',
    path: '/api/things',
    access: 'public',
    deed: 'read',
    summary: 'All',
    produces: 'text/csv',
  });
  const description = describeApi([save, file] as never);
  expect(openApiFaults(description)).toEqual([]);
  const operation = description.paths['/api/things/{id}/parts']!.post!;
  expect(operation).toMatchObject({
    operationId: 'postApiThingsIdParts',
    summary: 'Add a part',
    'x-access': 'things/write',
    security: [{ accessToken: [], orgToken: [] }],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 200, default: 25 } },
      { name: 'word', in: 'query', required: true, schema: { type: 'string' } },
    ],
    requestBody: {
      content: { 'application/json': { schema: { required: ['range'], additionalProperties: false } } },
    },
    responses: {
      200: { content: { 'application/json': { schema: { required: ['id', 'note'] } } } },
      403: {},
      404: {},
      422: {},
    },
  });
  expect(description.paths['/api/things']!.get).toMatchObject({
    security: [],
    responses: { 200: { content: { 'text/csv': {} } } },
  });
});
