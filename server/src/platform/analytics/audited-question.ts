import type { AnalyticsQuery } from '@caseway/contract/analytics';
import type { AuditEntry } from '../http/access.ts';

/**
 * What the audit log says of a question about numbers: which days, and by what it was narrowed, so that someone who
 * asks for one group of persons after the other can be found. Never the values themselves, which are free text. [P15,
 * P16]
 */
export const auditedQuestion = ({ dateRangeValue, eventDate, filters }: AnalyticsQuery): AuditEntry => ({
  detail: {
    range: dateRangeValue,
    ...(eventDate !== undefined && { eventDate }),
    filteredBy: Object.keys(filters).filter((name) => filters[name]!.length > 0),
  },
});
