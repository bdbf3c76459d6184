import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * The demo accounts: each is both user name and sign-in address. A test compares them with the seeds. [S10.8]
 */
export const demoUsernames = [
  'epi@demo.caseway.test',
  'investigator@demo.caseway.test',
  'analyst@demo.caseway.test',
  'lab@demo.caseway.test',
  'admin@demo.caseway.test',
  'jurisdiction@demo.caseway.test',
  'supervisor@demo.caseway.test',
  'dis@demo.caseway.test',
  'programs@demo.caseway.test',
  'clinician@demo.caseway.test',
  'entry@demo.caseway.test',
  'orgadmin@demo.caseway.test',
  'employer@demo.caseway.test',
  'facility@demo.caseway.test',
  'auditor@demo.caseway.test',
  'privacy@demo.caseway.test',
  'espanol@demo.caseway.test',
  'kreyol@demo.caseway.test',
  'sysadmin@demo.caseway.test',
  'admin@vendor.caseway.test',
  'lab@vendor.caseway.test',
  'analyst@vendor.caseway.test',
] as const;

/** The demo's patient, who signs in to the patient portal. */
export const demoPatient = 'patient@demo.caseway.test';

/**
 * Whether an address or telephone number belongs to no one: a name reserved for tests and examples (RFC
 * 2606), or a number reserved for fiction (NANP 555-0100 to 555-0199).
 */
export const isNobodys = (to: string): boolean =>
  /@([a-z0-9-]+\.)*(test|example|example\.(com|net|org))$/i.test(to) || /^\+1\d{3}55501\d\d$/.test(to);

/** A message the product sent, as its recipient sees it. */
export const demoMessage = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  to: z.string(),
  /** Empty for a text message. */
  subject: z.string(),
  text: z.string(),
  /** The one-time code in it. */
  code: z.string().nullable(),
});
export type DemoMessage = z.infer<typeof demoMessage>;

/**
 * The newest messages in the outbox that are for no real person. The endpoint exists only on a demo that
 * other machines cannot reach and that sends no email.
 */
export const demoMessages = endpoint({
  method: 'GET',
  // The path is below /auth/, where answers are not compressed, because messages contain codes.
  path: '/auth/demo/messages',
  access: 'public',
  deed: 'sign-in',
  summary: 'The messages that a demo has sent to its invented people',
  response: z.object({ messages: z.array(demoMessage) }),
});
