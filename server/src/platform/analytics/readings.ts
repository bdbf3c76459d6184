import type { Asker } from '@caseway/contract/fact';
import type { z } from 'zod';
import type { Scope } from '../scope.ts';
import type { AnsweredBy, Ask, Request } from './engine.ts';

/** What a reading knows of the facts that it reads. */
export interface About {
  scopes: readonly Scope[];
  /** The moment up to which commits are in them. */
  asOf: Date;
  by: AnsweredBy;
  /** As long as it is the same, so are the facts; undefined if that is not known. */
  version?: string;
}

/**
 * Something that is read from the facts, by its name and arguments alone: the process that has the replica of a tenant
 * answers for the others, and they send it these and never SQL. What it answers is JSON.
 *
 * For several tenants `run` runs once at the asker and once at each process that has one of them, with the same rows in
 * the same order. So what it asks may depend on its arguments and on the rows that it got, and on nothing else.
 */
export interface Reading<Args, Answer> {
  /** `feature/what it reads` */
  name: string;
  /** Which columns of facts it may name: those for lists, or those for numbers. */
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
