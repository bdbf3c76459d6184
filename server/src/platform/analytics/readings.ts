import type { Asker } from '@caseway/contract/fact';
import type { z } from 'zod';
import type { Scope } from '../scope.ts';
import type { AnsweredBy, Ask, Request } from './engine.ts';

/** What a reading knows about the facts it reads. */
export interface About {
  scopes: readonly Scope[];
  /** The moment up to which commits are included. */
  asOf: Date;
  by: AnsweredBy;
  /** While it stays the same, so do the facts; undefined if that is not known. */
  version?: string;
}

/**
 * A named read of the facts. The process with a tenant's replica answers for the others, which send it only the name
 * and arguments, never SQL. The answer is JSON.
 *
 * For several tenants, `run` runs once where the question is asked and once at each process that owns one of the
 * tenants, with the same rows in the same order. So its questions may depend only on its arguments and the rows it
 * got.
 */
export interface Reading<Args, Answer> {
  /** `feature/what it reads` */
  name: string;
  /** Which columns of the facts it may name: those for lists, or those for numbers. */
  asks: Asker;
  args: z.ZodType<Args>;
  run(ask: Ask, args: Args, about: About): Promise<Answer>;
}

export interface Answering {
  /** Answers a reading in the reader's scopes. Throws AnalyticsTimeout, AnalyticsBusy, or the signal's reason. */
  answer<Args, Answer>(request: Request, reading: Reading<Args, Answer>, args: Args): Promise<Answer>;
  /** Lets other processes ask this one for a reading. */
  declare<Args, Answer>(reading: Reading<Args, Answer>): void;
}
