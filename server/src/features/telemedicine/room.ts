import { roomOpensMinutes, type TelemedicineVisit } from '@caseway/contract/telemedicine';

type Room = { url: string | null; closed: 'no-server' | 'not-booked' | 'early' | 'over' | null };

/**
 * The room address of a visit, from half an hour before its start until its end, and while it is held; otherwise why
 * there is none, and from when on there is one.
 */
export function roomOf(
  { status, startsAt, endsAt }: Pick<TelemedicineVisit, 'status' | 'startsAt' | 'endsAt'>,
  room: string | null,
  videoUrl: string | undefined,
  now: number,
): Room & { opensAt: string | null } {
  const none = (closed: Room['closed'], opensAt: string | null = null) => ({ url: null, closed, opensAt });
  if (videoUrl === undefined) return none('no-server');
  if (!['booked', 'arrived', 'in-progress'].includes(status) || !startsAt || !endsAt || room === null)
    return none('not-booked');
  const opens = Date.parse(startsAt) - roomOpensMinutes * 60_000;
  if (now < opens && status !== 'in-progress') return none('early', new Date(opens).toISOString());
  if (now >= Date.parse(endsAt) && status !== 'in-progress') return none('over');
  return { url: `${videoUrl.replace(/\/$/, '')}/${room}`, closed: null, opensAt: null };
}
