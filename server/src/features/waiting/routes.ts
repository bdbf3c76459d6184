import { todayIn } from '@caseway/contract/date-range';
import {
  readWaiting,
  type WaitingKind,
  type WaitingQueue,
  waitingKinds,
  waitingListKinds,
} from '@caseway/contract/waiting';
import {
  type Queue,
  type Reader,
  type WaitingList,
  waitingItems,
  waitingLists,
  waitingPath,
  waitingQueues,
} from '@caseway/contract/waiting-lists';
import type { Tx } from '../../platform/db/database.ts';
import { countRows } from '../../platform/grid/asked-lists.ts';
import type { App } from '../../platform/http/app.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { countAccesses } from '../break-glass/watch.ts';
import { countMappings } from '../imports/queries.ts';
import { countMatches } from '../matches/matches.ts';
import { actingOf, countRecoveries } from '../recovery/list.ts';

type QueueOfTenant = Exclude<WaitingQueue, 'recoveries'>;
/** The size of a tenant's queues. */
const queues: Readonly<Record<QueueOfTenant, (tx: Tx, call: Call) => Promise<number>>> = {
  codes: (tx) => countMappings(tx, 'open'),
  pairs: (tx) => countMatches(tx, 'open'),
  accesses: (tx) => countAccesses(tx, 'unreviewed'),
};

/** The size of each queue that the reader decides, in one transaction for each tenant. */
async function countQueues(app: App, call: Call): Promise<Map<WaitingQueue, number>> {
  const counts = new Map<WaitingQueue, number>();
  const tenantsOf = (queue: WaitingQueue) => {
    const { permission, feature }: Queue = waitingQueues[queue];
    return call.tenantsFor(permission, feature);
  };
  const decided = (Object.keys(queues) as QueueOfTenant[]).flatMap((queue) =>
    tenantsOf(queue).map((tenantId) => ({ queue, tenantId })),
  );
  for (const [tenantId, here] of Map.groupBy(decided, (one) => one.tenantId))
    await call.withScope(
      async (tx) => {
        for (const { queue } of here)
          counts.set(queue, (counts.get(queue) ?? 0) + (await queues[queue](tx, call)));
      },
      { tenantId },
    );
  // A jurisdiction administers nobody.
  if (call.org.orgType !== 'PHJ' && tenantsOf('recoveries').length > 0)
    counts.set(
      'recoveries',
      await app.database.withScope({ kind: 'identity' }, (tx) =>
        countRecoveries(tx, actingOf(call), 'waiting'),
      ),
    );
  return counts;
}

/**
 * The reader's waiting work, for the home screen and the menu. A list is counted as on its own screen, so a number
 * is how many rows its link shows.
 */
export function serveWaiting(app: App): void {
  serve(app, readWaiting, async (call) => {
    const today = todayIn(call.org.timeZone);
    const reader: Reader = { accountId: call.account.accountId, today };
    const counts = new Map<WaitingKind, number>();
    const worked = waitingListKinds.filter((kind) => {
      const { permission }: WaitingList = waitingLists[kind];
      return permission === undefined || call.may(permission);
    });
    const lists = Map.groupBy(worked, (kind) => waitingLists[kind].grid);
    for (const [grid, kinds] of lists) {
      const queries = kinds.map((kind) => {
        const { filters = {} }: WaitingList = waitingLists[kind];
        return { filterModel: { items: waitingItems(kind, reader), logicOperator: 'and' as const }, filters };
      });
      const found = await countRows(app, grid, call, queries);
      for (const [index, kind] of kinds.entries()) counts.set(kind, found[index]!);
    }
    for (const [queue, count] of await countQueues(app, call)) counts.set(queue, count);
    const waits = waitingKinds.flatMap((kind) => {
      const count = counts.get(kind) ?? 0;
      return count > 0 ? [{ kind, count, to: waitingPath(kind, reader) }] : [];
    });
    return { today, waits };
  });
}
