import { outsideValue } from '../data/outside-value.ts';

/** The missing permission that the person wants to know more about; null if they have not asked. */
const asked = outsideValue<string | null>(null);

/** Opens a panel that says which permission an action needs and who can grant it; null closes it. */
export const askWhy = asked.set;

export const useAskedWhy = asked.use;
