// A thread that runs imports, one after the other, on its own connections.
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../../platform/db/database.ts';
import { createLog, formatLog } from '../../../platform/log/log.ts';
import type { ThreadAnswer, ThreadData, ThreadRequest } from './import-threads.ts';
import { runImport } from './run-import.ts';

const { url, logFormat } = workerData as ThreadData;
const port = parentPort!;
formatLog(logFormat);
const database = await openDatabase({ url, log: createLog('warn'), poolSize: 2 });
let stop = new AbortController();

port.on('message', async (request: ThreadRequest) => {
  if (request === 'stop') {
    stop.abort();
    return;
  }
  stop = new AbortController();
  let answer: ThreadAnswer;
  try {
    const end = await runImport({
      database,
      ...request,
      signal: stop.signal,
      onProgress: (progress) => port.postMessage({ progress } satisfies ThreadAnswer),
    });
    answer = { end };
  } catch (error) {
    // The details of a database error, for the log, are in properties that a copy would lose.
    const { name, message, stack } = error as Error;
    const told = error as Record<string, unknown>;
    const [code, severity, constraint] = [told.code, told.severity, told.constraint];
    answer = { error: { name, message, stack, code, severity, constraint } };
  }
  port.postMessage(answer);
});
