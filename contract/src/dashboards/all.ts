import type { BehindNumber } from '../behind.ts';
import type { Dashboard } from '../dashboard.ts';
import { caseReports, tenantCaseReports } from './case-reports.ts';
import { fieldVisits } from './field-visits.ts';
import { hiv } from './hiv.ts';
import { incidentReports } from './incident-reports.ts';
import { operations } from './operations.ts';
import { sti } from './sti.ts';
import { telemedicine } from './telemedicine.ts';
import { testing } from './testing.ts';

/** Every dashboard. */
export const dashboards: readonly Dashboard[] = [
  testing,
  sti,
  hiv,
  caseReports,
  tenantCaseReports,
  incidentReports,
  fieldVisits,
  telemedicine,
  operations,
];

type Asked = Pick<BehindNumber, 'dashboard' | 'filters' | 'eventDate' | 'measure' | 'series'>;

/**
 * A number as an old link names it, without the names that are no more; undefined if the number itself is one. `retired`
 * has those names.
 */
export function withoutRetired<A extends Asked>(
  asked: A,
  among: readonly Dashboard[] = dashboards,
): { asked: A | undefined; retired: string[] } {
  const gone = among.find(({ id }) => id === asked.dashboard)?.retired ?? [];
  const isGone = (name: string | undefined) => name !== undefined && gone.includes(name);
  const { eventDate, ...rest } = asked;
  const retired = [asked.measure, asked.series, eventDate, ...Object.keys(asked.filters)].filter(isGone);
  const kept = {
    ...rest,
    ...(eventDate !== undefined && !isGone(eventDate) && { eventDate }),
    filters: Object.fromEntries(Object.entries(asked.filters).filter(([name]) => !isGone(name))),
  } as A;
  return {
    asked: isGone(asked.measure) || isGone(asked.series) ? undefined : kept,
    retired: retired as string[],
  };
}
