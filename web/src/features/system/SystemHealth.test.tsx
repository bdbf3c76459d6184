import type { SystemHealth as Health } from '@caseway/contract/system';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { serve } from '../../test/server.ts';
import SystemHealth from './SystemHealth.tsx';

await startTestLocales('system');
beforeEach(() => queryClient.clear());

const disk = { freeBytes: 60e9, totalBytes: 100e9, minFreeBytes: 512e6 };
const well: Health = {
  at: '2026-03-02T12:00:00.000Z',
  product: { version: '0.1.0', build: '0123456789ab' },
  parts: ['database', 'analytics', 'disk'].map((name) => ({ name, ready: true })),
  database: {
    version: '18.1',
    bytes: 5e9,
    servers: [],
    startedAt: '2026-03-01T12:00:00.000Z',
    answerMs: 1,
    migration: '0001_scope.sql',
    connections: { total: 4, idle: 3, waiting: 0 },
  },
  replicas: [],
  imports: [],
  storage: disk,
  backup: { at: '2026-03-02T02:00:00.000Z', bytes: 5e6, encrypted: true },
  audit: { failed: 0 },
  jobs: [],
  failedJobs: [],
  mail: { by: 'smtp', sent: 3, failed: 0, lastSentAt: null, lastFailedAt: null, lastFailure: null },
};

/** The names and values of a section of the screen. */
async function facts(section: string): Promise<Record<string, string>> {
  const heading = await screen.findByRole('heading', { name: section });
  const region = heading.closest('section')!;
  const names = within(region).getAllByRole('term');
  const values = within(region).getAllByRole('definition');
  return Object.fromEntries(names.map((name, index) => [name.textContent, values[index]!.textContent ?? '']));
}
const show = (health: Health) => {
  serve({ 'GET /api/web/system/health': { body: health } });
  renderInApp(<SystemHealth />);
};

describe('the health of the system [S10.7]', () => {
  test('names every part, the version and the audit log in words', async () => {
    show(well);
    expect(await facts('Server')).toEqual({
      Database: 'Ready',
      Analytics: 'Ready',
      Disk: 'Ready',
      'Audit log': 'Every event was written',
      Version: '0.1.0 (0123456789ab)',
    });
    expect(await facts('Storage')).toMatchObject({ State: 'Enough room' });
  });

  test('says which part is not ready, and that audit events could not be written', async () => {
    show({
      ...well,
      parts: [
        { name: 'database', ready: true },
        { name: 'disk', ready: false },
      ],
      storage: { ...disk, freeBytes: 511e6 },
      audit: { failed: 2 },
    });
    expect(await facts('Server')).toMatchObject({
      Database: 'Ready',
      Disk: 'Not ready',
      'Audit log': '2 events could not be written since the server started',
    });
    expect((await facts('Storage')).State).toBe(
      'Less than 512\u00a0MB is free: the server is not ready. Free up space now',
    );
  });

  test('warns about a disk with less than a tenth free', async () => {
    show({ ...well, storage: { ...disk, freeBytes: 9e9 } });
    expect((await facts('Storage')).State).toBe('Less than a tenth is free: free up space');
  });

  test('shows the size of each database server, and which of them does not answer [P30]', async () => {
    show({
      ...well,
      database: {
        ...well.database,
        servers: [
          { address: '10.0.0.1:5432', bytes: 1e9 },
          { address: '10.0.0.2:5432', bytes: 4e9 },
          { address: '10.0.0.3:5432', bytes: null },
        ],
      },
    });
    expect(await facts('Database')).toMatchObject({
      Size: '5\u00a0GB',
      'Size on 10.0.0.1:5432': '1\u00a0GB',
      'Size on 10.0.0.2:5432': '4\u00a0GB',
      'Size on 10.0.0.3:5432': 'Does not answer',
    });
  });

  test('says that a job waits for a database server, and not which attempt it was [P30]', async () => {
    const job = { task: 'imports/run', attempts: 0, maxAttempts: 10, givenUp: false };
    const times = { since: '2026-03-02T10:00:00.000Z', nextAt: '2026-03-02T12:00:20.000Z' };
    show({ ...well, failedJobs: [{ id: '7', ...job, ...times, reason: 'DatabaseAway', away: true }] });
    const item = await screen.findByRole('alert');
    expect(item).toHaveTextContent('A database server does not answer or has no room · requested');
    expect(item).toHaveTextContent('It will be tried again at');
    expect(item).not.toHaveTextContent('attempt');
  });

  test('names the tenants whose database server does not answer [P30]', async () => {
    const tenant = { tenantId: '7a1c2f5e-0c6b-4a55-9d62-3f1d1d1b7e01', tenant: 'Gulfstream', away: true };
    show({
      ...well,
      replicas: [{ ...tenant, failing: true, seconds: 90, bytes: 1e6 }],
      imports: [{ ...tenant, states: {}, lastAt: null }],
    });
    const rows = await screen.findAllByRole('row', { name: /^Gulfstream/ });
    // Its replica, and its imports.
    expect(rows.map((row) => row.textContent.includes('Its database server does not answer'))).toEqual([
      true,
      true,
    ]);
  });

  test('still shows the rest if the disk cannot be read', async () => {
    show({ ...well, storage: null });
    expect(await facts('Storage')).toMatchObject({ State: 'The disk cannot be read' });
    expect(await facts('Mail')).toMatchObject({ State: 'Messages are accepted' });
  });
});
