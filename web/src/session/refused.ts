import { outsideValue } from '../data/outside-value.ts';

/** The missing permission the user asked about; null if none. */
const asked = outsideValue<string | null>(null);

/** Opens a panel that says which permission an action needs and who can grant it; null closes it. */
export const askWhy = asked.set;

export const useAskedWhy = asked.use;
