import {
  checkInTime,
  enterWaitingRoom,
  mayCheckIn,
  type OwnWaiting,
  readOwnQueue,
  readOwnWaiting,
} from '@caseway/contract/own-waiting';
import { visitLengths } from '@caseway/contract/telemedicine';
import { placeInQueue, type QueuedVisit } from '@caseway/contract/visit-queue';
import type { Tx } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/app.ts';
import { refused } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { ownVisit } from './own-visit-rows.ts';
import type { PatientDesk } from './patient-desk.ts';
import { roomOf } from './room.ts';

/** How patients join their visits: they go to the waiting room, see how long it takes, and get the address. */
export function serveOwnWaiting(
  app: App,
  { lookups, asService, officeWith, clerk, changing, does }: PatientDesk,
  videoUrl: string | undefined,
): void {
  serve(app, readOwnWaiting, async (call) => {
    const { id } = call.params;
    const now = Date.now();
    const { office, visit, waiting } = await asService(
      call,
      async (tx) => ({
        office: await officeWith(call, tx, 'on'),
        visit: await ownVisit(tx, call, id),
        waiting: await waitingOf(tx, id, videoUrl, now),
      }),
      true,
    );
    // Only names the visit: in the patient's access history, these rows would hide what others have viewed.
    call.audit({ recordKind: 'telemedicine-visit', recordIds: [id] });
    const { provider } = visit;
    const names = await lookups.labels('providers', clerk(call, office));
    return { ...waiting, provider: provider === null ? null : (names.get(provider) ?? null) };
  });

  serve(app, readOwnQueue, (call) =>
    asService(
      call,
      async (tx) => {
        await officeWith(call, tx, 'on');
        await ownVisit(tx, call, call.params.id);
        const { status, place, expectedMinutes } = await waitingOf(tx, call.params.id, videoUrl, Date.now());
        return { status, place, expectedMinutes };
      },
      true,
    ),
  );

  serve(app, enterWaitingRoom, async (call) => {
    const { id } = call.params;
    const office = await asService(call, (tx) => officeWith(call, tx, 'on'), true);
    await changing(call, office, async (tx, writer) => {
      const { status, version, minutes, startsAt } = await ownVisit(tx, call, id);
      // The request was sent before, or staff have entered it.
      if (status === 'arrived' || status === 'in-progress') return null;
      const visit = { status, minutes, startsAt: startsAt?.toISOString() ?? null };
      const now = Date.now();
      if (!mayCheckIn(visit, now))
        throw status === 'booked' && now < (checkInTime(visit)?.from ?? 0)
          ? refused('status', 'too-early', 'the waiting room is not open yet')
          : refused('status', 'not-open', 'the visit is not booked, or its time is over');
      return does(tx, writer, id, version, {
        transition: 'arrive',
        fields: { consentVersion: call.body.consent },
      });
    });
    return { id };
  });
}

interface Stored {
  status: OwnWaiting['status'];
  startsAt: Date | null;
  minutes: number | null;
  provider: string | null;
  arrivedAt: Date | null;
  room: string | null;
}

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** The progress of a visit. Of the others in the queue of its provider, only their number and lengths count. */
async function waitingOf(
  tx: Tx,
  id: string,
  videoUrl: string | undefined,
  now: number,
): Promise<Omit<OwnWaiting, 'provider'>> {
  const [stored] = await tx.rows<Stored>(
    `select status, starts_at as "startsAt", minutes, provider_id as provider, arrived_at as "arrivedAt", room
     from telemedicine_visit where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  );
  const { status, startsAt, minutes, provider, arrivedAt, room } = stored!;
  const queue = status === 'arrived' && provider !== null ? await queueOf(tx, provider, now) : [];
  const { place, minutes: expectedMinutes } = placeInQueue(queue, id, now);
  const endsAt = startsAt && minutes ? new Date(startsAt.getTime() + minutes * 60_000) : null;
  const { url } = roomOf({ status, startsAt: iso(startsAt), endsAt: iso(endsAt) }, room, videoUrl, now);
  return {
    status,
    startsAt: iso(startsAt),
    minutes,
    arrivedAt: iso(arrivedAt),
    place,
    expectedMinutes,
    // Staff let people in; before that, the address would lead to an empty room.
    url: status === 'in-progress' ? url : null,
    byVideo: videoUrl !== undefined,
  };
}

/** Who waits for a provider, and who is with them. */
async function queueOf(tx: Tx, provider: string, now: number): Promise<QueuedVisit[]> {
  const rows = await tx.rows<{
    id: string;
    startsAt: Date;
    minutes: number;
    arrivedAt: Date;
    joinedAt: Date | null;
  }>(
    `select id, starts_at as "startsAt", minutes, arrived_at as "arrivedAt", joined_at as "joinedAt"
     from telemedicine_visit
     where tenant_id = $1 and closed_at is null and provider_id = $2 and status in ('arrived', 'in-progress')
       and arrived_at is not null and starts_at > $3`,
    // Nobody still waits for a visit of days ago.
    [tx.tenantId, provider, new Date(now - 6 * visitLengths.most * 60_000)],
  );
  return rows.map(({ startsAt, arrivedAt, joinedAt, ...one }) => ({
    ...one,
    startsAt: startsAt.toISOString(),
    arrivedAt: arrivedAt.toISOString(),
    joinedAt: iso(joinedAt),
  }));
}
