import type { Scope } from '../scope.ts';
import { NoTurn, type Turns } from '../workers/turns.ts';
import type { Connection } from './duckdb.ts';
import type { Request } from './engine.ts';

/** An answer took longer than its time. */
export class AnalyticsTimeout extends Error {
  override name = 'AnalyticsTimeout';
  constructor() {
    super('the question took too long to answer');
  }
}

/** The account has too many queries at the same time. [P27] */
export class AnalyticsBusy extends Error {
  override name = 'AnalyticsBusy';
  constructor() {
    super('the account asks too many questions at once');
  }
}

/** The account whose turns a query uses. Queries of the product itself use no turns. */
export const accountOf = (scope: Scope | undefined): string | undefined =>
  scope?.kind === 'org' ? scope.accountId : undefined;

/** Runs work when its turn comes; the wait counts toward its time limit. */
export async function inTurn<T>(
  turns: Turns,
  scope: Scope | undefined,
  { urgency, signal }: Pick<Request, 'urgency' | 'signal'>,
  deadline: number,
  work: () => Promise<T>,
): Promise<T> {
  const first = urgency === 'list';
  // An account's charts run one after the other, each on all threads. Lists are short and do not wait for others of the
  // same account.
  const key = first ? undefined : accountOf(scope);
  const end = await turns
    .take({ key, first, withinMs: deadline - performance.now(), signal })
    .catch((error) => {
      throw error instanceof NoTurn ? new AnalyticsTimeout() : error;
    });
  try {
    return await work();
  } finally {
    end();
  }
}

/** How often an interrupt is repeated. */
const interruptEveryMs = 25;

/**
 * Runs a DuckDB statement that ends when its time is up or its reader has left. DuckDB ignores an interrupt while
 * the statement still waits for a thread, so the interrupt is repeated until the statement has settled.
 */
export async function limited<T>(
  connection: Connection,
  signal: AbortSignal | undefined,
  deadline: number,
  statement: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const left = deadline - performance.now();
  if (left <= 0) throw new AnalyticsTimeout();
  let late = false;
  let repeating: NodeJS.Timeout | undefined;
  const interrupt = () => {
    connection.interrupt();
    repeating ??= setInterval(() => connection.interrupt(), interruptEveryMs);
  };
  const timer = setTimeout(() => {
    late = true;
    interrupt();
  }, left);
  signal?.addEventListener('abort', interrupt);
  try {
    const answer = await statement();
    signal?.throwIfAborted();
    if (late) throw new AnalyticsTimeout();
    return answer;
  } catch (error) {
    signal?.throwIfAborted();
    throw late ? new AnalyticsTimeout() : error;
  } finally {
    clearTimeout(timer);
    clearInterval(repeating);
    signal?.removeEventListener('abort', interrupt);
  }
}
