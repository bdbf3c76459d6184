import { analyticsCompare, analyticsSearch } from '@caseway/contract/analytics';
import { analyticsPresets } from '@caseway/contract/analytics-presets';
import type { Dashboard } from '@caseway/contract/dashboard';

interface Endpoints {
  search: ReturnType<typeof analyticsSearch>;
  compare: ReturnType<typeof analyticsCompare>;
  presets: ReturnType<typeof analyticsPresets>;
}
const made = new WeakMap<Dashboard, Endpoints>();

/** A dashboard's endpoints, created once: its numbers, their comparison, and its saved views. */
export function endpointsOf(of: Dashboard): Endpoints {
  const known = made.get(of) ?? {
    search: analyticsSearch(of),
    compare: analyticsCompare(of),
    presets: analyticsPresets(of),
  };
  made.set(of, known);
  return known;
}

/** Under this key the browser remembers whether a dashboard has a default view. */
export const openingKeyOf = ({ id }: Dashboard): string => `dashboard/${id}`;
