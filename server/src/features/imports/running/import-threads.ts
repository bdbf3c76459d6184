import { Worker } from 'node:worker_threads';
import { type LogFormat, logFormat } from '../../../platform/log/log.ts';
import { usableMemory } from '../../../platform/workers/usable-memory.ts';
import type { ImportProgress, RunEnd, RunOptions } from './running-import.ts';

/** The input of a thread: the connection string of the application role, and its log format. */
export interface ThreadData {
  url: string;
  logFormat: LogFormat;
}
/** The messages to a thread, and its answers. */
export type ThreadRequest = { tenantId: string; importId: string } | 'stop';
export type ThreadAnswer =
  | { progress: ImportProgress }
  | { end: RunEnd }
  | { error: Record<string, unknown> };

type RunHooks = Pick<RunOptions, 'signal' | 'onProgress'>;

/**
 * Megabytes. A thread with a larger heap is ended, because a fault in one import must not end the process. An eighth
 * of the memory, like the database's cache. With more room, the garbage collector lets the heap grow by 60 % instead
 * of 30 before a full collection: with 1024 an import takes a tenth less of Node's time than with 256.
 */
const memoryOfThread = Math.min(Math.max(Math.floor(usableMemory() / 2 ** 20 / 8), 256), 1024);
/**
 * Young generation, in megabytes: the garbage of a batch is short-lived. With 32, an import of 20,000 messages took
 * the process to 533 MB, more than the 512 promised; with 24 to 476.
 */
const youngMemoryOfThread = 24;
/** Milliseconds that a thread waits for another import, because loading the reference data takes a while. */
const idleOfThread = 60_000;

/** Runs imports, each in its own thread with bounded memory, so that the process can do other things. */
export class ImportThreads {
  readonly #workerData: ThreadData;
  readonly #idle: Thread[] = [];

  /** `url`: connection string of the application role. */
  constructor({ url }: { url: string }) {
    this.#workerData = { url, logFormat: logFormat() };
  }

  async run(request: { tenantId: string; importId: string }, hooks: RunHooks): Promise<RunEnd> {
    const thread = this.#idle.pop() ?? new Thread(this.#workerData);
    try {
      const end = await thread.run(request, hooks);
      if (hooks.signal?.aborted) await thread.end();
      else this.#rest(thread);
      return end;
    } catch (error) {
      await thread.end();
      throw error;
    }
  }

  /** Ends the threads that wait for another import. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((thread) => thread.end()));
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
  #running: ({ resolve: (end: RunEnd) => void; reject: (error: Error) => void } & RunHooks) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #gone: (() => void) | undefined;

  constructor(workerData: ThreadData) {
    this.#worker = new Worker(new URL('./import-thread.ts', import.meta.url), {
      workerData,
      resourceLimits: {
        maxOldGenerationSizeMb: memoryOfThread,
        maxYoungGenerationSizeMb: youngMemoryOfThread,
      },
    });
    this.#worker.on('message', (answer: ThreadAnswer) => {
      if ('progress' in answer) void this.#running?.onProgress?.(answer.progress);
      else if ('end' in answer) this.#running?.resolve(answer.end);
      else this.#running?.reject(Object.assign(new Error(), answer.error));
    });
    this.#worker.on('error', (error) => this.#running?.reject(error as Error));
    this.#worker.on('exit', (code) => {
      this.#running?.reject(new Error(`the import thread ended with ${code}`));
      clearTimeout(this.#timer);
      this.#gone?.();
    });
  }

  async run(request: { tenantId: string; importId: string }, hooks: RunHooks): Promise<RunEnd> {
    clearTimeout(this.#timer);
    this.#worker.ref();
    const stop = () => this.#worker.postMessage('stop' satisfies ThreadRequest);
    hooks.signal?.addEventListener('abort', stop);
    try {
      return await new Promise<RunEnd>((resolve, reject) => {
        this.#running = { resolve, reject, ...hooks };
        this.#worker.postMessage(request satisfies ThreadRequest);
        if (hooks.signal?.aborted) stop();
      });
    } finally {
      this.#running = undefined;
      hooks.signal?.removeEventListener('abort', stop);
    }
  }

  /** Waits for another import, and ends if none comes; then calls `gone`. It does not keep the process alive. */
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
