import type { BehindNumber } from './behind.ts';

/** Names of filters, event dates, measures and series, by dashboard. */
export type RetiredNames = Readonly<Record<string, readonly string[]>>;

/**
 * Removed names, which old addresses and saved views lose and which are never reused. Separate from the
 * dashboards, because every list reads addresses.
 */
export const retiredNames: RetiredNames = {};

type Asked = Pick<BehindNumber, 'dashboard' | 'filters' | 'eventDate' | 'measure' | 'series'>;

/**
 * A number as an old link names it, without retired names; undefined if the number itself is retired.
 * `retired` has those names.
 */
export function withoutRetired<A extends Asked>(
  asked: A,
  names: RetiredNames = retiredNames,
): { asked: A | undefined; retired: string[] } {
  const gone = names[asked.dashboard] ?? [];
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
