import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { challengeMethods } from './session.ts';

// — Sessions —

/** One place where somebody is signed in. */
export const openSession = z.object({
  id: z.uuid(),
  /** It is the session that asks. */
  current: z.boolean(),
  /** What the browser says of itself; null when it said nothing. */
  userAgent: z.string().nullable(),
  /** Network address it began from. */
  address: z.string().nullable(),
  methods: z.array(z.enum(challengeMethods)),
  /** ISO 8601 in UTC. */
  createdAt: z.iso.datetime(),
  /** When its tokens were last renewed. */
  lastUsedAt: z.iso.datetime(),
  /** When it ends however much it is used. */
  endsAt: z.iso.datetime(),
});
export type OpenSession = z.infer<typeof openSession>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/profile/sessions',
  access: 'signed-in',
  summary: 'Where the signed-in person is signed in, the latest first',
  response: z.object({ sessions: z.array(openSession) }),
});
export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/profile/sessions/:id',
  access: 'signed-in',
  summary: 'End one session of the signed-in person',
  params: z.strictObject({ id: z.uuid() }),
});
export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/profile/sessions/end-others',
  access: 'signed-in',
  summary: 'End every session of the signed-in person but the one that asks',
  body: z.strictObject({}),
  response: z.object({ ended: z.number() }),
});
