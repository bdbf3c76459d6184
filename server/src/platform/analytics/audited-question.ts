import type { AnalyticsQuery } from '@caseway/contract/analytics';
import type { AuditEntry } from '../http/access.ts';

/**
 * What the audit log says about a query of numbers: the days, and the filters, so that someone who queries one group of
 * persons after another can be found. Never the values themselves, which are free text. [P15, P16]
 */
export const auditedQuestion = ({ dateRangeValue, eventDate, filters }: AnalyticsQuery): AuditEntry => ({
  detail: {
    range: dateRangeValue,
    ...(eventDate !== undefined && { eventDate }),
    filteredBy: Object.keys(filters).filter((name) => filters[name]!.length > 0),
  },
});
