import { outsideValue } from './outside-value.ts';

/** How many changes this tab has made: what is counted elsewhere may be stale after each. */
export const changes = outsideValue(0);
