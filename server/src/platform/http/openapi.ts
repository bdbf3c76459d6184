import type { Endpoint } from '@caseway/contract/endpoint';
import { errorBody, errorStatus } from '@caseway/contract/error';
import { z } from 'zod';
import type { App } from './app.ts';
import { nonceOf } from './app.ts';

type Json = Record<string, unknown>;
interface Operation extends Json {
  operationId: string;
  summary: string;
  'x-access': string;
}

/** The OpenAPI 3.1 description of endpoints, built from the schemas that validate them. */
export function describeApi(
  endpoints: readonly Endpoint[],
): Json & { paths: Record<string, Record<string, Operation>> } {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Caseway', version: '1', description: 'Public-health case management and analytics.' },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorBody, 'output') },
      responses: {
        Error: {
          description: 'A refusal',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', description: 'The access token that sign-in gives.' },
        orgToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Org-Token',
          description: 'The token of the organization acted for, from the list of initUser.',
        },
      },
    },
  };
}

function operation(endpoint: Endpoint): Operation {
  const { access, summary, params, query, body, response, produces, alsoProduces } = endpoint;
  const needsOrg = access.includes('/');
  const statuses = new Set<number>([400, 422, 500, 503]);
  if (access !== 'public') for (const status of [401, 403]) statuses.add(status);
  if (params) statuses.add(errorStatus['not-found']);
  const success = produces
    ? {
        200: {
          description: 'Done',
          content: Object.fromEntries([produces, ...(alsoProduces ?? [])].map((type) => [type, {}])),
        },
      }
    : response
      ? {
          200: {
            description: 'Done',
            content: { 'application/json': { schema: schemaOf(response, 'output') } },
          },
        }
      : { 204: { description: 'Done' } };
  return {
    operationId: nameOf(endpoint),
    summary,
    'x-access': access,
    security: access === 'public' ? [] : [{ accessToken: [], ...(needsOrg && { orgToken: [] }) }],
    parameters: [
      ...parametersOf(params, 'path', endpoint.path),
      ...parametersOf(query, 'query', endpoint.path),
    ],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } },
    }),
    responses: {
      ...success,
      ...Object.fromEntries(
        [...statuses].map((status) => [status, { $ref: '#/components/responses/Error' }]),
      ),
    },
  };
}

/** `GET /api/web/case-reports/:id` is `getApiWebCaseReportsId`. */
const nameOf = ({ method, path }: Endpoint): string =>
  method.toLowerCase() +
  path
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query', path: string): Json[] {
  const declared = schema
    ? (schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] })
    : {};
  const names =
    place === 'path'
      ? [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => name!)
      : Object.keys(declared.properties ?? {});
  return names.map((name) => ({
    name,
    in: place,
    required: place === 'path' || (declared.required ?? []).includes(name),
    schema: declared.properties?.[name] ?? { type: 'string' },
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const {
    $schema: _,
    '~standard': __,
    ...rest
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}

/** GET /api/openapi.json, and GET /api/docs: the same as a page that loads nothing from other hosts. [S10.7] */
export function serveDescription(app: App): void {
  let description: ReturnType<typeof describeApi> | undefined;
  const describe = () => {
    description ??= describeApi(app.endpoints);
    return description;
  };
  app.fastify.get('/api/openapi.json', async () => describe());
  app.fastify.get('/api/docs', async (_, reply) =>
    reply.type('text/html; charset=utf-8').send(page(describe(), nonceOf(reply))),
  );
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

function page({ paths }: ReturnType<typeof describeApi>, nonce: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, summary, 'x-access': access, ...rest } = operation;
      return `<details id="${escapeHtml(operationId)}">
<summary><code>${escapeHtml(method.toUpperCase())} ${escapeHtml(path)}</code> ${escapeHtml(summary)} <small>${escapeHtml(access)}</small></summary>
<pre>${escapeHtml(JSON.stringify(rest, null, 2))}</pre>
</details>`;
    }),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Caseway API</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
details { border-top: 1px solid #8886; padding: 0.5rem 0; }
summary { cursor: pointer; }
small { opacity: 0.75; }
pre { overflow: auto; background: #8882; padding: 1rem; }
</style>
</head>
<body>
<h1>Caseway API</h1>
<p>The same for programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1). A call says who is signed in with
<code>Authorization: Bearer</code> and the access token, and which organization it acts for with <code>X-Org-Token</code>.</p>
${operations.join('\n')}
</body>
</html>
`;
}
