import type { Tx } from '../../../platform/db/database.ts';
import { loadHistories } from '../../case-reports/case-history.ts';
import type { Plan, PlanContext } from '../batch-state.ts';
import type { ResumePoint } from '../formats/file-reader.ts';
import type { Digest, Incoming } from './incoming.ts';
import { loadState } from './load-state.ts';
import type { Overlay } from './overlay.ts';
import { Planner } from './plan.ts';

/** Messages per transaction, by default. */
export const defaultBatchSize = 800;
/** Bytes of messages per transaction, so that memory stays flat even with large messages. */
const batchBytes = 8 * 1024 * 1024;

/** A message of a batch. */
export interface Item {
  incoming: Incoming;
  digest: Digest | undefined;
  next: ResumePoint | undefined;
}

/** Messages that are stored in one transaction. */
export class Batch {
  readonly items: Item[] = [];
  #bytes = 0;

  add(item: Item): void {
    this.items.push(item);
    this.#bytes += item.incoming.raw?.length ?? 0;
  }

  isFull(size: number): boolean {
    return this.items.length >= size || this.#bytes >= batchBytes;
  }
}

/** Plans a batch, based on what is stored. */
export async function planBatch(
  tx: Tx,
  tenantId: string,
  context: PlanContext,
  items: readonly Pick<Item, 'incoming' | 'digest'>[],
  overlay?: Overlay,
): Promise<Plan> {
  const state = await loadState(
    tx,
    tenantId,
    items.map(({ incoming }) => incoming),
    items.map(({ digest }) => digest),
    context,
    overlay?.read,
  );
  const planner = new Planner(overlay ? overlay.settle(state) : state, context);
  for (const { incoming, digest } of items) planner.add(incoming, digest);
  return planner.finish(await loadHistories(tx, tenantId, planner.touched, overlay?.read));
}
