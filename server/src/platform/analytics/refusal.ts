import { AppError } from '../http/app-error.ts';
import { AnalyticsBusy, AnalyticsTimeout } from './limits.ts';

/** The refusal of a query: it took too long, or the person has too many at the same time. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof AnalyticsTimeout) return new AppError('query-too-slow', { cause: error });
  if (error instanceof AnalyticsBusy)
    return new AppError('too-many-questions', { cause: error, retryAfter: 5 });
  return error;
}
