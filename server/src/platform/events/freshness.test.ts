import type { StreamEvent } from '@caseway/contract/events';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { makePatient, makeResult, makeTenant } from '../../../test/factories.ts';
import type { Freshness } from '../analytics/tenant-replicas.ts';
import { createLog } from '../log/log.ts';
import { tellFreshness } from './freshness.ts';
import { createEventHub } from './hub.ts';

const { database } = await testApp();
const tenant = await makeTenant(database);
const other = await makeTenant(database);

/** A source of freshness that the test drives by hand, and what the streams receive from it. */
async function source(postgres: boolean) {
  let advance = (_: Freshness) => {};
  const told: (StreamEvent & { tenantId: string })[] = [];
  const hub = await createEventHub({ database, log: createLog('fatal') });
  hub.subscribe(({ tenantId }, event) => void told.push({ ...event, tenantId }));
  const analytics = {
    onFreshness(heard: (freshness: Freshness) => void) {
      advance = heard;
      return () => {};
    },
  };
  const stop = await tellFreshness({ analytics, hub, pause: 200, database: postgres ? database : undefined });
  afterAll(async () => {
    await stop();
    await hub.close();
  });
  return { told, advance: (one: Freshness) => advance(one) };
}
const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, second));

describe('freshness', () => {
  test('is announced immediately, then at most once per interval, with the latest moment', async () => {
    const { told, advance } = await source(false);
    for (let second = 1; second <= 5; second += 1)
      advance({ tenantId: tenant.id, asOf: at(second), changed: true });
    expect(told).toEqual([{ type: 'freshness', asOf: at(1).toISOString(), tenantId: tenant.id }]);
    await expect.poll(() => told.length, { interval: 5 }).toBe(2);
    expect(told[1]).toMatchObject({ asOf: at(5).toISOString() });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(told).toHaveLength(2);
  });

  test('is announced for each tenant separately, and not when nothing has changed', async () => {
    const { told, advance } = await source(false);
    advance({ tenantId: tenant.id, asOf: at(1), changed: true });
    advance({ tenantId: other.id, asOf: at(2), changed: true });
    advance({ tenantId: other.id, asOf: at(3), changed: false });
    expect(told.map(({ tenantId }) => tenantId)).toEqual([tenant.id, other.id]);
  });

  test('comes with the commit if PostgreSQL answers', async () => {
    const { told } = await source(true);
    const patient = await makePatient(database, { tenant_id: tenant.id });
    await expect.poll(() => told.length, { interval: 5 }).toBe(1);
    const before = Date.now();
    await makeResult(database, { tenant_id: tenant.id, patient_id: patient.id });
    await expect.poll(() => told.length, { interval: 5 }).toBe(2);
    const event = told[1];
    expect(event!.type === 'freshness' && Date.parse(event!.asOf)).toBeGreaterThanOrEqual(before);
  });
});
