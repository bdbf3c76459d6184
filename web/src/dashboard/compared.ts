import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import type { Dashboard } from '@caseway/contract/dashboard';

/** Without complete reports, the numbers would only appear to fall. */
export const isCompared = ({ compare }: Dashboard, { incompleteFrom }: AnalyticsAnswer): boolean =>
  compare !== 'none' && incompleteFrom === null;
