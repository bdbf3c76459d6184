import type { FreeTimesAnswer } from '@caseway/contract/availability';
import { type FreeTime, freeTimes, type Stretch } from '@caseway/contract/free-times';
import { slotMinutes } from '@caseway/contract/telemedicine';
import type { Tx } from '../../platform/db/database.ts';
import { startOfDay } from '../../platform/grid/day-bounds.ts';
import type { StoredPlan } from './availability-rows.ts';

const stepMs = slotMinutes * 60_000;
const dayMs = 86_400_000;
/** Times around the requested days matter too: buffers, and the limits of days in another zone. */
const aroundMs = 1.5 * dayMs;
/** The next free time is searched in this many days at once. */
const daysAhead = 30;

/** Some days from one on, in a time zone. */
export const daysFrom = (timeZone: string, from: string, days: number): Stretch => ({
  from: Date.parse(startOfDay(from, timeZone)),
  until: Date.parse(startOfDay(from, timeZone, days)),
});

/** The visits of providers in a period, as the time steps that they take. */
async function takenOf(
  tx: Tx,
  tenantId: string,
  providers: readonly string[],
  { from, until }: Stretch,
  visit: string | null,
): Promise<ReadonlyMap<string, Stretch[]>> {
  const rows = await tx.rows<{ provider: string; visits: string }>(
    // One row for each provider, because there can be thousands of visits.
    `select account_id as provider, string_agg(step || '+' || steps, ',' order by step) as visits from provider_time
     where tenant_id = $1 and account_id = any ($2::uuid[]) and step >= $3 and step < $4 and steps is not null
       and ($5::uuid is null or visit_id <> $5)
     group by account_id`,
    [
      tenantId,
      providers,
      Math.floor((from - aroundMs) / stepMs),
      Math.ceil((until + aroundMs) / stepMs),
      visit,
    ],
  );
  return new Map(
    rows.map(({ provider, visits }) => [
      provider,
      visits.split(',').map((visit) => {
        const [first, steps] = visit.split('+').map(Number) as [number, number];
        return { from: first * stepMs, until: (first + steps) * stepMs };
      }),
    ]),
  );
}

export interface Asked extends Stretch {
  plans: readonly StoredPlan[];
  visitType: string;
  /** A visit that would be moved: its own time counts as free. */
  visit?: string | null;
  now: number;
}
/** A free time of one of the providers. */
export type Found = FreeTime & { provider: string };

/** Every free time of each of the providers, by their start. */
export async function findFree(tx: Tx, tenantId: string, asked: Asked): Promise<Found[]> {
  const { plans, visitType, visit = null, now, from, until } = asked;
  if (plans.length === 0) return [];
  const providers = plans.map(({ provider }) => provider);
  const taken = await takenOf(tx, tenantId, providers, { from, until }, visit);
  return plans
    .flatMap(({ provider, plan }) =>
      freeTimes(plan, { taken: taken.get(provider) ?? [], visitType, now, from, until }).map((time) => ({
        ...time,
        provider,
      })),
    )
    .sort((a, b) => a.start - b.start);
}

/** If several providers are free at the same time, the one with the most free times, so that work is spread. */
function onePerStart(found: readonly Found[]): Found[] {
  const counts = new Map<string, number>();
  for (const { provider } of found) counts.set(provider, (counts.get(provider) ?? 0) + 1);
  const best = new Map<number, Found>();
  for (const one of found) {
    const other = best.get(one.start);
    if (!other || counts.get(one.provider)! > counts.get(other.provider)!) best.set(one.start, one);
  }
  return [...best.values()];
}

/** The free times of some days, each start once; if there are none, the next free time. */
export async function answerFree(tx: Tx, tenantId: string, asked: Asked): Promise<FreeTimesAnswer> {
  const found = onePerStart(await findFree(tx, tenantId, asked));
  return {
    times: found.map(({ start, minutes, provider }) => ({
      startsAt: new Date(start).toISOString(),
      minutes,
      provider,
    })),
    offered: asked.plans.some(({ plan }) => isOffered(plan, asked.visitType)),
    next: found.length > 0 ? null : await nextFree(tx, tenantId, asked),
  };
}

const isOffered = ({ rules, exceptions }: StoredPlan['plan'], visitType: string) =>
  rules.some(({ visitTypes }) => visitTypes.length === 0 || visitTypes.some((one) => one === visitType)) ||
  exceptions.some(({ kind }) => kind === 'extra');

async function nextFree(tx: Tx, tenantId: string, asked: Asked): Promise<string | null> {
  const last = asked.now + Math.max(0, ...asked.plans.map(({ plan }) => plan.horizonDays)) * dayMs;
  for (let from = Math.max(asked.until, asked.now); from < last; from += daysAhead * dayMs) {
    const [first] = await findFree(tx, tenantId, { ...asked, from, until: from + daysAhead * dayMs });
    if (first) return new Date(first.start).toISOString();
  }
  return null;
}
