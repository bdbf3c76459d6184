import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { extensionBody, formShown } from './form-sent.ts';

/* What a tenant asks beside the questions of a form. Published versions never change; a new one follows the last. */

const publishedForm = z.object({
  /** Of the cases that it asks about. */
  family: z.string(),
  /** The form of the product, without what the tenant adds. */
  form: formShown,
  /** What is asked since the last version; 0 where nothing was published yet. */
  version: z.number().int(),
  extension: extensionBody,
  /** The newest first. */
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
    /** In which its questions need words. */
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
