import { todayIn } from '@caseway/contract/date-range';
import {
  type Queue,
  type Reader,
  readWaiting,
  type WaitingKind,
  type WaitingListKind,
  type WaitingQueue,
  waitingItems,
  waitingLists,
  waitingQueues,
} from '@caseway/contract/waiting';
import type { Tx } from '../../platform/db/database.ts';
import { countRows } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { readAccesses } from '../break-glass/watch.ts';
import { listMappings } from '../imports/queries.ts';
import { listMatches } from '../matches/matches.ts';
import { actingOf, readRecoveries } from '../recovery/list.ts';

/** How much there is in a queue, in some tenants. */
type Count = (call: Call, tenantIds: readonly string[], app: App) => Promise<number>;

const inEach =
  (count: (tx: Tx, call: Call) => Promise<{ rowCount: number }>): Count =>
  async (call, tenantIds) => {
    let sum = 0;
    for (const tenantId of tenantIds)
      sum += (await call.withScope((tx) => count(tx, call), { tenantId })).rowCount;
    return sum;
  };

const queues: Readonly<Record<WaitingQueue, Count>> = {
  codes: inEach((tx) => listMappings(tx, 'open', 0)),
  pairs: inEach((tx) => listMatches(tx, 'open', 0)),
  async recoveries(call, _, app) {
    // A jurisdiction administers nobody.
    if (call.org.orgType === 'PHJ') return 0;
    const { rowCount } = await app.database.withScope({ kind: 'identity' }, (tx) =>
      readRecoveries(tx, actingOf(call), { only: 'waiting', page: 0 }),
    );
    return rowCount;
  },
  accesses: inEach((tx, { account }) => readAccesses(tx, account.accountId, { only: 'unreviewed', page: 0 })),
};

/**
 * What waits for the reader: for the home screen and the menu. A list is counted as its own screen counts it, so a number
 * is how many rows its link shows.
 */
export function serveWaiting(app: App): void {
  serve(app, readWaiting, async (call) => {
    const today = todayIn(call.org.timeZone);
    const reader: Reader = { accountId: call.account.accountId, today };
    const counts: Partial<Record<WaitingKind, number>> = {};
    const note = (kind: WaitingKind, count: number) => {
      if (count > 0) counts[kind] = count;
    };
    for (const kind of Object.keys(waitingLists) as WaitingListKind[]) {
      const { grid, ...list } = waitingLists[kind];
      const filterModel = { items: waitingItems(kind, reader), logicOperator: 'and' as const };
      const filters = 'filters' in list && list.filters ? list.filters : {};
      note(kind, await countRows(app, grid, call, { filterModel, filters }));
    }
    for (const queue of Object.keys(waitingQueues) as WaitingQueue[]) {
      const { permission, feature }: Queue = waitingQueues[queue];
      const tenantIds = call.tenantsFor(permission, feature);
      if (tenantIds.length > 0) note(queue, await queues[queue](call, tenantIds, app));
    }
    return { today, counts };
  });
}
