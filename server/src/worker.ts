// One of several processes that answer the requests of a server. main.ts starts it and tells it when to begin and end.
import cluster from 'node:cluster';
import { loadConfig } from './config.ts';
import { openDatabase } from './platform/db/database.ts';
import { createLog, formatLog } from './platform/log/log.ts';
import { inWords } from './platform/words/in-words.ts';
import { type CrewMessage, crewOf } from './platform/workers/crew.ts';
import type { Begin, FromWorker, ToWorker } from './platform/workers/supervisor.ts';

process.umask(0o077);

const toClose: (() => Promise<unknown>)[] = [];
const listeners: ((message: CrewMessage) => void)[] = [];
let ending = false;

/** Settled when every process has answered its requests, or no process is left to say so. */
const allDrained = Promise.withResolvers<void>();

const send = (message: FromWorker) => {
  // `disconnect` handles the end of the first process; without a function here, it would end this one.
  if (process.connected) process.send!(message, () => {});
};

/** Closes everything, the last first, and ends the process. */
async function end(code = 0): Promise<void> {
  if (ending) return;
  ending = true;
  for (const close of toClose.reverse())
    await close().catch((error) => {
      console.error(`The end was not clean: ${(error as Error).message}`);
      code = 1;
    });
  process.exit(code);
}

// The first process gets the signals and says when to end, because a service manager signals every process of a
// group.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
// The first process has died. Running requests still finish; node would end this process in the middle of them.
cluster.worker!.exitedAfterDisconnect = true;
process.once('disconnect', () => {
  allDrained.resolve();
  void end();
});

process.on('message', (message: ToWorker) => {
  if ('stop' in message) void end();
  else if ('close' in message) allDrained.resolve();
  else if ('begin' in message) start(message.begin).catch(fail);
  else if ('crew' in message) for (const heard of listeners) heard(message);
});

// Loaded while the database starts.
const loading = import('./serve-here.ts');
loading.catch(() => {});

async function start({ place, appUrl, ownerUrl, databaseElsewhere, poolSize }: Begin): Promise<void> {
  const config = loadConfig();
  formatLog(config.logFormat ?? (process.stderr.isTTY ? 'pretty' : 'json'));
  const log = createLog(config.logLevel).child({ worker: place.number });
  const crew = crewOf({ ...place, send, receive: (heard) => void listeners.push(heard) });
  const { serveHere } = await loading;
  const database = await openDatabase({ url: appUrl, log, poolSize });
  toClose.push(() => database.close());
  const connection = { database, appUrl, ownerUrl, databaseElsewhere };
  const drained = () => {
    send({ drained: true });
    return process.connected ? allDrained.promise : Promise.resolve();
  };
  const close = await serveHere({ config, connection, log, place, crew, drained });
  toClose.push(close);
  // It was asked to end in the meantime, before this was registered.
  if (ending) await close();
  send({ ready: true });
}

async function fail(error: Error): Promise<void> {
  // Failures because everything is being closed are not reported.
  if (ending) return;
  allDrained.resolve();
  send({ failed: inWords(error) });
  await end(1);
}
