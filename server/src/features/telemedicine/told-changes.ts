import type { TelemedicineVisit } from '@caseway/contract/telemedicine';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { Tx } from '../../platform/db/database.ts';
import { defineJob, enqueueEach, type Work, work } from '../../platform/jobs/jobs.ts';
import { mailOfVisit, type VisitMailOptions } from './visit-mail.ts';

/** A change by staff is mailed at once if the visit is within this many hours. */
const toldWithinHours = 48;
const windowMs = toldWithinHours * 3_600_000;

/** In these states, a booked visit no longer takes place. */
const off = ['proposed', 'waitlisted', 'cancelled', 'entered-in-error'];
const kinds = { moved: 'patient-visit-moved', cancelled: 'patient-visit-cancelled' } as const;

/** Mails a patient that staff have moved or cancelled their visit. */
const tellChange = defineJob({
  name: 'telemedicine/tell-change',
  payload: z.strictObject({
    id: z.uuid(),
    tenantId: z.uuid(),
    visitId: z.uuid(),
    what: z.enum(['moved', 'cancelled']),
    /** The new time of a moved visit, or the time at which it does not take place. */
    startsAt: z.iso.datetime(),
  }),
  lane: 'quick',
  attempts: 10,
});

type Visit = Pick<TelemedicineVisit, 'id' | 'status' | 'startsAt'>;

/** What a patient has to know about a change; null if they never knew of the visit, or it is over or far ahead. */
function changeOf(before: Visit, after: Visit, now: number) {
  const timeOf = ({ status, startsAt }: Visit) =>
    status === 'booked' && startsAt ? Date.parse(startsAt) : null;
  const isSoon = (at: number | null) => at !== null && at > now && at <= now + windowMs;
  const [old, next] = [timeOf(before), timeOf(after)];
  if (next !== null) {
    // A cancelled booking comes back only through an undo.
    const isBack = ['cancelled', 'entered-in-error'].includes(before.status);
    const isMoved = old !== null && old !== next && next > now;
    const isTold = isMoved ? isSoon(old) || isSoon(next) : isBack && isSoon(next);
    return isTold ? { what: 'moved' as const, startsAt: after.startsAt! } : null;
  }
  return isSoon(old) && off.includes(after.status)
    ? { what: 'cancelled' as const, startsAt: before.startsAt! }
    : null;
}

/** Queues messages to patients about changes by staff with the transaction; of several to one visit, only the last. */
export async function tellOfChanges(
  tx: Tx,
  tenantId: string,
  changed: readonly { before: Visit; after: Visit }[],
): Promise<void> {
  const now = Date.now();
  const told = changed.flatMap(({ before, after }) => {
    const change = changeOf(before, after, now);
    return change ? [{ id: v7(), tenantId, visitId: before.id, ...change }] : [];
  });
  if (told.length === 0) return;
  await enqueueEach(tx, tellChange, told, { keyOf: ({ visitId }) => `visit ${tenantId} ${visitId} change` });
}

/** Sends a queued message if it is still true and the visit is in the future. */
export const toldChangesWork = (options: VisitMailOptions): Work =>
  work(tellChange, async ({ what, ...visit }) => {
    const now = (options.now ?? Date.now)();
    if (now >= Date.parse(visit.startsAt)) return;
    const statuses = what === 'moved' ? ['booked'] : off;
    await mailOfVisit(options, { ...visit, kind: kinds[what], statuses, at: new Date(now) });
  });
