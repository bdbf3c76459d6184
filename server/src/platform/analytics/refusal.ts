import { AppError } from '../http/app-error.ts';
import { AnalyticsBusy, AnalyticsTimeout } from './limits.ts';

/** What is said to people whose question was not answered: it took too long, or they ask too many at once. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof AnalyticsTimeout) return new AppError('query-too-slow', { cause: error });
  if (error instanceof AnalyticsBusy)
    return new AppError('too-many-questions', { cause: error, retryAfter: 5 });
  return error;
}
