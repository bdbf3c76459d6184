import { z } from 'zod';
import { auditAccount } from '../audit/auditor.ts';
import type { Database, Tx } from '../db/database.ts';
import { defineJob, enqueue, type Work, work } from '../jobs/jobs.ts';
import type { Caller } from './sessions.ts';

/*
 * A job writes the event of a wrong code. So the answer waits for no tenant's server, and takes as long for names of
 * a tenant whose server is slow or away as for unknown names. [P12]
 */

const actions = ['sign-in/failed', 'sign-in/refused-locked', 'account/locked'] as const;

const writeEvent = defineJob({
  name: 'auth/write-event',
  payload: z.strictObject({
    /** Or the challenge of an unknown name, whose event nobody reads. */
    accountId: z.uuid(),
    action: z.enum(actions),
    /** The network address, the request and the browser, as in every event. */
    address: z.string().optional(),
    requestId: z.string().optional(),
    userAgent: z.string().optional(),
    at: z.iso.datetime(),
  }),
  lane: 'quick',
  attempts: 10,
});

/**
 * Like `auditAccount`, but after this transaction has ended, and once the server of the account's tenant answers.
 * `at`: when it happened.
 */
export const auditLater = (
  tx: Tx,
  accountId: string,
  action: (typeof actions)[number],
  { address, requestId, userAgent, at }: Caller & { at: Date },
): Promise<void> =>
  enqueue(tx, writeEvent, { accountId, action, address, requestId, userAgent, at: at.toISOString() });

export const lateAuditWork = (database: Database): Work =>
  work(writeEvent, ({ accountId, action, at, ...origin }) =>
    database.withScope({ kind: 'identity' }, (tx) => auditAccount(tx, accountId, action, origin, { at })),
  );
