import { outsideValue } from './outside-value.ts';

/** Whether the last request was answered, by whatever status. The stream of events asks again until it is. */
export const reached = outsideValue(true);
