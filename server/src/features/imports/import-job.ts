import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { Database, Tx } from '../../platform/db/database.ts';
import { defineJob, enqueue, type Work, withdraw, work } from '../../platform/jobs/jobs.ts';
import { failImport, type RunEnd } from './run-import.ts';
import { sweepSpool } from './spool.ts';

/** Brings an import to its end, from wherever it stands. */
export const importJob = defineJob({
  name: 'imports/run',
  payload: z.strictObject({ tenantId: z.uuid(), importId: z.uuid() }),
  lane: 'long',
  attempts: 10,
});

const keyOf = (importId: string) => `import ${importId}`;

/** Leaves an import to be run with the transaction. Those of one tenant are run one after the other. */
export const enqueueImport = (tx: Tx, tenantId: string, importId: string, runAt?: Date): Promise<void> =>
  enqueue(
    tx,
    importJob,
    { tenantId, importId },
    { key: keyOf(importId), queue: `import ${tenantId}`, runAt },
  );

/** Nothing of the import is left to be run. */
export const withdrawImport = (tx: Tx, importId: string): Promise<void> => withdraw(tx, keyOf(importId));

const sweepJob = defineJob({
  name: 'imports/sweep',
  payload: z.strictObject({}),
  lane: 'quick',
  attempts: 1,
});

export interface ImportWorkOptions {
  database: Database;
  /** Connection string of the application role, for the threads that do the work. */
  url: string;
  dataDir: string;
}

/**
 * Does the imports of a server, each in a thread of its own, so that requests are answered meanwhile; and clears away
 * every night the files that nobody will come back for.
 */
export function importWorks({ database, url, dataDir }: ImportWorkOptions): Work[] {
  const threads = new Threads({ url, dataDir });
  const run = work(importJob, async ({ tenantId, importId }, { signal, attempt }) => {
    try {
      const end = await threads.run(tenantId, importId, signal);
      if (end === 'stopped') throw new Error('stopped');
    } catch (error) {
      if (attempt >= importJob.attempts && !signal.aborted)
        await failImport(database, tenantId, importId, 'internal');
      throw error;
    }
  });
  return [run, work(sweepJob, () => sweepSpool(dataDir), '17 3 * * *')];
}

/** What a thread is asked, and what it answers. */
export type ThreadRequest = { tenantId: string; importId: string } | 'stop';
export type ThreadAnswer = { end: RunEnd } | { error: Record<string, unknown> };

/** Beyond so much a thread is ended: a fault in one import must not take the server with it. Megabytes. */
const memoryOfThread = 384;
/** Loading the reference data takes a while; a thread waits so long for another import. Milliseconds. */
const idleOfThread = 60_000;

class Threads {
  readonly #workerData: { url: string; dataDir: string };
  readonly #idle: Thread[] = [];

  constructor(workerData: { url: string; dataDir: string }) {
    this.#workerData = workerData;
  }

  async run(tenantId: string, importId: string, signal: AbortSignal): Promise<RunEnd> {
    const thread = this.#idle.pop() ?? new Thread(this.#workerData);
    try {
      const end = await thread.run({ tenantId, importId }, signal);
      if (signal.aborted) await thread.end();
      else this.#rest(thread);
      return end;
    } catch (error) {
      await thread.end();
      throw error;
    }
  }

  #rest(thread: Thread): void {
    this.#idle.push(thread);
    thread.rest(() => {
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
    });
  }
}

/** One thread, which runs one import at a time. */
class Thread {
  readonly #worker: Worker;
  #settle: { resolve: (end: RunEnd) => void; reject: (error: Error) => void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #gone: (() => void) | undefined;

  constructor(workerData: { url: string; dataDir: string }) {
    this.#worker = new Worker(new URL('./import-thread.ts', import.meta.url), {
      workerData,
      // What a batch leaves behind dies young: with more room for it the collector runs half as often.
      resourceLimits: { maxOldGenerationSizeMb: memoryOfThread, maxYoungGenerationSizeMb: 64 },
    });
    this.#worker.on('message', (answer: ThreadAnswer) => {
      if ('end' in answer) this.#settle?.resolve(answer.end);
      else this.#settle?.reject(Object.assign(new Error(), answer.error));
    });
    this.#worker.on('error', (error) => this.#settle?.reject(error as Error));
    this.#worker.on('exit', (code) => {
      this.#settle?.reject(new Error(`the import thread ended with ${code}`));
      clearTimeout(this.#timer);
      this.#gone?.();
    });
  }

  async run(request: { tenantId: string; importId: string }, signal: AbortSignal): Promise<RunEnd> {
    clearTimeout(this.#timer);
    this.#worker.ref();
    const stop = () => this.#worker.postMessage('stop' satisfies ThreadRequest);
    signal.addEventListener('abort', stop);
    try {
      return await new Promise<RunEnd>((resolve, reject) => {
        this.#settle = { resolve, reject };
        this.#worker.postMessage(request satisfies ThreadRequest);
      });
    } finally {
      this.#settle = undefined;
      signal.removeEventListener('abort', stop);
    }
  }

  /** Waits for another import, and ends when none comes; `gone` is called then. It keeps no process alive meanwhile. */
  rest(gone: () => void): void {
    this.#gone = gone;
    this.#worker.unref();
    this.#timer = setTimeout(() => void this.end(), idleOfThread);
    this.#timer.unref();
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
