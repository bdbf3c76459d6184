import { z } from 'zod';

// The parts of an OpenAPI 3.1 document that the server writes, as the specification prescribes them. Source: OpenAPI
// Specification 3.1.1, section 4.8.

/** A schema is JSON Schema 2020-12, and complete in itself: a reference would point into another document. */
const schema = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  if (JSON.stringify(value).includes('"$ref"'))
    context.addIssue({ code: 'custom', message: 'a schema holds a reference' });
  try {
    z.fromJSONSchema(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: `no JSON Schema: ${(error as Error).message}` });
  }
});
const content = z.record(
  z.string().regex(/^[\w.+-]+\/[\w.+*-]+$/),
  z.strictObject({ schema: schema.optional() }),
);
const response = z.strictObject({ description: z.string(), content: content.optional() });
const parameter = z.discriminatedUnion('in', [
  z.strictObject({ name: z.string(), in: z.literal('path'), required: z.literal(true), schema }),
  z.strictObject({ name: z.string(), in: z.literal('query'), required: z.boolean(), schema }),
]);
const operation = z.strictObject({
  operationId: z.string().regex(/^[A-Za-z0-9]+$/),
  summary: z.string().min(1),
  'x-access': z.string(),
  security: z.array(z.partialRecord(z.enum(['accessToken', 'orgToken']), z.array(z.never()))),
  parameters: z.array(parameter),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(
    z.string().regex(/^[1-5]\d\d$/),
    z.union([response, z.strictObject({ $ref: z.literal('#/components/responses/Error') })]),
  ),
});
const document = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.strictObject({ url: z.string() })),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'put', 'post', 'delete', 'patch']), operation),
  ),
  components: z.strictObject({
    schemas: z.record(z.string(), schema),
    responses: z.strictObject({
      Error: z.strictObject({
        description: z.string(),
        content: z.strictObject({
          'application/json': z.strictObject({
            schema: z.strictObject({ $ref: z.literal('#/components/schemas/Error') }),
          }),
        }),
      }),
    }),
    securitySchemes: z.strictObject({
      accessToken: z.strictObject({
        type: z.literal('http'),
        scheme: z.literal('bearer'),
        description: z.string(),
      }),
      orgToken: z.strictObject({
        type: z.literal('apiKey'),
        in: z.literal('header'),
        name: z.string(),
        description: z.string(),
      }),
    }),
  }),
});

/** The faults of a value as an OpenAPI document; empty if it is valid. */
export function openApiFaults(value: unknown): string[] {
  const parsed = document.safeParse(value);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const operations = Object.entries(parsed.data.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((one) => ({ path, ...one! })),
  );
  const faults = operations.flatMap(({ path, parameters }) => {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    return named.join() === declared.join() ? [] : [`${path}: its parameters are not those of its path`];
  });
  const ids = operations.map(({ operationId }) => operationId);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [...faults, ...twice.map((id) => `${id} is there twice`)];
}
