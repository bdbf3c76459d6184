// A process that uses the packaged PostgreSQL of a data folder until its input ends; tests start and kill it. Prints
// {"found","app","pid"} in one line when the database is there, and {"stopped":true} when it has released it.
import { startPackagedPostgres } from '../src/platform/db/cluster/packaged-postgres.ts';
import { createLog } from '../src/platform/log/log.ts';

const [dataDir, graceSeconds] = process.argv.slice(2);
const cluster = await startPackagedPostgres({
  dataDir: dataDir!,
  log: createLog('fatal'),
  graceSeconds: Number(graceSeconds ?? 10),
});
console.log(JSON.stringify({ found: cluster.found, app: cluster.app, superuser: cluster.superuser }));
process.stdin.resume();
process.stdin.on('end', async () => {
  await cluster.stop();
  console.log(JSON.stringify({ stopped: true }));
});
