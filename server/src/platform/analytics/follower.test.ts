import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asSuperuser } from '../../../test/database.ts';
import { makePatient, makeResult } from '../../../test/factories.ts';
import { facts } from '../../facts.ts';
import { createLog } from '../log/log.ts';
import { Duck } from './duckdb.ts';
import { Follower } from './follower.ts';
import { recordChange } from './outbox.ts';
import { Replica } from './replica.ts';
import {
  changed,
  count,
  database,
  folder,
  hideUnannounced,
  service,
  soon,
  start,
  stop,
  superuserUrl,
  tenantWithResults,
} from './test-replica.ts';

describe('following', () => {
  it('shows a committed result, correction, deletion and change of a person within a second', async () => {
    const { tenantId, patientId, ids } = await tenantWithResults(2);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    const added = await makeResult(database, {
      tenant_id: tenantId,
      patient_id: patientId,
      result_category: 'negative',
    });
    await soon(async () => (await count(analytics, tenantId)) === 3);

    // A correction replaces the first one.
    const corrected = randomUUID();
    await database.withScope(service(tenantId), async (tx) => {
      await tx.run('update result set superseded_by = $1 where id = $2', [corrected, ids[0]]);
      await tx.run(
        `insert into result (tenant_id, id, patient_id, source_key, content_hash, test_name, result_category, status, created_on)
        select tenant_id, $1, patient_id, source_key, 'other', test_name, 'positive', 'corrected', created_on from result where id = $2`,
        [corrected, ids[0]],
      );
      await recordChange(tx, tenantId, 'result', [corrected, ids[0]!]);
    });
    const categories = async () => {
      const { rows } = await analytics.query<{ id: string; result_category: string }>({
        scopes: [service(tenantId)],
        freshness: 'any',
        select: 'select id, result_category from result_fact',
      });
      return rows;
    };
    await soon(async () => (await categories()).some(({ id }) => id === corrected));
    expect((await categories()).map(({ id }) => id).sort()).toEqual([corrected, ids[1]!, added.id].sort());

    await database.withScope(service(tenantId), async (tx) => {
      await tx.run('delete from result where id = $1', [added.id]);
      await recordChange(tx, tenantId, 'result', [added.id]);
    });
    await soon(async () => (await count(analytics, tenantId)) === 2);

    await database.withScope(service(tenantId), async (tx) => {
      await tx.run("update patient set race = '2028-9' where id = $1", [patientId]);
      await recordChange(tx, tenantId, 'patient', [patientId]);
    });
    await soon(async () => {
      const { rows } = await analytics.query({
        scopes: [service(tenantId)],
        freshness: 'any',
        select: "select id from result_fact where race = '2028-9'",
      });
      return rows.length === 2;
    });
  });

  it('moves the facts of a merged person, and back, without losing or doubling one', async () => {
    const { tenantId, patientId, ids } = await tenantWithResults(2);
    const other = await makePatient(database, { tenant_id: tenantId });
    const moving = await makeResult(database, { tenant_id: tenantId, patient_id: other.id });
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    const move = (to: string, told: string[]) =>
      database.withScope(service(tenantId), async (tx) => {
        await tx.run('update result set patient_id = $1 where id = $2', [to, moving.id]);
        await recordChange(tx, tenantId, 'patient', told);
      });
    const owners = async () => {
      await analytics.caughtUp(tenantId);
      const { rows } = await analytics.query<{ id: string; patient_id: string }>({
        scopes: [service(tenantId)],
        freshness: 'any',
        select: 'select id, patient_id from result_fact order by id',
      });
      return rows;
    };
    const expected = (owner: string) =>
      [...ids.map((id) => ({ id, patient_id: patientId })), { id: moving.id, patient_id: owner }].sort(
        (a, b) => (a.id < b.id ? -1 : 1),
      );
    await move(patientId, [patientId, other.id]);
    expect(await owners()).toEqual(expected(patientId));
    await move(other.id, [patientId, other.id]);
    expect(await owners()).toEqual(expected(other.id));
    // Reported only about the receiving person.
    await move(patientId, [patientId]);
    expect(await owners()).toEqual(expected(patientId));
  });

  it('does not skip a transaction that began earlier and commits later, nor wait for it', async () => {
    const { tenantId, patientId } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    let finish = () => {};
    const late = database.withScope(service(tenantId), async (tx) => {
      await recordChange(tx, tenantId, 'result', [randomUUID()]);
      const patient = await tx.rows<{ id: string }>('select id from patient limit 1');
      await tx.run(
        `insert into result (tenant_id, id, patient_id, source_key, content_hash, test_name, result_category, status, created_on)
        values ($1, $2, $3, 'late', 'late', 'late', 'positive', 'final', '2026-03-05')`,
        [tenantId, lateId, patient[0]!.id],
      );
      await recordChange(tx, tenantId, 'result', [lateId]);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
    await soon(async () => (await count(analytics, tenantId)) === 2);
    await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
    await soon(async () => (await count(analytics, tenantId)) === 3);
    // A server that starts now sees it too.
    await stop(analytics);
    const again = await start();
    await again.caughtUp(tenantId);
    expect(await count(again, tenantId)).toBe(3);
    finish();
    await late;
    await soon(async () => (await count(again, tenantId)) === 4);
  });
  const lateId = randomUUID();

  it('leaves out what was rolled back', async () => {
    const { tenantId, patientId } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    await database
      .withScope(service(tenantId), async (tx) => {
        await tx.run('update result set superseded_by = id where patient_id = $1', [patientId]);
        await recordChange(tx, tenantId, 'patient', [patientId]);
        throw new Error('no');
      })
      .catch(() => {});
    await analytics.caughtUp(tenantId);
    expect(await count(analytics, tenantId)).toBe(1);
  });

  it('answers a question for the current state with what has just been committed', async () => {
    const { tenantId, patientId } = await tenantWithResults(0);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    for (let expected = 1; expected <= 15; expected++) {
      await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
      expect(await count(analytics, tenantId, 'current')).toBe(expected);
    }
  });

  it('announces each step with the moment of its state', async () => {
    const { tenantId, ids } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    const told: { tenantId: string; asOf: Date; changed: boolean }[] = [];
    const stopTelling = analytics.onFreshness((freshness) => told.push(freshness));
    const before = new Date();
    await changed(tenantId, 'result', ids);
    await soon(async () => told.some((one) => one.tenantId === tenantId && one.changed));
    expect(told.at(-1)!.asOf.getTime()).toBeGreaterThanOrEqual(before.getTime());
    stopTelling();
  });

  it('follows again for everyone who asks, however soon after the answer to someone else [P5]', async () => {
    const { tenantId } = await tenantWithResults(1);
    const own = join(folder, 'asked-again');
    await mkdir(own);
    const replica = new Replica(await Duck.open(own), own, tenantId, facts);
    await replica.open(() => {});
    const follower = new Follower({
      database,
      replica,
      staging: own,
      log: createLog('fatal'),
      advanced: () => {},
    });
    onTestFinished(async () => {
      await follower.close();
      await replica.close();
    });
    const answers: string[] = [];
    for (let turns = 0; turns < 12; turns++) {
      await follower.follow({ atOnce: true });
      for (let turn = 0; turn < turns; turn++) await undefined;
      const asked = follower.follow({ atOnce: true }).then(() => 'answered');
      answers.push(await Promise.race([asked, pause(60_000, `none after ${turns} turns`, { ref: false })]));
    }
    expect(answers).toEqual(answers.map(() => 'answered'));
  });

  it('makes the replica again when a good part of it has changed', async () => {
    const { tenantId, ids } = await tenantWithResults(3);
    const analytics = await start({ limits: { rebuildFrom: 2, recordsPerPull: 100 } });
    await analytics.caughtUp(tenantId);
    // Nobody announces this change: only a rebuilt replica lacks the row.
    await hideUnannounced(tenantId, ids[2]!);
    await changed(tenantId, 'result', [ids[0]!]);
    await analytics.caughtUp(tenantId);
    expect(await count(analytics, tenantId)).toBe(3);
    await changed(tenantId, 'result', ids.slice(0, 2));
    await analytics.caughtUp(tenantId);
    expect(await count(analytics, tenantId)).toBe(2);
  });

  it('applies more changes than it reads at a time in several pulls, and is current only after the last', async () => {
    const { tenantId, ids } = await tenantWithResults(6);
    const analytics = await start({ limits: { rebuildFrom: 1000, recordsPerPull: 2 } });
    await analytics.caughtUp(tenantId);
    const steps: string[] = [];
    analytics.onFreshness(({ asOf, changed }) => changed && steps.push(asOf.toISOString()));
    await database.withScope(service(tenantId), async (tx) => {
      await tx.run('update result set superseded_by = id where tenant_id = $1', [tenantId]);
      for (const id of ids) await recordChange(tx, tenantId, 'result', [id]);
    });
    await analytics.caughtUp(tenantId);
    expect(steps).toHaveLength(3);
    // With only some of the changes, the replica does not claim a later state.
    expect(steps[1]).toBe(steps[0]);
    expect(steps[2]! > steps[1]!).toBe(true);
    expect(await count(analytics, tenantId)).toBe(0);
    expect(await count(analytics, tenantId, 'current')).toBe(0);
  });

  it('removes old rows that have been followed from the outbox', async () => {
    const { tenantId, ids } = await tenantWithResults(1);
    const analytics = await start();
    await changed(tenantId, 'result', ids);
    await asSuperuser(
      "update outbox set created_at = now() - interval '2 hours' where tenant_id = $1",
      [tenantId],
      superuserUrl,
    );
    await changed(tenantId, 'result', ids);
    await analytics.caughtUp(tenantId);
    await stop(analytics);
    const again = await start();
    await again.caughtUp(tenantId);
    const left = () =>
      asSuperuser<{ n: string }>(
        'select count(*) as n from outbox where tenant_id = $1',
        [tenantId],
        superuserUrl,
      );
    await soon(async () => (await left())[0]!.n === '1');
    expect(await count(again, tenantId)).toBe(1);
  });
});
