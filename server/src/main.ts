// The server: configuration, database, application, and a clean end.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { DemoProgress } from '../seeds/demo/fill.ts';
import { type Config, loadConfig, warnings } from './config.ts';
import { assertPortFree } from './listen-fault.ts';
import { secretFor } from './platform/auth/secret-mark.ts';
import { connectDatabase } from './platform/db/connect.ts';
import { createLog, formatLog } from './platform/log/log.ts';
import { inWords } from './platform/words/in-words.ts';
import { connectionsFor } from './platform/workers/connections.ts';
import { lockDataFolder } from './platform/workers/server-lock.ts';
import { Supervisor } from './platform/workers/supervisor.ts';

// Created files hold patient data or secrets, so only the account that runs the server may read them.
process.umask(0o077);

/** How to close what was opened, in the order of opening. */
const toClose: (() => Promise<unknown>)[] = [];
let ending = false;
/** Logs before anything is closed. */
let beforeEnd: (() => Promise<void>) | undefined;
/** The processes that answer requests, if there are several. */
let workers: Supervisor | undefined;

/** Closes everything, the last first, and ends the process. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  let clean = true;
  await beforeEnd?.().catch(() => {});
  for (const close of toClose.reverse())
    await close().catch((error) => {
      console.error(`The end was not clean: ${(error as Error).message}`);
      clean = false;
    });
  process.exit(clean ? code : 1);
}

// A service manager signals each process of a group, and each passes it on. However often it comes, it counts as
// one.
process.on('SIGTERM', () => void end(0)).on('SIGHUP', () => void end(0));
// A person who presses Ctrl-C again does not want to wait; the database recovers on its own. The terminal and npm
// both pass the key on, so signals within a second are one key press.
let interruptedAt: number | undefined;
process.on('SIGINT', () => {
  const now = performance.now();
  if (interruptedAt !== undefined && now - interruptedAt > 1000) {
    workers?.kill();
    process.exit(130);
  }
  interruptedAt ??= now;
  void end(0);
});
// scripts/start.mjs started it and died without a signal: nobody is left to end it.
process.once('disconnect', () => void end(0));
process.channel?.unref();

start().catch((error: Error) => {
  // Failures because everything is being closed are not reported.
  if (ending) return;
  // One clear sentence, then the end.
  console.error(inWords(error));
  void end(1);
});

async function start(): Promise<void> {
  const config = loadConfig();
  formatLog(config.logFormat ?? (process.stderr.isTTY ? 'pretty' : 'json'));
  const log = createLog(config.logLevel);
  for (const warning of warnings(config)) console.warn(warning);
  await assertPortFree(config);
  const lock = await lockDataFolder(config.dataDir, { port: config.port, log });
  toClose.push(() => lock.release());
  beforeEnd = () => lock.endingSoon();
  const connecting = connectDatabase({ ...config, log });
  // Registered before the database exists: an early signal waits for it, so that it is not left running.
  toClose.push(async () => {
    const opened = await connecting.catch(() => undefined);
    await opened?.close();
  });
  if (config.workers > 1) {
    workers = new Supervisor({
      exec: fileURLToPath(new URL('./worker.ts', import.meta.url)),
      count: config.workers,
      log,
      stopMs: config.stopSeconds * 1000 + 20_000,
    });
    toClose.push(() => workers!.stop());
  }
  // Loaded while the database starts, because each takes a second.
  const [here, demo] = await Promise.all([
    workers ? undefined : import('./serve-here.ts'),
    config.demo ? import('../seeds/demo/fill.ts') : undefined,
  ]);
  const connection = await connecting;
  // It was asked to end in the meantime: anything opened now would find the database closed.
  if (ending) return;
  if (connection.migrated.length > 0)
    log.info({ migrated: connection.migrated }, 'the database was migrated');
  await secretFor(connection.database, config);
  if (demo) {
    const started = performance.now();
    const made = await demo
      .fillDemo(connection.database, undefined, logProgress(log))
      .catch(async (error) => {
        throw await connection.explained(error);
      });
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    if (made > 0) log.info({ results: made, seconds }, 'the demo was made');
  }
  if (here) {
    const close = await here.serveHere({ config, connection, log });
    toClose.push(close);
    // It was asked to end in the meantime, before this was registered.
    if (ending) await close();
  } else {
    const { appUrl, ownerUrl, databaseElsewhere } = connection;
    const poolSize = await connectionsFor(connection.database, config.workers);
    await workers!.begin({ appUrl, ownerUrl, databaseElsewhere, poolSize });
  }
  console.log(welcome(config, demo?.demoUsernames(), connection.databaseElsewhere));
}

/** Logs the demo's progress every few seconds, because the first start takes a minute or two. */
function logProgress(log: Logger): DemoProgress {
  let next = performance.now();
  return ({ results, of }) => {
    if (performance.now() < next) return;
    next = performance.now() + 5000;
    log.info({ percent: Math.floor((100 * results) / of) }, 'the demo is being made');
  };
}

function welcome(config: Config, names: string[] | undefined, elsewhere: string | undefined): string {
  const lines = [`Caseway is ready at ${config.publicUrl}`];
  if (elsewhere)
    lines.push(
      `The database is in ${elsewhere}, because only root can enter ${config.dataDir}. It belongs to that folder: back up, move and delete both.`,
    );
  if (names) {
    lines.push('', 'Demo accounts:', ...names.map((name) => `  ${name}`), '');
    lines.push(
      config.smtpUrl
        ? 'One-time codes are sent by mail.'
        : `One-time codes are messages in ${join(config.dataDir, 'outbox')}`,
    );
  }
  return lines.join('\n');
}
