import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { extensionBody, formShown } from './form-sent.ts';

/* A tenant's own questions in a form. Published versions never change; a new one follows the last. */

const publishedForm = z.object({
  /** The disease family whose cases it asks about. */
  family: z.string(),
  /** The product's form, without the tenant's additions. */
  form: formShown,
  /** The last published version; 0 if there is none. */
  version: z.number().int(),
  extension: extensionBody,
  /** Newest first. */
  published: z.array(
    z.object({
      version: z.number().int(),
      at: z.iso.datetime(),
      by: z.string().nullable(),
    }),
  ),
});
export type PublishedForm = z.infer<typeof publishedForm>;

export const readForms = endpoint({
  method: 'GET',
  path: '/api/web/settings/forms',
  access: 'settings/write',
  deed: 'read',
  summary: 'The forms of investigations, with what the tenant has added and does not ask',
  response: z.object({
    /** The languages its questions need texts in. */
    languages: z.array(z.string()),
    forms: z.array(publishedForm),
  }),
});

/** Refused with `conflict` if `version` is not the last one. */
export const publishForm = endpoint({
  method: 'POST',
  path: '/api/web/settings/forms/:form',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Publish what the tenant adds to a form, and what it does not ask',
  params: z.strictObject({ form: z.string().max(60) }),
  body: z.strictObject({ version: z.number().int(), extension: extensionBody }),
  response: publishedForm,
});
