import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seedRecords } from '../server/seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../server/seeds/demo/seed-tenants.ts';
import { connectDatabase } from '../server/src/platform/db/connect.ts';
import { connected } from '../server/src/platform/db/roles.ts';
import { createLog } from '../server/src/platform/log/log.ts';
import { hurriedCrowd } from '../server/test/crowd.ts';
import { family } from '../server/test/family.ts';
import { freePort } from '../server/test/port.ts';
import { dataFolder } from './data-folder.ts';
import { type Bench, type Figure, percentile } from './figure.ts';

const tokenSecret = 'signs nothing outside of this bench';
const seconds = Number(process.env.BENCH_SECONDS ?? 15);
const atOnce = Number(process.env.BENCH_CONNECTIONS ?? 16);
const counts = [1, Math.max(2, availableParallelism())];
const rounds = 2;
const warmRequests = 1000;

/** Milliseconds of processor time that a process tree has used, and its megabytes of memory. Linux only. */
function usage(root: number): { ms: number; megabytes: number } {
  let ms = 0;
  let pages = 0;
  for (const pid of family(root)) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      // Ticks of a hundredth of a second, and pages of 4 kB.
      ms += (Number(fields[11]) + Number(fields[12])) * 10;
      // Of child processes that have ended since.
      if (pid === root) ms += (Number(fields[13]) + Number(fields[14])) * 10;
      pages += Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    } catch {
      // The process has ended.
    }
  }
  return { ms, megabytes: (pages * 4096) / 1e6 };
}

export const cores: Bench = {
  name: `What people read, as fast as it is answered on ${atOnce} connections, by processes of one server (${availableParallelism()} cores for them, PostgreSQL and the readers)`,
  async run() {
    const dataDir = await dataFolder();
    const log = createLog('error');
    const connection = await connectDatabase({ dataDir, log });
    const { database } = connection;
    const figures: Figure[] = [];
    let server: ChildProcess | undefined;
    try {
      const { demo } = await seedDemoTenants(database);
      await seedRecords(database, demo.id, { patients: 20_000, results: 60_000, cases: 8000 });
      await connected(connection.ownerUrl!, 'the bench', (client) => client.query('vacuum analyze'));
      const read = await hurriedCrowd({ database, tokenSecret, tenantId: demo.id, people: 200 });
      const [postmaster] = await database.withScope({ kind: 'system' }, async () => {
        const file = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
        return file.split('\n').map(Number);
      });
      let single = 0;
      for (let round = 1; round <= rounds; round += 1)
        for (const workers of counts) {
          const port = await freePort();
          server = spawn(process.execPath, [resolve(import.meta.dirname, '../server/src/main.ts')], {
            env: {
              PATH: process.env.PATH,
              NODE_ENV: 'production',
              UV_THREADPOOL_SIZE: '8',
              PORT: String(port),
              DATA_DIR: join(dataDir, 'server'),
              DATABASE_URL: connection.appUrl,
              DATABASE_OWNER_URL: connection.ownerUrl,
              TOKEN_SECRET: tokenSecret,
              WORKERS: String(workers),
              LOG_LEVEL: 'error',
            },
            stdio: ['ignore', 'pipe', 'inherit'],
          });
          let said = '';
          server.stdout!.on('data', (chunk) => {
            said += chunk;
          });
          while (!said.includes('Caseway is ready')) {
            if (server.exitCode !== null) throw new Error('the server could not start');
            await sleep(100);
          }
          // Until the replicas are ready, and each process has compiled its frequent code.
          for (let warm = 0; warm < workers * warmRequests; )
            warm += (await read({ port, atOnce, seconds: 4 })).samples.length;
          const [node, postgres] = [usage(server.pid!), usage(postmaster!)];
          const { samples } = await read({ port, atOnce, seconds });
          const after = [usage(server.pid!), usage(postmaster!)];
          const failed = samples.filter(({ status }) => status !== 200);
          // A list that takes longer than its limit is refused, as on a machine that is busy with something else.
          const slow = failed.length > 0 ? `, ${failed.length} REFUSED OR FAILED` : '';
          const perSecond = (samples.length - failed.length) / seconds;
          if (workers === 1) single = perSecond;
          const what = `${workers} ${workers === 1 ? 'process' : 'processes'}, round ${round}${slow}`;
          figures.push(
            {
              what: `${what}: requests`,
              value: perSecond,
              unit: 'per second',
              against: workers === 1 ? undefined : { what: 'one process', ratio: perSecond / single },
            },
            {
              what: '… p95',
              value: percentile(
                samples.map(({ ms }) => ms),
                0.95,
              ),
              unit: 'ms',
            },
            { what: '… of the server, each', value: (after[0]!.ms - node.ms) / samples.length, unit: 'ms' },
            {
              what: '… of PostgreSQL, each',
              value: (after[1]!.ms - postgres.ms) / samples.length,
              unit: 'ms',
            },
            { what: '… memory of the server', value: after[0]!.megabytes, unit: 'MB' },
          );
          const ended = once(server, 'exit');
          server.kill('SIGTERM');
          await ended;
        }
      return figures;
    } finally {
      server?.kill('SIGKILL');
      await connection.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
